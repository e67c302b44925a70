// Who asks, as a proxy says that checked it (oauth2-proxy and its kin): a header, believed only where the connection comes from
// the proxy. From anywhere else the header is not looked at: anyone could send it.

import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { cleanName } from '../../data/name.ts';
import { InputError } from '../../errors.ts';
import { type Actor, isRole, mayDo, type Role } from '../people/roles.ts';
import type { UserDirectory } from '../people/user-directory.ts';
import { MAX_USER_NAME } from '../people/user-store.ts';
import { refuse } from './problem.ts';

/** A proxy that checked who asks and says so in a header. */
export interface ProxyOptions {
  /** The header with the name of who asks, such as X-Forwarded-User. */
  readonly header: string;
  /** Where the proxy connects from: ADDRESS or ADDRESS/BITS. */
  readonly from: readonly string[];
  /** Of who has no role of their own. Default review; with `roleHeader`, none. */
  readonly role?: Role | undefined;
  /** A header with roles, or groups some of which are called like roles, with commas between. */
  readonly roleHeader?: string | undefined;
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

export class ProxyIdentity {
  readonly #header: string;
  readonly #roleHeader: string | undefined;
  readonly #role: Role | undefined;
  readonly #proxies = new BlockList();

  constructor({ header, from, role, roleHeader }: ProxyOptions) {
    this.#header = headerName(header);
    this.#roleHeader = roleHeader === undefined ? undefined : headerName(roleHeader);
    this.#role = role ?? (roleHeader === undefined ? 'review' : undefined);
    if (from.length === 0) {
      const cure = 'Say where the proxy connects from, as in --trust-proxy 10.0.0.5/32.';
      throw new InputError({ got: 'a trusted header without a proxy', expected: 'both', cure });
    }
    for (const one of from) addTo(this.#proxies, one);
  }

  /** Whether it may name someone who administrates without being a user. */
  get mayNameAdministrators(): boolean {
    return this.#role === 'administrate' || this.#roleHeader !== undefined;
  }

  /** Whether the connection comes from the proxy. */
  isProxy({ socket: { remoteAddress = '' } }: FastifyRequest): boolean {
    const kind = isIP(remoteAddress.replace(/%.*$/, ''));
    return kind !== 0 && this.#proxies.check(remoteAddress.replace(/%.*$/, ''), kind === 6 ? 'ipv6' : 'ipv4');
  }

  /** Undefined where the proxy names nobody. A user of that name has the role that was given to the user. `least`: what anyone may. */
  actorOf(request: FastifyRequest, users: Pick<UserDirectory, 'named'>, least?: Role): Actor | undefined {
    const name = cleanName(textOf(request, this.#header) ?? '');
    if (name === '') return undefined;
    if (name.length > MAX_USER_NAME) refuse(401, 'The name that the proxy sends is too long.', 'Check the proxy.');
    const known = users.named(name);
    if (known?.disabledAt !== undefined)
      refuse(403, `The user ${JSON.stringify(name)} was removed.`, 'Ask who administrates this service.');
    const role = known?.role ?? this.#roleSent(request) ?? this.#role ?? least;
    if (role === undefined)
      refuse(403, `The proxy gives ${JSON.stringify(name)} no role.`, 'Ask who administrates the proxy.');
    return { name, role };
  }

  /** The highest of those sent. */
  #roleSent(request: FastifyRequest): Role | undefined {
    if (this.#roleHeader === undefined) return undefined;
    const sent = (textOf(request, this.#roleHeader) ?? '').split(',').map((one) => one.trim());
    return sent
      .filter(isRole)
      .reduce<Role | undefined>((best, role) => (best === undefined || mayDo(role, best) ? role : best), undefined);
  }
}

/** A header that came twice was sent by the client, too, and let through: none of both can be believed. */
function textOf({ raw, headers }: FastifyRequest, header: string): string | undefined {
  const lines: readonly unknown[] = raw.rawHeaders ?? Object.entries(headers).flat(); // of a request without a socket
  const values = lines.map(String).filter((_, i, all) => i % 2 === 1 && all[i - 1].toLowerCase() === header);
  if (values.length > 1) refuse(401, `The header ${header} came twice.`, 'Let the proxy replace it, not add to it.');
  const [value] = values;
  return value === undefined ? undefined : Buffer.from(value, 'latin1').toString('utf8'); // Node reads bytes
}

function headerName(text: string): string {
  if (TOKEN.test(text) && !/^(authorization|host|cookie|origin)$/i.test(text)) return text.toLowerCase();
  const cure = 'Name the one that the proxy sets, such as X-Forwarded-User.';
  throw new InputError({ got: `the header ${JSON.stringify(text)}`, expected: 'the name of a header', cure });
}

function addTo(list: BlockList, text: string): void {
  const [address, bits, ...rest] = text.split('/');
  const kind = isIP(address);
  const most = kind === 6 ? 128 : 32;
  const isWhole = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
  if (kind === 0 || !isWhole || rest.length > 0) {
    const cure = 'Write it as 10.0.0.5, 10.0.0.0/8 or fd00::/8.';
    throw new InputError({ got: `the proxy ${JSON.stringify(text)}`, expected: 'ADDRESS or ADDRESS/BITS', cure });
  }
  list.addSubnet(address, Number(bits ?? most), kind === 6 ? 'ipv6' : 'ipv4');
}
