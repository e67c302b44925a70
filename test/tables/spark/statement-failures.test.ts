// What real servers said (Spark 4.3 and 3.5, shortened), and what becomes of it.

import { describe, expect, it } from 'vitest';
import { SparkError } from '../../../src/tables/spark/spark-error.ts';
import { problemOfStatement } from '../../../src/tables/spark/statement-failures.ts';

const CASES: readonly (readonly [what: string, chain: string, problem: object])[] = [
  [
    'a full disk',
    '[TASK_WRITE_FAILED] Task failed while writing rows to file:/run/t. SQLSTATE: 58030\nUnable to close resource\njava.io.IOException: No space left on device',
    { file: 'file:/run/t', got: 'a full disk', cure: expect.stringContaining('--resume') },
  ],
  [
    'a folder that Spark may not write to',
    'Job aborted due to stage failure: Task 0 in stage 1.0 failed 4 times: java.io.IOException: Mkdirs failed to create file:/run/t/_temporary/0/_temporary/attempt_1 (exists=false, cwd=file:/work)',
    { file: 'file:/run/t', got: 'no permission for Spark to open or write it' },
  ],
  [
    'a file that Spark may not read',
    'java.io.FileNotFoundException: /data/tagged.tsv (Permission denied)',
    { got: 'no permission for Spark to open or write it' },
  ],
  [
    'a bucket that is closed',
    's3a://lake/shop: getFileStatus on s3a://lake/shop: software.amazon.awssdk.services.s3.model.S3Exception: null (Status Code: 403, Forbidden)\nAccessDenied',
    { file: 's3a://lake/shop', got: 'no permission for Spark to open or write it' },
  ],
  [
    'a bucket without credentials',
    'java.nio.file.AccessDeniedException: s3a://lake/shop: org.apache.hadoop.fs.s3a.auth.NoAuthWithAWSException: No AWS Credentials provided by TemporaryAWSCredentialsProvider',
    { file: 's3a://lake/shop', cure: expect.stringContaining('spark.hadoop.fs.s3a.access.key') },
  ],
  [
    'no package for an address',
    'java.lang.ClassNotFoundException: Class org.apache.hadoop.fs.azurebfs.SecureAzureBlobFileSystem not found',
    { got: 'a Spark that cannot open abfss:// addresses', cure: expect.stringContaining('hadoop-azure') },
  ],
  [
    'an unknown scheme',
    'No FileSystem for scheme "foo"',
    { got: 'a Spark that cannot open foo:// addresses', cure: expect.stringContaining('Correct the address') },
  ],
  [
    'no such file',
    '[PATH_NOT_FOUND] Path does not exist: file:/nowhere/x. SQLSTATE: 42K03',
    { file: 'file:/nowhere/x', got: 'no such file where Spark runs' },
  ],
  [
    'a file that only some workers see',
    '[FAILED_READ_FILE.FILE_NOT_EXIST] Encountered error while reading file file:///data/tagged.tsv. File does not exist. SQLSTATE: KD001',
    { file: 'file:///data/tagged.tsv', expected: 'one that the server and all workers see' },
  ],
  [
    'a file that is not Parquet',
    '[FAILED_READ_FILE.CANNOT_READ_FILE_FOOTER] Encountered error while reading file file:/data/tagged.parquet. Could not read footer.',
    { file: 'file:/data/tagged.parquet', expected: 'a Parquet file' },
  ],
  [
    'a row of another length',
    '[FAILED_READ_FILE.NO_HINT] Encountered error while reading file file:///m/a.csv.  SQLSTATE: KD001\n[MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION] Malformed records are detected.\n[MALFORMED_CSV_RECORD] Malformed CSV record: 3,4,5 SQLSTATE: KD000',
    { file: 'file:///m/a.csv', got: 'a row with another number of fields than the header (3,4,5)' },
  ],
  [
    'a row of another length, on Spark 3.5',
    'Job aborted due to stage failure: Task 0 in stage 1.0 failed 4 times: org.apache.spark.SparkException: Encountered error while reading file file:///m/a.csv. Details:',
    { file: 'file:///m/a.csv', got: 'a file that Spark cannot read' },
  ],
  [
    'another header',
    '[FAILED_READ_FILE.NO_HINT] Encountered error while reading file file:///h/b.csv.  SQLSTATE: KD001\nCSV header does not conform to the schema.\n Header: b, a\n Schema: a, b\nExpected: a but found: b\nCSV file: file:///h/b.csv',
    { file: 'file:///h/b.csv', got: 'the column "b" where other files of the table have "a"' },
  ],
  [
    'a name that is taken for a pattern',
    'Input Pattern file:/shop/interact-[1].csv matches 0 files',
    { file: 'file:/shop/interact-[1].csv', cure: expect.stringContaining('Rename it') },
  ],
  [
    'no such catalogue',
    '[REQUIRES_SINGLE_PART_NAMESPACE] spark_catalog requires a single-part namespace, but got identifier `a`.`b`.`tagged`. SQLSTATE: 42K05',
    { got: 'no such catalogue or schema (REQUIRES_SINGLE_PART_NAMESPACE)' },
  ],
  [
    'no such function',
    '[UNRESOLVED_ROUTINE] Cannot resolve routine `xx` on search path [`system`.`builtin`]. SQLSTATE: 42883; line 1 pos 7',
    { got: 'a Spark without the function `xx`' },
  ],
  [
    'an answer that is too large',
    'Total size of serialized results of 27 tasks (1032.3 MiB) is bigger than spark.driver.maxResultSize (1024.0 MiB)',
    { cure: expect.stringContaining('spark.driver.maxResultSize') },
  ],
  [
    'anything else',
    '[DIVIDE_BY_ZERO] Division by zero. SQLSTATE: 22012\nat x',
    { got: 'an error of Spark: Division by zero (DIVIDE_BY_ZERO)', expected: 'a statement that runs' },
  ],
];

describe('a failed statement', () => {
  it.each(CASES)('because of %s', (_, chain, problem) => {
    expect(problemOfStatement(new SparkError(chain))).toMatchObject(problem);
  });
});
