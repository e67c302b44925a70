// The examples that run with what is installed here: the commands of their READMEs as they stand, and their handlers as functions of
// a request. test/slow/examples.test.ts has the others.

import { execFile } from 'node:child_process';
import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { addImport } from '../src/commands/import.ts';
import { addSuggest } from '../src/commands/suggest.ts';
import { addTrain } from '../src/commands/train.ts';
import { runCommand } from './commands/run-command.ts';
import { type PostgresServer, startPostgres, whyNoPostgres } from './serving/reviews/postgres.ts';
import { tempFolder } from './temp-folder.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 }); // programs of their own take long to start on a busy machine

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const EXAMPLES = join(ROOT, 'examples');
/** Inside the package, so that its name is known there. */
const COPY = join(ROOT, 'dist', `examples-${process.pid}-run`);
const MODEL = join(COPY, 'shop.tagloom');

const node = async (cwd: string, args: readonly string[], env: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, [...args], { cwd, env: { ...process.env, ...env } });

/** Runs a program beside an example; what it printed, as JSON. */
async function evaluated(example: string, program: string, env: Record<string, string> = {}) {
  const { stdout } = await node(join(COPY, example), ['--input-type=module', '-e', program], {
    TAGLOOM_MODEL: MODEL,
    ...env,
  });
  return JSON.parse(stdout);
}

/** The first block of commands of a README, and of each what it prints. */
async function sessionOf(example: string): Promise<{ command: string[]; printed: string }[]> {
  const readme = await readFile(join(EXAMPLES, example, 'README.md'), 'utf8');
  const [, session] = /```\n(\$ npx tagloom[\s\S]*?)```/.exec(readme) ?? [];
  return (session ?? '')
    .split(/^\$ npx tagloom /m)
    .slice(1)
    .map((part) => {
      const [line, ...rest] = part.split('\n');
      const command = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
      return { command, printed: rest.join('\n').trim() };
    });
}

beforeAll(async () => {
  const isOwn = (path: string) => !/(node_modules|package\.json)$/.test(path); // a package.json would hide this package's name
  await cp(EXAMPLES, COPY, { recursive: true, filter: isOwn });
  await runCommand(addTrain, ['train', join(EXAMPLES, 'products.csv'), '-o', MODEL, '--threads', '1']);
});
afterAll(() => rm(COPY, { recursive: true, force: true }));

describe('the examples', () => {
  it('are small, and each has a README and a row in the list', async () => {
    const list = await readFile(join(EXAMPLES, 'README.md'), 'utf8');
    const folders = (await readdir(EXAMPLES, { withFileTypes: true })).filter((entry) => entry.isDirectory());
    for (const { name } of folders) {
      expect(list).toContain(`[${name}](${name})`);
      const readme = await readFile(join(EXAMPLES, name, 'README.md'), 'utf8');
      expect(readme.split('\n').length, name).toBeLessThan(30);
      const files = await readdir(join(EXAMPLES, name), { recursive: true });
      const code = await Promise.all(
        files.filter((file) => /\.m?js$/.test(file)).map((file) => readFile(join(EXAMPLES, name, file), 'utf8')),
      );
      expect(code.join('').split('\n').length, name).toBeLessThan(85);
    }
  });

  it.each(['stackexchange', 'zotero-bibtex', 'calibre', 'wordpress', 'shopify'])(
    '%s goes from the export to suggestions with the commands of its README',
    async (example) => {
      const folder = await tempFolder();
      await cp(join(EXAMPLES, example), folder, { recursive: true });
      process.chdir(folder); // the commands name files as they lie beside the README
      onTestFinished(() => process.chdir(ROOT));
      const session = await sessionOf(example);
      expect(session.map(({ command }) => command[0])).toEqual(['import', 'train', 'suggest']);
      for (const { command, printed } of session) {
        const add = { import: addImport, train: addTrain, suggest: addSuggest }[command[0]] ?? addImport;
        const { out } = await runCommand(add, [...command, ...(command[0] === 'import' ? [] : ['--threads', '1'])]);
        if (command[0] === 'import') expect(out.trim()).toBe(printed);
        // figures follow the model; which tag comes first does not
        if (command[0] === 'suggest') expect(firstTag(out)).toBe(firstTag(printed));
      }
    },
  );
});

const firstTag = (text: string) =>
  text
    .trim()
    .split('\n')[1]
    .trim()
    .replace(/\s+\d+ %$/, '');

