// Opening and closing a session: versions, settings, tokens, TLS, progress and errors, on a server of the tests' own.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CancelledError } from '../../../src/errors.ts';
import { ErrorInfo, FetchErrorDetailsResponse, Status } from '../../../src/tables/spark/messages.ts';
import { openSpark } from '../../../src/tables/spark/open-spark.ts';
import { tempFolder } from '../../temp-folder.ts';
import { type FakeBehaviour, type Step, startFakeSpark } from './fake-spark.ts';

const [UNAUTHENTICATED, UNIMPLEMENTED, INTERNAL, UNAVAILABLE] = [16, 12, 13, 14];
const QUICK = { retryDelaysMs: [1], openingDelaysMs: [1, 1, 1] };

async function refusal(url: string, options = QUICK): Promise<string> {
  return openSpark(url, options).then(
    () => 'opened',
    (error: Error) => error.message,
  );
}

describe('openSpark(url)', () => {
  it.each(['3.5.0', '3.5.7-SNAPSHOT', '4.0.0', '10.0.1'])('takes Spark %s', async (version) => {
    const { port } = await startFakeSpark({ version });
    await (await openSpark(`sc://127.0.0.1:${port}`)).close();
  });

  it.each(['3.4.4', '2.4.8', '', 'unknown'])('refuses Spark "%s"', async (version) => {
    const { port } = await startFakeSpark({ version });
    const got = version === '' ? 'a server that does not tell its version' : `Spark ${version}`;
    expect(await refusal(`sc://127.0.0.1:${port}`)).toBe(
      `sc://127.0.0.1:${port}: got ${got}, expected Spark 3.5 or newer. Use a newer Spark.`,
    );
  });

  it('says in one line that nobody answers', async () => {
    const spark = await startFakeSpark();
    spark.kill();
    expect(await refusal(`sc://127.0.0.1:${spark.port}`)).toBe(
      `sc://127.0.0.1:${spark.port}: got no answer (connection refused), expected a Spark Connect server. ` +
        'Start the server, or correct the address.',
    );
  });

  it('tries again while a server starts', async () => {
    const spark = await startFakeSpark({
      call: (_, asked) => (asked.length < 3 ? { fail: UNAVAILABLE } : undefined),
    });
    await openSpark(`sc://127.0.0.1:${spark.port}`, QUICK);
    expect(spark.methods()).toEqual(['AnalyzePlan', 'AnalyzePlan', 'AnalyzePlan']);
  });

  it('says that a server is something else', async () => {
    const { port } = await startFakeSpark({ call: () => ({ fail: UNIMPLEMENTED }) });
    expect(await refusal(`sc://127.0.0.1:${port}`)).toContain('got a server that does not know the call');
  });

  it('sets what the session should have', async () => {
    const spark = await startFakeSpark();
    await openSpark(`sc://127.0.0.1:${spark.port}`, { config: { 'spark.sql.ansi.enabled': 'true' } });
    const pairs = [{ key: 'spark.sql.ansi.enabled', value: 'true' }];
    expect(spark.asked[1]).toMatchObject({ method: 'Config', request: { operation: { set: { pairs } } } });
  });

  it('sends the token and other headers with each call', async () => {
    const spark = await startFakeSpark();
    const engine = await openSpark(`sc://127.0.0.1:${spark.port}/;token=hush;x-cluster=a;user_id=ann`);
    await engine.run('SELECT 1');
    await engine.close();
    expect(spark.methods()).toEqual(['AnalyzePlan', 'ExecutePlan', 'ReleaseExecute', 'ReleaseSession']);
    for (const { headers, request } of spark.asked) {
      expect(headers).toMatchObject({ authorization: 'Bearer hush', 'x-cluster': 'a' });
      expect(request.userContext.userId).toBe('ann');
    }
  });

  it('says where a token goes when the server wants another', async () => {
    const { port } = await startFakeSpark({ call: () => ({ fail: UNAUTHENTICATED, details: 'Invalid token' }) });
    const message = await refusal(`sc://127.0.0.1:${port}/;token=hush`);
    expect(message).toContain('got a refusal (Invalid token), expected permission. Put a valid token into the address');
    expect(message).not.toContain('hush');
  });
});

describe('over TLS', () => {
  const hasOpenssl = (() => {
    try {
      return execFileSync('openssl', ['version'], { stdio: 'pipe' }).length > 0;
    } catch {
      process.stderr.write('tests of TLS are skipped: there is no openssl to make a certificate\n');
      return false;
    }
  })();

  async function certificate(): Promise<{ key: Buffer; certificate: Buffer }> {
    const folder = await tempFolder();
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const request = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
    ];
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    execFileSync('openssl', [...request, ...names, '-keyout', key, '-out', cert], { stdio: 'pipe' });
    return { key: readFileSync(key), certificate: readFileSync(cert) };
  }

  it.skipIf(!hasOpenssl)('the token goes to a server whose certificate is trusted, and to no other', async () => {
    const tls = await certificate();
    const spark = await startFakeSpark({ tls });
    const url = `sc://localhost:${spark.port}/;token=hush;use_ssl=true`;
    await openSpark(url, { rootCertificates: tls.certificate });
    expect(spark.asked[0].headers).toMatchObject({ authorization: 'Bearer hush' });
    expect(await refusal(url)).toContain('got no answer (a certificate that is not trusted)');
    expect(spark.asked).toHaveLength(1);
  });

  it('a server without TLS is named as such', async () => {
    const { port } = await startFakeSpark();
    expect(await refusal(`sc://localhost:${port}/;use_ssl=true`)).toContain(
      'got no answer (the server does not use TLS)',
    );
  });
});

