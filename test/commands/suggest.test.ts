import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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

interface Answer {
  readonly id?: unknown;
  readonly line?: number;
  readonly error?: string;
  readonly suggestions: readonly { readonly tag: string }[];
}

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
const graphWithoutUsers = graphFrom({
  interact: [],
  tagged: objects.flatMap((object, i) => [0, 2].map((t) => [object, `t${(i + t) % 4}`] as const)),
});
let folder: string;
let loom: string;
let shop: string; // without users
let popularity: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tagloom-test-'));
  shop = join(folder, 'shop');
  await saveModel(shop, await train(graphWithoutUsers, { model: 'loom', threads: 1 }));
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

describe('tagloom suggest to texts', () => {
  const tagsOf = (out: string) => (JSON.parse(out) as Answer[])[0].suggestions.map(({ tag }) => tag);

  it('takes a text from the command line, a file or standard input, with one answer', async () => {
    const file = join(folder, 'notes.txt');
    await writeFile(file, 'o05 and o06');
    const plain = await runCommand(addSuggest, ['suggest', shop, '--text', 'o05 and o06', '--json']);
    expect(tagsOf(plain.out)).not.toEqual([]);
    for (const args of [['--text-file', file], ['--text-file', '-'], ['-']]) {
      const { out } = await runCommand(addSuggest, ['suggest', shop, ...args, '--json'], {
        input: ['o05 an', 'd o06'],
      });
      expect(out).toBe(plain.out);
    }
    const titled = await runCommand(addSuggest, ['suggest', shop, '-', '--title', 'o07'], { input: ['x'] });
    expect(titled.out).toMatch(/^o07\n {2}t/);
  });

  it('reads UTF-16 by its byte order mark, and refuses what is no text', async () => {
    const [wide, broken] = [join(folder, 'wide.txt'), join(folder, 'broken.txt')];
    await writeFile(wide, Buffer.from('\ufeffo05 and o06', 'utf16le'));
    await writeFile(broken, Buffer.from([0x61, 0xff, 0x62]));
    const plain = await runCommand(addSuggest, ['suggest', shop, '--text', 'o05 and o06']);
    expect((await runCommand(addSuggest, ['suggest', shop, '--text-file', wide])).out).toBe(plain.out);
    await expect(runCommand(addSuggest, ['suggest', shop, '--text-file', broken])).rejects.toThrow(
      'broken.txt: got bytes that are not UTF-8, expected the text of one object.',
    );
  });

  it('says where a text is blank, and refuses two texts', async () => {
    const { err } = await runCommand(addSuggest, ['suggest', shop, '-'], { input: [' \n'] });
    expect(err).toContain('Nothing is known of the object');
    await expect(runCommand(addSuggest, ['suggest', shop, '-', '--text', 'a'])).rejects.toThrow(/expected one text/);
    await expect(runCommand(addSuggest, ['suggest', shop, '--text', 'a', '--all'])).rejects.toThrow(/several of/);
  });

  it('ignores users that a model without any is told of, and does not speak of them', async () => {
    const { err } = await runCommand(addSuggest, ['suggest', shop, '--title', 'o05', '--users', 'ann']);
    expect(err).toBe('warning: The model was trained without users: --users is ignored.\n');
  });
});

