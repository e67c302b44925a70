// The tokens that clients send, and how often one client may get them wrong. A client that was wrong too
// often is refused before its token is looked at: otherwise guessing would go on at full speed, only with other answers.

import { timingSafeEqual } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../people/roles.ts';
import { digestOf } from '../people/user-tokens.ts';
import { refuse } from './problem.ts';

const MAX_WRONG = 10; // in a window: 14,400 guesses a day
const WINDOW_MS = 60_000;
const MAX_CLIENTS = 10_000; // remembered at once

interface Wrong {
  count: number;
  readonly since: number;
}

/** Whose token this is. */
type FindActor = (token: string) => Actor | undefined;

export class TokenCheck {
  readonly #find: FindActor;
  readonly #wrongBy = new Map<string, Wrong>(); // oldest first

  constructor(find: FindActor) {
    this.#find = find;
  }

  /** Knows one token. */
  static ofOne(token: string, actor: Actor): FindActor {
    const wanted = digestOf(token);
    return (given) => (timingSafeEqual(digestOf(given), wanted) ? actor : undefined);
  }

  /** Answers 401 where the token is missing or wrong, 429 to a client that was wrong too often. `need`: the role it is for. */
  actorOf({ headers: { authorization = '' }, ip }: FastifyRequest, need?: string): Actor {
    const [, given] = /^Bearer (.+)$/i.exec(authorization) ?? [];
    if (given === undefined) refuseToken('This needs a token.', need);
    const client = clientOf(ip);
    const wrong = this.#recentlyWrong(client);
    if (wrong !== undefined && wrong.count >= MAX_WRONG) refuseGuessing(wrong);
    const actor = this.#find(given);
    if (actor !== undefined) return actor;
    this.#count(client, wrong);
    return refuseToken('The token is wrong.');
  }

  #recentlyWrong(client: string): Wrong | undefined {
    const wrong = this.#wrongBy.get(client);
    return wrong !== undefined && Date.now() - wrong.since < WINDOW_MS ? wrong : undefined;
  }

  #count(client: string, wrong: Wrong | undefined): void {
    if (wrong !== undefined) {
      wrong.count++;
      return;
    }
    this.#wrongBy.delete(client);
    const [oldest] = this.#wrongBy.keys();
    if (this.#wrongBy.size >= MAX_CLIENTS && oldest !== undefined) this.#wrongBy.delete(oldest);
    this.#wrongBy.set(client, { count: 1, since: Date.now() });
  }
}

/** The address of the connection, never what headers say. Of IPv6 the network: its owner has 2⁶⁴ addresses to choose from. */
function clientOf(ip: string): string {
  const [, v4] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip) ?? [];
  if (v4 !== undefined) return v4;
  return isIPv6(ip) ? network(ip) : ip;
}

/** The first 64 bits. */
function network(ip: string): string {
  const [head, tail = ''] = ip.replace(/%.*$/, '').split('::');
  const first = head.split(':').filter((group) => group !== '');
  const last = tail.split(':').filter((group) => group !== '');
  const missing = ip.includes('::') ? Math.max(0, 8 - first.length - last.length) : 0;
  const groups = [...first, ...Array<string>(missing).fill('0'), ...last];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

function refuseToken(detail: string, need?: string): never {
  const role = need === undefined ? '' : `, of one who may ${need}`;
  refuse(401, detail, `Send the header "Authorization: Bearer TOKEN"${role}.`, { 'www-authenticate': 'Bearer' });
}

function refuseGuessing({ since }: Wrong): never {
  const seconds = Math.max(1, Math.ceil((since + WINDOW_MS - Date.now()) / 1000));
  const detail = `${MAX_WRONG} requests of this client came with a wrong token within a minute.`;
  refuse(429, detail, `Wait ${seconds} s, then send the right token.`, { 'retry-after': String(seconds) });
}
