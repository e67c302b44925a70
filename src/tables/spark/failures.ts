// What went wrong on a Spark Connect server, in our words: errors of gRPC and of Spark become an InputError of one line with the cure.
// Spark sends a short form with the failed call and keeps the whole text for FetchErrorDetails.

import { CancelledError, InputError } from '../../errors.ts';
import { CallError, CODE } from './channel.ts';
import { type ErrorDetails, ErrorInfo, Status } from './messages.ts';
import { isTransient } from './retries.ts';
import type { Session } from './session.ts';
import { SparkError } from './spark-error.ts';
import { firstLine, type Problem, problemOfStatement } from './statement-failures.ts';

/** What to throw instead of `error`; `server` is its address without secrets. */
export async function explained(error: unknown, server: string, session: Session): Promise<unknown> {
  if (!(error instanceof CallError)) return error;
  if (error.message.includes('OPERATION_CANCELED')) return new CancelledError();
  const found = problemOfCall(error, session.isOpen);
  if (found) return new InputError({ file: server, ...found }, { cause: error });
  const cause = await sparkError(error, session);
  return new InputError({ file: server, ...problemOfStatement(cause) }, { cause });
}

/** What a message of Node's networking means, and the cure where it is a special one. */
const UNREACHABLE: readonly (readonly [pattern: RegExp, meaning: string, cure?: string])[] = [
  [/ECONNREFUSED/, 'connection refused'],
  [/ENOTFOUND|Name resolution failed/, 'unknown host', 'Correct the host in the address.'],
  [/ETIMEDOUT|Deadline exceeded/, 'nothing came in time'],
  [
    /certificate|CERT_|altnames/i,
    'a certificate that is not trusted',
    'Pass the certificate of its authority, or correct the host.',
  ],
  [
    /wrong version number|EPROTO/i,
    'the server does not use TLS',
    'Leave out use_ssl=true, or set up TLS on the server.',
  ],
  [/ECONNRESET|EPIPE|RST_STREAM|Connection dropped|Call cancelled|GOAWAY/i, 'the connection broke'],
];

const AGAIN = 'Start the command again (train: with --resume, which keeps what is done).';

function problemOfCall(error: CallError, isOpen: boolean): Problem | undefined {
  const { code, message } = error;
  const why = firstLine(message);
  if (isTransient(error) || code === CODE.deadlineExceeded) {
    const reason = UNREACHABLE.find(([pattern]) => pattern.test(message));
    return {
      got: `no answer (${reason?.[1] ?? why})`,
      expected: 'a Spark Connect server',
      cure: reason?.[2] ?? (isOpen ? `Start the server again. ${AGAIN}` : 'Start the server, or correct the address.'),
    };
  }
  if (code === CODE.unauthenticated || code === CODE.permissionDenied) {
    return {
      got: `a refusal (${why})`,
      expected: 'permission',
      cure: 'Put a valid token into the address: sc://HOST:PORT/;token=TOKEN.',
    };
  }
  if (code === CODE.unimplemented) {
    return {
      got: 'a server that does not know the call',
      expected: 'Spark Connect 3.5 or newer',
      cure: 'Correct the address.',
    };
  }
  if (/INVALID_HANDLE\.(SESSION|OPERATION)/.test(message)) {
    return {
      got: `a session that the server no longer has (${why})`,
      expected: 'the session in which the work began',
      cure: `The server was restarted or ended the session. ${AGAIN}`,
    };
  }
  return undefined;
}

/** The error with all that the server tells about it. */
async function sparkError(error: CallError, session: Session): Promise<SparkError> {
  const metadata = metadataOf(error.statusDetails);
  const errorId = metadata.get('errorId');
  const details = errorId ? await session.errorDetails(errorId).catch(() => undefined) : undefined;
  const short = {
    errorClass: metadata.get('errorClass'),
    sqlState: metadata.get('sqlState'),
    ...parametersOf(metadata),
  };
  return (details && rootOf(details)) ?? new SparkError(error.message, short as Partial<SparkError>);
}

function metadataOf(trailer: Uint8Array | undefined): Map<string, string> {
  if (!trailer) return new Map();
  const any = Status.decode(trailer).details.find(({ typeUrl }) => typeUrl?.endsWith('/google.rpc.ErrorInfo'));
  return pairsOf(any?.value ? ErrorInfo.decode(any.value).metadata : []);
}

/** Spark 4 sends them as JSON, too. */
function parametersOf(metadata: ReadonlyMap<string, string>): Partial<SparkError> {
  try {
    return { parameters: new Map(Object.entries(JSON.parse(metadata.get('messageParameters') ?? '{}'))) };
  } catch {
    return {}; // cut off: the server limits its length
  }
}

/** The first error, from the outside in, that Spark has a name for; otherwise the outermost. */
function rootOf({ rootErrorIndex = 0, errors }: ErrorDetails): SparkError | undefined {
  const all: ErrorDetails['errors'][number][] = [];
  for (let next = errors[rootErrorIndex]; next && !all.includes(next); next = errors[next.causeIndex ?? -1]) {
    all.push(next);
  }
  if (all.length === 0) return undefined;
  const { message = '', sparkThrowable = {} } = all.find((one) => one.sparkThrowable?.errorClass) ?? all[0];
  const { errorClass, sqlState, messageParameters = [] } = sparkThrowable;
  const chain = all.map((one) => one.message ?? '').join('\n');
  return new SparkError(message, { errorClass, sqlState, parameters: pairsOf(messageParameters), chain });
}

function pairsOf(pairs: readonly { key?: string | undefined; value?: string | undefined }[]): Map<string, string> {
  return new Map(pairs.map(({ key = '', value = '' }) => [key, value]));
}