describe('tagloom suggest --jsonl', () => {
  const lines = async (args: readonly string[], input: string[] = []) =>
    (await runCommand(addSuggest, ['suggest', ...args], { input })).out
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Answer);

  it('answers each line with a line, in order, as the command does for one object', async () => {
    const input = ['{"id": 7, "title": "o05"}\n\n  \r\n{"text":"o06', ' and o07"}\r\n{"tags":["t1"],"more":[{}]}'];
    const answers = await lines([shop, '--jsonl', '-', '--limit', '2'], input);
    expect(answers.map(({ id, line }) => id ?? { line })).toEqual([7, { line: 4 }, { line: 5 }]);
    for (const [i, args] of [
      ['--title', 'o05'],
      ['--text', 'o06 and o07'],
      ['--tags', 't1'],
    ].entries()) {
      const { out } = await runCommand(addSuggest, ['suggest', shop, ...args, '--limit', '2', '--json']);
      expect(answers[i].suggestions).toEqual((JSON.parse(out) as Answer[])[0].suggestions);
    }
  });

  it('takes an id of the model alone for its object, whose tags and those of the line are not suggested', async () => {
    const [known, more] = await lines([loom, '--jsonl', '-'], ['{"id":"o02"}\n{"id":"o02","tags":"t1, x"}\n']);
    const { out } = await runCommand(addSuggest, ['suggest', loom, 'o02', '--json']);
    expect(known.suggestions).toEqual((JSON.parse(out) as Answer[])[0].suggestions);
    expect(known.suggestions.map(({ tag }) => tag)).toContain('t1');
    expect(more.suggestions.map(({ tag }) => tag)).not.toContain('t1');
  });

  it('answers a line that is no object with what is wrong, goes on, and fails at the end', async () => {
    const bad = ['x', '[1]', '{"title":[]}', '{"id":{}}', '{"tags":3}', '{"text":{"a":true}}', '{"features":{"a":""}}'];
    const file = join(folder, 'items.jsonl');
    await writeFile(file, [...bad, '{}', '{"id":"nobody"}', '{"title":"o05"}'].join('\n'));
    const out = join(folder, 'answers.jsonl');
    await expect(runCommand(addSuggest, ['suggest', shop, '--jsonl', file, '-o', out])).rejects.toThrow(
      'items.jsonl, line 1: got 9 lines without suggestions, this one first, expected an object as JSON on each line.',
    );
    const answers = (await readFile(out, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Answer);
    expect(answers.map(({ error }) => error?.replace(/\..*/, ''))).toEqual([
      'got x, expected an object as JSON',
      'got [1], expected an object as JSON',
      'got the title [], expected a text',
      'got the id {}, expected a text or a number',
      'got the tags 3, expected a list of names',
      'got the a true, expected a text',
      'got the features {"a":""}, expected numbers by name',
      'got none of them, expected a title, a text or tags',
      'got only the id nobody, expected the id of an object of the model, or a title or a text',
      undefined,
    ]);
    expect(answers.map(({ line }) => line)).toEqual(
      [...bad.map((_, i) => i + 1), 8, undefined, 10].map((n, i) => n ?? i + 1),
    );
  });

  it('refuses a table, by its name', async () => {
    await expect(runCommand(addSuggest, ['suggest', shop, '--jsonl', 'a.csv.gz'])).rejects.toThrow(
      'a.csv.gz: got a .csv file, expected JSON Lines. To add tags to such a file, use "tagloom apply".',
    );
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

  it('does not speak of users where there are none', async () => {
    const { out } = await runCommand(addSimilar, ['similar', shop, 'o04', '--limit', '1']);
    expect(out).toMatch(/^ +similarity\no00 +100 %\n$/);
    const json = JSON.parse((await runCommand(addSimilar, ['similar', shop, 'o04', '--json'])).out);
    const one = expect.closeTo(1, 6);
    expect(json.similar[0]).toEqual({ object: 'o00', title: 'o00', similarity: one, byTags: one });
  });
});

describe('tagloom explain', () => {
  it('adds the parts up, with the words of each column under its name and nothing of users where there are none', async () => {
    const { out } = await runCommand(addExplain, ['explain', shop, 'o02', 't1']);
    expect(out).not.toMatch(/user/);
    const amounts = [...out.matchAll(/^ {2}\S.*?([+−]\d+\.\d+)$/gm)].map(([, one]) => Number(one.replace('−', '-')));
    const [, score] = /score (-?\d\.\d+)/.exec(out) ?? [];
    expect(amounts.reduce((sum, one) => sum + one, 0)).toBeCloseTo(Number(score), 2);
    expect(out).toContain('words in its title');
    const json = JSON.parse((await runCommand(addExplain, ['explain', shop, 'o02', 't1', '--json'])).out);
    expect(Object.keys(json)).toEqual(['tag', 'score', 'parts', 'marks', 'throughTags']);
    expect(Object.keys(json.parts)).not.toContain('profile');
    const users = JSON.parse((await runCommand(addExplain, ['explain', loom, 'o02', 't1', '--json'])).out);
    expect(Object.keys(users.parts)).toContain('profile');
  });

  it('explains a tag to an object that is described', async () => {
    const { out } = await runCommand(addExplain, ['explain', shop, 't1', '--title', 'o05', '--text', 'o06']);
    expect(out).toMatch(/^o05: t1, score/);
    await expect(runCommand(addExplain, ['explain', shop, 'o05', 't1', '--title', 'o05'])).rejects.toThrow(
      /expected one tag/,
    );
    await expect(runCommand(addExplain, ['explain', shop, 't1'])).rejects.toThrow(
      'got "t1", expected an object and a tag.',
    );
  });

  it('shows as many paths as are asked for', async () => {
    const lines = async (limit: string) =>
      (await runCommand(addExplain, ['explain', popularity, 'o02', 't0', '--limit', limit])).out
        .split('\n')
        .filter((line) => line.includes('shared users'));
    expect(await lines('2')).toHaveLength(2);
    expect((await lines('9')).length).toBeGreaterThan(5);
  });
});
