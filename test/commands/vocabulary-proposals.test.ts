import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { addVocabulary } from '../../src/commands/vocabulary.ts';
import { writeFolder } from '../../src/data/write-folder.ts';
import { CancelledError } from '../../src/errors.ts';
import { saveModel } from '../../src/models/model-file.ts';
import { train } from '../../src/pipeline.ts';
import { type Proposal, proposeSynonyms } from '../../src/serving/vocabulary/proposals.ts';
import { catalogueOf } from '../serving/vocabulary/catalogue-of-synonyms.ts';
import { tempFolder } from '../temp-folder.ts';
import { runCommand } from './run-command.ts';

const TOPICS = [
  [['parser', 'parsing'], ['lexer'], ['grammar'], ['javascript'], ['syntax']],
  [['color', 'colour'], ['console'], ['ansi'], ['javascript'], ['shell']],
  [['internationalization', 'i18n'], ['locale'], ['javascript'], ['plural'], ['translation']],
];
const catalogue = catalogueOf({ topics: TOPICS, objectsPerTopic: 60, seed: 1 });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tagloom-test-'));
  await writeFolder(folder, catalogue);
  return () => rm(folder, { recursive: true });
});
const propose = (...args: string[]) => runCommand(addVocabulary, ['vocabulary', 'proposals', ...args]);

describe('tagloom vocabulary proposals', () => {
  it('lists pairs with their scores, counts and reasons', async () => {
    const { out, err } = await propose(folder);
    expect(err).toBe('');
    expect(out).toMatch(/^0\.\d\d {2}parsing \(\d+\) → parser \(\d+\)$/m);
    expect(out).toContain('“i18n” stands for “internationalization”: 18 letters left out; carried by objects');
    expect(out.trim().split('\n')).toHaveLength(6);
  });

  it('says the same of a model as of the data it was trained on', async () => {
    const path = join(await tempFolder(), 'shop.tagloom');
    await saveModel(path, await train(catalogue, { model: 'popularity', threads: 1 }));
    expect((await propose(path)).out).toBe((await propose(folder)).out);
  });

  it('--json prints all of them, whatever --limit says', async () => {
    const { out } = await propose(folder, '--json', '--limit', '1');
    expect(JSON.parse(out)).toEqual({ proposals: await proposeSynonyms(catalogue) });
  });

  it('--limit shows the likeliest and says how many are left; --min-score leaves out', async () => {
    const { out } = await propose(folder, '--limit', '1');
    expect(out).toMatch(/^and 2 more: --limit shows more, --json all of them$/m);
    expect((await propose(folder, '--min-score', '1')).out).toBe('No two tags seem to mean the same.\n');
  });

  it('-o writes a table for --merge-tags and replaces no file unasked', async () => {
    const path = join(await tempFolder(), 'same.tsv');
    expect((await propose(folder, '-o', path)).err).toBe(`Proposals written to ${path}\n`);
    const lines = (await readFile(path, 'utf8')).trim().split('\n');
    expect(lines[0]).toBe('tag\tmerged');
    expect(lines.slice(1).sort()).toEqual(['colour\tcolor', 'i18n\tinternationalization', 'parsing\tparser']);
    await expect(propose(folder, '-o', path)).rejects.toThrow('--force');
    await propose(folder, '-o', path, '--force');
    await expect(propose(folder, '-o', `${path}.csv`)).rejects.toThrow('a name ending in .tsv');
  });

  it('-o gives a tag one other to go into: the likeliest', async () => {
    const topics = [
      [['hip hop', 'hip-hop'], ['rap'], ['soul']],
      [['hip-hop', 'hiphop'], ['rap'], ['soul']],
    ];
    const path = await mkdtemp(join(tmpdir(), 'tagloom-test-'));
    await writeFolder(path, catalogueOf({ topics, objectsPerTopic: 40, seed: 2 }));
    const { proposals } = JSON.parse((await propose(path, '--json')).out) as { proposals: Proposal[] };
    await propose(path, '-o', join(path, 'same.tsv'));
    const rows = (await readFile(join(path, 'same.tsv'), 'utf8')).trim().split('\n').slice(1);
    const best = proposals.filter(({ from }, i) => proposals.findIndex((one) => one.from === from) === i);
    expect(rows).toEqual(best.map(({ from, into }) => `${from}\t${into}`));
    expect([proposals.length, best.length]).toEqual([3, 2]);
    await rm(path, { recursive: true });
  });

  it('says what is wrong with a path and stops on Ctrl-C', async () => {
    await expect(propose(join(folder, 'nothing'))).rejects.toThrow(/nothing/);
    const args = ['vocabulary', 'proposals', folder];
    await expect(runCommand(addVocabulary, args, { signal: AbortSignal.abort() })).rejects.toThrow(CancelledError);
  });
});
