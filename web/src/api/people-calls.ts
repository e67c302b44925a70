// The calls of the API about people: who am I, users, who did what, claims, what goes on.

import type { Claims, Live, LogList, Me, Role, User, UserToken } from './people-shapes.ts';
import { path, request, withQuery } from './request.ts';

type Signal = AbortSignal | undefined;
type Pair = { readonly object: string; readonly tag: string };

export function getMe(): Promise<Me> {
  return request('/v1/me');
}

export async function getUsers(signal?: Signal): Promise<readonly User[]> {
  return (await request<{ users: readonly User[] }>('/v1/users', { signal })).users;
}

export function addUser(name: string, role: Role): Promise<UserToken> {
  return request('/v1/users', { method: 'POST', body: { name, role } });
}

export function changeUser(name: string, change: { role: Role } | { renewToken: true }): Promise<UserToken> {
  return request(path`/v1/users/${name}`, { method: 'PATCH', body: change });
}

export function removeUser(name: string): Promise<User> {
  return request(path`/v1/users/${name}`, { method: 'DELETE' });
}

export interface LogFilter {
  readonly who: string;
  readonly action: string;
  readonly object: string;
  readonly tag: string;
}

export function getLog(
  filter: LogFilter & { readonly limit: number; readonly cursor: string | undefined },
  signal?: Signal,
): Promise<LogList> {
  return request(withQuery('/v1/log', { ...filter }), { signal });
}

export function logAddress(filter: LogFilter): string {
  return withQuery('/v1/log/export', { ...filter, format: 'tsv' });
}

/** Holds these and nothing else. */
export function postClaims(session: string, pairs: readonly Pair[], curator: string): Promise<Claims> {
  const signed = curator === '' ? {} : { curator };
  return request('/v1/queue/claims', { method: 'POST', body: { session, pairs, limit: pairs.length, ...signed } });
}

/** Goes out even while the page is being closed. */
export async function releaseClaims(session: string): Promise<void> {
  await request(path`/v1/queue/claims/${session}`, { method: 'DELETE', outlivesPage: true });
}

export interface LiveOptions {
  readonly session: string;
  readonly after: string | undefined;
  readonly today: string;
  readonly minConfidence?: number | undefined;
  readonly tag?: string | undefined;
  readonly curator: string;
}

export function getLive(options: LiveOptions, signal?: Signal): Promise<Live> {
  return request(withQuery('/v1/live', { ...options }), { signal });
}
