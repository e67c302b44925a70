// The folder rule: imports point only up this list, and the three users of models never see one another.

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../src', import.meta.url));
const BASE = ['errors', 'random', 'listener'];
const BELOW_USE = [...BASE, 'data', 'engine', 'graph', 'models'];
const MAY_IMPORT: Record<string, readonly string[]> = {
  errors: [],
  random: [],
  listener: ['errors'],
  data: BASE,
  engine: BASE,
  graph: [...BASE, 'data', 'engine'],
  models: [...BASE, 'data', 'engine', 'graph'],
  training: BELOW_USE,
  evaluation: BELOW_USE,
  serving: BELOW_USE,
  pipeline: [...BELOW_USE, 'training', 'evaluation', 'serving'],
  tagloom: [...BELOW_USE, 'training', 'evaluation', 'serving', 'pipeline'],
  commands: [...BELOW_USE, 'training', 'evaluation', 'serving', 'pipeline'],
  cli: [...BASE, 'commands'],
};

const files = filesBelow(SRC);

describe('imports', () => {
  it.each(files)('%s imports only what its folder may', (file) => {
    const room = roomOf(file);
    expect(MAY_IMPORT, `src/${file} is in a place the design does not name`).toHaveProperty(room);
    for (const target of importsOf(file)) {
      const targetRoom = roomOf(target);
      if (targetRoom !== room) expect(MAY_IMPORT[room], `src/${file} imports src/${target}`).toContain(targetRoom);
    }
  });

  it('never go round in a circle', () => {
    const state = new Map<string, 'open' | 'done'>();
    const visit = (file: string, path: readonly string[]) => {
      if (state.get(file) === 'done') return;
      expect(state.get(file), `a circle: ${[...path, file].join(' → ')}`).toBeUndefined();
      state.set(file, 'open');
      for (const target of importsOf(file)) visit(target, [...path, file]);
      state.set(file, 'done');
    };
    for (const file of files) visit(file, []);
  });
});

describe('house rules', () => {
  it.each(files)('%s keeps them', (file) => {
    const text = readFileSync(join(SRC, file), 'utf8');
    expect(file).toMatch(/^([a-z0-9-]+\/)*[a-z0-9-]+\.ts$/); // kebab-case
    expect(file).not.toMatch(/(^|\/)(index|utils?|helpers?|common|types|constants)\.ts$/);
    expect(text.split('\n').length, 'lines').toBeLessThanOrEqual(400);
    expect(text.replace(/^#!.*\n/, ''), 'a file opens by saying what it holds').toMatch(/^\/\/ /);
    if (file !== 'cli.ts') expect(text).not.toMatch(/process\.(exit|env|argv|stdout|stderr|on)\b|console\./);
    expect(text).not.toMatch(/Math\.random/);
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(SRC, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

/** The first part of the path: a folder of src, or a file at its top. */
function roomOf(file: string): string {
  return file.split('/')[0].replace(/\.ts$/, '');
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(SRC, file), 'utf8');
  const found = [...text.matchAll(/(?:\bfrom|\bimport\(?)\s*['"](\.[./\w-]+)['"]/g)].map((match) => match[1]);
  return found.map((path) =>
    relative(SRC, resolve(SRC, file, '..', path))
      .split(sep)
      .join('/'),
  );
}
