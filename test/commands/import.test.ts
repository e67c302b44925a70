import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { addImport } from '../../src/commands/import.ts';
import { Terminal } from '../../src/commands/terminal.ts';
import { load } from '../../src/data/data-set.ts';
import { fingerprint } from '../../src/data/knowledge-graph.ts';
import { makeRelease, problemOf } from '../fixtures/sources/release.ts';

/** Runs `tagloom import …`; returns what it printed. */
async function run(args: readonly string[], signal = new AbortController().signal) {
  const printed: { out: string[]; err: string[] } = { out: [], err: [] };
  const out = { write: (text: string) => void printed.out.push(text) };
  const err = { write: (text: string) => void printed.err.push(text) };
  const program = new Command('tagloom').exitOverride().configureOutput({ writeOut: out.write, writeErr: err.write });
  addImport(program, new Terminal({ out, err, signal, now: () => 0 }));
  await program.parseAsync(['import', ...args], { from: 'user' });
  return { out: printed.out.join(''), err: printed.err.join('') };
}

const FILES = {
  'kg.tsv': 'ann\tInteract\tmoons\nmoons\tTaggedWith\tslow\nbob\tInteract\tnine\na\tknows\tb\n',
  'movies.dat': '1::Paper Moons::Drama|Comedy\n2::Nine::Drama\n',
  'ratings.dat': '10::1::5::900\n11::2::3::902\n',
  'tags.dat': '10::1::slow::1\n11::1::slow::1\n10::2::fast::1\n',
  'steam_games.json': "{'id': '1', 'title': 'Gear', 'tags': ['x']}\n",
  'owned.json': "{'user_id': 'a', 'items': [{'item_id': '1', 'playtime_forever': 9}]}\n",
  'plays.tsv': 'user\tobject\na\t7\n',
  'names.tsv': 'object\ttitle\n7\tgear\n',
  'f.inter': 'user_id:token\titem_id:token\n1\t2\n',
  'f.item': 'item_id:token\tmood:token_seq\n2\tcalm odd\n',
  'Posts.xml':
    '<posts><row Id="1" PostTypeId="1" Title="t" Body="some body" Tags="|a|" OwnerUserId="7"/><row Id="2" PostTypeId="1" Tags="|a|b|"/></posts>',
  'library.csv': 'Key,Title,Manual Tags,Automatic Tags\nA,T,x; y,z\n',
  'r.bib': '@book{k, title = {T}, keywords = {a, b}}',
  'books.json': '[{"id": 1, "title": "T", "tags": ["a", "b"]}]',
  'blog.xml':
    '<rss><channel><item><title>T</title><category domain="post_tag">a</category><category domain="category">b</category><wp:post_id>1</wp:post_id><wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item><item><title>U</title><category domain="post_tag">c</category><wp:post_id>2</wp:post_id><wp:status>draft</wp:status><wp:post_type>page</wp:post_type></item></channel></rss>',
  'products.csv': 'Handle,Title,Tags,Type,Vendor,Status\na,A,x,T,V,active\nb,B,y,T,W,draft\n',
};

test('a source is read, written as a folder, and counted for a person', async () => {
  const folder = await makeRelease(FILES);
  const output = join(folder, 'out');
  const { out, err } = await run(['triples', join(folder, 'kg.tsv'), '-o', output]);
  expect(out.replace(output, 'OUT')).toBe(
    'users       2\nobjects     2\ntags        1\nInteract    2\nTaggedWith  1\n\nWritten to OUT\n',
  );
  expect(err).toBe('warning: kg.tsv: passed over the other relations: knows (1).\n');
  expect((await readdir(output)).sort()).toEqual(['interact.tsv', 'objects.tsv', 'tagged.tsv']);
  expect(await readFile(join(output, 'tagged.tsv'), 'utf8')).toBe('object\ttag\nmoons\tslow\n');
});

test('users are not counted where a source has none', async () => {
  const folder = await makeRelease({ 'kg.tsv': 'moons\tTaggedWith\tslow\nsuns\tTaggedWith\tslow\n' });
  const output = join(folder, 'out');
  const { out } = await run(['triples', join(folder, 'kg.tsv'), '-o', output]);
  expect(out.replace(output, 'OUT')).toBe('objects     2\ntags        1\nTaggedWith  2\n\nWritten to OUT\n');
  const { out: json } = await run(['triples', join(folder, 'kg.tsv'), '-o', `${output}2`, '--json']);
  expect(Object.keys(JSON.parse(json))).toEqual(['source', 'output', 'objects', 'tags', 'tagged', 'fingerprint']);
});

test('--json prints one document whose fingerprint is that of the folder written', async () => {
  const folder = await makeRelease(FILES);
  const output = join(folder, 'out');
  const { out } = await run(['triples', join(folder, 'kg.tsv'), '-o', output, '--json', '--gzip']);
  expect(JSON.parse(out)).toEqual({
    source: 'triples',
    output,
    users: 2,
    objects: 2,
    tags: 1,
    interact: 2,
    tagged: 1,
    fingerprint: fingerprint(await load(output)),
  });
  expect(await readdir(output)).toContain('tagged.tsv.gz');
});

