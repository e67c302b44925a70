// The programs of the README, run as they are written there.

import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { graphFrom } from '../src/data/knowledge-graph.ts';
import { saveModel, train } from '../src/pipeline.ts';
import { tempFolder } from './temp-folder.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const programs = [...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/```js\n(.*?)```/gs)].map(
  ([, text]) => text,
);

function programWith(name: string): string {
  const found = programs.filter((text) => text.includes(name));
  expect(found, `programs of the README with ${name}`).toHaveLength(1);
  return found[0];
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** What a program prints; it lies inside the package, so that its name is known there. */
async function run(
  text: string,
  cwd: string,
  ready?: string,
): Promise<{ out: string; stop(): Promise<number | null> }> {
  const file = join(ROOT, 'dist', `readme-${process.pid}-${programs.indexOf(text)}-${text.length}.mjs`);
  writeFileSync(file, text);
  const child = spawn(process.execPath, [file], { cwd });
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const [chunks, errors]: string[][] = [[], []];
  child.stderr.on('data', (chunk) => errors.push(String(chunk)));
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      chunks.push(String(chunk));
      if (ready !== undefined && chunks.join('').includes(ready)) resolve();
    });
    ended.then(() => resolve());
  });
  if (ready === undefined) expect(await ended, errors.join('')).toBe(0);
  else expect(chunks.join(''), errors.join('')).toContain(ready);
  rmSync(file);
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { out: chunks.join(''), stop };
}

it('serves from five lines, and asks by the typed client', async () => {
  const folder = await tempFolder();
  const tagged = ['@babel/core', 'b', 'c', 'd'].flatMap((object) => [
    [object, 'x'] as const,
    [object, `t${object}`] as const,
  ]);
  const graph = graphFrom({
    interact: [
      ['u', '@babel/core'],
      ['u', 'b'],
    ],
    tagged: [...tagged, ['b', 'y']],
  });
  await saveModel(join(folder, 'npm.tagloom'), await train(graph, { model: 'loom', threads: 1 }));
  const port = String(await freePort());
  const at = (text: string) => text.replaceAll('8080', port);
  const service = await run(`${at(programWith('createService'))}\nconsole.log('at', url);`, folder, 'at http');
  const { out } = await run(at(programWith('createClient')), folder);
  expect(out).toContain("tag: 'y'");
  expect(await service.stop()).toBe(0);
}, 60_000);
