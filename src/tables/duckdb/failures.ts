// What DuckDB says when a statement fails, as something its owner can correct. What is our own mistake stays an error with a stack.

import { InputError, type InputProblem } from '../../errors.ts';

/** What the engine was given, for cures. */
export interface Limits {
  readonly memoryLimit: string;
  readonly temporaryFolder: string;
}

type Words = Pick<InputProblem, 'got' | 'expected' | 'cure'> & { readonly file?: string };

/** An error of DuckDB that its owner can correct as an InputError; any other as it is. */
export function duckdbFailure(error: unknown, limits: Limits): unknown {
  const message = error instanceof Error ? error.message : String(error);
  for (const [pattern, wordsOf] of CASES) {
    const match = pattern.exec(message);
    if (match !== null) return new InputError(wordsOf(match, limits), { cause: error });
  }
  return error;
}

const DISK_FULL = (where: string): Words => ({
  ...{ file: where, got: 'a full disk', expected: 'room for tables' },
  cure: 'Make room, or name a folder on another disk (--temporary-folder, --run-folder). What is done is kept: go on with --resume.',
});

const CASES: readonly (readonly [RegExp, (match: RegExpExecArray, limits: Limits) => Words])[] = [
  [
    /No space left on device|Disk quota exceeded|max_temp_directory_size|failed to offload data block/i,
    (match, { temporaryFolder }) => DISK_FULL(/"([^"]+)": No space/.exec(match.input)?.[1] ?? temporaryFolder),
  ],
  [
    /^Out of Memory Error|could not allocate|failed to allocate/i,
    (_, { memoryLimit }) => ({
      got: `a statement that needs more than the ${memoryLimit} of memory allowed`,
      expected: 'one that fits, with the rest on disk',
      cure: 'Raise --memory-limit, or use fewer threads (--threads 1): each holds a part of its own.',
    }),
  ],
  [
    /No files found that match the pattern "([^"]+)"/,
    ([, file]) => ({ file, got: 'no such file', expected: 'a table', cure: 'Correct the path.' }),
  ],
  [
    /Cannot open file "([^"]+)": (?:Permission denied|Operation not permitted)/,
    ([, file]) => ({
      ...{ file, got: 'no permission to open it', expected: 'a file that can be opened' },
      cure: 'Change its permissions, or run as a user that may open it.',
    }),
  ],
  [
    /(?:Cannot open|Could not write|Could not create) (?:file|directory) "([^"]+)": ([^\n]+)/i,
    ([, file, said]) => ({
      ...{ file, got: `an error of the system (${said.trim()})`, expected: 'a file that can be opened' },
      cure: 'Choose another place.',
    }),
  ],
  [
    /Table with name "?([^"\s]+)"? does not exist/,
    ([, table]) => ({ got: `no table ${table}`, expected: 'a table of that name', cure: 'Correct the name.' }),
  ],
  [
    /(?:Referenced column|does not have a column named) "([^"]+)"/,
    ({ 1: column, input }) => ({
      got: `no column "${column}"${candidatesIn(input)}`,
      expected: 'one of that name',
      cure: `Name a column "${column}".`,
    }),
  ],
  [
    /(?:No magic bytes found|too small to be a Parquet file)[^']*'([^']+)'/,
    ([, file]) => ({
      ...{ file, got: 'a file that is not Parquet, or was cut short', expected: 'a Parquet file' },
      cure: 'Write it again, or name it as what it is (.csv, .tsv).',
    }),
  ],
  [
    /(?:Error when sniffing file|CSV Error on Line: (\d+))/,
    (match) => ({
      got: `a table that cannot be read${match[1] === undefined ? '' : `, line ${match[1]}`} (${shortened(match.input)})`,
      expected: 'as many fields in every row as in the first',
      cure: 'Correct the row, or read the data with --engine memory, which says more.',
    }),
  ],
  [
    /Scalar Function with name "?([^"\s]+)"? does not exist/,
    ([, name]) => ({
      got: `a DuckDB without the function ${name}`,
      expected: 'DuckDB 1.3 or newer',
      cure: 'Run npm install @duckdb/node-api.',
    }),
  ],
];

function candidatesIn(message: string): string {
  const found = /Candidate bindings: ([^\n]+)/.exec(message)?.[1];
  return found === undefined ? '' : ` (similar: ${found.replaceAll('"', '')})`;
}

function shortened(message: string): string {
  const lines = message.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .slice(0, 2)
    .join(' ')
    .slice(0, 200);
}
