import { describe, expect, it } from 'vitest';
import { matchedColumns } from '../../../src/serving/apply/additions.ts';
import { itemOf } from '../../../src/serving/apply/described-items.ts';

describe('itemOf(fields, columns)', () => {
  const COLUMNS = ['description', 'notes'];

  it('puts "text" into the first text column, and columns of the model where they belong', () => {
    expect(itemOf({ text: 'a' }, COLUMNS).facts.text).toEqual({ description: 'a' });
    expect(itemOf({ description: 'a', notes: 'b', other: 'c' }, COLUMNS).facts.text).toEqual({
      description: 'a',
      notes: 'b',
    });
    expect(itemOf({ text: { notes: 'b' } }, COLUMNS).facts.text).toEqual({ notes: 'b' });
    expect(itemOf({ text: 'a' }, ['notes', 'text']).facts.text).toEqual({ text: 'a' });
    expect(itemOf({ text: 'a' }, []).facts.text).toEqual({ text: 'a' });
  });

  it('takes what is null for not given, and numbers for texts', () => {
    const nothing = itemOf({ id: null, title: null, text: null, tags: null, users: null, features: null }, COLUMNS);
    expect(nothing).toEqual({ facts: { title: undefined, text: undefined }, isDescribed: false });
    expect(itemOf({ title: 1984 }, COLUMNS)).toMatchObject({ facts: { title: '1984' }, isDescribed: true });
  });

  it('calls an object without a title by its id, which alone describes nothing', () => {
    expect(itemOf({ id: 'x' }, COLUMNS)).toMatchObject({ id: 'x', facts: { title: 'x' }, isDescribed: false });
  });

  it('cleans names of tags, in a list or with commas between', () => {
    expect(itemOf({ tags: [' a ', '', 'b\tc', 7] }, COLUMNS).facts.tags).toEqual(['a', 'b c', '7']);
    expect(itemOf({ tags: 'a, b c,' }, COLUMNS).facts.tags).toEqual(['a', 'b c']);
  });
});

describe('matchedColumns(own, others)', () => {
  it('matches by name, then in order, and puts what is too much into the first', () => {
    expect(matchedColumns(['Notes', 'body', 'more'], ['description', 'notes'])).toEqual([
      'notes',
      'description',
      'description',
    ]);
    expect(matchedColumns(['body'], [])).toEqual([undefined]);
  });
});
