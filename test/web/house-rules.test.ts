// The rules of web/src: imports only go to folders further up in a list, screens do not know one another, no file and no function
// is long, and nothing needs what the service's security policy forbids.

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const WEB = fileURLToPath(new URL('../../web', import.meta.url));
const SRC = join(WEB, 'src');
const MOST_FILE_LINES = 400;
const MOST_FUNCTION_LINES = 60;

const BASE = ['store', 'numbers'];
const BELOW_SCREENS = [...BASE, 'api', 'navigation', 'state', 'parts'];
const SCREENS = ['queue', 'suggest', 'object', 'tag', 'map', 'reviews', 'vocabulary', 'about', 'people'];
const LAZY = ['suggest', 'map', 'vocabulary', 'about', 'people']; // loaded on demand, with their styles

/** What each folder of web/src, and each file at its top, may import besides itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  store: [],
  numbers: [],
  api: BASE,
  navigation: [...BASE, 'api'],
  state: [...BASE, 'api', 'navigation'],
  parts: [...BASE, 'api', 'navigation', 'state'],
  ...Object.fromEntries(SCREENS.map((screen) => [screen, BELOW_SCREENS])),
  ...Object.fromEntries(LAZY.map((screen) => [screen, [...BELOW_SCREENS, 'style']])),
  train: [...BELOW_SCREENS, 'style'],
  app: [...BELOW_SCREENS, ...SCREENS],
  main: [...BELOW_SCREENS, 'app', 'style'],
  style: [],
};

const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(SRC, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .sort();
const code = files.filter((file) => /\.tsx?$/.test(file));
const textOf = new Map(files.map((file) => [file, readFileSync(join(SRC, file), 'utf8')]));

describe('imports of the page', () => {
  it('only point up the list of folders', () => {
    const wrong = code.flatMap((file) => {
      const folder = folderOf(file);
      return importsOf(file)
        .filter((target) => folderOf(target) !== folder && !MAY_IMPORT[folder]?.includes(folderOf(target)))
        .map((target) => `${file} imports ${target}`);
    });
    expect(wrong).toEqual([]);
    expect(files.filter((file) => MAY_IMPORT[folderOf(file)] === undefined)).toEqual([]);
  });

  it('never go round in a circle', () => {
    expect(circles(code, importsOf)).toEqual([]);
  });

  it('take only types from the library, except in the worker that trains', () => {
    const lines = code
      .filter((file) => !file.startsWith('train/worker/'))
      .flatMap((file) =>
        [...read(file).matchAll(/^.*from '(?:\.\.\/)+src\/.*$/gm)].map(([line]) => `${file}: ${line}`),
      );
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => !/: import type /.test(line))).toEqual([]);
  });
});

describe('house rules of the page', () => {
  it('names of files are in kebab-case and say what is inside', () => {
    expect(files.filter((file) => !/^([a-z0-9-]+\/)*[a-z0-9-]+\.(ts|tsx|css)$/.test(file))).toEqual([]);
    expect(files.filter((file) => /(^|\/)(index|utils?|helpers?|common|types|constants)\./.test(file))).toEqual([]);
  });

  it('a file opens by saying what it holds', () => {
    expect(files.filter((file) => !/^(\/\/ |\/\* )/.test(read(file)))).toEqual([]);
  });

  it(`no file has more than ${MOST_FILE_LINES} lines`, () => {
    expect(files.filter((file) => read(file).split('\n').length > MOST_FILE_LINES)).toEqual([]);
  });

  it(`no function has more than ${MOST_FUNCTION_LINES} lines`, () => {
    const long = code.flatMap((file) => longFunctions(file, read(file)));
    expect(long).toEqual([]);
  });

  it.each([
    [
      'writes to the console, draws at random or asks other hosts',
      /console\.|Math\.random|https?:\/\/(?!www\.w3\.org)/,
    ],
    ['takes text for HTML', /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML/],
    ['needs what the security policy forbids', /\beval\(|new Function|style="/],
  ])('nothing %s', (_what, forbidden) => {
    expect(files.filter((file) => forbidden.test(read(file)))).toEqual([]);
  });

  it('no document has a script or style inside', () => {
    const inside = /<style|style=|\son\w+=|<script(?![^>]*\ssrc=)/;
    const documents = ['index.html', 'train/index.html'];
    expect(documents.filter((document) => inside.test(readFileSync(join(WEB, document), 'utf8')))).toEqual([]);
  });
});

function read(file: string): string {
  return textOf.get(file) ?? '';
}

/** The first part of the path: a folder of web/src, or a file at its top. */
function folderOf(file: string): string {
  return file.split('/')[0].replace(/\.\w+$/, '');
}

/** Files of web/src that a file imports. */
function importsOf(file: string): string[] {
  return [...read(file).matchAll(/(?:\bfrom|\bimport\(?)\s*['"](\.[./\w-]+)['"]/g)]
    .map((match) =>
      relative(SRC, resolve(SRC, file, '..', match[1]))
        .split(sep)
        .join('/'),
    )
    .filter((target) => !target.startsWith('../'));
}

/** Each circle once, as the path that leads round it. */
function circles(all: readonly string[], nextOf: (file: string) => readonly string[]): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(' → '));
    else if (!done.has(file)) {
      for (const next of nextOf(file)) visit(next, [...path, file]);
      done.add(file);
    }
  };
  for (const file of all) visit(file, []);
  return found;
}

function longFunctions(file: string, text: string): string[] {
  const found: string[] = [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node) => {
    if (ts.isFunctionLike(node)) {
      const [first, last] = [lineOf(node.getStart()), lineOf(node.end)];
      if (last - first >= MOST_FUNCTION_LINES) found.push(`${file}:${first}, ${last - first + 1} lines`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
