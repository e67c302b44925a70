import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forget, lastEntry, remember, rememberId } from '../../web/src/state/decision-history.ts';

const pairOf = (tag: string) => ({ object: 'o', title: 'O', tag });

/** As a browser keeps it. */
class MemoryStorage {
  readonly kept = new Map<string, string>();
  getItem = (key: string) => this.kept.get(key) ?? null;
  setItem = (key: string, text: string) => void this.kept.set(key, text);
}

let storage: MemoryStorage;
beforeEach(() => {
  storage = new MemoryStorage();
  vi.stubGlobal('localStorage', storage);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the history of decisions', () => {
  it('keeps each pair once, the last at the end, with the id it got', () => {
    remember([{ pair: pairOf('a'), decision: 'accept' }]);
    remember([{ pair: pairOf('b'), decision: 'reject' }]);
    remember([{ pair: pairOf('a'), decision: 'unsure' }]);
    rememberId(pairOf('a'), '7');
    expect(lastEntry()).toEqual({ pair: pairOf('a'), decision: 'unsure', id: '7' });
    forget([pairOf('a')]);
    expect(lastEntry()).toEqual({ pair: pairOf('b'), decision: 'reject' });
    forget([pairOf('b')]);
    expect(lastEntry()).toBeUndefined();
  });

  it('is read again each time: what another tab kept counts', () => {
    remember([{ pair: pairOf('a'), decision: 'accept', id: '1' }]);
    const [key, text] = [...storage.kept][0];
    const theirs = { pair: pairOf('theirs'), decision: 'reject', id: '2' };
    storage.kept.set(key, JSON.stringify([...JSON.parse(text), theirs]));
    expect(lastEntry()).toEqual(theirs);
    remember([{ pair: pairOf('b'), decision: 'accept' }]);
    forget([pairOf('b')]);
    expect(lastEntry()).toEqual(theirs);
  });

  it('holds the newest 500, and takes what is no history for none', () => {
    const many = Array.from({ length: 600 }, (_, i) => ({ pair: pairOf(`t${i}`), decision: 'accept' as const }));
    remember(many);
    const [[key, text]] = [...storage.kept];
    expect(JSON.parse(text)).toHaveLength(500);
    for (const broken of ['{', 'null', '{"a":1}', '[null]', '[{"pair":{"object":1}}]']) {
      storage.kept.set(key, broken);
      expect(lastEntry()).toBeUndefined();
    }
  });

  it('lasts as long as the page where storage is forbidden', () => {
    vi.stubGlobal('localStorage', undefined);
    remember([{ pair: pairOf('a'), decision: 'accept' }]);
    expect(lastEntry()?.pair.tag).toBe('a');
    forget([pairOf('a')]);
    expect(lastEntry()?.pair.tag).not.toBe('a');
  });
});
