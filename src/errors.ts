// The errors that a person can correct. Everything else stays a plain Error: a bug, with its stack.
// cli.ts maps InputError to exit code 1, the HTTP service to a 4xx status; nothing else translates them.

/** The parts of an InputError's message: where the problem is, what was found and what to do. */
export interface InputProblem {
  readonly file?: string;
  readonly line?: number;
  /** What was found; follows the word "got". */
  readonly got: string;
  /** What was wanted; follows the word "expected". */
  readonly expected: string;
  /** One sentence: what to change. */
  readonly cure: string;
}

/**
 * Bad input: a file, an option or a name that its owner can correct. The message says where the problem is, what was found,
 * what was expected and what to do.
 *
 * @example
 * import { InputError, load } from 'tagloom';
 *
 * try {
 *   await load('no-such-folder');
 * } catch (error) {
 *   if (!(error instanceof InputError)) throw error;
 *   console.log(error.problem.file); // no-such-folder
 *   console.log(error.problem.got); // no such folder
 * }
 */
export class InputError extends Error {
  override readonly name = 'InputError';
  /** The parts of the message. */
  readonly problem: InputProblem;

  constructor(problem: InputProblem, options?: ErrorOptions) {
    super(sentence(problem), options);
    this.problem = problem;
  }
}

/**
 * The work was stopped on request (Ctrl-C, an AbortSignal). Nothing is wrong with the input.
 *
 * @example
 * import { mkdtemp } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { CancelledError, graphFrom, load, writeFolder } from 'tagloom';
 *
 * const folder = await mkdtemp(join(tmpdir(), 'tagloom-'));
 * await writeFolder(folder, graphFrom({ interact: [['ann', 'blade-runner']], tagged: [['blade-runner', 'dystopia']] }));
 * try {
 *   await load(folder, { signal: AbortSignal.abort() });
 * } catch (error) {
 *   console.log(error instanceof CancelledError); // true
 * }
 */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';

  constructor() {
    super('Stopped on request.');
  }
}

function sentence({ file, line, got, expected, cure }: InputProblem): string {
  const where = file === undefined ? '' : line === undefined ? `${file}: ` : `${file}, line ${line}: `;
  return `${where}got ${got}, expected ${expected}. ${cure}`;
}
