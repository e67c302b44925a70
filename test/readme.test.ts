// The programs of the README, run as they are written there, in the order they stand there and in one folder: with the catalogue
// products.csv, and the model npm.tagloom with a store of reviews.

import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { graphFrom } from '../src/data/knowledge-graph.ts';
import { saveModel } from '../src/models/model-file.ts';
import { train } from '../src/pipeline.ts';
import { copyEmptyStore } from './serving/reviews/embedded.ts';
import { withoutSignals } from './systems.ts';
import { tempFolder } from './temp-folder.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PORT_OF_README = '8080';

/** A model of a few packages; @babel/core lacks the keyword y. */
async function npmModel() {
  const names = ['@babel/core', 'b', 'c', 'd'];
  const tagged = names.flatMap((name) => [[name, 'x'] as const, [name, `t${name}`] as const]);
  const interact = [['u', '@babel/core'] as const, ['u', 'b'] as const];
  return train(graphFrom({ interact, tagged: [...tagged, ['b', 'y']] }), { model: 'loom', threads: 1 });
}

async function preparedFolder(): Promise<string> {
  const folder = await tempFolder();
  await copyFile(join(ROOT, 'docs/examples/products.csv'), join(folder, 'products.csv'));
  await saveModel(join(folder, 'npm.tagloom'), await npmModel());
  await copyEmptyStore(join(folder, 'npm.reviews'));
  return folder;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly read: () => { out: string; err: string };
}

/** Starts a program. It lies inside the package, so that the package's name is known there. */
async function start(program: string, cwd: string, i: number): Promise<Running> {
  const file = join(ROOT, 'dist', `readme-${process.pid}-${i}.mjs`);
  await writeFile(file, program);
  const child = spawn(process.execPath, [file], { cwd });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await rm(file, { force: true });
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  return { child, ended, read: () => ({ out, err }) };
}

it('the programs of the README run as written', async () => {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  const programs = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, text]) => text);
  expect(programs.length).toBeGreaterThanOrEqual(3);
  const folder = await preparedFolder();
  const port = await freePort();
  const services: Running[] = [];
  let printed = '';
  for (const [i, text] of programs.entries()) {
    const program = await start(text.replaceAll(PORT_OF_README, String(port)), folder, i);
    if (text.includes('.listen(')) {
      services.push(program); // the programs after it ask it
      const hasEnded = program.ended.then(() => expect.fail(`${text}\n${program.read().err}`));
      while (!(await Promise.race([isOpen(port), hasEnded]))) await new Promise((resolve) => setTimeout(resolve, 20));
      hasEnded.catch(() => {});
    } else {
      expect(await program.ended, `${text}\n${program.read().err}`).toBe(0);
      printed += program.read().out;
    }
  }
  expect(printed).toMatch(/tag: 'camping',\s+score: 0\.63\d+,\s+confidence: 0\.81\d+/); // as the README says
  expect(printed).toContain("tag: 'y'"); // what the typed client was told
  for (const { child, ended } of services) {
    child.kill('SIGTERM');
    expect(await ended).toBe(withoutSignals ? null : 0);
  }
}, 60_000);
