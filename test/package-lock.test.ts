// The lock file installs the same bytes on every platform: `npm ci` refuses one that lacks the binaries of other platforms.

import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Entry {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

const text = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
const { '': root, ...packages } = JSON.parse(text).packages as Record<string, Entry>;

it('package-lock.json lists every dependency, the binaries of all platforms included, at the version their package names', () => {
  const missing: string[] = [];
  let numChecked = 0;
  for (const [path, { dependencies, optionalDependencies }] of Object.entries(packages)) {
    for (const [name, range] of Object.entries({ ...dependencies, ...optionalDependencies })) {
      const folders = path.split('/node_modules/').map((_, i, parts) => parts.slice(0, i + 1).join('/node_modules/'));
      const entry = ['', ...folders]
        .map((folder) => packages[posix.join(folder, 'node_modules', name)])
        .findLast(Boolean);
      if (!entry || (/^\d+\.\d+\.\d+[\w.-]*$/.test(range) && entry.version !== range)) missing.push(`${name}@${range}`);
      numChecked++;
    }
  }
  expect(missing, 'run node scripts/complete-lock.mjs').toEqual([]);
  expect(numChecked).toBeGreaterThan(30);
  for (const binary of ['@biomejs/cli', '@duckdb/node-bindings', '@rolldown/binding']) {
    for (const platform of ['darwin-arm64', 'win32-x64']) {
      expect(Object.keys(packages).some((path) => path.startsWith(`node_modules/${binary}-${platform}`))).toBe(true);
    }
  }
});

it('package-lock.json names no address, and the checksum of everything but some binaries of other platforms', () => {
  expect(text).not.toMatch(/"resolved"|\.tgz"/);
  expect(root).not.toHaveProperty('resolved');
  const without = Object.entries(packages).filter(([, { integrity }]) => !integrity);
  // the registry it was written with lacked these; `node scripts/complete-lock.mjs` fills them in where one has them
  for (const [path, { os, cpu }] of without) {
    expect(path).toMatch(/^node_modules\/(@biomejs\/cli|@duckdb\/node-bindings)-/);
    expect(`${os}-${cpu}`, path).not.toBe('linux-x64');
  }
  expect(without.length).toBeLessThanOrEqual(12);
});
