// What helpers of tests leave to be cleared away after the last test of a file. A helper that many files share is loaded once for
// all of them, where they share a worker: an `afterAll` of its own would be heard after the first file only.

const works: (() => unknown)[] = [];

/** Does this after the file's last test; the last that was asked for comes first. */
export function atEndOfFile(work: () => unknown): void {
  works.push(work);
}

/** For each-file.ts. */
export async function clearAway(): Promise<void> {
  for (let work = works.pop(); work !== undefined; work = works.pop()) await work();
}
