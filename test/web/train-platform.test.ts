// What a page has in place of Node's own gives the same: hashes, texts, what counts as UTF-8.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as node from '../../src/data/platform.ts';
import * as page from '../../web/src/train/worker/platform.ts';

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