describe('flags reach their source', () => {
  const counts = async (source: string, path: string, ...flags: string[]) => {
    const folder = await makeRelease(FILES);
    const inFolder = flags.map((flag) => (flag in FILES ? join(folder, flag) : flag));
    const { out } = await run([source, join(folder, path), '-o', join(folder, 'out'), '--json', ...inFolder]);
    return JSON.parse(out) as Record<string, number>;
  };

  test.each([
    [[], 5],
    [['--no-genres'], 2],
    [['--no-user-tags'], 3],
    [['--tags', 'tags.dat'], 5],
    [['--min-objects', '2'], 3],
    [['--min-pair-users', '2'], 4],
    [['--min-pair-users', '3', '--min-tag-users', '1'], 5],
  ])('movielens %j gives %i tag pairs', async (flags, tagged) => {
    expect((await counts('movielens', '', ...flags)).tagged).toBe(tagged);
  });

  test('steam takes --interactions, --names and --min-minutes', async () => {
    expect((await counts('steam', '', '--interactions', 'plays.tsv', '--names', 'names.tsv')).interact).toBe(1);
    expect((await counts('steam', '', '--interactions', 'owned.json', '--min-minutes', '9')).interact).toBe(1);
    await expect(counts('steam', '', '--interactions', 'owned.json', '--min-minutes', '10')).rejects.toThrow(
      'no interactions',
    );
  });

  test.each([
    ['stackexchange', 'Posts.xml', [], 3],
    ['stackexchange', '', ['--no-body', '--max-text', '2', '--site', 'x.example'], 3],
    ['zotero', 'library.csv', [], 3],
    ['zotero', 'library.csv', ['--no-automatic-tags'], 2],
    ['bibtex', 'r.bib', [], 2],
    ['calibre', 'books.json', [], 2],
    ['wordpress', 'blog.xml', [], 2],
    ['wordpress', 'blog.xml', ['--no-categories'], 1],
    ['wordpress', 'blog.xml', ['--types', 'post,page', '--drafts'], 3],
    ['shopify', 'products.csv', [], 1],
    ['shopify', 'products.csv', ['--drafts', '--shop', 'https://x.example'], 2],
    ['shopify', 'products.csv', ['--type-tags', '--vendor-tags'], 3],
  ])('%s %s %j gives %i tag pairs', async (source, path, flags, tagged) => {
    expect((await counts(source, path, ...flags)).tagged).toBe(tagged);
  });

  test('recbole takes --tags-field, triples take --interact and --tagged', async () => {
    expect((await counts('recbole', '', '--tags-field', 'mood')).tagged).toBe(2);
    expect((await counts('triples', 'kg.tsv', '--interact', 'knows', '--tagged', 'interact')).tagged).toBe(2);
  });
});

describe('what it refuses', () => {
  test('a folder that is there, before anything is read; --force replaces it', async () => {
    const folder = await makeRelease(FILES);
    expect(await problemOf(run(['triples', 'nowhere.tsv', '-o', folder]), folder)).toBe(
      'FOLDER: got a folder that is not empty, expected a new one. Choose another name, or add --force to replace it.',
    );
    const old = await makeRelease({ 'old.txt': 'x' });
    await run(['triples', join(folder, 'kg.tsv'), '-o', old, '--force']);
    expect((await readdir(old)).sort()).toEqual(['interact.tsv', 'objects.tsv', 'tagged.tsv']);
  });

  test('bad input leaves nothing behind', async () => {
    const folder = await makeRelease({ 'kg.tsv': 'a\tb\n' });
    await expect(run(['triples', join(folder, 'kg.tsv'), '-o', join(folder, 'out')])).rejects.toThrow('2 fields');
    expect(await readdir(folder)).toEqual(['kg.tsv']);
  });

  test('a run that is stopped leaves nothing behind', async () => {
    const folder = await makeRelease({ 'kg.tsv': FILES['kg.tsv'] });
    const stopped = run(['triples', join(folder, 'kg.tsv'), '-o', join(folder, 'out')], AbortSignal.abort());
    await expect(stopped).rejects.toThrow('Stopped on request.');
    expect(await readdir(folder)).toEqual(['kg.tsv']);
  });

  test.each(['x', '-1', '1.5', '', '99999999999999999999'])('--min-objects %j', async (value) => {
    await expect(run(['movielens', 'x', '-o', 'y', `--min-objects=${value}`])).rejects.toThrow(
      /'--min-objects <n>' argument '.*' is invalid. Expected a (whole )?number/,
    );
  });

  test('steam without --interactions, a source without -o, a source that does not exist', async () => {
    await expect(run(['steam', 'x', '-o', 'y'])).rejects.toThrow(
      "required option '--interactions <file>' not specified",
    );
    await expect(run(['lastfm', 'x'])).rejects.toThrow("required option '-o, --output <folder>' not specified");
    await expect(run(['netflix', 'x'])).rejects.toThrow('netflix');
  });
});
