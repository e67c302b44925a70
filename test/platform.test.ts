// The platform of a browser gives what Node's gives: hashes, texts, what counts as UTF-8. And nothing that a page loads needs
// Node.

import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as page from '../src/platform/browser.ts';
import * as node from '../src/platform/node.ts';
import { codePoint } from './arbitraries.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** All that a module brings along when it is loaded, or may load later; what is only a type is not there at all. */
function modulesFrom(entry: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(entry)) return found;
  const text = readFileSync(resolve(ROOT, entry), 'utf8').replaceAll(/\/\*\*[\s\S]*?\*\//g, ''); // without examples
  found.set(entry, text);
  for (const [, path, lazy] of text.matchAll(
    /^(?:import|export|\} )(?! type).*?from '(\.[^']+)'|import\('(\.[^']+)'\)/gm,
  )) {
    modulesFrom(relative(ROOT, resolve(ROOT, entry, '..', path ?? lazy)), found);
  }
  if (/^(?:import|export|\} )(?! type).*?from '#platform'/m.test(text)) modulesFrom('src/platform/browser.ts', found);
  return found;
}

describe.each(['web/src/train/worker/train-worker.ts', 'src/browser.ts'])('what %s loads of the library', (entry) => {
  const modules = modulesFrom(entry);

  it('needs nothing that only Node has', () => {
    const needsNode = [...modules].filter(([, text]) => {
      return /from 'node:|import\('node:|\bBuffer\.|\bprocess\./.test(text.replaceAll(/^import type .*$/gm, ''));
    });
    expect(needsNode.map(([file]) => file)).toEqual([]);
  });

  it.each(['parquet', 'src/models/', 'trainer', 'recommender', 'web-gpu-kernels', 'src/platform/browser.ts'])(
    'has %s in it',
    (name) => {
      expect([...modules.keys()].some((file) => file.includes(name))).toBe(true);
    },
  );
});

describe('the platform of a page', () => {
  it('has all that Node has', () => {
    expect(Object.keys(page).sort()).toEqual(Object.keys(node).sort());
  });

  it('hashes alike, whatever the parts are made of', () => {
    const part = fc.oneof(
      fc.string({ unit: codePoint, maxLength: 200 }),
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