const REQUESTS = `
  const ask = (method, body) => new Request('http://shop.example/api/suggest', { method, body });
  const bowl = JSON.stringify({ title: 'Cherry Bowl', text: 'A bowl of cherry wood, for soup or salad.', tags: ['wood'] });
  const told = async (response) => [response.status, await response.json()];`;

describe('a handler', () => {
  it('of Next.js answers requests', async () => {
    const [good, bad, number] = await evaluated(
      'next-route',
      `${REQUESTS}
      const { POST } = await import('./app/api/suggest/route.js');
      console.log(JSON.stringify([
        await told(await POST(ask('POST', bowl))),
        await told(await POST(ask('POST', 'no JSON'))),
        await told(await POST(ask('POST', '7'))),
      ]));`,
    );
    expect(good[0]).toBe(200);
    expect(good[1].suggestions[0].tag).toBe('kitchen');
    expect([bad, number]).toEqual(Array(2).fill([400, { error: 'Send JSON with title, text and tags.' }]));
  });

  it('of a worker answers requests, with the model as bytes', async () => {
    const [good, wrong, bad] = await evaluated(
      'worker',
      `${REQUESTS}
      import { readFile } from 'node:fs/promises';
      const { suggestWith } = await import('./handler.js');
      const { buffer, byteOffset, length } = await readFile(process.env.TAGLOOM_MODEL);
      const worker = suggestWith(buffer.slice(byteOffset, byteOffset + length));
      console.log(JSON.stringify([
        await told(await worker.fetch(ask('POST', bowl))),
        await told(await worker.fetch(ask('GET'))),
        await told(await worker.fetch(ask('POST', '{'))),
      ]));`,
    );
    expect(good[1].suggestions[0].tag).toBe('kitchen');
    expect(wrong).toEqual([405, { error: 'Use POST.' }]);
    expect(bad[0]).toBe(400);
  });

  it('of a Fastify plugin answers requests, and the app has suggestTags', async () => {
    const [tags, good, bad] = await evaluated(
      'fastify-plugin',
      `import Fastify from 'fastify';
      const { suggestTags } = await import('./plugin.js');
      const app = Fastify();
      await app.register(suggestTags, { model: process.env.TAGLOOM_MODEL, limit: 2 });
      const post = async (payload) => {
        const { statusCode, body } = await app.inject({ method: 'POST', url: '/suggest', payload });
        return [statusCode, JSON.parse(body)];
      };
      const facts = { title: 'Cherry Bowl', text: 'A bowl of cherry wood, for soup or salad.', tags: ['wood'] };
      console.log(JSON.stringify([await app.suggestTags(facts), await post(facts), await post({ tags: 'wood'.repeat(9), title: {} })]));
      await app.close();`,
    );
    expect(tags).toHaveLength(2);
    expect(good).toEqual([200, { suggestions: tags }]);
    expect(bad[0]).toBe(400);
  });
});

describe.skipIf(whyNoPostgres !== undefined)('the nightly job', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.remove());

  it('adds likely tags once, keeps what people do, and never runs twice at a time', async () => {
    const url = await server.database('shop');
    const client = new pg.Client(url);
    await client.connect();
    try {
      await client.query(await readFile(join(EXAMPLES, 'postgres-nightly', 'products.sql'), 'utf8'));
      const job = async () =>
        (await node(join(COPY, 'postgres-nightly'), ['nightly.js'], { DATABASE_URL: url })).stdout;
      const tagsOf = async (id: number) =>
        (await client.query('select tags from products where id = $1', [id])).rows[0].tags;
      const all = async () => (await client.query('select id, tags from products order by id')).rows;

      const before = await all();
      await client.query('select pg_advisory_lock(7461001)');
      expect(await job()).toBe('Another run is under way.\n');
      await client.query('select pg_advisory_unlock(7461001)');
      expect(await all()).toEqual(before);

      const added = await job();
      expect(added).toMatch(/^43: .*kitchen.*\n44: .*office/);
      const tags = await tagsOf(43);
      expect(tags).toContain('kitchen');
      const after = await all();
      for (const [i, { tags: old }] of before.entries()) expect(after[i].tags.slice(0, old.length)).toEqual(old);

      expect(await job()).toBe('Nothing to add.\n');
      await client.query("update products set tags = array_remove(tags, 'kitchen') where id = 43");
      expect(await job()).toBe('Nothing to add.\n'); // somebody took it off
      expect(await tagsOf(43)).toEqual(tags.filter((tag: string) => tag !== 'kitchen'));
    } finally {
      await client.end();
    }
  });
});
