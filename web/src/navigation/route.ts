// Addresses of the page and what they mean. Names in paths are encoded, so that they may hold slashes.

import type { Decision } from '../api/shapes.ts';

/** Rather right than wrong: what the queue shows unless asked for more. */
export const LIKELY = 0.5;

const GROUPS = ['', 'object', 'tag'] as const;
const ORDERS = ['', 'useful', 'covered'] as const;
const VIEWS = ['list', 'grid'] as const;

export interface QueueAddress {
  readonly minConfidence: number;
  readonly tag: string;
  /** What stays together: the suggestions of an object, of a tag, or nothing. */
  readonly group: (typeof GROUPS)[number];
  /** What comes first: the most confident, what teaches most, or objects with few tags. */
  readonly order: (typeof ORDERS)[number];
  readonly view: (typeof VIEWS)[number];
}

export interface ReviewsAddress {
  readonly decision: Decision | '';
  readonly object: string;
  readonly tag: string;
  readonly curator: string;
}

export interface LogAddress {
  readonly who: string;
  readonly action: string;
  readonly object: string;
  readonly tag: string;
}

const SHOWN = ['', 'declared', 'retired', 'proposals', 'history', 'divide'] as const;

export interface VocabularyAddress {
  /** Which tags, or what else there is to see; '' for all tags. */
  readonly show: (typeof SHOWN)[number];
  readonly query: string;
  /** The one that is selected or, of `divide`, split. */
  readonly tag: string;
}

const DECISIONS = ['', 'accept', 'reject', 'unsure'] as const satisfies readonly (Decision | '')[];

export type Route =
  | ({ readonly screen: 'queue' } & QueueAddress)
  | { readonly screen: 'object'; readonly id: string }
  | { readonly screen: 'tag'; readonly tag: string }
  | { readonly screen: 'map'; readonly of: 'tags' | 'objects' }
  | ({ readonly screen: 'reviews' } & ReviewsAddress)
  | ({ readonly screen: 'vocabulary' } & VocabularyAddress)
  | { readonly screen: 'suggest' }
  | { readonly screen: 'about' }
  | { readonly screen: 'people' }
  | ({ readonly screen: 'log' } & LogAddress)
  | { readonly screen: 'unknown'; readonly path: string };

export function routeOf(pathname: string, search: string): Route {
  const query = new URLSearchParams(search);
  const text = (key: string) => query.get(key) ?? '';
  if (pathname === '/') {
    const filter = { minConfidence: share(text('min')), tag: text('tag') };
    const [group, order, view] = [
      oneOf(GROUPS, text('group')),
      oneOf(ORDERS, text('order')),
      oneOf(VIEWS, text('view')),
    ];
    return { screen: 'queue', ...filter, group, order, view };
  }
  if (pathname === '/map') return { screen: 'map', of: text('of') === 'objects' ? 'objects' : 'tags' };
  if (pathname === '/suggest') return { screen: 'suggest' };
  if (pathname === '/vocabulary') {
    return { screen: 'vocabulary', show: oneOf(SHOWN, text('show')), query: text('query'), tag: text('tag') };
  }
  if (pathname === '/about') return { screen: 'about' };
  if (pathname === '/people') return { screen: 'people' };
  if (pathname === '/log')
    return { screen: 'log', who: text('who'), action: text('action'), object: text('object'), tag: text('tag') };
  if (pathname === '/reviews') {
    const decision = oneOf(DECISIONS, text('decision'));
    return { screen: 'reviews', decision, object: text('object'), tag: text('tag'), curator: text('curator') };
  }
  const id = nameBelow('/object/', pathname);
  if (id !== undefined) return { screen: 'object', id };
  const tag = nameBelow('/tag/', pathname);
  return tag === undefined ? { screen: 'unknown', path: pathname } : { screen: 'tag', tag };
}

export function objectPath(id: string): string {
  return `/object/${encodeURIComponent(id)}`;
}

export function tagPath(tag: string): string {
  return `/tag/${encodeURIComponent(tag)}`;
}

export function queuePath(address: Partial<QueueAddress>): string {
  const { minConfidence = LIKELY, tag = '', group = '', order = '', view = 'list' } = address;
  const min = minConfidence === LIKELY ? '' : String(minConfidence);
  return pathWith('/', { min, tag, group, order, view: view === 'list' ? '' : view });
}

export function reviewsPath(filter: Partial<ReviewsAddress>): string {
  return pathWith('/reviews', { ...filter });
}

export function logPath(filter: Partial<LogAddress>): string {
  return pathWith('/log', { ...filter });
}

export function vocabularyPath(address: Partial<VocabularyAddress>): string {
  return pathWith('/vocabulary', { ...address });
}

export function mapPath(of: 'tags' | 'objects'): string {
  return pathWith('/map', { of: of === 'tags' ? '' : of });
}

function pathWith(base: string, query: Readonly<Record<string, string>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  return given.length === 0 ? base : `${base}?${new URLSearchParams(given)}`;
}

function nameBelow(start: string, pathname: string): string | undefined {
  if (!pathname.startsWith(start) || pathname.length === start.length) return undefined;
  try {
    return decodeURIComponent(pathname.slice(start.length));
  } catch {
    return undefined; // a percent sign that encodes nothing
  }
}

function share(text: string): number {
  const value = Number(text);
  return text !== '' && value >= 0 && value <= 1 ? value : LIKELY;
}

/** The first where it is none of them. */
function oneOf<const Word extends string>(words: readonly Word[], text: string): Word {
  return words.find((word) => word === text) ?? words[0];
}
