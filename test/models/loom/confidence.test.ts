// What loom's own fit tells of its suggestions, against fits that really lack the tag or the object.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CsrBuilder } from '../../../src/csr.ts';
import { type KnowledgeGraph, taggedObjects } from '../../../src/data/knowledge-graph.ts';
import type { Kernels } from '../../../src/engine/kernels.ts';
import { openKernels } from '../../../src/engine/open.ts';
import { outcomesOfHeld } from '../../../src/models/loom/confidence.ts';
import { LOOM } from '../../../src/models/loom/fit.ts';
import { Hindsight } from '../../../src/models/loom/hindsight.ts';
import { lookBack } from '../../../src/models/loom/look-back.ts';
import type { Loom } from '../../../src/models/loom/loom.ts';
import type { Views } from '../../../src/models/loom/views.ts';
import type { Ridge } from '../../../src/models/ridge/solution.ts';
import { resolveSettings } from '../../../src/settings.ts';
import { checkerboard } from '../../checkerboard.ts';

let kernels: Kernels;
beforeAll(async () => {
  kernels = await openKernels({ threads: 1 });
});
afterAll(() => kernels.close());

async function loomOf(train: KnowledgeGraph): Promise<Loom> {
  const settings = resolveSettings(LOOM.settings, { search: 'off', neighbours: 5, profileWidth: 4 });
  return (await LOOM.fit({ kernels, train, settings, watch: {}, listener: {} })).fitted as Loom;
}

const train = checkerboard();
const objects = taggedObjects(train);
const numTags = train.tags.size;
const nothing = new CsrBuilder(objects.length);
for (const _ of objects) nothing.endRow();
const none = nothing.finish();
const users = { numUsers: new Int32Array(train.objects.size) };
const views = { train, objects, users, means: none, mentions: none } as unknown as Views;
const ones = new Float64Array(numTags).fill(1);
/** Says that every object has the tags of its colour, as surely as told; how it was asked goes into `asked`. */
const asked: { readonly hidden: readonly Int32Array[]; readonly keepsRow: boolean }[] = [];
const knowing = (sureness: number): Ridge => ({
  weightsOf: () => Promise.reject(new Error('not asked for')),
  strongWeightsOf: () => Promise.reject(new Error('not asked for')),
  look: async (rows) => ({
    async without({ places, hidden, keepsRow }) {
      asked.push({ hidden, keepsRow });
      const scores = new Float32Array(places.length * numTags);
      for (const [i, place] of places.entries()) {
        for (const tag of train.tagged.row(objects[rows[place]])) scores[i * numTags + tag] = sureness;
      }
      return scores;
    },
  }),
  release() {},
});
const hindsightOf = (factors = ones) =>
  new Hindsight(views, { tagged: knowing(1), untagged: knowing(0.5) }, factors, 1);

describe('Hindsight', () => {
  it('hides one tag in four of few objects, in four rounds each of them once, and knows the others', () => {
    const { rounds } = hindsightOf();
    expect(hindsightOf().rounds).toEqual(rounds);
    const examples = rounds[0];
    for (const [i, { tags }] of examples.entries()) {
      expect(Int32Array.from(rounds.flatMap((round) => [...round[i].hidden])).sort()).toEqual(tags);
    }
    expect(Int32Array.from(examples, ({ object }) => object).sort()).toEqual(objects);
    for (const { object, tags, known, hidden } of examples) {
      expect(tags).toEqual(train.tagged.row(object));
      expect(Int32Array.of(...known, ...hidden).sort()).toEqual(tags);
    }
    const share = examples.reduce((sum, { hidden }) => sum + hidden.length, 0) / train.tagged.size;
    expect(share).toBeGreaterThan(0.18);
    expect(share).toBeLessThan(0.32);
  });

  it('asks fits that know an object without its hidden tags, or not at all, multiplies by factors and mixes', async () => {
    const hindsight = hindsightOf(ones.map(() => 0.5));
    const examples = hindsight.rounds[0];
    const seen = await hindsight.look(Int32Array.from(examples, ({ row }) => row));
    for (const hides of ['some', 'all'] as const) {
      asked.length = 0;
      const shares: number[] = [];
      const found = await seen.scores(examples, hides, (numKnown) => {
        shares.push(numKnown);
        return 0.25;
      });
      expect(found.map(({ example }) => example)).toEqual(examples);
      for (const { example, scores, bareScores } of found) {
        for (const [t, score] of scores.entries()) {
          expect(score).toBe(example.tags.includes(t) ? 0.5 * (0.25 + 0.75 * 0.5) : 0);
          expect(bareScores[t]).toBe(example.tags.includes(t) ? 0.25 : 0);
        }
      }
      expect(shares).toEqual(examples.map(({ known }) => (hides === 'all' ? 0 : known.length)));
      const expected = examples.map(({ tags, hidden }) => (hides === 'all' ? tags : hidden));
      expect(asked.map(({ hidden }) => hidden)).toEqual([expected, expected]);
      expect(asked.every(({ keepsRow }) => keepsRow === (hides === 'some'))).toBe(true);
    }
  });
});

