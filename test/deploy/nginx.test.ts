// deploy/nginx.conf in front of a running service: real requests through a real nginx, as a plain process on 127.0.0.1.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer, connect as openSocket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, served } from '../serving/served-process.ts';
import { modelWithStore } from './prepared.ts';
import { findTool, output, ROOT } from './tools.ts';

const NAME = 'tags.example.org';
const nginx = findTool('nginx');

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  /** The address the client connects from. */
  readonly from?: string;
}

describe.skipIf(!nginx)('behind nginx', () => {
  let [service, proxy]: [Served | undefined, ChildProcess | undefined] = [undefined, undefined];
  let [port, folder] = [0, ''];

  beforeAll(async () => {
    const model = await modelWithStore();
    folder = join(model, '..');
    const trust = ['--trust-header', 'X-Forwarded-User', '--trust-proxy', '127.0.0.1/32', '--public'];
    service = await served(model, '--allow-host', NAME, ...trust);
    port = await freePort();
    await mkdir(join(folder, 'nginx'));
    await writeFile(join(folder, 'nginx/nginx.conf'), configuration(folder, port, new URL(service.url).port));
    expect(output(nginx ?? '', ['-t', '-q', ...flags(folder)])).toBe('');
    proxy = spawn(nginx ?? '', flags(folder), { stdio: 'ignore' });
    while (!(await isOpen(port))) await new Promise((resolve) => setTimeout(resolve, 20));
  });
  afterAll(async () => {
    if (proxy?.kill('SIGQUIT')) await once(proxy, 'exit');
    await service?.end('SIGTERM');
  });

  function ask(path: string, { method = 'GET', headers, body, from = '127.0.0.1' }: Asked = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const all = { host: NAME, ...(body !== undefined && { 'content-length': body.length }), ...headers };
      const options = { host: '127.0.0.1', port, path, method, headers: all, localAddress: from, agent: false };
      const asked = request(options, async (answer) => {
        let text = '';
        for await (const chunk of answer.setEncoding('utf8')) text += chunk;
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      });
      asked.on('error', reject).end(body);
    });
  }

  it('answers with the page and the API, and refuses names it was not given', async () => {
    expect(await ask('/')).toMatchObject({ status: 200, headers: { 'content-type': expect.stringContaining('html') } });
    expect(await ask('/readyz')).toMatchObject({ status: 200 });
    expect(await ask('/v1/model', { headers: { host: 'evil.example.com' } })).toMatchObject({ status: 421 });
  });

  it('passes escaped slashes in names on as they are', async () => {
    const { status, text } = await ask('/v1/objects/%40babel%2Fcore/suggestions');
    expect([status, JSON.parse(text).object?.id ?? JSON.parse(text).object]).toEqual([200, '@babel/core']);
  });

  it('removes the sign-in header that a client sends, so that nobody can name themselves', async () => {
    const body = JSON.stringify({ object: 'o030', tag: 't001', decision: 'reject' });
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-user': 'ann',
      'x-forwarded-groups': 'administrate',
    };
    expect((await ask('/v1/reviews', { method: 'POST', headers, body })).status).toBe(401);
    const direct = await fetch(`${service?.url}/v1/reviews`, { method: 'POST', headers, body });
    expect(direct.status).toBe(201); // the service itself believes the header where the proxy's address sends it
  });

  it('compresses, and streams exports without collecting them', async () => {
    const plain = await ask('/openapi.json');
    const packed = await ask('/openapi.json', { headers: { 'accept-encoding': 'gzip' } });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(plain.text.length).toBeGreaterThan(100_000);
    const { status, headers } = await ask('/v1/reviews/export');
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('tab-separated')]);
  });

  it('lets bodies through as far as the service takes them', async () => {
    const headers = { 'content-type': 'application/json' };
    const large = await ask('/v1/suggest', {
      method: 'POST',
      headers,
      body: JSON.stringify({ text: 'x'.repeat(2 << 20) }),
    });
    expect(large).toMatchObject({ status: 413, headers: { 'content-type': expect.stringContaining('problem+json') } });
    const small = await ask('/v1/suggest', { method: 'POST', headers, body: JSON.stringify({ tags: ['t001'] }) });
    expect([200, 401]).toContain(small.status);
    const huge = { 'content-type': 'application/json', 'content-length': String(33 << 20) };
    expect((await askEarly(port, huge)).startsWith('HTTP/1.1 413')).toBe(true);
  });

  it('limits writes by the address of the client, and not everybody at once', async () => {
    const write = (from: string) =>
      ask('/v1/reviews', { method: 'POST', body: '{}', from }).then(({ status }) => status);
    const flooded = await Promise.all(Array.from({ length: 300 }, () => write('127.0.0.2')));
    expect(flooded.filter((status) => status === 429).length).toBeGreaterThan(50);
    const others = await Promise.all(Array.from({ length: 20 }, () => write('127.0.0.3')));
    expect(others).not.toContain(429);
    expect((await ask('/v1/model', { from: '127.0.0.2' })).status).toBe(200); // reads have a limit of their own
    expect(await readFile(join(folder, 'nginx/access.log'), 'utf8')).toMatch(/^127\.0\.0\.2 .* 429 /m);
  });

  it('shows the metrics to this machine only', async () => {
    expect((await ask('/metrics')).status).toBe(200);
    expect((await ask('/metrics', { from: '127.0.0.2' })).status).toBe(403);
  });
});

/** The file of deploy/ on free ports, inside the least that nginx needs to run without root, in a folder of its own. */
function configuration(folder: string, port: number, servicePort: string): string {
  const site = readFileSync(join(ROOT, 'deploy/nginx.conf'), 'utf8')
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('127.0.0.1:8080', `127.0.0.1:${servicePort}`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = temporary.map((what) => `${what}_temp_path ${folder}/nginx/${what};`).join('\n');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  return `${user} daemon off; master_process on; worker_processes 1; pid ${folder}/nginx/pid; error_log ${folder}/nginx/error.log;
    events {} http { access_log ${folder}/nginx/access.log; ${paths}\n${site} }`;
}

const flags = (folder: string) => [
  '-p',
  join(folder, 'nginx'),
  '-c',
  join(folder, 'nginx/nginx.conf'),
  '-e',
  join(folder, 'nginx/error.log'),
];

/** What the server says to the head of a request whose body is never sent. */
async function askEarly(port: number, headers: Record<string, string>): Promise<string> {
  const socket = openSocket(port, '127.0.0.1');
  const lines = Object.entries({ host: NAME, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /v1/suggest HTTP/1.1\r\n${lines.join('')}\r\n`);
  const [first] = await once(socket, 'data');
  socket.destroy();
  return String(first);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = openSocket(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
