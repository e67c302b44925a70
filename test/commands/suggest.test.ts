import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addExplain } from '../../src/commands/explain.ts';
import { addMissing } from '../../src/commands/missing.ts';
import { addSimilar } from '../../src/commands/similar.ts';
import { addSuggest } from '../../src/commands/suggest.ts';
import { Terminal } from '../../src/commands/terminal.ts';
import { graphFrom } from '../../src/data/knowledge-graph.ts';
import { saveModel } from '../../src/models/model-file.ts';
import { train } from '../../src/pipeline.ts';
import { runCommand } from './run-command.ts';

const objects = Array.from({ length: 24 }, (_, i) => `o${String(i).padStart(2, '0')}`);
const graph = graphFrom({
  interact: objects.flatMap((object, i) => [0, 1, 2].map((u) => [`u${(i + 2 * u) % 6}`, object] as const)),
  tagged: objects.flatMap((object, i) => [0, 2].map((t) => [object, `t${(i + t) % 4}`] as const)),
  objects: [
    ['o00', 'Same'],
    ['o01', 'Same'],
    ['lone', 'Nobody knows it'],
  ],
});
let folder: string;
let loom: string;
let popularity: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tagloom-test-'));
  [loom, popularity] = [join(folder, 'loom'), join(folder, 'popularity')];
  await saveModel(loom, await train(graph, { model: 'loom', threads: 1 }));
  await saveModel(popularity, await train(graph, { model: 'popularity', threads: 1 }));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('tagloom suggest', () => {
  it('prints one JSON document, or nothing at all before an error', async () => {
    const { out } = await runCommand(addSuggest, ['suggest', loom, 'o02', 'lone', '--json']);
    const answer = JSON.parse(out) as { object: string; suggestions: unknown[] }[];
    expect(answer.map(({ object }) => object)).toEqual(['o02', 'lone']);
    for (const args of [
      ['suggest', loom, '--json', 'o02', 'nobody'],
      ['suggest', popularity, '--json', '--tags', 't1'],
    ]) {
      let printed = '';
      const stream = { write: (text: string) => (printed += text) };
      const terminal = new Terminal({ out: stream, err: stream, signal: new AbortController().signal, now: () => 0 });
      const program = new Command('tagloom');
      addSuggest(program, terminal);
      await expect(program.parseAsync(args, { from: 'user' })).rejects.toThrow(/expected/);
      expect(printed).toBe('');
    }
  });

  it('calls an unseen object by its own title, whoever has it for an id', async () => {
    const { out } = await runCommand(addSuggest, ['suggest', loom, '--title', 'lone', '--tags', 't1']);
    expect(out).toMatch(/^lone\n/);
  });

  it('warns of names the model does not know', async () => {
    const { err } = await runCommand(addSuggest, ['suggest', loom, 'o02', '--deny', 't1,T3', '--allow', 't0,nothing']);
    expect(err).toContain('The model does not know nothing, T3: counted for nothing.');
    const unseen = await runCommand(addSuggest, ['suggest', loom, '--tags', 'a,b,c,d,e,f,g']);
    expect(unseen.err).toContain('The model does not know a, b, c, d, e and 2 more: counted for nothing.');
    expect(unseen.err).toContain('Nothing is known of the object');
  });

  it('says which title is that of several objects, and takes no novelty below 0', async () => {
    await expect(runCommand(addSuggest, ['suggest', loom, 'same'])).rejects.toThrow(
      'got "same", a title of 2 objects, expected one of "o00", "o01". Name it by its id.',
    );
    await expect(runCommand(addSuggest, ['suggest', loom, 'o02', '--novelty', '-1'])).rejects.toThrow(/0 or more/);
  });

  it('reads features of an unseen object, and refuses what is none', async () => {
    const { err } = await runCommand(addSuggest, ['suggest', loom, '--features', 'size=1, year = 2e3']);
    expect(err).not.toContain('Nothing is known');
    for (const bad of ['size', 'size=', '=3', 'size=big', 'a=1,,b=2']) {
      await expect(runCommand(addSuggest, ['suggest', loom, '--features', bad])).rejects.toThrow(/name=value/);
    }
  });

  it('writes TSV', async () => {
    const file = join(folder, 'out.tsv');
    await runCommand(addSuggest, ['suggest', loom, '--all', '--limit', '1', '-o', file]);
    const lines = (await readFile(file, 'utf8')).slice(0, -1).split('\n');
    expect(lines[0]).toBe('object\ttag\trank\tscore\tconfidence');
    expect(lines).toHaveLength(graph.objects.size + 1);
    for (const line of lines.slice(1)) expect(line.split('\t')).toHaveLength(5);
  });
});

describe('tagloom missing', () => {
  it('refuses a confidence that the model does not know, or that is none', async () => {
    const args = ['missing', popularity, 't1', '--min-confidence'];
    await expect(runCommand(addMissing, [...args, '0.5'])).rejects.toThrow(
      'got a popularity model, expected one that knows how sure it is.',
    );
    await expect(runCommand(addMissing, [...args, '50'])).rejects.toThrow(/from 0 to 1/);
  });

  it('prints one JSON document', async () => {
    const { out } = await runCommand(addMissing, ['missing', loom, 't1', '--limit', '2', '--json']);
    expect(JSON.parse(out)).toMatchObject({ tag: 't1', objects: [{}, {}] });
  });
});

describe('tagloom similar', () => {
  it('tells objects of one title apart, and says where there is nothing', async () => {
    const { out } = await runCommand(addSimilar, ['similar', loom, 'o04', '--limit', '30']);
    expect(out).toContain('Same (o00)');
    expect((await runCommand(addSimilar, ['similar', loom, 'lone'])).out).toBe('No object.\n');
  });
});

describe('tagloom explain', () => {
  it('shows as many paths as are asked for', async () => {
    const lines = async (limit: string) =>
      (await runCommand(addExplain, ['explain', popularity, 'o02', 't0', '--limit', limit])).out
        .split('\n')
        .filter((line) => line.includes('shared users'));
    expect(await lines('2')).toHaveLength(2);
    expect((await lines('9')).length).toBeGreaterThan(5);
  });
});
