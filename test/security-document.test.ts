// SECURITY.md names the test that proves each defence: the file is there, and a test of that title in it.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

it('every defence in SECURITY.md names a test that is there', () => {
  const rows = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')
    .split('\n')
    .filter((line) => /^\| (?!attack|-)/.test(line));
  expect(rows.length).toBeGreaterThan(15);
  for (const row of rows) {
    const [, path, titles] = /`(test\/[\w./-]+\.test\.ts)`: (.*) \|$/.exec(row) ?? [];
    expect(path, row).toBeDefined();
    expect(existsSync(join(ROOT, path)), path).toBe(true);
    const text = readFileSync(join(ROOT, path), 'utf8');
    const named = [...titles.matchAll(/"([^"]+)"/g)].map(([, title]) => title);
    expect(named.length, row).toBeGreaterThan(0);
    for (const title of named) expect(text.includes(title), `${path} has no test "${title}"`).toBe(true);
  }
});