describe('lookBack', () => {
  it('tells what became of suggestions to objects without tags, by the mixture of both', async () => {
    const { unknown } = await lookBack(
      hindsightOf(),
      views,
      { mixing: [0.25, 1], maxExamples: 1000, isForStage: false },
      {},
    );
    expect(unknown.filter(({ isRight }) => isRight).length).toBe(
      objects.reduce((sum, object) => sum + Math.min(10, train.tagged.rowLength(object)), 0),
    );
    for (const { score, isRight, hasTags } of unknown) {
      expect(score).toBe(isRight ? 0.25 + 0.75 * 0.5 : 0);
      expect(hasTags).toBe(false);
    }
  });

  it('judges candidates of objects that hide tags, and counts those that hide none', async () => {
    const hindsight = hindsightOf();
    const { judged, numObjects } = await lookBack(
      hindsight,
      views,
      { mixing: [0, 1], maxExamples: 1e6, isForStage: true },
      {},
    );
    const all = hindsight.rounds.flat().filter(({ known }) => known.length > 0);
    expect(numObjects).toBe(all.length);
    expect(new Set(judged.map(({ example }) => example))).toEqual(
      new Set(all.filter(({ hidden }) => hidden.length > 0)),
    );
    const halves = new Map(judged.map(({ example, half }) => [example.object, half]));
    for (const { example, half, candidates, answers } of judged) {
      expect(half).toBe(halves.get(example.object));
      expect([...candidates.tags].filter((_, c) => answers[c] === 1).sort()).toEqual(
        [...example.hidden].filter((tag) => candidates.tags.includes(tag)).sort(),
      );
      expect([...candidates.tags].some((tag) => example.known.includes(tag))).toBe(false);
    }
  });

  it('stops at so many examples, all of the first round before any of the second', async () => {
    const hindsight = hindsightOf();
    const hiding = hindsight.rounds[0].filter(({ known, hidden }) => known.length > 0 && hidden.length > 0);
    const { judged } = await lookBack(
      hindsight,
      views,
      { mixing: [0, 1], maxExamples: hiding.length, isForStage: true },
      {},
    );
    expect(new Set(judged.map(({ example }) => example))).toEqual(new Set(hiding));
  });
});

describe('outcomesOfHeld', () => {
  it('judges objects the fit never saw, with and without the tags they have', async () => {
    const all = checkerboard();
    const held = Int32Array.of(3, 8, 21, 40);
    const isHeld = new Set(held);
    const marks = Uint8Array.from(all.tagged.heads, (object) => (isHeld.has(object) ? 0 : 1));
    const loom = await loomOf({ ...all, tagged: all.tagged.select(marks) });
    const before = kernels.usedBytes;
    const outcomes = await outcomesOfHeld(kernels, loom, all, held, 1, {});
    expect(kernels.usedBytes).toBe(before);
    expect(outcomes.length).toBeGreaterThanOrEqual(10);
    const best = outcomes.filter(({ score }) => score > 0.5);
    expect(best.length).toBeGreaterThan(0);
    for (const { isRight } of best) expect(isRight).toBe(true);
  });
});
