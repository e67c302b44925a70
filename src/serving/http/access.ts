// Who may ask what. Every route declares the role it needs beside its schema (`config: needs('review')`), and a route that
// declares none keeps the service from starting. Here requests are held against it, before anything is answered.
//
// Nothing is asked for while there is neither a token, nor users, nor a proxy that names people: then anyone may do all. With the
// token alone, reads stay open. As soon as there are users or a proxy, everything needs its role, but for what is open to all.

import type { FastifyRequest } from 'fastify';
import { cleanName } from '../../data/name.ts';
import { type Actor, mayDo, type Role } from '../people/roles.ts';
import type { UserDirectory } from '../people/user-directory.ts';
import { refuse } from './problem.ts';
import { ProxyIdentity, type ProxyOptions } from './proxy-identity.ts';
import { TokenCheck } from './token.ts';
import type { Api } from './typed-fastify.ts';

/** `open`: anyone may ask, whatever is asked for otherwise. */
export type Need = Role | 'open';

declare module 'fastify' {
  interface FastifyContextConfig {
    need?: Need;
    /** Whether the answer depends on who asks, even where nobody must say. */
    isPersonal?: boolean;
  }
  interface FastifyRequest {
    actor: Actor;
  }
}

export interface AccessOptions {
  /** The token of an administrator without a name. */
  readonly token?: string | undefined;
  /** Whether anyone may read, where users or a proxy say who may write. */
  readonly isPublic?: boolean | undefined;
  readonly proxy?: ProxyOptions | undefined;
}

/** What is open to anyone is done by this one. */
const ANYONE: Actor = { name: undefined, role: 'administrate' };
const READER: Actor = { name: undefined, role: 'read' };

/** The config of a route. */
export function needs(need: Need, { isPersonal = false } = {}): { need: Need; isPersonal: boolean } {
  return { need, isPersonal };
}

/** What is asked of the users. */
export type KnownUsers = Pick<UserDirectory, 'hasUsers' | 'users' | 'everyone' | 'named' | 'ofToken' | 'change'>;

export class Access {
  readonly users: KnownUsers;
  readonly #tokens: TokenCheck;
  readonly #hasToken: boolean;
  readonly #isPublic: boolean;
  readonly #proxy: ProxyIdentity | undefined;

  constructor(users: KnownUsers, { token, isPublic = false, proxy }: AccessOptions) {
    this.users = users;
    this.#hasToken = token !== undefined;
    this.#isPublic = isPublic;
    this.#proxy = proxy && new ProxyIdentity(proxy);
    const administrator = token === undefined ? undefined : TokenCheck.ofOne(token, ANYONE);
    this.#tokens = new TokenCheck((given) => administrator?.(given) ?? users.ofToken(given));
  }

  /** Whether anyone may do all. */
  get isOpen(): boolean {
    return !this.#hasToken && !this.#knowsPeople;
  }

  /** Whether someone may administrate without being a user: by the token, or by what the proxy says of roles. */
  get hasOtherAdministrators(): boolean {
    return this.#hasToken || (this.#proxy?.mayNameAdministrators ?? false);
  }

  get #knowsPeople(): boolean {
    return this.#proxy !== undefined || this.users.hasUsers;
  }

  /** Who asks. Throws 401 or 403 where that is not enough. */
  actorOf(request: FastifyRequest, need: Need, isPersonal: boolean): Actor {
    if (need === 'open' || this.isOpen) return ANYONE;
    const least = this.#mustSay(request, need) ? undefined : READER.role;
    if (least !== undefined && !(isPersonal && request.headers.authorization !== undefined))
      return this.#identified(request, least) ?? READER;
    const actor = this.#proved(request, need, least);
    if (mayDo(actor.role, need)) return actor;
    const who = actor.name === undefined ? 'You' : `${actor.name}, you`;
    const detail = `${who} may ${actor.role} here, and this needs the role ${need}.`;
    return refuse(403, detail, 'Ask someone who may administrate to change your role.');
  }

  #mustSay({ method }: FastifyRequest, need: Role): boolean {
    if (this.#knowsPeople) return need !== 'read' || !this.#isPublic;
    return need !== 'read' || !['GET', 'HEAD'].includes(method); // with the token alone
  }

  /** By the proxy, or by a token where one came; the name of a reader who need not say it. */
  #identified(request: FastifyRequest, least: Role): Actor | undefined {
    if (this.#proxy?.isProxy(request)) return this.#proxy.actorOf(request, this.users, least);
    const isSent = this.#knowsPeople && request.headers.authorization !== undefined;
    return isSent ? this.#tokens.actorOf(request) : undefined;
  }

  /** The proxy goes first: it may send a token of its own beside the name. */
  #proved(request: FastifyRequest, need: Role, least: Role | undefined): Actor {
    const isProxy = this.#proxy?.isProxy(request) ?? false;
    const named = isProxy ? this.#proxy?.actorOf(request, this.users, least) : undefined;
    if (named !== undefined) return named;
    if (request.headers.authorization === undefined && isProxy)
      refuse(401, 'The proxy did not say who asks.', 'Sign in at the proxy, or send "Authorization: Bearer TOKEN".');
    return this.#tokens.actorOf(request, need);
  }
}

/** Holds each request against what its route needs, and refuses to start with a route that says nothing. */
export function addAccess(app: Api, access: Access): void {
  const routes: { url: string; method: string | readonly string[]; config?: { need?: Need } }[] = [];
  app.decorateRequest('actor');
  app.addHook('onRoute', (route) => {
    routes.push(route as (typeof routes)[number]);
  });
  app.addHook('onReady', async () => {
    const [silent] = routes.filter(({ config }) => config?.need === undefined);
    if (silent !== undefined)
      throw new Error(`The route ${silent.method} ${silent.url} declares no role: write config: needs('read').`);
  });
  app.addHook('onRequest', (request, _reply, done) => {
    try {
      const { need = 'administrate', isPersonal = false } = request.is404
        ? { need: 'open' as const }
        : request.routeOptions.config;
      request.actor = access.actorOf(request, request.method === 'OPTIONS' ? 'open' : need, isPersonal);
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  });
}

/** Whom something is recorded under: who proved a name acts under no other. A blank one is none. */
export function nameFor({ name }: Actor, given = ''): string {
  const asked = cleanName(given);
  if (name === undefined) return asked;
  if (asked === '' || asked === name) return name;
  const detail = `You are ${name}, and cannot act as ${JSON.stringify(asked.slice(0, 100))}.`;
  return refuse(403, detail, 'Leave the curator out: your own name is used.');
}
