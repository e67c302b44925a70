// A Spark Connect server of the tests' own: it says what a test tells it to say, and remembers what it was asked.

import {
  Metadata,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { onTestFinished } from 'vitest';
import * as messages from '../../../src/tables/spark/messages.ts';

/** One thing that a stream does. Without `fail` or `hang` at the end, the server ends it as if all were well. */
export type Step =
  | { readonly answer: Parameters<typeof messages.ExecutePlanResponse.encode>[0] }
  | { readonly fail: number; readonly details?: string; readonly trailer?: Uint8Array }
  | { readonly hang: true };

export interface Asked {
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at fields of whatever was asked
  readonly request: any;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface FakeBehaviour {
  readonly version?: string;
  /** What the stream of a call does; `asked` holds the calls so far, this one last. */
  readonly stream?: (method: string, asked: readonly Asked[]) => readonly Step[];
  /** The answer to any other call, or how it fails. */
  readonly call?: (method: string, asked: readonly Asked[]) => Uint8Array | Extract<Step, { fail: number }> | undefined;
  readonly tls?: { readonly key: Buffer; readonly certificate: Buffer };
}

export interface FakeSpark {
  readonly port: number;
  readonly asked: readonly Asked[];
  /** The methods asked for, in order. */
  methods(): string[];
  /** Ends all connections, as if the process were killed. */
  kill(): void;
}

const STREAMS = ['ExecutePlan', 'ReattachExecute'];
const REQUESTS = {
  ExecutePlan: messages.ExecutePlanRequest,
  ReattachExecute: messages.ReattachExecuteRequest,
  ReleaseExecute: messages.ReleaseExecuteRequest,
  ReleaseSession: messages.ReleaseSessionRequest,
  Interrupt: messages.InterruptRequest,
  AnalyzePlan: messages.AnalyzePlanRequest,
  Config: messages.ConfigRequest,
  FetchErrorDetails: messages.FetchErrorDetailsRequest,
};

export async function startFakeSpark(behaviour: FakeBehaviour = {}): Promise<FakeSpark> {
  const server = new Server();
  const asked: Asked[] = [];
  for (const [method, kind] of Object.entries(REQUESTS)) {
    const definition = {
      path: `/spark.connect.SparkConnectService/${method}`,
      requestStream: false,
      responseStream: STREAMS.includes(method),
      requestSerialize: (bytes: Buffer) => bytes,
      requestDeserialize: (bytes: Buffer) => bytes,
      responseSerialize: (bytes: Uint8Array) => Buffer.from(bytes),
      responseDeserialize: (bytes: Buffer) => bytes,
    };
    const note = (call: { request: Buffer; metadata: Metadata }) =>
      asked.push({ method, request: kind.decode(call.request), headers: call.metadata.getMap() });
    const handler = definition.responseStream
      ? (call: ServerWritableStream<Buffer, Uint8Array>) => {
          note(call);
          play(call, behaviour.stream?.(method, asked) ?? [{ answer: { responseId: 'end', resultComplete: {} } }]);
        }
      : (call: ServerUnaryCall<Buffer, Uint8Array>, reply: sendUnaryData<Uint8Array>) => {
          note(call);
          const answer = behaviour.call?.(method, asked) ?? defaultAnswer(method, behaviour);
          if (answer instanceof Uint8Array) reply(null, answer);
          else reply(failure(answer));
        };
    server.addService({ [method]: definition }, { [method]: handler } as never);
  }
  const { key, certificate } = behaviour.tls ?? {};
  const credentials =
    key && certificate
      ? ServerCredentials.createSsl(null, [{ private_key: key, cert_chain: certificate }])
      : ServerCredentials.createInsecure();
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  onTestFinished(() => server.forceShutdown());
  return { port, asked, methods: () => asked.map(({ method }) => method), kill: () => server.forceShutdown() };
}

function defaultAnswer(method: string, { version = '4.0.0' }: FakeBehaviour): Uint8Array {
  if (method !== 'AnalyzePlan') return new Uint8Array();
  return messages.AnalyzePlanResponse.encode({ sparkVersion: { version }, serverSideSessionId: 'there' });
}

function play(call: ServerWritableStream<Buffer, Uint8Array>, steps: readonly Step[]): void {
  for (const step of steps) {
    if ('hang' in step) return;
    if ('fail' in step) {
      call.emit('error', failure(step));
      return;
    }
    call.write(messages.ExecutePlanResponse.encode(step.answer));
  }
  call.end();
}

function failure({ fail, details = '', trailer }: Extract<Step, { fail: number }>) {
  const metadata = new Metadata();
  if (trailer) metadata.set('grpc-status-details-bin', Buffer.from(trailer));
  return { code: fail, details, message: details, metadata, name: 'Failure' };
}
