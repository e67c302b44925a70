import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIKELY, objectPath, queuePath, reviewsPath, routeOf, tagPath } from '../../web/src/navigation/route.ts';

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
        const filter = { decision: 'reject', object: text, tag: text, curator: text } as const;
        expect(visited(reviewsPath(filter))).toEqual({ screen: 'reviews', ...filter });
        const address = { minConfidence: 0.25, tag: text, group: 'tag', order: 'useful', view: 'grid' } as const;
        expect(visited(queuePath(address))).toEqual({ screen: 'queue', ...address });
      }),
    );
  });

  it('leave out filters that filter nothing', () => {
    expect(queuePath({ minConfidence: LIKELY, tag: '', group: '', order: '', view: 'list' })).toBe('/');
    expect(queuePath({ minConfidence: 0 })).toBe('/?min=0');
    expect(visited('/?min=0')).toMatchObject({ minConfidence: 0 });
    expect(reviewsPath({ decision: '', object: '', tag: '', curator: '' })).toBe('/reviews');
  });

  it('take nonsense for no filter, and unknown paths for what they are', () => {
    const plain = { screen: 'queue', minConfidence: LIKELY, tag: '', group: '', order: '', view: 'list' };
    for (const query of ['', '?min=2', '?min=much', '?min=', '?group=user&order=best&view=tree']) {
      expect(visited(`/${query}`)).toEqual(plain);
    }
    expect(visited('/reviews?decision=maybe')).toMatchObject({ screen: 'reviews', decision: '' });
    expect(visited('/map?of=users')).toEqual({ screen: 'map', of: 'tags' });
    expect(visited('/object/')).toMatchObject({ screen: 'unknown' });
    expect(routeOf('/object/%zz', '')).toEqual({ screen: 'unknown', path: '/object/%zz' });
  });
});
