// The fenced code blocks of the README and the documentation: which there are, what kind each is, and what in it is a command.

import { readdirSync, readFileSync } from 'node:fs';

export interface Block {
  readonly file: string;
  /** Of the opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** Why it is not run, if it is not. */
  readonly notRun: string | undefined;
  readonly text: string;
}

/** Blocks of pages that are not marked in the pages themselves: the file, what the text holds, and why it is not run. */
const NOT_RUN: readonly (readonly [string, RegExp, string])[] = [
  ['README.md', /^npm run demo/, 'takes minutes; test/slow/demo.test.ts runs it'],
  [
    'README.md',
    /^npm install --global/,
    'installs for the whole machine; test/slow/package.test.ts installs into a folder',
  ],
  ['README.md', /explain npm\.tagloom/, 'needs the model of npm run demo'],
  ['README.md', /^import /, 'test/readme.test.ts runs it'],
  ['docs/deploy.md', /docker |postgres:|--webhook |--trust-header /, 'needs Docker, PostgreSQL, a proxy or a receiver'],
  ['docs/deploy.md', /createService/, 'serves until it is stopped; docs/library.md has one that ends'],
];

/** README.md, RESULTS.md and all of docs/. */
export function documents(): string[] {
  const inDocs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  return ['README.md', 'RESULTS.md', ...inDocs.sort().map((name) => `docs/${name.replaceAll('\\', '/')}`)];
}

export function blocksOf(file: string, markdown = readFileSync(file, 'utf8')): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const [, fence, info] = /^(`{3,})(.*)$/.exec(lines[i]) ?? [];
    if (fence === undefined || info === undefined) continue;
    const end = lines.indexOf(fence, i + 1);
    const text = lines.slice(i + 1, end).join('\n');
    const [, language = '', marker = ''] = /^(\w*)\s*(.*)$/.exec(info) ?? [];
    const known = NOT_RUN.find(([where, holds]) => where === file && holds.test(text))?.[2];
    blocks.push({
      file,
      line: i + 1,
      language: language || guessed(text),
      notRun: reasonIn(marker, file) ?? known,
      text,
    });
    i = end;
  }
  return blocks;
}

function reasonIn(marker: string, file: string): string | undefined {
  if (marker === '') return undefined;
  const [, reason] = /^no-run: (.{8,})$/.exec(marker) ?? [];
  if (reason === undefined) throw new Error(`${file}: got the marker "${marker}", expected "no-run: REASON"`);
  return reason;
}

/** Pages of GitHub have blocks without a language. */
function guessed(text: string): string {
  if (/^\$ /m.test(text)) return 'console';
  return /^(tagloom|npm|docker|[A-Z_]+=\S+ tagloom) /.test(text) ? 'sh' : 'text';
}

/** What a block of shell lines, or what is typed in a session, runs: one command a line, continuations joined. */
export function commandsOf({ language, text }: Pick<Block, 'language' | 'text'>): string[] {
  const typed = language === 'console' ? text.split('\n').filter((line) => line.startsWith('$ ')) : text.split('\n');
  return typed
    .map((line) => line.replace(/^\$ /, ''))
    .join('\n')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.replace(/^#.*$|\s+#\s.*$/, '').trim())
    .filter((line) => line !== '');
}

/** The words of the calls of tagloom in a line of shell: of `a | tagloom b && tagloom c`, two lists. */
export function callsOf(line: string): string[][] {
  const tokens = line.replaceAll('npm run tagloom --', 'tagloom').match(TOKEN) ?? [];
  const parts: string[][] = [[]];
  for (const token of tokens) {
    if (OPERATOR.test(token)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.flatMap((words) => {
    const at = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
    return words[at] === 'tagloom' ? [words.slice(at + 1)] : [];
  });
}

/** A word of shell, quoted parts and all, or what stands between commands. */
const TOKEN = /(?:"[^"]*"|'[^']*'|[^\s"'|;>&])+|&&|[|;>&]+/g;
const OPERATOR = /^[|;>&]+$/;
