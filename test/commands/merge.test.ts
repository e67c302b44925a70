import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMerge } from '../../src/commands/merge.ts';
import { addSuggest } from '../../src/commands/suggest.ts';
import { graphFrom } from '../../src/data/knowledge-graph.ts';
import { saveModel } from '../../src/models/model-file.ts';
import { train } from '../../src/pipeline.ts';
import { type ObjectSuggestions, Recommender } from '../../src/serving/recommend/recommender.ts';
import { runCommand } from './run-command.ts';

const WORDS = ['tent', 'stove', 'rope', 'lamp', 'boot', 'map'];
const objects = Array.from({ length: 700 }, (_, i) => `o${i}`); // more than two of the blocks that are scored at once
const graph = graphFrom({
  interact: objects.flatMap((object, i) => [1, 3, 7].map((step) => [`u${(i * step) % 41}`, object] as const)),
  tagged: objects
    .filter((_, i) => i % 5 !== 0)
    .flatMap((object, i) => [0, 2, 5].map((t) => [object, `t${(i * (t + 1)) % 13}`] as const)),
  objects: objects.map((object, i) => [object, `${WORDS[i % 6]} ${WORDS[(i * i) % 5]}`] as const),
});
let folder: string;
let file: string;
let other: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tagloom-test-'));
  [file, other] = [join(folder, 'loom'), join(folder, 'popularity')];
  await saveModel(file, await train(graph, { model: 'loom', threads: 1 }));
  await saveModel(other, await train(graph, { model: 'popularity', threads: 1 }));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const suggest = (...args: string[]) => runCommand(addSuggest, ['suggest', ...args]);
const merge = (...args: string[]) => runCommand(addMerge, ['merge', ...args]);
const inFolder = (name: string) => join(folder, name);

/** Writes all parts; their paths. */
async function partsOf(prefix: string, of: number, ...options: string[]): Promise<string[]> {
  const paths = Array.from({ length: of }, (_, i) => inFolder(`${prefix}-${i + 1}`));
  for (const [i, path] of paths.entries()) {
    await suggest(file, '--all', '--part', `${i + 1}/${of}`, ...options, '-o', path);
  }
  return paths;
}

describe('suggestions to some of the objects', () => {
  it('are those that all objects get, wherever the parts begin', async () => {
    const recommender = await Recommender.open(await train(graph, { model: 'loom', threads: 1 }), { threads: 1 });
    const collect = async (range = {}) => {
      const found: ObjectSuggestions[] = [];
      for await (const one of recommender.suggestAll({ limit: 4 }, {}, range)) found.push(one);
      return found;
    };
    const whole = await collect();
    expect(whole).toHaveLength(700);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 5 }), async (cuts) => {
        const starts = [0, ...cuts.sort((a, b) => a - b), 700];
        const parts: ObjectSuggestions[] = [];
        for (let i = 0; i + 1 < starts.length; i++) {
          parts.push(...(await collect({ first: starts[i], end: starts[i + 1] })));
        }
        expect(parts).toEqual(whole);
      }),
      { numRuns: 10 },
    );
    recommender.close();
  });
});

describe('tagloom suggest --part and tagloom merge', () => {
  it('write the file that --all writes without parts, as TSV and as JSON', async () => {
    for (const options of [['--limit', '2'], ['--min-confidence', '0.4', '--deny', 't1,t2'], ['--json']]) {
      const [all, merged] = [inFolder('all'), inFolder('merged')];
      await suggest(file, '--all', ...options, '-o', all, '--force');
      const parts = await partsOf('part', 3, ...options, '--force');
      const { out } = await merge(...parts.reverse(), '-o', merged, '--force');
      expect(out).toBe(`${merged}: 700 objects in 3 parts\n`);
      const text = await readFile(all, 'utf8');
      expect(await readFile(merged, 'utf8')).toBe(text);
      expect(text.startsWith(options.includes('--json') ? '[\n' : 'object\t')).toBe(true);
    }
  });

  it('print a part without -o, and the result as JSON', async () => {
    const [first, second] = await partsOf('two', 2);
    const { out } = await suggest(file, '--all', '--part', '2/2');
    expect(out).toBe(await readFile(second, 'utf8'));
    const result = await merge(first, second, '-o', inFolder('both'), '--json');
    expect(JSON.parse(result.out)).toEqual({ output: inFolder('both'), numParts: 2, numObjects: 700 });
  });

  it('refuse parts of other models and options', async () => {
    const [first, second] = await partsOf('own', 2);
    const foreign = inFolder('foreign');
    await suggest(other, '--all', '--part', '2/2', '-o', foreign);
    await expect(merge(first, foreign, '-o', inFolder('x'))).rejects.toThrow(/foreign: got a part of another model/);
    for (const [options, message] of [
      [['--limit', '3'], 'got --limit 3, expected --limit 5'],
      [['--allow', 't1,t2'], /got --allow \(2 tags, checksum [0-9a-f]{16}\), expected no --allow/],
      [['--min-confidence', '0.5'], 'got --min-confidence 0.5, expected no --min-confidence'],
      [['--novelty', '1'], 'got --novelty 1, expected no --novelty'],
    ] as const) {
      await suggest(file, '--all', '--part', '2/2', ...options, '-o', foreign, '--force');
      await expect(merge(first, foreign, '-o', inFolder('x'))).rejects.toThrow(message);
    }
    await expect(merge(first, '-o', inFolder('x'))).rejects.toThrow(/--part 2\/2 -o FILE/);
    await expect(merge(first, second, '-o', first, '--force')).rejects.toThrow(/the file that is to be read/);
    await merge(first, second, '-o', inFolder('x'));
    await expect(merge(first, second, '-o', inFolder('x'))).rejects.toThrow(/add --force to replace it/);
  });

  it('take the same tags in another order for the same option', async () => {
    const [first] = await partsOf('order', 2, '--allow', 't1,t2');
    const second = inFolder('order-2');
    await suggest(file, '--all', '--part', '2/2', '--allow', 't2,t1', '-o', second, '--force');
    await merge(first, second, '-o', inFolder('ordered'));
  });

  it('refuse what is no part, and a part of named objects', async () => {
    for (const bad of ['0/4', '5/4', '3', '1/0', '1/1000001', '-1/4', '1.5/4', '1/4/2', 'a/b']) {
      await expect(suggest(file, '--all', '--part', bad)).rejects.toThrow(/such as 3\/64/);
    }
    await expect(suggest(file, 'o1', '--part', '1/2')).rejects.toThrow('got --part without --all');
  });
});
