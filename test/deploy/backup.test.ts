// Backup and restore of reviews, by the commands of docs/deploy.md: what was decided is there again, with who did it.

import { readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startPostgres, whyNoPostgres } from '../serving/reviews/postgres.ts';
import { served } from '../serving/served-process.ts';
import { modelWithStore } from './prepared.ts';
import { findTool, output, ROOT } from './tools.ts';

vi.setConfig({ testTimeout: 120_000 }); // stores are opened four times, on a busy machine, too

const tar = findTool('tar');
const pgDump = findTool('pg_dump');
const pgRestore = findTool('pg_restore');
const documented = readFileSync(join(ROOT, 'docs/deploy.md'), 'utf8');
const DECIDED = [
  { object: 'o030', tag: 't001', decision: 'reject' },
  { object: 'o031', tag: 't002', decision: 'accept', curator: 'ann' },
];

async function decide(url: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  for (const review of DECIDED) {
    const answer = await fetch(`${url}/v1/reviews`, { method: 'POST', headers, body: JSON.stringify(review) });
    expect(answer.status).toBe(201);
  }
}

/** All that a person could miss: the decisions, the counts and the log. */
async function contents(url: string): Promise<unknown> {
  const [reviews, log] = await Promise.all(
    ['/v1/reviews', '/v1/log'].map(async (path) => (await fetch(url + path)).json()),
  );
  expect(reviews.reviews).toHaveLength(DECIDED.length);
  return { reviews: reviews.reviews, log };
}

/** A command of the documentation, with the paths and addresses of a test. */
function command(beginning: string, replaced: Record<string, string>): string[] {
  const line = documented.split('\n').find((text) => text.startsWith(`${beginning} `)) ?? '';
  expect(line, `docs/deploy.md has no command ${beginning}`).not.toBe('');
  let text = line;
  for (const [from, to] of Object.entries(replaced)) text = text.replaceAll(from, to);
  return text
    .split(' ')
    .slice(1)
    .map((word) => word.replaceAll('"', ''));
}

it.skipIf(!tar)('a folder of reviews is packed while the service is stopped, and unpacked elsewhere', async () => {
  const model = await modelWithStore();
  const folder = dirname(model);
  const first = await served(model);
  await decide(first.url);
  const before = await contents(first.url);
  expect(await first.end('SIGTERM')).toBe(0);

  const paths = { '/var/lib/tagloom': folder, '/backup': folder };
  output(tar ?? '', command('tar -czf', paths));
  await rename(`${model}.reviews`, `${model}.lost`);
  output(tar ?? '', command('tar -xzf', paths));
  const second = await served(model);
  expect(await contents(second.url)).toEqual(before);
  expect(await second.end('SIGTERM')).toBe(0);
});

it.skipIf(whyNoPostgres !== undefined || !pgDump || !pgRestore)(
  'a PostgreSQL store is dumped while the service runs, and restored into an empty database',
  async () => {
    const model = await modelWithStore();
    const folder = dirname(model);
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    const [url, restored] = [await server.database('tagloom'), await server.database('restored')];
    const first = await served(model, '--reviews', url);
    await decide(first.url);
    const before = await contents(first.url);
    const replaced = { '"$TAGLOOM_DATABASE"': url, '"$NEW_DATABASE"': restored, '/backup': folder };
    output(pgDump ?? '', command('pg_dump', replaced));
    expect(await first.end('SIGTERM')).toBe(0);

    output(pgRestore ?? '', command('pg_restore', replaced));
    const second = await served(model, '--reviews', restored);
    expect(await contents(second.url)).toEqual(before);
    expect(await second.end('SIGTERM')).toBe(0);
  },
);
