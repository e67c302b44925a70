// The package's types as users meet them: every export of every entry imported into strict programs, with the oldest and the newest
// TypeScript that is supported, resolved as Node does and as bundlers do, library types checked.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COMPILERS = { '5.4': 'typescript-5.4', '6.0': 'typescript' };
const ENTRIES = {
  tagloom: 'tagloom',
  browser: 'tagloom/browser',
  service: 'tagloom/service',
  client: 'tagloom/client',
};

/** The README's own programs, as a user with strict types would write them. */
const PROGRAM = `
import { evaluateModel, graphFrom, type ModelName, Recommender, split, type Suggestion, train } from 'tagloom';
import { createClient } from 'tagloom/client';

const name: ModelName = 'loom';
const graph = graphFrom({ interact: [['ann', 'alien']], tagged: [['alien', 'space']] });
const parts = split(graph, { trainFraction: 0.8, seed: 1 });
const model = await train(parts.train, { model: name, threads: 1 });
const recommender = await Recommender.open(model);
const byName: Suggestion[] = await recommender.suggest('alien', { limit: 3, minConfidence: 0.5 });
const byId: Suggestion[] = await recommender.suggest(0, { limit: 3 });
const evaluation = await evaluateModel(model, parts, { ks: [3] });
const client = createClient('http://127.0.0.1:8080');
const { data, error } = await client.GET('/v1/objects/{id}/suggestions', { params: { path: { id: '@babel/core' } } });
if (error) throw new Error(error.title);
export const tags: string[] = data.suggestions.map(({ tag }) => tag);
export const all = [...byName, ...byId, evaluation.objects.length];
// @ts-expect-error: no such model
await train(graph, { model: 'lom' });
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tagloom-test-'));
  // the files that are shipped, unpacked, beside the packages they depend on
  const packing = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(spawnSync('npm', packing, { cwd: ROOT, encoding: 'utf8' }).stdout);
  mkdirSync(join(folder, 'node_modules', 'tagloom'), { recursive: true });
  const unpacking = [
    '-xzf',
    join(folder, filename),
    '--strip-components=1',
    '-C',
    join(folder, 'node_modules/tagloom'),
  ];
  expect(spawnSync('tar', unpacking).status).toBe(0);
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), 'dir');
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [entry, specifier] of Object.entries(ENTRIES)) {
    writeFileSync(join(folder, `${entry}.ts`), importingAll(entry, specifier));
  }
  writeFileSync(join(folder, 'program.ts'), PROGRAM);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Each export of an entry by its name, types as types. */
function importingAll(entry: string, specifier: string): string {
  const path = join(ROOT, 'dist', `${entry}.d.ts`);
  const program = ts.createProgram([path], { module: ts.ModuleKind.NodeNext, skipLibCheck: true, types: [] });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path);
  const module = source && checker.getSymbolAtLocation(source);
  const names = module ? checker.getExportsOfModule(module).map(({ name }) => name) : [];
  expect(names.length).toBeGreaterThan(0);
  return `import type {\n${names.map((name) => `  ${name},`).join('\n')}\n} from '${specifier}';\nexport type { ${names.join(', ')} };\n`;
}

const RESOLUTIONS = {
  NodeNext: { module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2022'], types: ['node'] },
  Bundler: { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable'], types: ['node'] },
};

describe.each(Object.entries(COMPILERS))('TypeScript %s', (_, compiler) => {
  it.each(Object.entries(RESOLUTIONS))(
    'takes every export, resolved as %s',
    (name, options) => {
      const config = join(folder, `tsconfig.${compiler}.${name}.json`);
      const strict = {
        target: 'es2022',
        strict: true,
        noEmit: true,
        skipLibCheck: false,
        exactOptionalPropertyTypes: true,
      };
      const files = [...Object.keys(ENTRIES), 'program'].map((entry) => `${entry}.ts`);
      writeFileSync(config, JSON.stringify({ compilerOptions: { ...strict, ...options }, files }));
      const tsc = join(ROOT, 'node_modules', compiler, 'bin', 'tsc');
      const { stdout } = spawnSync(process.execPath, [tsc, '-p', config], { encoding: 'utf8', cwd: folder });
      expect(stdout.split('\n').filter((line) => line !== '')).toEqual([]);
    },
    60_000,
  );

  it('takes the library for browsers without the types of Node', () => {
    const config = join(folder, `tsconfig.${compiler}.browser.json`);
    const strict = { target: 'es2022', strict: true, noEmit: true, skipLibCheck: false, types: [] };
    const options = {
      ...strict,
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2022', 'dom', 'dom.iterable'],
    };
    const compilerOptions = { ...options, customConditions: ['browser'] };
    writeFileSync(config, JSON.stringify({ compilerOptions, files: ['browser.ts', 'client.ts'] }));
    const tsc = join(ROOT, 'node_modules', compiler, 'bin', 'tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', config], { encoding: 'utf8', cwd: folder });
    expect(stdout.split('\n').filter((line) => line !== '')).toEqual([]);
  }, 60_000);
});
