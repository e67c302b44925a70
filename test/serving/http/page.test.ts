// The page: files of one folder and nothing beside it.

import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../../../src/serving/http/service.ts';
import { ask, ownFolder, serviceOf } from './service-under-test.ts';

const SECRET = 'nobody may read this';
let service: Service;
let url: string;
beforeAll(async () => {
  const folder = await ownFolder();
  const page = join(folder, 'web');
  await mkdir(join(page, 'assets'), { recursive: true });
  await mkdir(join(page, '.git'));
  await mkdir(join(page, 'train/assets'), { recursive: true });
  const files = {
    'web/index.html': '<!doctype html><title>the page</title>',
    'web/assets/page-1a2b3c.js': 'page()',
    'web/assets/page-1a2b3c.js.br': brotliCompressSync('page()'),
    'web/assets/page-1a2b3c.js.gz': gzipSync('page()'),
    'web/assets/plain-1a2b3c.js': 'plain()',
    'web/train/index.html': '<!doctype html><head><title>to train on</title></head>',
    'web/train/assets/worker-1a2b3c.js': 'work()',
    'web/train/.env': SECRET,
    'web/.env': SECRET,
    'web/.git/config': SECRET,
    'secret.txt': SECRET,
    'web-secret.txt': SECRET,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  service = await serviceOf({ page });
  url = await service.listen({ port: 0 });
});

/** With the path as it is. */
function get(path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    request({ hostname, port, path }, (response) => {
      let body = '';
      response.on('data', (bytes) => (body += bytes));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    })
      .on('error', reject)
      .end();
  });
}

