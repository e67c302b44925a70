import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { objectPath, queuePath, reviewsPath, routeOf, tagPath } from '../../web/src/navigation/route.ts';

/** As a browser takes a path apart. */
function visited(path: string) {
  const { pathname, search } = new URL(path, 'http://localhost');
  return routeOf(pathname, search);
}

describe('addresses of the page', () => {
  it('lead back to any name', () => {
    const name = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text !== '.' && text !== '..');
    fc.assert(
      fc.property(name, (text) => {
        expect(visited(objectPath(text))).toEqual({ screen: 'object', id: text });
        expect(visited(tagPath(text))).toEqual({ screen: 'tag', tag: text });
        const filter = { decision: 'reject', object: text, tag: text } as const;
        expect(visited(reviewsPath(filter))).toEqual({ screen: 'reviews', ...filter });
        expect(visited(queuePath({ minConfidence: 0.25, tag: text }))).toEqual({
          screen: 'queue',
          minConfidence: 0.25,
          tag: text,
        });
      }),
    );
  });

  it('leave out filters that filter nothing', () => {
    expect(queuePath({ minConfidence: 0, tag: '' })).toBe('/');
    expect(reviewsPath({ decision: '', object: '', tag: '' })).toBe('/reviews');
  });

  it('take nonsense for no filter, and unknown paths for what they are', () => {
    expect(visited('/?min=2')).toEqual({ screen: 'queue', minConfidence: 0, tag: '' });
    expect(visited('/?min=much')).toEqual({ screen: 'queue', minConfidence: 0, tag: '' });
    expect(visited('/reviews?decision=maybe')).toMatchObject({ screen: 'reviews', decision: '' });
    expect(visited('/map?of=users')).toEqual({ screen: 'map', of: 'tags' });
    expect(visited('/object/')).toMatchObject({ screen: 'unknown' });
    expect(routeOf('/object/%zz', '')).toEqual({ screen: 'unknown', path: '/object/%zz' });
  });
});
