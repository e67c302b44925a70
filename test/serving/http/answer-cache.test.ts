import { describe, expect, it } from 'vitest';
import { AnswerCache } from '../../../src/serving/http/answer-cache.ts';

const answer = (body: string, revision = '1') => ({ body, revision, count: 1 });

describe('AnswerCache', () => {
  it('gives an answer for its revision and no other', () => {
    const cache = new AnswerCache(10_000);
    cache.set('a', answer('x', '1'));
    expect(cache.get('a', '1')?.body).toBe('x');
    expect(cache.get('a', '2')).toBeUndefined();
    expect(cache.get('a', '1'), 'it is gone once a later one was asked for').toBeUndefined();
  });

  it('stays within its bytes and lets go of what was unused for longest', () => {
    const cache = new AnswerCache(4000); // an entry of a hundred characters takes a bit more than 400
    for (let i = 0; i < 9; i++) cache.set(String(i), answer('x'.repeat(100)));
    cache.get('0', '1');
    for (let i = 9; i < 14; i++) cache.set(String(i), answer('x'.repeat(100)));
    expect(cache.get('0', '1')).toBeDefined();
    expect(cache.get('1', '1')).toBeUndefined();
    const left = Array.from({ length: 14 }, (_, i) => cache.get(String(i), '1')).filter((one) => one !== undefined);
    expect(left).toHaveLength(9);
  });

  it('keeps nothing that is too large, and nothing at all where it may not', () => {
    const cache = new AnswerCache(1000);
    cache.set('small', answer('x'));
    cache.set('large', answer('x'.repeat(10_000)));
    expect(cache.get('large', '1')).toBeUndefined();
    expect(cache.get('small', '1')).toBeDefined();
    const none = new AnswerCache(0);
    none.set('a', answer(''));
    expect(none.get('a', '1')).toBeUndefined();
  });

  it('counts an answer once however often it is replaced', () => {
    const cache = new AnswerCache(2000);
    for (let i = 0; i < 100; i++) cache.set('a', answer('x'.repeat(100), String(i)));
    for (const key of ['b', 'c', 'd']) cache.set(key, answer('x'.repeat(100)));
    expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key, key === 'a' ? '99' : '1') !== undefined)).toEqual(
      Array(4).fill(true),
    );
  });
});
