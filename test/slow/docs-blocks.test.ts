// Every code block of the README and the documentation, run as it is written: shell lines with the built command line, sessions
// against the output they show (`…` stands for anything), programs as modules. The blocks of a page run in their order, in a folder of
// their own that holds the products of docs/examples, a model of them and what else the page needs.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Block, blocksOf, commandsOf, documents } from '../docs/blocks.ts';
import { copyEmptyStore } from '../serving/reviews/embedded.ts';

const SHELL_PORT = '8080'; // of the examples
const PROGRESS = /^(?:[\w, ]+: )*[\w ]+: \d+ %$/;
/** What a page needs beside the products and their model: files by name. */
const FIXTURES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/texts.md': {
    'article.md': '# A tent for the winter\n\nIt sleeps two and stays dry.\n',
    'new.jsonl': '{"id": "n1", "title": "Lark Dome tent", "text": "Sleeps two."}\n',
  },
  'docs/faq.md': {
    'notags.csv': 'id,title\n1,a\n2,b\n',
    'ragged.csv': 'id,title,tags\n1,a,x\n2,b,,\n3,c,x,y,z\n4,c\n',
    'book.xlsx': `PK\u0003\u0004${'x'.repeat(32)}`,
    'page.csv': '<html><body>',
    'tables/tagged.csv': 'object,tag\na,x\nb,y\n',
    'tables/interact.csv': 'user,object\nu,7\n',
  },
};
/** Pages that begin without the model. */
const FROM_NOTHING = new Set(['docs/index.md', 'README.md', 'docs/your-data.md']);
/** Pages whose commands work on a store of reviews that is there. */
const WITH_STORE = ['docs/vocabulary.md', 'docs/people.md'];
const DEPLOY_STORE = 'model.tagloom.reviews';

let base: string;
let bin: string;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'tagloom-docs-'));
  bin = join(base, 'bin');
  await mkdir(bin);
  const program = `#!/bin/sh\nexec "${process.execPath}" "${resolve('dist/cli.js')}" "$@"\n`;
  await writeFile(join(bin, 'tagloom'), program);
  await chmod(join(bin, 'tagloom'), 0o755);
  await copyFile('docs/examples/products.csv', join(base, 'products.csv'));
  await shell('tagloom train products.csv -o shop.tagloom', base);
});
afterAll(() => rm(base, { recursive: true, force: true }));

for (const file of documents()) {
  const blocks = blocksOf(file).filter(({ language }) => /^(sh|console|js|ts)$/.test(language));
  if (blocks.length === 0) continue;
  describe(file, () => {
    let folder: string;
    let service: Service | undefined;
    beforeAll(async () => {
      folder = await preparedFolder(file);
    });
    afterAll(() => service?.stop());
    for (const block of blocks) {
      const title = `line ${block.line}: ${block.text.split('\n')[0]}`;
      if (block.notRun !== undefined) {
        it.skip(`${title} (${block.notRun})`, () => {});
        continue;
      }
      it(title, async () => {
        service = await run(block, folder, service);
      });
    }
  });
}

async function preparedFolder(file: string): Promise<string> {
  const folder = await mkdtemp(join(base, 'page-'));
  await copyFile(join(base, 'products.csv'), join(folder, 'products.csv'));
  if (!FROM_NOTHING.has(file)) await copyFile(join(base, 'shop.tagloom'), join(folder, 'shop.tagloom'));
  if (WITH_STORE.includes(file)) await copyEmptyStore(join(folder, 'shop.tagloom.reviews'));
  if (file === 'docs/deploy.md') await copyEmptyStore(join(folder, DEPLOY_STORE));
  for (const [name, text] of Object.entries(FIXTURES[file] ?? {})) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  if (file === 'docs/faq.md') {
    await writeFile(join(folder, 'latin.csv'), Buffer.from('id,title,tags\n1,Caf\u00e9,x\n', 'latin1'));
    const model = await readFile(join(folder, 'shop.tagloom'));
    await writeFile(join(folder, 'cut.tagloom'), model.subarray(0, 1000));
  }
  return folder;
}

/** Runs a block; a service that it starts stays for the blocks that ask it, and is stopped by the first that does not. */
async function run(block: Block, folder: string, running: Service | undefined): Promise<Service | undefined> {
  const asks = block.text.includes(`:${SHELL_PORT}`);
  if (!asks) await running?.stop();
  let service = asks ? running : undefined;
  const here = (text: string) => (service === undefined ? text : text.replaceAll(SHELL_PORT, String(service.port)));
  if (/^[jt]s$/.test(block.language)) await runProgram(here(block.text), folder);
  else if (block.language === 'console') await compareSession(block, folder);
  else {
    for (const line of commandsOf(block)) {
      if (line.startsWith('tagloom serve')) service = await started(line, folder);
      else await shell(here(line), folder);
    }
  }
  return service;
}

/** The lines after each `$ command` are what it prints. */
async function compareSession({ text }: Block, folder: string): Promise<void> {
  for (const part of text.split(/^(?=\$ )/m)) {
    const [command, ...shown] = part.split('\n');
    const { out, code } = await launched(command.slice(2), folder);
    expect(code, out).toBeLessThanOrEqual(1);
    const lines = out.split('\n').filter((line) => !PROGRESS.test(line));
    expect(withoutEnds(lines)).toMatch(patternOf(withoutEnds(shown)));
  }
}

function withoutEnds(lines: readonly string[]): string {
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

function patternOf(shown: string): RegExp {
  const parts = shown.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`);
}

/** It lies inside the package, so that the package's name is known there. */
async function runProgram(text: string, folder: string): Promise<void> {
  const file = resolve('dist', `docs-block-${process.pid}.mjs`);
  await writeFile(file, text);
  try {
    await shell(`"${process.execPath}" "${file}"`, folder);
  } finally {
    await rm(file, { force: true });
  }
}

async function shell(line: string, folder: string): Promise<void> {
  const { out, code } = await launched(line, folder);
  expect(code, `${line}\n${out}`).toBe(0);
}

async function launched(line: string, folder: string): Promise<{ out: string; code: number }> {
  const child = spawnShell(line.replaceAll('npm run tagloom --', 'tagloom'), folder);
  let out = '';
  child.stdout?.on('data', (chunk) => (out += chunk));
  const [code] = await once(child, 'close');
  return { out, code: code ?? 1 };
}

function spawnShell(line: string, folder: string): ChildProcess {
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, NO_COLOR: '1' };
  return spawn('bash', ['-o', 'pipefail', '-c', `exec 2>&1; ${line}`], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

interface Service {
  readonly port: number;
  stop(): Promise<void>;
}

/** Runs until it is stopped; without opening a browser, and on a free port. */
async function started(line: string, folder: string): Promise<Service> {
  const port = await freePort();
  const child = spawnShell(`exec ${line.replace(' --open', '')} --port ${port}`, folder);
  let out = '';
  child.stdout?.on('data', (chunk) => (out += chunk));
  const ended = once(child, 'close');
  let code: number | null | undefined;
  ended.then(([status]) => (code = status));
  for (;;) {
    if (code !== undefined) throw new Error(`${line} ended with ${code}:\n${out}`);
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (answer?.ok) break;
    await new Promise((wake) => setTimeout(wake, 50));
  }
  const stop = async () => {
    if (code === undefined) child.kill('SIGTERM');
    const [status] = await ended;
    expect(status, out).toBe(0);
  };
  return { port, stop };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
