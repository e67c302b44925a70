// The errors a person can mend. Everything else stays a plain Error: a bug, with its stack.
// cli.ts maps InputError to exit code 1, the API to a 4xx status; nobody else translates.

/** What went wrong, said so that the reader knows where, what and what to do. */
export interface Problem {
  readonly file?: string;
  readonly line?: number;
  /** What was found, as it follows "got". */
  readonly got: string;
  /** What was wanted, as it follows "expected". */
  readonly expected: string;
  /** One sentence: what to change. */
  readonly cure: string;
}

/** Bad input: a file, an option or a name that its owner can put right. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly problem: Problem;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(sentence(problem), options);
    this.problem = problem;
  }
}

/** The run was stopped on request (Ctrl-C, an AbortSignal); nothing is wrong with the input. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';

  constructor() {
    super('Stopped on request.');
  }
}

function sentence({ file, line, got, expected, cure }: Problem): string {
  const where = file === undefined ? '' : line === undefined ? `${file}: ` : `${file}, line ${line}: `;
  return `${where}got ${got}, expected ${expected}. ${cure}`;
}
