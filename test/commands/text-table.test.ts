import { describe, expect, it } from 'vitest';
import { textTable } from '../../src/commands/text-table.ts';

describe('textTable', () => {
  it('puts numbers to the right and texts to the left', () => {
    expect(
      textTable(
        ['name', 'count'],
        [
          ['a', '1,000'],
          ['longer', 7],
        ],
      ),
    ).toBe('name    count\na       1,000\nlonger      7\n');
  });

  it('counts wide characters as two columns and marks as none', () => {
    expect(
      textTable(undefined, [
        ['日本', 'x'],
        ['abcd', 'y'],
        ['e\u0301tc.', 'z'],
      ]),
    ).toBe('日本  x\nabcd  y\ne\u0301tc.  z\n');
  });
});
