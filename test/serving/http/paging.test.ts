import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { cursorOf, offsetCursor, pageOf } from '../../../src/serving/http/api.ts';

describe('cursors', () => {
  const cursor = cursorOf('queue', Type.Object({ object: Type.String(), score: Type.Number() }));

  it('come back as they were, whatever they hold', () => {
    const place = { object: 'ä/ö 🦊 "\\', score: 0.1 + 0.2 };
    expect(cursor.decode(cursor.encode(place))).toEqual(place);
    expect(cursor.encode(place)).toMatch(/^[\w-]+$/);
    expect(cursor.decode(undefined)).toBeUndefined();
  });

  const code = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it.each([
    ['nothing', ''],
    ['no base64', '!!!'],
    ['no JSON', Buffer.from('{').toString('base64url')],
    ['another kind', code(['reviews', { object: 'a', score: 1 }])],
    ['another shape', code(['queue', { object: 'a' }])],
    ['a wrong type', code(['queue', { object: 1, score: 1 }])],
    ['more than a pair', code(['queue', { object: 'a', score: 1 }, 1])],
    ['null', code(null)],
  ])('that hold %s are refused with a cure', (_, text) => {
    expect(() => cursor.decode(text)).toThrow(
      expect.objectContaining({
        problem: expect.objectContaining({ status: 400, cure: expect.stringMatching(/next/) }),
      }),
    );
  });

  it('of places take no negative, broken or immense ones', () => {
    const places = offsetCursor('objects');
    for (const place of [0, -1, 1.5, 2 ** 40, '1']) expect(() => places.decode(code(['objects', place]))).toThrow();
    expect(places.decode(code(['objects', 7]))).toBe(7);
  });

  it('pageOf cuts a list into pages that make it up', () => {
    const places = offsetCursor('x');
    const list = Array.from({ length: 7 }, (_, i) => i);
    const pages: number[][] = [];
    for (let next: string | undefined = '', start = 0; next !== undefined; start = places.decode(next) ?? 0) {
      const made: { page: number[]; next?: string } = pageOf(list, { start, limit: 3 }, places);
      pages.push(made.page);
      next = made.next;
      if (next === undefined) break;
    }
    expect(pages).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
    expect(pageOf(list, { start: 100, limit: 3 }, places)).toEqual({ page: [] });
  });
});
