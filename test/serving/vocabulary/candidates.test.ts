import { describe, expect, it } from 'vitest';
import { forEachSimilarName } from '../../../src/serving/vocabulary/candidates.ts';
import { spelled } from '../../../src/serving/vocabulary/spelled-names.ts';

function similarAmong(...names: string[]): string[] {
  const found = new Set<string>();
  forEachSimilarName(names.map(spelled), (one, other) => found.add([names[one], names[other]].sort().join(' ~ ')));
  return [...found].sort();
}

describe('forEachSimilarName', () => {
  it.each([
    ['Hip-Hop', 'hip hop'],
    ['colour', 'color'],
    ['node', 'node.js'],
    ['nodes', 'node'],
    ['parser', 'parsing'],
    ['javscript', 'javascript'],
    ['acoutsic', 'acoustic'],
    ['i18n', 'internationalization'],
    ['ast', 'abstract syntax tree'],
    ['config', 'configuration'],
    ['google cloud', 'google cloud platform'],
    ['unit test', 'unit testing'],
    ['style linter', 'linter style'],
  ])('finds %s and %s', (one, other) => {
    expect(similarAmong(one, 'zebra', other, 'quartz')).toEqual([[one, other].sort().join(' ~ ')]);
  });

  it('finds nothing among names that have nothing in common', () => {
    expect(similarAmong('jazz', 'metal', 'client', 'server', 'vue', 'react')).toEqual([]);
  });

  it('leaves out keys that very many names share', () => {
    const names = Array.from(
      { length: 60 },
      (_, i) => `${String.fromCharCode(0x4e00 + i)}${String.fromCharCode(0x5e00 + i)} tour`,
    );
    expect(similarAmong(...names).length).toBe(0);
  });
});
