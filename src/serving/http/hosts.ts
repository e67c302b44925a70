// The names a service answers to. A web page can make its own name lead to this machine (DNS rebinding) and then read and
// write as a page of the service would; its browser still sends that name as Host. So a name counts only if it is this
// machine's own, was allowed, or is an address: nobody can make an address lead elsewhere.

import { isIP } from 'node:net';
import { InputError } from '../../errors.ts';
import { refuse } from './problem.ts';

/** Where the service listens. */
export interface Listening {
  /** Only this machine may connect. */
  isLocal: boolean;
  /** As it was given; undefined before it listens. */
  host: string | undefined;
}

const NAME = /^[a-z\d_]([a-z\d_-]*[a-z\d_])?(\.[a-z\d_]([a-z\d_-]*[a-z\d_])?)*$/;
const HOST = /^(?<name>\[[\da-f:.]+\]|[^:[\]]+)(:\d{1,5})?$/i;

/** Lower case, without brackets and a last dot. Throws where one is no name of a host. */
export function hostNames(given: readonly string[] = []): ReadonlySet<string> {
  return new Set(
    given.map((text) => {
      const name = plainName(text);
      if (isIP(name) !== 0 || NAME.test(name)) return name;
      throw new InputError({
        got: `the allowed host ${JSON.stringify(text)}`,
        expected: 'the name of a host, without a scheme, port or path',
        cure: 'Write it as in --allow-host tags.example.org.',
      });
    }),
  );
}

/** Answers 421 to a request whose Host is no name of this service. Browsers always send one; some health checks send none. */
export function refuseOtherHosts(header: string | undefined, allowed: ReadonlySet<string>, listening: Listening): void {
  if (header === undefined) return;
  const name = plainName(HOST.exec(header)?.groups?.name ?? '');
  if (isLoopbackName(name) || allowed.has(name)) return;
  const { isLocal, host } = listening;
  if (!isLocal && (isIP(name) !== 0 || (host !== undefined && name === plainName(host)))) return;
  const known = isLocal ? 'localhost' : 'its IP address or localhost';
  const option = `--allow-host ${NAME.test(name) ? name.slice(0, 100) : 'NAME'}`;
  const what = name === '' ? 'a Host header that is no name' : `the name ${JSON.stringify(name.slice(0, 100))}`;
  refuse(421, `This service does not answer to ${what}.`, `Call it by ${known}, or start it with ${option}.`);
}

function plainName(text: string): string {
  return text
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

/** Whether only this machine can connect to an address. */
export function isLoopback(host: string): boolean {
  return isLoopbackName(plainName(host));
}