describe('a session', () => {
  it('is released at the end, once', async () => {
    const spark = await startFakeSpark();
    const engine = await openSpark(`sc://127.0.0.1:${spark.port}`);
    await engine.close();
    await engine.close();
    expect(spark.methods()).toEqual(['AnalyzePlan', 'ReleaseSession']);
    await expect(engine.run('SELECT 1')).rejects.toThrow('The connection to Spark is closed.');
  });

  it('of somebody else stays open', async () => {
    const spark = await startFakeSpark();
    const sessionId = '00112233-4455-4677-8899-aabbccddeeff';
    const engine = await openSpark(`sc://127.0.0.1:${spark.port}/;session_id=${sessionId}`);
    await engine.close();
    expect(spark.asked).toMatchObject([{ method: 'AnalyzePlan', request: { sessionId } }]);
  });

  it('that is closed stops what runs', async () => {
    const spark = await startFakeSpark({ stream: () => [{ hang: true }] });
    const engine = await openSpark(`sc://127.0.0.1:${spark.port}`);
    const running = engine.run('SELECT 1').catch((error: unknown) => error);
    await expect.poll(() => spark.methods()).toContain('ExecutePlan');
    await engine.close();
    expect(await running).toBeInstanceOf(CancelledError);
  });
});

it('progress rises to 1', async () => {
  const progress = (...stages: [done: number, of: number][]): Step => ({
    answer: {
      executionProgress: { stages: stages.map(([numCompletedTasks, numTasks]) => ({ numCompletedTasks, numTasks })) },
    },
  });
  const end: Step = { answer: { responseId: 'end', resultComplete: {} } };
  const steps = [
    progress(),
    progress([1, 4]),
    progress([2, 4]),
    progress([4, 4], [0, 8]),
    progress([4, 4], [6, 8]),
    end,
  ];
  const { port } = await startFakeSpark({ stream: () => steps });
  const engine = await openSpark(`sc://127.0.0.1:${port}`);
  const shares: number[] = [];
  await engine.run('SELECT 1', { onProgress: (share) => shares.push(share) });
  expect(shares).toEqual([0.25, 0.5, 10 / 12, 1]);
});

describe('an error of Spark', () => {
  /** A server on which each statement fails; `details` is what it tells when asked for more. */
  function failing(
    metadata: Record<string, string>,
    details?: Parameters<typeof FetchErrorDetailsResponse.encode>[0],
  ): FakeBehaviour {
    const value = ErrorInfo.encode({ metadata: Object.entries(metadata).map(([key, value]) => ({ key, value })) });
    const any = { typeUrl: 'type.googleapis.com/google.rpc.ErrorInfo', value };
    const trailer = Status.encode({ code: INTERNAL, message: 'short', details: [any] });
    return {
      stream: () => [{ fail: INTERNAL, details: '[SHORT] It failed.', trailer }],
      call: (method) => {
        if (method !== 'FetchErrorDetails') return undefined;
        return details ? FetchErrorDetailsResponse.encode(details) : { fail: INTERNAL };
      },
    };
  }

  async function messageOf(behaviour: FakeBehaviour): Promise<string> {
    const { port } = await startFakeSpark(behaviour);
    const engine = await openSpark(`sc://127.0.0.1:${port}`, QUICK);
    const message = await engine.run('SELECT 1').catch((error: Error) => error.message);
    return String(message).replace(`sc://127.0.0.1:${port}: `, '');
  }

  it('is told in full, with its class and SQLSTATE, from the outside in', async () => {
    const errors = [
      { message: 'outer', causeIndex: 1 },
      {
        message: 'inner',
        sparkThrowable: {
          errorClass: 'TABLE_OR_VIEW_NOT_FOUND',
          sqlState: '42P01',
          messageParameters: [{ key: 'relationName', value: '`a`.`b`' }],
        },
      },
    ];
    expect(await messageOf(failing({ errorId: 'e' }, { rootErrorIndex: 0, errors }))).toBe(
      'got no table or view `a`.`b` (TABLE_OR_VIEW_NOT_FOUND, SQLSTATE 42P01), expected one that Spark knows. ' +
        'Correct the name (SHOW TABLES lists them), or create it first.',
    );
  });

  it('whose causes form a circle, or are not there, is told as far as it goes', async () => {
    const circle = [{ message: 'It broke.\nat x', causeIndex: 0 }];
    const told =
      'got an error of Spark: It broke, expected a statement that runs. Correct the statement or the data it reads.';
    expect(await messageOf(failing({ errorId: 'e' }, { rootErrorIndex: 0, errors: circle }))).toBe(told);
    expect(await messageOf(failing({ errorId: 'e' }, { rootErrorIndex: 7, errors: circle }))).toContain(
      'It failed (SHORT)',
    );
  });

  it('is told from the short form where the server keeps no more', async () => {
    const metadata = { errorClass: 'DIVIDE_BY_ZERO', sqlState: '22012' };
    expect(await messageOf(failing(metadata))).toContain('It failed (DIVIDE_BY_ZERO, SQLSTATE 22012)');
    expect(await messageOf(failing({ ...metadata, errorId: 'e', messageParameters: '{"cut o' }))).toContain(
      'It failed (DIV',
    );
  });

  it('of memory says what to give', async () => {
    const errors = [{ message: 'Job aborted: ExecutorLostFailure (executor 1 exited)' }];
    expect(await messageOf(failing({ errorId: 'e' }, { errors }))).toContain(
      'Give the executors more memory (spark.executor.memory)',
    );
  });
});
