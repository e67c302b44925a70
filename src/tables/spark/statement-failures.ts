// What Spark says of a statement that failed, as something its owner can correct. Patterns are matched against the messages of real
// servers (3.5 and 4), the causes included.

import type { InputProblem } from '../../errors.ts';
import type { SparkError } from './spark-error.ts';

export type Problem = Omit<InputProblem, 'line'>;

/** What a failed statement means; `file` is there where it is about a file and not about the server. */
export function problemOfStatement(error: SparkError): Problem {
  for (const [pattern, wordsOf] of CASES) {
    const match = pattern.exec(`${error.errorClass ?? ''}\n${error.chain}`);
    if (match !== null) return withFile(wordsOf(error, match));
  }
  const said = firstLine(error.message)
    .replace(/^\[[A-Z0-9_.]+\] /, '')
    .replace(/\.?\s*SQLSTATE: \w{5}/, '');
  const code = codeOf(error);
  const got = `an error of Spark: ${said}${code && ` (${code})`}`;
  return { got, expected: 'a statement that runs', cure: 'Correct the statement or the data it reads.' };
}

type Words = Omit<Problem, 'file'> & { readonly file?: string | undefined };

function withFile({ file, ...words }: Words): Problem {
  return file === undefined ? words : { ...words, file };
}

const KEPT = 'What is done is kept: go on with --resume.';

