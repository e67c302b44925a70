import { describe, expect, it } from 'vitest';
import { NameSearch } from '../../../src/serving/http/name-search.ts';

const search = (names: string[], query: string, titles?: string[]) => {
  const found = new NameSearch(titles ? [names, titles] : [names], Int32Array.from(names.keys())).find(query);
  return Array.from(found, (id) => names[id]);
};

describe('NameSearch', () => {
  it('puts the beginning of a name first, then the beginning of a word, then what is inside', () => {
    const names = ['overreact', 'preact', 'my-react', 'react', 'react-dom', 'x react', 'angular'];
    expect(search(names, 'react')).toEqual(['react', 'react-dom', 'my-react', 'x react', 'overreact', 'preact']);
  });

  it('looks for a word that begins with it beyond the first place that holds it', () => {
    expect(search(['overact act', 'fact'], 'act')).toEqual(['overact act', 'fact']);
  });

  it('knows no case, in any script, and takes composed and decomposed letters for the same', () => {
    expect(search(['ÄPFEL', 'Βιβλίο'], 'äp')).toEqual(['ÄPFEL']);
    expect(search(['ÄPFEL', 'Βιβλίο'], 'ΒΙΒΛΊΟ')).toEqual(['Βιβλίο']);
    expect(search(['café'], 'cafe\u0301')).toEqual(['café']);
  });

  it('takes the better of name and title, and keeps the order it was given among equals', () => {
    expect(search(['b-blade', 'c', 'a'], 'blade', ['x', 'Blade Runner', 'Blade'])).toEqual(['c', 'a', 'b-blade']);
  });

  it('answers nothing asked with all, in the order it was given', () => {
    const searching = new NameSearch([['a', 'b', 'c']], Int32Array.of(2, 0, 1));
    expect([...searching.find('')]).toEqual([2, 0, 1]);
    expect([...searching.find('  ')]).toEqual([2, 0, 1]);
  });

  it('gives the same list again, so that pages of a search fit together', () => {
    const searching = new NameSearch(
      [Array.from({ length: 50 }, (_, i) => `n${i}`)],
      Int32Array.from(Array(50).keys()),
    );
    const first = searching.find('n1');
    for (let i = 0; i < 31; i++) searching.find(`n${i}x`);
    expect(searching.find('n1')).toBe(first);
    for (let i = 0; i < 32; i++) searching.find(`n${i}y`); // pushes it out
    expect(searching.find('n1')).not.toBe(first);
    expect(searching.find('n1')).toEqual(first);
  });
});
