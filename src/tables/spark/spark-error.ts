// An error of a statement, as a Spark Connect server describes it.

/** An error as Spark describes it; the cause of the InputError. */
export class SparkError extends Error {
  override readonly name = 'SparkError';
  /** Spark's name for the kind of error, such as TABLE_OR_VIEW_NOT_FOUND. */
  readonly errorClass: string | undefined;
  readonly sqlState: string | undefined;
  readonly parameters: ReadonlyMap<string, string>;
  /** This message and those of all causes, from the outside in. */
  readonly chain: string;

  constructor(
    message: string,
    about: Partial<Pick<SparkError, 'errorClass' | 'sqlState' | 'parameters' | 'chain'>> = {},
  ) {
    super(message);
    this.errorClass = about.errorClass ?? /^\s*\[([A-Z][A-Z0-9_.]+)\]/.exec(message)?.[1]; // Spark 3.5 has it there alone
    this.sqlState = about.sqlState;
    this.parameters = about.parameters ?? new Map();
    this.chain = about.chain ?? message;
  }
}
