import { describe, expect, it } from 'vitest';
import type { ConflictError, Declaration, VocabularyChange } from '../../../src/serving/vocabulary/declaration.ts';
import { Declarations } from '../../../src/serving/vocabulary/declarations.ts';
import { proposalOf, UnknownTagsError } from '../../../src/serving/vocabulary/proposal.ts';
import { standingOn } from '../../../src/serving/vocabulary/standing-on.ts';
import { changeOf } from './arbitrary-declarations.ts';
import { MemoryChanges } from './memory-changes.ts';

const declare = (kind: Declaration['kind'], tags: string[], into: string[] = []): Declaration => ({ kind, tags, into });
const declaredBy = (...declarations: Declaration[]): VocabularyChange[] =>
  declarations.map((one, i) => changeOf(i + 1, one));
const refusal = (changes: readonly VocabularyChange[], asked: Declaration): ConflictError => {
  try {
    proposalOf(changes, [asked]);
  } catch (error) {
    return error as ConflictError;
  }
  throw new Error('It was not refused.');
};

describe('a proposal', () => {
  it('names tags as they are called now', () => {
    const changes = declaredBy(declare('merge', ['a'], ['b']), declare('rename', ['b'], ['c']));
    expect(proposalOf(changes, [declare('merge', ['d'], ['a'])]).declarations).toEqual([
      declare('merge', ['d'], ['c']),
    ]);
    expect(proposalOf(changes, [declare('parent', ['a'], ['x'])]).declarations[0].kind).toBe('parent');
    expect(proposalOf(changes, [declare('exclude', ['a', 'x'])]).declarations).toEqual([
      declare('exclude', ['c', 'x']),
    ]);
  });

  it('that is declared already is that change', () => {
    const changes = declaredBy(
      declare('merge', ['a', 'b'], ['c']),
      declare('parent', ['c'], ['d']),
      declare('exclude', ['c', 'e']),
      declare('retire', ['f']),
      declare('split', ['g'], ['h', 'i']),
      declare('notSynonym', ['j'], ['k']),
    );
    const same = (asked: Declaration) => proposalOf(changes, [asked]).same?.id;
    expect(same(declare('merge', ['b'], ['c']))).toBe('1');
    expect(same(declare('synonym', ['a'], ['b']))).toBe('1');
    expect(same(declare('parent', ['c'], ['d']))).toBe('2');
    expect(same(declare('exclude', ['e', 'a']))).toBe('3');
    expect(same(declare('retire', ['f']))).toBe('4');
    expect(same(declare('split', ['g'], ['i', 'h']))).toBe('5');
    expect(same(declare('notSynonym', ['k'], ['j']))).toBe('6');
    // of several, what is new is declared
    expect(proposalOf(changes, [declare('merge', ['a', 'z'], ['c'])]).declarations).toEqual([
      declare('merge', ['z'], ['c']),
    ]);
  });

  it.each([
    ['a merge into itself', [], declare('merge', ['a'], ['a']), /"a" merged into itself/],
    ['one by another name', [declare('merge', ['a'], ['b'])], declare('merge', ['b'], ['a']), /"b" merged into itself/],
    [
      'a tag that implies itself',
      [declare('merge', ['a'], ['b'])],
      declare('parent', ['a'], ['b']),
      /implied by itself/,
    ],
    ['a split into itself', [], declare('split', ['a'], ['a', 'b']), /split into itself/],
    ['a rename to the same', [], declare('rename', ['a'], ['a']), /renamed to what it is called/],
    ['too few names', [], declare('exclude', ['a']), /got 1 different name in "tags" of "exclude", expected 2 or more/],
    ['a blank name', [], declare('retire', [' ']), /a blank name/],
  ])('refuses %s', (_what, before, asked, message) => {
    expect(() => proposalOf(declaredBy(...before), [asked])).toThrow(message);
  });

  it('refuses a cycle and names it, with who declared the steps', () => {
    const changes = declaredBy(declare('parent', ['a'], ['b']), declare('parent', ['b'], ['c']));
    const error = refusal(changes, declare('parent', ['c'], ['a']));
    expect(error.message).toContain('a cycle of implied tags: a → b → c → a');
    expect(error.changes.map(({ id }) => id)).toEqual(['1', '2']);
    // a merge may close one as well
    expect(refusal(changes, declare('merge', ['a'], ['c'])).message).toContain('a cycle of implied tags');
    // but not of two neighbours: they become one
    expect(proposalOf(changes, [declare('merge', ['a'], ['b'])]).declarations).toHaveLength(1);
  });

  it('refuses an exclusion of what a tag implies, and a merge of what excludes each other', () => {
    const changes = declaredBy(declare('parent', ['a'], ['b']), declare('parent', ['b'], ['c']));
    expect(refusal(changes, declare('exclude', ['a', 'c'])).message).toContain('"a", which implies "c"');
    const excluded = declaredBy(declare('exclude', ['a', 'b']));
    const merged = refusal(excluded, declare('merge', ['a'], ['b']));
    expect(merged.message).toContain('"b" as the one name of tags that exclude each other');
    expect(merged.changes.map(({ id }) => id)).toEqual(['1']);
    expect(refusal(excluded, declare('parent', ['x'], ['a', 'b'])).message).toContain('"x", which implies "a" and "b"');
  });

  it('refuses tags that nobody knows, but for names that are meant to be new', () => {
    const knows = (name: string) => name === 'a' || name === 'b';
    const unknown = (asked: Declaration) => () => proposalOf([], [asked], { knows });
    for (const asked of [
      declare('merge', ['x'], ['a']),
      declare('merge', ['a'], ['x']),
      declare('synonym', ['x'], ['y']),
      declare('retire', ['x']),
      declare('exclude', ['a', 'x']),
      declare('parent', ['x'], ['a']),
      declare('split', ['x'], ['a', 'b']),
    ])
      expect(unknown(asked)).toThrow(UnknownTagsError);
    for (const asked of [
      declare('synonym', ['x'], ['a']),
      declare('rename', ['a'], ['x']),
      declare('parent', ['a'], ['x']),
      declare('split', ['a'], ['x', 'y']),
    ])
      expect(proposalOf([], [asked], { knows }).declarations).toEqual([asked]);
    expect(unknown(declare('rename', ['a'], ['b']))).toThrow(/got the name "b", which is taken/);
  });

  it('refuses to say something of a name that is read as another, and of tags that ended', () => {
    const changes = declaredBy(
      declare('merge', ['a'], ['b']),
      declare('retire', ['c']),
      declare('split', ['d'], ['e', 'f']),
    );
    expect(refusal(changes, declare('retire', ['a'])).changes.map(({ id }) => id)).toEqual(['1']);
    expect(refusal(changes, declare('merge', ['a'], ['x'])).message).toContain('"a", which is read as "b" by now');
    expect(refusal(changes, declare('merge', ['x'], ['c'])).message).toContain('"c", which is retired');
    expect(refusal(changes, declare('split', ['x'], ['c', 'y'])).message).toContain('"c", which is retired');
    expect(refusal(changes, declare('split', ['d'], ['x', 'y'])).message).toContain('"d", which is split already');
    const divided = { ...declare('split', ['d'], ['e', 'f']), assigned: [{ object: 'o', tag: 'e' }] };
    expect(refusal(changes, divided).message).toContain('"d", which is split already'); // not passed over
    expect(refusal(changes, declare('notSynonym', ['a'], ['b'])).message).toContain('one tag by now');
  });
});

