// Addresses of the page and what they mean. Names in paths are encoded, so that they may hold slashes.

import type { Decision } from '../api/shapes.ts';

export type Route =
  | { readonly screen: 'queue'; readonly minConfidence: number; readonly tag: string }
  | { readonly screen: 'object'; readonly id: string }
  | { readonly screen: 'tag'; readonly tag: string }
  | { readonly screen: 'map'; readonly of: 'tags' | 'objects' }
  | { readonly screen: 'reviews'; readonly decision: Decision | ''; readonly object: string; readonly tag: string }
  | { readonly screen: 'suggest' }
  | { readonly screen: 'about' }
  | { readonly screen: 'unknown'; readonly path: string };

export function routeOf(pathname: string, search: string): Route {
  const query = new URLSearchParams(search);
  const text = (key: string) => query.get(key) ?? '';
  if (pathname === '/') return { screen: 'queue', minConfidence: share(text('min')), tag: text('tag') };
  if (pathname === '/map') return { screen: 'map', of: text('of') === 'objects' ? 'objects' : 'tags' };
  if (pathname === '/suggest') return { screen: 'suggest' };
  if (pathname === '/about') return { screen: 'about' };
  if (pathname === '/reviews') {
    const decision = text('decision');
    const known = decision === 'accept' || decision === 'reject' ? decision : '';
    return { screen: 'reviews', decision: known, object: text('object'), tag: text('tag') };
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

export function queuePath({ minConfidence, tag }: { readonly minConfidence: number; readonly tag: string }): string {
  return pathWith('/', { min: minConfidence === 0 ? '' : String(minConfidence), tag });
}

export function reviewsPath(filter: {
  readonly decision: string;
  readonly object: string;
  readonly tag: string;
}): string {
  return pathWith('/reviews', { ...filter });
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
  return value >= 0 && value <= 1 ? value : 0;
}
