// What a page has in place of Node's own gives the same: hashes, texts, what counts as UTF-8.

import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as node from '../../src/data/platform.ts';
import * as page from '../../web/src/train/worker/platform.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** All that a module brings along when it is loaded, or may load later; what is only a type is not there at all. */
function modulesFrom(entry: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(entry) || entry.endsWith('src/data/platform.ts')) return found;
  const text = readFileSync(resolve(ROOT, entry), 'utf8');
  found.set(entry, text);
  for (const [, path] of text.matchAll(/^(?:import|export|\} )(?! type).*?from '(\.[^']+)'|import\('(\.[^']+)'\)/gm)) {
    if (path !== undefined) modulesFrom(relative(ROOT, resolve(ROOT, entry, '..', path)), found);
  }
  return found;
}

describe('what a page loads of the library', () => {
  const modules = modulesFrom('web/src/train/worker/train-worker.ts');

  it.each([...modules.keys()])('%s needs nothing that only Node has', (file) => {
    const text = (modules.get(file) ?? '').replaceAll(/^import type .*$/gm, '');
    expect(text).not.toMatch(/^import .* from 'node:|\bBuffer\./m);
  });

  it('is the readers, the models and the recommender', () => {
    for (const file of ['data/parquet.ts', 'training/train-dge.ts', 'models/loom.ts', 'serving/recommender.ts']) {
      expect([...modules.keys()]).toContain(`src/${file}`);
    }
  });
});

describe('the platform of a page', () => {
  it('has all that Node has', () => {
    expect(Object.keys(page).sort()).toEqual(Object.keys(node).sort());
  });

  it('hashes alike, whatever the parts are made of', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.uint8Array({ maxLength: 200 }),
      fc.float32Array({ maxLength: 50 }),
      fc.int32Array({ maxLength: 50 }),
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const [here, there] = [node.sha256(), page.sha256()];
        for (const one of parts) {
          here.update(one);
          there.update(one);
        }
        expect(there.hex()).toBe(here.hex());
      }),
    );
  });

  it('hashes a part of a longer array as that part', () => {
    const view = Float64Array.from([1, 2, 3]).subarray(1, 2);
    expect(page.sha256().update(view).hex()).toBe(node.sha256().update(view).hex());
  });

  it('takes the same bytes for UTF-8, and reads the same text in them', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 30 }),
      fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => new TextEncoder().encode(`\ufeff${text}`)),
    );
    fc.assert(
      fc.property(bytes, fc.nat(30), (given, start) => {
        expect(page.isUtf8(given)).toBe(node.isUtf8(given));
        const from = Math.min(start, given.length);
        expect(page.utf8Text(given, from, given.length)).toBe(node.utf8Text(given, from, given.length));
      }),
    );
  });
});
