// The examples whose packages are not installed here: each with the packed tarball in a temporary folder, as a stranger has it. Runtimes
// come from npm as packages; without one for this machine, its test is skipped and says so.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const INSTALL = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--silent'];
const BOWL = { title: 'Cherry Bowl', text: 'A bowl of cherry wood, for soup or salad.', tags: ['wood'] };

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tagloom-examples-'));
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const [{ filename }] = JSON.parse(packed);
  // without scripts: the runtimes' own would link their programs, which are used where they lie
  execFileSync('npm', [...INSTALL, join(folder, filename), 'express@5'], { cwd: folder });
  cpSync(join(ROOT, 'examples'), folder, { recursive: true, filter: (path) => !path.endsWith('node_modules') });
  execFileSync('npx', ['tagloom', 'train', 'products.csv', '-o', 'shop.tagloom'], { cwd: folder });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The program of a runtime that npm has as packages, one for each kind of machine; undefined where there is none for this one. */
function runtime(name: string, scope: string, program: string): string | undefined {
  execFileSync('npm', [...INSTALL, '--no-save', name], { cwd: folder });
  const packages = join(folder, 'node_modules', scope);
  const found = existsSync(packages)
    ? readdirSync(packages)
        .map((one) => join(packages, one, program))
        .find(existsSync)
    : undefined;
  if (found === undefined) process.stderr.write(`the example on ${name} is skipped: no program for this machine\n`);
  return found;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a server in the folder of an example and asks it for tags, and with what is no JSON. */
async function answersOf(program: string, args: readonly string[], example: string, port: number, path = '/') {
  const child: ChildProcess = spawn(program, args, {
    cwd: join(folder, example),
    env: { ...process.env, PORT: String(port) },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout?.on('data', (chunk) => (said += chunk));
  child.stderr?.on('data', (chunk) => (said += chunk));
  const ask = async (body: string) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body });
    return { status: response.status, body: await response.text() };
  };
  for (;;) {
    const answer = await ask(JSON.stringify(BOWL)).catch(() => undefined);
    if (answer !== undefined) return { good: answer, bad: await ask('{') };
    expect(child.exitCode, said).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function expectTags({ good, bad }: Awaited<ReturnType<typeof answersOf>>): void {
  expect(good.status, good.body).toBe(200);
  expect(JSON.parse(good.body).suggestions[0]).toMatchObject({ tag: 'kitchen', confidence: expect.any(Number) });
  expect(bad.status).toBe(400);
}

const SERVER = ['server.js', '../shop.tagloom'];

it('Express', async () => {
  const port = await freePort();
  expectTags(await answersOf(process.execPath, SERVER, 'express', port, '/suggest'));
});

it('Bun', async ({ skip }) => {
  const bun = runtime('bun', '@oven', 'bin/bun') ?? skip();
  expectTags(await answersOf(bun, SERVER, 'bun', await freePort()));
});

it('Deno, with the permissions that its README names', async ({ skip }) => {
  const deno = runtime('deno', '@deno', 'deno') ?? skip();
  const permissions = ['--allow-net=127.0.0.1', '--allow-read', '--allow-env', '--allow-sys'];
  const args = ['run', '--no-prompt', '--cached-only', '--node-modules-dir=manual', ...permissions, ...SERVER];
  expectTags(await answersOf(deno, args, 'deno', await freePort()));
});

it('a worker, bundled for the web, under workerd', async ({ skip }) => {
  const workerd = runtime('workerd', '@cloudflare', 'bin/workerd') ?? skip();
  const port = await freePort();
  const out = join(folder, 'worker', 'bundle');
  await build({
    configFile: false,
    logLevel: 'error',
    root: join(folder, 'worker'),
    resolve: { conditions: ['workerd', 'worker', 'browser'] },
    build: {
      outDir: out,
      minify: false,
      lib: { entry: 'worker.js', formats: ['es'], fileName: () => 'worker.js' },
      rollupOptions: { external: /\.tagloom$/, output: { codeSplitting: false } },
    },
  });
  mkdirSync(out, { recursive: true });
  cpSync(join(folder, 'shop.tagloom'), join(out, 'shop.tagloom'));
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .suggest)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
const suggest :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js"), (name = "shop.tagloom", data = embed "shop.tagloom")],
  compatibilityDate = "2026-01-01"
);`;
  writeFileSync(join(out, 'config.capnp'), config);
  expectTags(await answersOf(workerd, ['serve', 'config.capnp'], 'worker/bundle', port));
});
