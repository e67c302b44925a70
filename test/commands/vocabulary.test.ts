import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { addApply } from '../../src/commands/apply.ts';
import { addMissing } from '../../src/commands/missing.ts';
import { addReviews } from '../../src/commands/reviews.ts';
import { addSuggest } from '../../src/commands/suggest.ts';
import { addTrain } from '../../src/commands/train.ts';
import { addVocabulary } from '../../src/commands/vocabulary.ts';
import { InputError } from '../../src/errors.ts';
import { loadModel } from '../../src/models/model-file.ts';
import { ConflictError } from '../../src/serving/vocabulary/declaration.ts';
import { checkerboard } from '../checkerboard.ts';
import { prepared } from './checkerboard-data.ts';
import { runCommand } from './run-command.ts';
import { shareStore } from './shared-store.ts';

vi.setConfig({ testTimeout: 60_000 }); // databases take seconds to start, more on a busy machine

const shared = shareStore();
const run = async (...args: string[]) => (await runCommand(addVocabulary, ['vocabulary', ...args])).out;
const graph = checkerboard();
const carriers = graph.tagged.reversed().rowLength(graph.tags.idOf('t001'));

async function trained() {
  const { folder, data, file } = await prepared();
  await runCommand(addTrain, ['train', data, '--model', 'popularity', '-o', file]);
  return { folder, data, file };
}

describe('tagloom vocabulary', () => {
  it('makes changes, lists them, and undoes them', async () => {
    const store = await shared.holding([]);
    expect(await run('merge', store, 'libs', 'lib', '--into', 'library', '--curator', 'Ada', '--note', 'tidy')).toMatch(
      /^merge libs, lib into library \(change \d+\)\n$/,
    );
    expect(await run('merge', store, 'libs', '--into', 'library')).toMatch(
      /^Declared before: merge libs, lib into library/,
    );
    await run('parent', store, 'library', '--implies', 'code', 'software');
    await run('exclude', store, 'library', 'person');
    await run('rename', store, 'person', 'people');
    await run('split', store, 'jaguar', 'car', 'animal');
    await run('retire', store, 'seen live', '--take-off');
    await run('synonym', store, 'js', '--of', 'javascript');
    const { tags } = JSON.parse(await run('list', store, '--json'));
    expect(tags).toContainEqual({
      ...{
        tag: 'library',
        state: 'used',
        labels: ['lib', 'libs'],
        implies: ['code', 'software'],
        excludes: ['people'],
      },
    });
    expect(tags).toContainEqual({
      ...{ tag: 'jaguar', state: 'split', labels: [], implies: [], excludes: [], parts: ['car', 'animal'] },
    });
    expect(await run('list', store)).toContain('also js');
    const log = await run('log', store);
    expect(log.split('\n')[0]).toMatch(/read js as javascript/);
    expect(log).toMatch(/Ada +merge libs, lib into library – tidy/);
    const [last] = JSON.parse(await run('log', store, '--json', '--limit', '1')).changes;
    expect(await run('undo', store, last.id)).toBe(`Undone: read js as javascript (change ${last.id})\n`);
    await expect(run('undo', store, last.id)).rejects.toThrow(/expected one that was made and not undone/);
    await expect(run('parent', store, 'software', '--implies', 'library')).rejects.toThrow(ConflictError);
  });

  it('checks names and counts objects by a model, and with --dry-run changes nothing', async () => {
    const store = await shared.holding([]);
    const { file } = await trained();
    const dry = await run('merge', store, 't001', '--into', 't002', '--model', file, '--dry-run');
    expect(dry).toMatch(
      new RegExp(`^merge t001 into t002\\ngain a tag +${carriers} objects\\nlose a tag +${carriers} objects`),
    );
    expect(JSON.parse(await run('list', store, '--json'))).toEqual({ tags: [] });
    await expect(run('merge', store, 't001', '--into', 't999', '--model', file)).rejects.toThrow(/got the tag "t999"/);
    await run('parent', store, 't001', '--implies', 'odd', '--model', file);
    expect(await run('list', store, '--model', file)).toMatch(new RegExp(`odd +${carriers}`));
    await run('exclude', store, 't001', 't003');
    const { unknown, conflicts } = JSON.parse(await run('check', store, '--model', file, '--json'));
    expect(unknown).toEqual(['odd']);
    expect(conflicts).toMatchObject([{ tags: ['t001', 't003'] }]);
  });

  it('writes a document and reads it back to nothing new', async () => {
    const store = await shared.holding([]);
    const { folder } = await prepared();
    await run('synonym', store, 'js', '--of', 'javascript');
    await run('parent', store, 'react', '--implies', 'javascript');
    for (const name of ['out.ttl', 'out.nt']) {
      await run('export', store, '-o', join(folder, name));
      const again = JSON.parse(await run('import', store, join(folder, name), '--json'));
      expect(again).toMatchObject({ numConcepts: 2, numDeclarations: 0, warnings: [] });
    }
    const { id } = JSON.parse(await run('log', store, '--json')).changes[0];
    await run('undo', store, id);
    const dry = await run('import', store, join(folder, 'out.ttl'), '--dry-run');
    expect(dry).toMatch(/would be declared +1\n/);
    await run('import', store, join(folder, 'out.ttl'), '--curator', 'Ada');
    expect(JSON.parse(await run('log', store, '--json')).changes[0]).toMatchObject({ kind: 'import', curator: 'Ada' });
    await writeFile(join(folder, 'broken.ttl'), '@prefix skos: <x> .\n\nskos:a skos:b');
    await expect(run('import', store, join(folder, 'broken.ttl'))).rejects.toThrow(
      /broken\.ttl, line 3: got a document/,
    );
    await expect(run('import', store, join(folder, 'thesaurus.rdf'))).rejects.toThrow(/Convert it first/);
    expect((await readFile(join(folder, 'out.ttl'), 'utf8')).split('\n')[0]).toMatch(/^@prefix skos: </);
  });
});