describe('the page', () => {
  it.each([
    '/',
    '/object/%40babel%2Fcore',
    '/object/a/b',
    '/tag/x',
    '/suggest',
    '/map',
    '/reviews',
    '/about',
    '/index.html',
  ])('is shown at %s and asked about each time', async (path) => {
    const { status, headers, text } = await ask(service, path);
    expect(status).toBe(200);
    expect(text).toContain('the page');
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers['content-security-policy']).toContain("script-src 'self';");
    expect(headers['content-security-policy']).toContain("img-src 'self' data: blob: http: https:;");
    expect(headers['cross-origin-embedder-policy']).toBe('credentialless'); // pictures of other hosts, without cookies
  });

  it('has assets that never change', async () => {
    const { status, headers, text } = await ask(service, '/assets/page-1a2b3c.js');
    expect([status, text]).toEqual([200, 'page()']);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-type']).toMatch(/javascript/);
    const again = await ask(service, '/assets/page-1a2b3c.js', { headers: { 'if-none-match': String(headers.etag) } });
    expect(again.status).toBe(304);
  });

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['identity', undefined],
    ['br;q=0, gzip', 'gzip'],
    [undefined, undefined],
  ])('sends to those who accept %s the twin in %s, for ever, as the same type', async (accepted, sent) => {
    const accept = accepted === undefined ? {} : { 'accept-encoding': accepted };
    const { statusCode, headers, rawPayload } = await service.fastify.inject({
      url: '/assets/page-1a2b3c.js',
      headers: accept,
    });
    expect(statusCode).toBe(200);
    expect(headers['content-encoding']).toBe(sent);
    expect(headers['content-type']).toMatch(/javascript/);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers.vary).toBe('accept-encoding');
    const open = { br: brotliDecompressSync, gzip: gunzipSync }[sent as string] ?? ((bytes: Buffer) => bytes);
    expect(open(rawPayload).toString()).toBe('page()');
  });

  it('sends files without a twin as they are', async () => {
    const headers = { 'accept-encoding': 'gzip, br' };
    for (const [path, text] of [
      ['/assets/plain-1a2b3c.js', 'plain()'],
      ['/train/assets/worker-1a2b3c.js', 'work()'],
      ['/map', '<!doctype html><title>the page</title>'],
    ]) {
      const answer = await ask(service, path, { headers });
      expect([answer.status, answer.text]).toEqual([200, text]);
    }
    expect((await ask(service, '/train/npm/tagged.tsv.gz', { headers })).status).toBe(200);
    expect((await ask(service, '/assets/none.js', { headers })).status).toBe(404);
  });

  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/%2e%2e%2fsecret.txt',
    '/..%5csecret.txt',
    '/....//secret.txt',
    '//secret.txt',
    '/../web-secret.txt',
    '/.env',
    '/%2eenv',
    '/.git/config',
    '/assets/../.env',
    '/train/.env',
    '/train/../.env',
    '/train/..%2f..%2fsecret.txt',
    '/train/../../secret.txt',
    '/train/../package.json',
    '/train/npm/../../package.json',
    '/assets/%00',
    '/index.html%00.js',
    '/etc/passwd',
    '//etc/passwd',
    '/%2fetc/passwd',
    '/..%c0%afsecret.txt',
  ])('lets nobody out by %s', async (path) => {
    const { status, body } = await get(path);
    expect([400, 403, 404]).toContain(status);
    expect(body).not.toContain(SECRET);
    expect(body).not.toContain('root:');
    expect(JSON.parse(body)).toMatchObject({ status, cure: expect.any(String) });
  });

  it.each(['/train/', '/train/assets/worker-1a2b3c.js', '/train/npm/tagged.tsv.gz'])(
    'may compute in WebAssembly, on all cores, at %s and below',
    async (path) => {
      const { status, headers } = await ask(service, path);
      expect(status).toBe(200);
      expect(headers['content-security-policy']).toContain("script-src 'self' 'wasm-unsafe-eval';");
      expect(headers['content-security-policy']).toContain("worker-src 'self' blob:");
      expect(headers['cross-origin-opener-policy']).toBe('same-origin');
      expect(headers['cross-origin-embedder-policy']).toBe('require-corp');
      expect(headers['cache-control']).toBe(
        path.includes('assets') ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    },
  );

  it.each([
    [
      'credentialless',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    ],
    ['credentialless', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    ['require-corp', 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0'],
    ['require-corp', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15'],
  ])('computes on all cores in any browser, with pictures where that goes together: %s', async (policy, agent) => {
    const { headers } = await ask(service, '/train/', { headers: { 'user-agent': agent } });
    expect([headers['cross-origin-embedder-policy'], headers.vary]).toEqual([policy, 'user-agent, accept-encoding']);
  });

  it('tells the document to train on that there is a queue to go back to, and finds it without its slash', async () => {
    const { text, headers } = await ask(service, '/train/');
    expect(text).toContain('to train on');
    expect(text).toContain('<meta name="tagloom-service" content="/" />');
    expect(headers['content-type']).toMatch(/^text\/html/);
    const bare = await ask(service, '/train');
    expect([bare.status, bare.headers.location]).toEqual([302, '/train/']);
  });

  it('answers 404 for files that are not there, with a problem', async () => {
    const { status, headers } = await ask(service, '/assets/none.js');
    expect(status).toBe(404);
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
  });

  it.each([
    ['/quue', '/queue'],
    ['/objects/nope', '/object/nope'],
    ['/objects/%40babel%2Fcore', '/object/%40babel%2Fcore'],
    ['/review', '/reviews'],
    ['/abuot', '/about'],
    ['/doc', '/docs'],
  ])('answers a mistyped address with a page that leads on: %s', async (path, meant) => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const { status, headers, text } = await ask(service, path, { headers: { accept } });
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).toContain('<a href="/">');
    if (meant !== '/queue') expect(text).toContain(`<a href="${meant}">`);
    expect(text).not.toMatch(/<script|<style|style=/);
  });

  it('writes nothing of an address into that page that could run', async () => {
    const { text } = await ask(service, '/objects/"><script>alert(1)</script>', { headers: { accept: 'text/html' } });
    expect(text).not.toContain('<script');
    expect(text).not.toContain('"><');
  });

  it('keeps problems for programs, for the API and for what is no page', async () => {
    const html = { accept: 'text/html' };
    for (const [path, options] of [
      ['/quue', { headers: { accept: '*/*' } }],
      ['/quue', { headers: { accept: 'application/json' } }],
      ['/v1/nothing', { headers: html }],
      ['/quue', { headers: html, method: 'POST' }],
      ['/assets/none.js', { headers: { accept: '*/*' } }],
    ] as const) {
      const { status, headers } = await ask(service, path, options);
      expect([path, status]).toEqual([path, 404]);
      expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    }
    const { status, headers } = await ask(service, '/quue', { headers: html, method: 'HEAD' });
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });

  it('says how to build it where it is missing', async () => {
    const bare = await serviceOf({ page: join(await ownFolder(), 'none') });
    const { status, headers, text } = await ask(bare, '/');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(text).toContain('npm run build');
    expect((await ask(bare, '/map')).status).toBe(404);
  });
});
