// Calls to a Spark Connect server: one connection, bytes out, messages back. The only file that knows gRPC; @grpc/grpc-js is loaded on demand.

import type { Client, ClientReadableStream, Metadata, ServiceError } from '@grpc/grpc-js';
import { optional } from '../../optional.ts';
import type { SparkAddress } from './connection-string.ts';

/** A call that failed: what gRPC says about it. */
export class CallError extends Error {
  override readonly name = 'CallError';
  /** The number of gRPC's status. */
  readonly code: number;
  /** The trailer in which Spark describes the error. */
  readonly statusDetails: Uint8Array | undefined;

  constructor(code: number, details: string, statusDetails?: Uint8Array) {
    super(details);
    this.code = code;
    this.statusDetails = statusDetails;
  }
}

/** Codes of gRPC that mean something here. */
export const CODE = {
  cancelled: 1,
  deadlineExceeded: 4,
  permissionDenied: 7,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

interface Decoder<Answer> {
  decode(bytes: Uint8Array): Answer;
}

export interface Channel {
  /** One answer for one request. */
  call<Answer>(method: string, request: Uint8Array, answer: Decoder<Answer>, timeoutMs?: number): Promise<Answer>;
  /** Many answers for one request; leaving the loop ends the call. */
  stream<Answer>(
    method: string,
    request: Uint8Array,
    answer: Decoder<Answer>,
    signal: AbortSignal,
  ): AsyncIterable<Answer>;
  close(): void;
}

export interface ChannelOptions {
  /** Certificates (PEM) of the authorities that may vouch for the server; the system's by default. */
  readonly rootCertificates?: Uint8Array;
  /** How long one answer may take. */
  readonly callTimeoutMs?: number;
  /** How long a stream may last before it is opened again: a connection that died silently is noticed. The server ends it after two minutes. */
  readonly streamTimeoutMs?: number;
}

const SERVICE = '/spark.connect.SparkConnectService/';
const MAX_MESSAGE_BYTES = 128 * 2 ** 20; // as Spark's own clients have it; batches are 4 MB unless the server is set up otherwise
const [CALL_MS, STREAM_MS] = [60_000, 300_000];

export async function openChannel(address: SparkAddress, options: ChannelOptions = {}): Promise<Channel> {
  const grpc = await optional('Spark', ['@grpc/grpc-js', '@uwdata/flechette'], () => import('@grpc/grpc-js'));
  const { target, useTls, rootCertificates } = { ...address, ...options };
  const credentials = useTls
    ? grpc.credentials.createSsl(rootCertificates ? Buffer.from(rootCertificates) : undefined)
    : grpc.credentials.createInsecure();
  const client = new grpc.Client(target, credentials, {
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
    'grpc.primary_user_agent': address.userAgent ?? 'tagloom',
    'grpc.initial_reconnect_backoff_ms': 100, // retries are counted in operation.ts
    'grpc.max_reconnect_backoff_ms': 5_000,
    'grpc.enable_http_proxy': 0, // a cluster is not behind the proxy for web pages
  });
  return new GrpcChannel(client, metadataOf(new grpc.Metadata(), address), options);
}

/** The token is a header, and not gRPC's credentials: those refuse connections without TLS, which Spark allows on one machine. */
function metadataOf(metadata: Metadata, { token, headers }: SparkAddress): Metadata {
  for (const [name, value] of headers) metadata.set(name, value);
  if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
  return metadata;
}

const asIs = (request: Uint8Array): Buffer => Buffer.from(request.buffer, request.byteOffset, request.byteLength);

class GrpcChannel implements Channel {
  readonly #client: Client;
  readonly #metadata: Metadata;
  readonly #options: ChannelOptions;

  constructor(client: Client, metadata: Metadata, options: ChannelOptions) {
    this.#client = client;
    this.#metadata = metadata;
    this.#options = options;
  }

  call<Answer>(
    method: string,
    request: Uint8Array,
    answer: Decoder<Answer>,
    timeoutMs = this.#options.callTimeoutMs ?? CALL_MS,
  ): Promise<Answer> {
    const deadline = Date.now() + timeoutMs;
    return new Promise((resolve, reject) => {
      const path = SERVICE + method;
      const done = (error: ServiceError | null, value?: Answer) => {
        if (error) reject(callError(error));
        else resolve(value as Answer);
      };
      this.#client.makeUnaryRequest(path, asIs, (b) => answer.decode(b), request, this.#metadata, { deadline }, done);
    });
  }

  async *stream<Answer>(
    method: string,
    request: Uint8Array,
    answer: Decoder<Answer>,
    signal: AbortSignal,
  ): AsyncGenerator<Answer> {
    const deadline = Date.now() + (this.#options.streamTimeoutMs ?? STREAM_MS);
    const path = SERVICE + method;
    const call: ClientReadableStream<Answer> = this.#client.makeServerStreamRequest(
      path,
      asIs,
      (b) => answer.decode(b),
      request,
      this.#metadata,
      { deadline },
    );
    const cancel = () => call.cancel();
    signal.addEventListener('abort', cancel);
    if (signal.aborted) cancel();
    try {
      for await (const value of call) yield value as Answer;
    } catch (error) {
      throw callError(error as ServiceError);
    } finally {
      signal.removeEventListener('abort', cancel);
      call.on('error', () => {}); // cancelling is an error that nobody waits for
      call.cancel();
    }
  }

  close(): void {
    this.#client.close();
  }
}

function callError(error: ServiceError): Error {
  if (typeof error.code !== 'number') return error;
  const trailer = error.metadata?.get('grpc-status-details-bin')[0];
  return new CallError(error.code, error.details, trailer instanceof Uint8Array ? trailer : undefined);
}