describe('other commands with --reviews', () => {
  it('suggest, missing and apply respect what is declared, and write the names in force', async () => {
    const { folder, file } = await trained();
    const store = await shared.holding([{ object: 'o001', tag: 't000', decision: 'accept' }]);
    const suggest = async (...more: string[]) => {
      const { out } = await runCommand(addSuggest, ['suggest', file, 'o001', '--limit', '9', '--json', ...more]);
      return JSON.parse(out)[0].suggestions.map(({ tag }: { tag: string }) => tag) as string[];
    };
    const plain = await suggest();
    expect(plain).toContain('t000');
    await run('retire', store, plain.find((tag) => tag !== 't000') ?? '');
    await run('rename', store, 't000', 'zero');
    const ruled = await suggest('--reviews', store);
    const retired = plain.find((tag) => tag !== 't000');
    expect(ruled.slice(0, 7)).toEqual(plain.filter((tag) => tag !== 't000' && tag !== retired));
    expect(ruled).not.toContain('zero'); // its own by a review
    const { out } = await runCommand(addMissing, ['missing', file, 'zero', '--json', '--reviews', store]);
    const { objects } = JSON.parse(out);
    expect(objects.length).toBeGreaterThan(0);
    expect(objects.map(({ object }: { object: string }) => object)).not.toContain('o001');
    const catalogue = join(folder, 'rows.csv');
    await writeFile(catalogue, 'id,tags\no001,t001;t003\no002,t002;t004\n');
    const written = join(folder, 'out.csv');
    await runCommand(addApply, ['apply', file, catalogue, '--reviews', store, '-o', written]);
    expect((await runCommand(addReviews, ['reviews', 'export', store])).out).toBe('object\ttag\no001\tzero\n');
    expect(await readFile(written, 'utf8')).toBe('id,tags\no001,t001;t003;zero\no002,t002;t004\n');
    await run('retire', store, 'zero', '--take-off');
    await runCommand(addApply, ['apply', file, catalogue, '--reviews', store, '-o', written, '--force']);
    expect(await readFile(written, 'utf8')).toBe('id,tags\no001,t001;t003\no002,t002;t004\n');
  });

  it('apply reads tags of the catalogue that the model does not know', async () => {
    const { folder, data, file } = await prepared();
    await runCommand(addTrain, ['train', data, '--model', 'loom', '--threads', '1', '-o', file]);
    const store = await shared.holding([]);
    const catalogue = join(folder, 'rows.csv');
    await writeFile(catalogue, 'id,tags\no001,brand new;t001\n');
    const apply = async () => {
      const args = ['apply', file, catalogue, '--reviews', store, '--min-confidence', '0', '--limit', '2', '--json'];
      return (await runCommand(addApply, [...args, '--dry-run'])).out;
    };
    await run('rename', store, 't009', 'nine'); // something is declared
    const [tag] = /t0\d\d/.exec(await apply()) as RegExpExecArray;
    await run('exclude', store, 'brand new', tag);
    expect(await apply()).not.toContain(tag);
  });

  it('train learns merged, renamed and implied tags', async () => {
    const { data, file } = await trained();
    const store = await shared.holding([
      { object: 'o000', tag: 't001', decision: 'accept' },
      { object: 'o002', tag: 'odd', decision: 'reject' },
    ]);
    await run('merge', store, 't001', '--into', 't002');
    await run('rename', store, 't003', 'three');
    await run('parent', store, 't002', '--implies', 'odd');
    await run('retire', store, 't005', '--take-off');
    await runCommand(addTrain, ['train', data, '--model', 'popularity', '--reviews', store, '-o', file, '--force']);
    const { graph: learnt } = await loadModel(file);
    const names = learnt.tags.names.toArray();
    expect(names).toEqual(expect.arrayContaining(['t002', 'three', 'odd']));
    for (const gone of ['t001', 't003', 't005']) expect(names).not.toContain(gone);
    const has = (object: string, tag: string) => learnt.tagged.has(learnt.objects.idOf(object), learnt.tags.idOf(tag));
    expect([has('o000', 't002'), has('o000', 'odd'), has('o001', 't002'), has('o001', 'odd')]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect([has('o002', 't002'), has('o002', 'odd')]).toEqual([true, false]);
  });

  it('says how to ask a service that uses the folder', async () => {
    await expect(run('log', '/nowhere/at/all')).rejects.toThrow(InputError);
  });
});
