// What the documentation says is checked against the program: every command and option that is named exists, every program parses,
// every link leads somewhere. test/slow/docs-blocks.test.ts runs the blocks.

import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import type { Command, Option } from 'commander';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { wholeProgram } from '../../scripts/docs/command-line.mjs';
import { render, slugOf } from '../../scripts/docs/markdown.mjs';
import { PAGES } from '../../scripts/docs/navigation.mjs';
import { blocksOf, callsOf, commandsOf, documents } from './blocks.ts';

const BLOCKS = documents().flatMap((file) => blocksOf(file));
const SCRIPTS: Record<string, string> = JSON.parse(readFileSync('package.json', 'utf8')).scripts;
/** Anchors that are made when the site is built. */
const GENERATED: Readonly<Record<string, RegExp>> = { 'docs/command-line.md': /^tagloom-/, 'docs/http-api.md': /./ };

describe('the documentation', () => {
  let program: Command;
  beforeAll(async () => {
    program = await wholeProgram();
  });

  it('is on the site page by page', () => {
    const pages = documents().filter((file) => file !== 'README.md');
    expect(PAGES.map(({ source }) => source).sort()).toEqual(pages.sort());
  });

  it('names only commands and options that there are', () => {
    const faults: string[] = [];
    for (const { file, line, call, isWhole } of allCalls()) {
      const fault = faultOf(program, call, isWhole);
      if (fault !== undefined) faults.push(`${file}, line ${line}: tagloom ${call.join(' ')}: ${fault}`);
    }
    expect(faults).toEqual([]);
  });

  it('would notice a command or an option that there is not', () => {
    expect(faultOf(program, ['trian', 'a.csv'])).toBe('no command trian');
    expect(faultOf(program, ['train', 'a.csv', '--outputs', 'x'])).toBe('no option --outputs');
    expect(faultOf(program, ['vocabulary', 'marge', 'a'])).toBe('no command marge');
    expect(faultOf(program, ['train', 'a.csv', '-o', 'x', '--set', 'a=b'])).toBeUndefined();
    expect(faultOf(program, ['vocabulary', 'check', 'store'])).toBe('no --model <file>, which it needs');
    expect(faultOf(program, ['import', 'SOURCE', 'PATH', '-o', 'DATA'])).toBeUndefined();
  });

  it('names only scripts of npm that there are', () => {
    const named = documents().flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => ({ file, name })),
    );
    expect(named.filter(({ name }) => !Object.hasOwn(SCRIPTS, name))).toEqual([]);
  });

  it('has programs that parse', () => {
    const faults = BLOCKS.filter(({ language }) => /^(js|ts)$/.test(language)).flatMap(({ file, line, text }) => {
      const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true, fileName: 'block.ts' });
      return diagnostics.map(({ messageText }) => `${file}, line ${line}: ${messageText}`);
    });
    expect(faults).toEqual([]);
  });

  it('has links that lead somewhere, anchors included', () => {
    const anchors = new Map<string, ReadonlySet<string>>();
    const faults: string[] = [];
    for (const file of documents()) {
      for (const { line, href } of linksOf(file)) {
        const [path, anchor] = href.split('#');
        const target = path === '' ? file : posix.join(posix.dirname(file), decodeURI(path));
        if (!existsSync(target)) faults.push(`${file}, line ${line}: ${href}: no such file`);
        else if (anchor !== undefined && target.endsWith('.md') && !hasAnchor(anchors, target, anchor))
          faults.push(`${file}, line ${line}: ${href}: no such heading`);
      }
    }
    expect(faults).toEqual([]);
  });

  it('gives headings the anchors that GitHub gives them', () => {
    expect(['With 2 words', "The paper's `DGE`, again", '100,000 objects', 'A: b/c'].map(slugOf)).toEqual([
      'with-2-words',
      'the-papers-dge-again',
      '100000-objects',
      'a-bc',
    ]);
    const { headings } = render('# Same\n\n## Same\n', 'docs/faq.md', 'faq.html');
    expect(headings.map(({ id }) => id)).toEqual(['same', 'same-1']);
  });
});

/** In blocks of shell lines, and in `code` within the text. */
function allCalls(): { file: string; line: number; call: string[]; isWhole: boolean }[] {
  const inBlocks = BLOCKS.filter(({ language }) => /^(sh|console)$/.test(language)).flatMap((block) =>
    commandsOf(block)
      .flatMap(callsOf)
      .map((call) => ({ file: block.file, line: block.line, call, isWhole: true })),
  );
  const inText = documents().flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((text, i) =>
        [...text.matchAll(/(?<!`)`((?:npm run )?tagloom [^`]+)`/g)].flatMap(([, code]) =>
          callsOf(code.replaceAll('\\|', '|')).map((call) => ({ file, line: i + 1, call, isWhole: false })),
        ),
      ),
  );
  return [...inBlocks, ...inText];
}

/** What is wrong with a call, which may be shortened where the text only names it; values of options are not looked at. */
function faultOf(program: Command, call: readonly string[], isWhole = true): string | undefined {
  let candidates: readonly Command[] = [program]; // several behind the name of a subcommand in capitals
  let numWords = 0;
  for (const raw of call) {
    const word = raw.replaceAll(/[[\]…]/g, '');
    if (/^--?[a-z]/.test(word)) {
      const name = word.split('=')[0];
      const isKnown = candidates.some((command) => command.options.some((one) => isNamed(one, name)));
      if (!isKnown && !/^(--help|-h|--version)$/.test(name)) return `no option ${name}`;
    } else if (word !== '' && candidates[0].commands.length > 0 && numWords++ === 0) {
      const [{ commands }] = candidates;
      candidates = /^[A-Z]+$/.test(word) ? commands : commands.filter((one) => one.name() === word);
      if (candidates.length === 0) return `no command ${word}`;
      numWords = 0;
    }
  }
  const missing =
    candidates.length === 1 && isWhole ? candidates[0].options.filter((one) => one.mandatory && !isIn(one, call)) : [];
  return missing.length === 0 || call.includes('--help') ? undefined : `no ${missing[0].flags}, which it needs`;
}

function isNamed({ short, long }: Option, name: string): boolean {
  return name === short || name === long;
}

function isIn(option: Option, call: readonly string[]): boolean {
  return call.some((word) => isNamed(option, word.split('=')[0]));
}

function linksOf(file: string): { line: number; href: string }[] {
  const isCode = new Set(BLOCKS.filter((one) => one.file === file).flatMap(({ line, text }) => rangeOf(line, text)));
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, i) =>
      isCode.has(i + 1)
        ? []
        : [...text.replaceAll(/`[^`]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, href]) => ({ line: i + 1, href })),
    )
    .filter(({ href }) => !/^[a-z]+:/.test(href));
}

function rangeOf(line: number, text: string): number[] {
  return Array.from({ length: text.split('\n').length + 2 }, (_, i) => line + i);
}

function hasAnchor(known: Map<string, ReadonlySet<string>>, file: string, anchor: string): boolean {
  if (GENERATED[file]?.test(anchor)) return true;
  if (!known.has(file)) {
    const { headings } = render(readFileSync(file, 'utf8'), file, 'page.html');
    known.set(file, new Set(headings.map(({ id }) => id)));
  }
  return known.get(file)?.has(anchor) === true;
}
