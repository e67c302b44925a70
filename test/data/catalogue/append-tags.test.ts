import { describe, expect, it } from 'vitest';
import { appended } from '../../../src/data/catalogue/append-tags.ts';
import { detectTagStyle } from '../../../src/data/catalogue/tag-lists.ts';

/** The first of these cells with a tag more. */
const withTag = (tag: string, ...cells: string[]) => appended(cells[0], tag, detectTagStyle(cells));

describe('appended', () => {
  it.each([
    ['rock, pop', 'rock, pop, jazz'],
    ['["rock","pop"]', '["rock","pop","jazz"]'],
    ["['rock', 'pop']", "['rock', 'pop', 'jazz']"],
    ["('rock', 'pop')", "('rock', 'pop', 'jazz')"],
    ["('rock',)", "('rock', 'jazz')"],
    ["{'rock', 'pop'}", "{'rock', 'pop', 'jazz'}"],
    ['{rock,pop}', '{rock,pop,jazz}'],
    ['<rock><pop>', '<rock><pop><jazz>'],
    ['rock · pop', 'rock · pop · jazz'],
    ['rock|"pop"|"hip hop"', 'rock|"pop"|"hip hop"|"jazz"'],
    ['[{"id":1,"name":"rock"}]', '[{"id":1,"name":"rock"},{"name":"jazz"}]'],
    ['[{"id": 1, "label": "rock"}]', '[{"id": 1, "label": "rock"}, {"label": "jazz"}]'],
    ["[{'id': 1, 'name': 'rock'}]", "[{'id': 1, 'name': 'rock'}, {'name': 'jazz'}]"],
    ["[{'name': 'rock', 'genres': [{'id': 1}]}]", "[{'name': 'rock', 'genres': [{'id': 1}]}, {'name': 'jazz'}]"],
  ])('writes %s as %s', (cell, wanted) => {
    expect(withTag('jazz', cell)).toBe(wanted);
  });

  it('writes a list as NumPy prints it as Python does', () => {
    expect(withTag('jazz', "['rock' 'pop']")).toBe("['rock', 'pop', 'jazz']");
  });

  it('puts tags in the place of a word for nothing', () => {
    expect(withTag('jazz', 'NULL', 'rock;pop', 'pop;jazz')).toBe('jazz');
    expect(withTag('jazz', '\\N', 'rock,pop', 'pop,jazz')).toBe('jazz');
  });

  it('keeps the separator of a cell where files with two were put together', () => {
    const cells = ['rock | pop', 'pop|soul', 'rock; pop', 'pop; soul', 'soul; rock', 'rock; soul; pop'];
    expect(withTag('jazz', ...cells)).toBe('rock | pop | jazz');
    expect(withTag('jazz', ...cells.slice(2))).toBe('rock; pop; jazz');
  });

  it('has no place for a tag with a space between tags that spaces separate', () => {
    const lists = ['a b', 'b a', 'a c', 'c b', 'c', 'a b c'];
    expect([withTag('d', ...lists), withTag('d e', ...lists)]).toEqual(['a b d', undefined]);
  });
});