describe('declarations', () => {
  it('are read through merges: parents, exclusions and states follow the tag', () => {
    const now = Declarations.of(
      declaredBy(
        declare('parent', ['a'], ['p']),
        declare('exclude', ['a', 'x']),
        declare('retire', ['r']),
        declare('merge', ['a'], ['b']),
        declare('rename', ['b'], ['c']),
        declare('rename', ['r'], ['s']),
      ),
    );
    expect([now.tagOf('a'), now.tagOf('b'), now.labelsOf('c')]).toEqual(['c', 'c', ['a', 'b']]);
    expect([...now.parentsOf('c').keys()]).toEqual(['p']);
    expect(now.exclusionsOf('c')).toEqual(['x']);
    expect([now.retirementOf('r'), now.retirementOf('s')?.isTakenOff]).toEqual([undefined, false]);
  });

  it('keep tags apart that were renamed since', () => {
    const changes = declaredBy(declare('notSynonym', ['a'], ['b']), declare('rename', ['a'], ['c']));
    expect(Declarations.of(changes).differenceOf('b', 'c')?.id).toBe('1');
    expect(proposalOf(changes, [declare('notSynonym', ['c'], ['b'])]).same?.id).toBe('1');
  });

  it('stand on what brought their names and on what they go on from', () => {
    const changes = declaredBy(
      declare('rename', ['a'], ['b']),
      declare('parent', ['b'], ['p']),
      declare('merge', ['x'], ['y']),
      declare('parent', ['y'], ['p']),
      declare('merge', ['y'], ['z']),
      declare('synonym', ['z'], ['w']),
    );
    const ids = (at: number) => standingOn(changes[at], changes).map(({ id }) => id);
    expect([0, 1, 2, 3, 4, 5].map(ids)).toEqual([['2'], [], ['5'], [], ['6'], []]);
    const undone = changes.map((one) => (one.id === '5' ? { ...one, undoneAt: one.at } : one));
    expect(standingOn(undone[2], undone)).toEqual([]);
  });
});

describe('a store of the vocabulary', () => {
  it('makes an undone change again as a new one', async () => {
    const store = MemoryChanges.store();
    const { change } = await store.declare([declare('merge', ['a'], ['b'])], { curator: 'Ada' });
    await store.undo(change.id, 'Kim');
    const again = await store.declare([declare('merge', ['a'], ['b'])]);
    expect(again).toMatchObject({ isNew: true });
    expect(again.change.id).not.toBe(change.id);
    expect(await store.all()).toMatchObject([{ undoneBy: 'Kim' }, { curator: '' }]);
  });
});
