// A process of its own that decides without end on a store in a folder, and what it was acknowledged.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, vi } from 'vitest';

const BUILT = new URL('../../../dist/serving/reviews/review-store.js', import.meta.url);

/** Decides without end and says each time what was acknowledged; gives up after ten refusals in a row. */
const ENDLESS = `
  const { ReviewStore } = await import(${JSON.stringify(BUILT.href)});
  const warn = (message) => process.stdout.write('warning ' + message + '\\n');
  const store = await ReviewStore.open(process.argv[1], { warn }).catch((error) => {
    process.stdout.write('refused ' + error.message + '\\n');
    process.exit(1);
  });
  for (let i = 0, numRefused = 0; numRefused < 10; i++) {
    const object = process.argv[2] + i;
    await store.decide([{ object, tag: 'x', decision: 'accept' }]).then(
      () => { numRefused = 0; process.stdout.write(object + '\\n'); },
      (error) => { numRefused++; process.stdout.write('refused ' + error.name + '\\n'); },
    );
  }
  await store.close();
  process.exit(); // timers of the database that was left alone run for seconds`;

export interface Writer {
  readonly child: ChildProcess;
  readonly acknowledged: Set<string>;
  readonly told: string[];
  /** Resolves when that many were acknowledged, or it ended. */
  until(count: number): Promise<void>;
}

/** `container`: a command that runs it where nobody sees its process id. */
export function startWriter(folder: string, prefix: string, container: readonly string[] = []): Writer {
  const args = [process.execPath, '--input-type=module', '-e', ENDLESS, folder, prefix];
  const [command, ...rest] = [...container, ...args];
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [acknowledged, told] = [new Set<string>(), [] as string[]];
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    if (/^(refused|warning)/.test(line)) told.push(line);
    else acknowledged.add(line);
  });
  const closed = once(child, 'close');
  const until = async (count: number) => {
    const enough = vi.waitFor(() => expect(acknowledged.size).toBeGreaterThanOrEqual(count), 60_000);
    await Promise.race([enough.catch(() => {}), closed]);
  };
  return { child, acknowledged, told, until };
}
