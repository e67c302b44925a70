// The house rules: which room may import which, and what every file keeps to. One test for each rule; a failure lists all
// files that break it.

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

/** Rooms from the ground up: one may import those of the lines before its own. */
const FLOORS: readonly (readonly string[])[] = [
  ['errors'],
  ['size-limits'],
  ['random', 'listener', 'csr', 'settings', 'lock-file', 'optional', 'file-failures', 'html'],
  ['files'],
  ['platform'],
  ['data'],
  ['engine'],
  ['graph'],
  ['tables'],
  ['training'],
  ['models'],
  ['evaluation', 'serving'],
  ['train-options'],
  ['pipeline'],
  ['retraining'],
  ['experiments'],
  ['browser', 'service', 'client'],
  ['tagloom'],
  ['commands'],
  ['cli'],
];
/** Generated code, or the arithmetic itself: long functions and long files are its nature. */
const KERNELS = /^engine\/(reference|webgpu|wasm)\//;
/** What runs as a process of its own. */
const PROGRAMS = ['cli.ts', 'retraining/training-process.ts'];
const MAX_FUNCTION_LINES = 60;
const MAX_FILE_LINES = 400;

interface SourceFile {
  /** Below src, with slashes. */
  readonly path: string;
  readonly text: string;
  /** The text without comments. */
  readonly code: string;
  /** Files of src that it imports. */
  readonly imports: readonly string[];
}

const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => sourceFile(relative(SRC, join(entry.parentPath, entry.name)).split(sep).join('/')))
  .sort((a, b) => (a.path < b.path ? -1 : 1));

function sourceFile(path: string): SourceFile {
  const text = readFileSync(join(SRC, path), 'utf8');
  const code = text.replace(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const imports = [...code.matchAll(/(?:\bfrom|\bimport\(?)\s*['"](\.[./\w-]+|#platform)['"]/g)].map(([, target]) =>
    target === '#platform'
      ? 'platform/node.ts'
      : relative(SRC, resolve(SRC, path, '..', target))
          .split(sep)
          .join('/'),
  );
  return { path, text, code, imports };
}

/** The first part of the path: a folder of src, or a file at its top. */
function roomOf(path: string): string {
  return path.split('/')[0].replace(/\.ts$/, '');
}

function floorOf(room: string): number {
  return FLOORS.findIndex((rooms) => rooms.includes(room));
}

/** The paths of the files that break a rule. */
function breaking(rule: (file: SourceFile) => boolean): string[] {
  return files.filter(rule).map(({ path }) => path);
}

describe('rooms', () => {
  it('are the ones the design names', () => {
    expect(breaking(({ path }) => floorOf(roomOf(path)) < 0)).toEqual([]);
  });

  it('import only rooms below them', () => {
    const wrong = files.flatMap(({ path, imports }) => {
      const room = roomOf(path);
      const mayImport = (target: string) => target === room || floorOf(target) < floorOf(room);
      return imports.filter((target) => !mayImport(roomOf(target))).map((target) => `${path} imports ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  it('never import in a circle', () => {
    const byPath = new Map(files.map((file) => [file.path, file]));
    const state = new Map<string, 'open' | 'done'>();
    const circles: string[] = [];
    const visit = (path: string, way: readonly string[]) => {
      if (state.get(path) === 'done') return;
      if (state.get(path) === 'open') {
        circles.push([...way.slice(way.indexOf(path)), path].join(' → '));
        return;
      }
      state.set(path, 'open');
      for (const target of byPath.get(path)?.imports ?? []) visit(target, [...way, path]);
      state.set(path, 'done');
    };
    for (const { path } of files) visit(path, []);
    expect(circles).toEqual([]);
  });
});

describe('files', () => {
  it('have names in kebab-case that say what they hold', () => {
    expect(breaking(({ path }) => !/^([a-z0-9-]+\/)*[a-z0-9-]+\.ts$/.test(path))).toEqual([]);
    expect(breaking(({ path }) => /(^|\/)(index|utils?|helpers?|common|types|constants)\.ts$/.test(path))).toEqual([]);
  });

  it('open by saying what they hold', () => {
    expect(breaking(({ text }) => !/^\/\/ /.test(text.replace(/^#!.*\n/, '')))).toEqual([]);
  });

  it(`have at most ${MAX_FILE_LINES} lines`, () => {
    expect(breaking(({ text }) => text.split('\n').length > MAX_FILE_LINES)).toEqual([]);
  });

  it(`have functions of at most ${MAX_FUNCTION_LINES} lines, kernels aside`, () => {
    const long = files.filter(({ path }) => !KERNELS.test(path)).flatMap(longFunctions);
    expect(long).toEqual([]);
  });

  it('leave the process, the console and chance alone', () => {
    const process = /process\.(exit|env|argv|stdout|stderr|on)\b|console\./;
    expect(breaking(({ path, code }) => !PROGRAMS.includes(path) && process.test(code))).toEqual([]);
    expect(breaking(({ code }) => /Math\.random/.test(code))).toEqual([]);
  });
});

function longFunctions({ path, text }: SourceFile): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023);
  const found: string[] = [];
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node) => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const [first, last] = [lineAt(node.getStart(source)), lineAt(node.getEnd())];
      const lines = last - first + 1;
      if (lines > MAX_FUNCTION_LINES) found.push(`${path}, line ${first}: ${lines} lines`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
