// Reads a connection string as Spark Connect defines it: sc://host:port/;name=value;name=value. Parameters that Spark does not
// name become headers of every call.

import { InputError } from '../../errors.ts';

/** Where a Spark Connect server is and how to speak to it. */
export interface SparkAddress {
  /** `host:port`, an IPv6 host in brackets. */
  readonly target: string;
  readonly useTls: boolean;
  readonly token?: string;
  readonly userId?: string;
  readonly userAgent?: string;
  /** A session of somebody else's to join; without it, a session of our own. */
  readonly sessionId?: string;
  readonly headers: ReadonlyMap<string, string>;
}

const DEFAULT_PORT = 15_002; // of Spark
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HEADER = /^[0-9a-z_.-]+$/; // gRPC refuses others
const EXAMPLE = 'sc://HOST:15002/;token=TOKEN;user_id=NAME';

export function parseConnectionString(text: string): SparkAddress {
  const parts = /^sc:\/\/([^/;?#@]*)(?:\/(?:;(.*))?)?$/s.exec(text);
  if (!parts) throw misread(whatIsWrong(text));
  const parameters = readParameters(parts[2] ?? '');
  const { host, port } = readHost(parts[1]);
  const token = parameters.get('token');
  return {
    target: `${host}:${port}`,
    useTls: usesTls(host, parameters),
    ...(token !== undefined && { token: asHeader('token', token) }),
    ...given('userId', parameters.get('user_id')),
    ...given('userAgent', parameters.get('user_agent')),
    ...given('sessionId', readSessionId(parameters.get('session_id'))),
    headers: readHeaders(parameters),
  };
}

function whatIsWrong(text: string): string {
  if (!text.startsWith('sc://')) {
    const scheme = /^[a-z][a-z+.-]*(?=:\/\/)/i.exec(text)?.[0];
    return scheme === undefined ? 'an address without "sc://"' : `an address that starts with "${scheme}://"`;
  }
  if (/^sc:\/\/[^/;]*@/.test(text)) return 'an address with a user or a password before the host';
  return 'an address with something other than parameters behind the host';
}

function readHost(text: string): { host: string; port: number } {
  const parts = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d+))?$/i.exec(text);
  if (!parts) throw misread(text === '' || text.startsWith(':') ? 'an address without a host' : `the host "${text}"`);
  const port = Number(parts[2] ?? DEFAULT_PORT);
  if (port < 1 || port > 65_535) throw misread(`the port ${parts[2]}`);
  return { host: parts[1].toLowerCase(), port };
}

function readParameters(text: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const part of text.split(';').filter((part) => part !== '')) {
    const [name, value, ...more] = part.split('=');
    // the part itself is not shown: it may be a token that contains "="
    if (value === undefined || more.length > 0 || name === '') {
      throw misread(`a parameter "${name}" that is not name=value`, 'Write "=" and ";" inside a value as %3D and %3B.');
    }
    if (parameters.has(name)) throw misread(`the parameter "${name}" twice`);
    parameters.set(name, decoded(name, value));
  }
  return parameters;
}

function decoded(name: string, value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw misread(`a value of "${name}" with a broken % sequence`, 'Write "%" as %25.');
  }
}

/** A token makes Spark's clients use TLS; on the same machine only if asked. A token never leaves the machine in the clear. */
function usesTls(host: string, parameters: ReadonlyMap<string, string>): boolean {
  const asked = parameters.get('use_ssl')?.toLowerCase();
  if (asked !== undefined && asked !== 'true' && asked !== 'false') {
    throw misread(`use_ssl=${asked}`, 'Write use_ssl=true or use_ssl=false.');
  }
  if (asked === 'true' || !parameters.has('token') || LOOPBACK.test(host)) return asked === 'true';
  if (asked === 'false') {
    throw misread(
      `a token with use_ssl=false for ${host}`,
      'Leave out use_ssl: tokens are sent to other machines over TLS.',
    );
  }
  return true;
}

function readSessionId(text: string | undefined): string | undefined {
  if (text !== undefined && !UUID.test(text))
    throw misread(`session_id=${text}`, 'Use a UUID as session_id, or leave it out.');
  return text;
}

const OURS = new Set(['token', 'use_ssl', 'user_id', 'user_agent', 'session_id']);
/** They set up the channel of Spark's own clients. */
const NOT_SENT = /^grpc_(keepalive_.*|max_message_size)$/;

function readHeaders(parameters: ReadonlyMap<string, string>): Map<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of parameters) {
    if (OURS.has(name) || NOT_SENT.test(name)) continue;
    const header = name.toLowerCase();
    if (!HEADER.test(header) || header.startsWith('grpc-') || header.endsWith('-bin')) {
      throw misread(`a parameter "${name}" that cannot be a header`);
    }
    headers.set(header, asHeader(name, value));
  }
  return headers;
}

/** gRPC allows printable ASCII in headers. */
function asHeader(name: string, value: string): string {
  if (value === '' || !/^[\x20-\x7e]+$/.test(value)) {
    throw misread(
      `a value of "${name}" that cannot be sent as a header`,
      'Use printable ASCII characters, at least one.',
    );
  }
  return value;
}

function given<Name extends string>(name: Name, value: string | undefined): { [key in Name]?: string } {
  return value === undefined || value === '' ? {} : ({ [name]: value } as { [key in Name]?: string });
}

function misread(got: string, cure = `Write it as ${EXAMPLE}.`): InputError {
  return new InputError({ got, expected: 'a Spark Connect address (sc://HOST:PORT)', cure });
}