const CASES: readonly (readonly [RegExp, (error: SparkError, match: RegExpExecArray) => Words])[] = [
  [
    /^TABLE_OR_VIEW_NOT_FOUND/,
    (error) => {
      const name =
        error.parameters.get('relationName') ?? /The table or view (`\S+`)/.exec(error.message)?.[1] ?? 'of that name';
      const cure = 'Correct the name (SHOW TABLES lists them), or create it first.';
      return { got: `no table or view ${name} (${codeOf(error)})`, expected: 'one that Spark knows', cure };
    },
  ],
  [
    /^(?:REQUIRES_SINGLE_PART_NAMESPACE|CATALOG_NOT_FOUND|SCHEMA_NOT_FOUND)/,
    (error) => ({
      ...{ got: `no such catalogue or schema (${codeOf(error)})`, expected: 'one that Spark knows' },
      cure: 'Correct the name: SHOW CATALOGS and SHOW SCHEMAS list them.',
    }),
  ],
  [
    /^UNRESOLVED_COLUMN/,
    (error) => {
      const name = error.parameters.get('objectName') ?? /with name (`\S+`)/.exec(error.message)?.[1] ?? 'of that name';
      const others = error.parameters.get('proposal') ?? /\[(`[^\]]+`)\]/.exec(error.message)?.[1];
      const cure = `Correct the name.${others ? ` Similar ones are ${others}.` : ''}`;
      return { got: `no column ${name} (${codeOf(error)})`, expected: 'a column of the tables', cure };
    },
  ],
  [
    /^PARSE_SYNTAX_ERROR/,
    (error) => {
      const [, near, line, column] = /at or near (.+?)[.:].*?\(line (\d+), pos (\d+)\)/s.exec(error.message) ?? [];
      const place = near ? ` at ${near}, line ${line}, position ${column}` : '';
      const got = `a syntax error${place} (${codeOf(error)})`;
      return { got, expected: 'Spark SQL', cure: 'Correct the statement there.' };
    },
  ],
  [
    /^UNRESOLVED_ROUTINE[\s\S]*?(`\w+`)/,
    (_, [, name]) => ({
      ...{ got: `a Spark without the function ${name}`, expected: 'Spark 3.5 or newer' },
      cure: 'Use a newer Spark, or one without changed built-in functions.',
    }),
  ],
  [
    /No space left on device|Disk quota exceeded|DiskOutOfSpace/,
    (error) => ({
      ...{ file: fileIn(error), got: 'a full disk', expected: 'room for tables' },
      cure: `Make room in the run folder and on the disks of the workers (spark.local.dir). ${KEPT}`,
    }),
  ],
  [
    /NoAuthWithAWS|NoAwsCredentials|No AWS Credentials|InvalidAccessKeyId|AuthenticationFailed|Unable to load credentials/i,
    (error) => ({
      ...{ file: fileIn(error), got: 'no credentials for this address', expected: 'permission' },
      cure: 'Give the server credentials, for instance spark.hadoop.fs.s3a.access.key and spark.hadoop.fs.s3a.secret.key.',
    }),
  ],
  [
    /Mkdirs failed to create (\S+?)(?:\/_temporary|\s)|Permission denied|AccessControlException|AccessDenied|INSUFFICIENT_PERMISSIONS|\b403\b.*Forbidden/,
    (error, [, folder]) => ({
      file: folder ?? fileIn(error),
      got: 'no permission for Spark to open or write it',
      expected: 'permission for the user that Spark runs as',
      cure: 'Change its permissions, or choose another place (--run-folder).',
    }),
  ],
  [
    /Class org\.apache\.hadoop\.fs\.(s3a|azurebfs)\S* not found|No FileSystem for scheme "([^"]+)"/,
    (_, [, known, scheme]) => ({
      got: `a Spark that cannot open ${known === 's3a' ? 's3a://' : known ? 'abfss://' : `${scheme}://`} addresses`,
      expected: 'one with the packages for it',
      cure: known
        ? `Start the server with --packages org.apache.hadoop:${known === 's3a' ? 'hadoop-aws' : 'hadoop-azure'}:VERSION, the version of its Hadoop.`
        : 'Correct the address, or start the server with the package for it.',
    }),
  ],
  [
    /CSV header does not conform to the schema[\s\S]*?Expected: ([^\n]*) but found: ([^\n]*)/,
    (error, [, wanted, found]) => ({
      file: fileIn(error),
      got: `the column "${found}" where other files of the table have "${wanted}"`,
      expected: 'the same columns in the same order in all files of a table',
      cure: 'Write the file again, or use Parquet, whose columns go by name.',
    }),
  ],
  [
    /MALFORMED_CSV_RECORD|MALFORMED_RECORD_IN_PARSING|Malformed CSV record/,
    (error) => ({
      file: fileIn(error),
      got: `a row with another number of fields than the header${rowIn(error)}`,
      expected: 'as many fields in every row as in the first',
      cure: 'Correct the row, or quote the field that contains the delimiter.',
    }),
  ],
  [
    /CANNOT_READ_FILE_FOOTER|is not a Parquet file|UNABLE_TO_INFER_SCHEMA/,
    (error) => ({
      ...{ file: fileIn(error), got: 'a file that is not Parquet, or was cut short', expected: 'a Parquet file' },
      cure: 'Write it again, or name it as what it is (.csv, .tsv).',
    }),
  ],
  [
    /Path does not exist: (\S+?)\.?(?:\s|$)|FileNotFoundException|FILE_NOT_EXIST|\bFile (\S+) does not exist/,
    (error, [, path, file]) => ({
      file: path ?? file ?? fileIn(error),
      got: 'no such file where Spark runs',
      expected: 'one that the server and all workers see',
      cure: 'Correct the path, or put it where they see it: a folder mounted at the same path everywhere, or an address such as s3a://BUCKET/FOLDER.',
    }),
  ],
  [
    /Encountered error while reading file (\S+?)\.?(?:\s|$)/, // Spark 3.5 says no more
    (_, [, file]) => ({
      ...{
        file,
        got: 'a file that Spark cannot read',
        expected: 'the same columns in all rows and all files of a table',
      },
      cure: 'Correct the rows that have more or fewer fields than the header, or write the file again.',
    }),
  ],
  [
    /Input Pattern (\S+) matches 0 files/,
    (_, [, file]) => ({
      ...{ file, got: 'a CSV file whose name Spark takes for a pattern', expected: 'a plain name' },
      cure: 'Rename it without [ ] { } * ? and \\, or use Parquet.',
    }),
  ],
  [
    /spark\.driver\.maxResultSize/,
    () => ({
      ...{ got: 'an answer that is larger than the server may send', expected: 'one that fits' },
      cure: 'Start the server with a larger spark.driver.maxResultSize, such as 4g.',
    }),
  ],
  [
    /OutOfMemory|ExecutorLostFailure|SparkOutOfMemory/,
    (error) => ({
      ...{ got: `a job that ran out of memory (${firstLine(error.message)})`, expected: 'one that fits' },
      cure: `Give the executors more memory (spark.executor.memory), or raise spark.sql.shuffle.partitions. ${KEPT}`,
    }),
  ],
];

function codeOf({ errorClass = '', sqlState }: SparkError): string {
  return sqlState ? `${errorClass}, SQLSTATE ${sqlState}` : errorClass;
}

function rowIn({ chain }: SparkError): string {
  const row = /Malformed CSV record: (.*?)\.?(?: SQLSTATE|$)/m.exec(chain)?.[1];
  return row === undefined ? '' : ` (${row.slice(0, 100)})`;
}

/** The first address in what Spark says. */
function fileIn({ chain }: SparkError): string | undefined {
  return /\b(?:file|s3a?|abfss?|gs|hdfs|wasbs?):\/[^\s,)"']+/.exec(chain)?.[0].replace(/[.:]$/, '');
}

/** One line, without the full stop that the sentence around it has. */
export function firstLine(text: string): string {
  const line = text
    .trim()
    .split('\n', 1)[0]
    .replace(/[.:]?\s*$/, '');
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
