import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphFrom, type KnowledgeGraph } from '../../../src/data/knowledge-graph.ts';
import { split } from '../../../src/data/split.ts';
import type { Kernels } from '../../../src/engine/kernels.ts';
import { openKernels } from '../../../src/engine/open.ts';
import { evaluate, meanOf } from '../../../src/evaluation/evaluate.ts';
import { CANDIDATE_FEATURES } from '../../../src/models/loom/candidates.ts';
import { LOOM } from '../../../src/models/loom/fit.ts';
import type { Loom } from '../../../src/models/loom/loom.ts';
import { LoomScorer } from '../../../src/models/loom/score.ts';
import { likelihoodOf, rankAgain, type SecondStage, sharesOf } from '../../../src/models/loom/second-stage.ts';
import type { ScoreParts } from '../../../src/models/scorer.ts';
import { train } from '../../../src/pipeline.ts';
import { Random } from '../../../src/random.ts';
import { resolveSettings } from '../../../src/settings.ts';

const WIDTH = CANDIDATE_FEATURES.length;
const place = (name: (typeof CANDIDATE_FEATURES)[number]) => CANDIDATE_FEATURES.indexOf(name);

/** Rare tags that go with own ones are likely, and a high score is. */
const STAGE: SecondStage = {
  start: Float64Array.of(0, 1),
  trees: {
    features: Int32Array.of(place('count'), place('maxLift'), place('score'), place('score'), 0, 0, 0),
    thresholds: Float32Array.of(2, 1, 0.5, 0.3, 2 ** 49, 2 ** 49, 2 ** 49),
    leaves: Float32Array.of(-1, 2, 0.25, 0.5, -0.5, 0, 0.75, 0),
  },
  middle: new Float32Array(WIDTH).fill(0.1),
};

describe('SecondStage', () => {
  it('tells by groups of features what adds up to the likelihood, by exact Shapley values', () => {
    const features = Float32Array.from({ length: 2 * WIDTH }, (_, i) => (i * 7) % 5);
    const { base, amounts } = sharesOf(STAGE, features, WIDTH);
    const total = [...amounts.values()].reduce((sum, amount) => sum + amount, base);
    expect(total).toBeCloseTo(likelihoodOf(STAGE, features, WIDTH), 10);
    // features that no tree asks for have no share, and neither have those as usual
    for (const group of ['mention', 'object', 'neighbours', 'withoutTags'] as const) expect(amounts.get(group)).toBe(0);
    const usual = sharesOf(STAGE, STAGE.middle, 0);
    for (const amount of usual.amounts.values()) expect(amount).toBe(0);
    // of two groups alone, each has the mean of what it adds first and what it adds last
    const [count, company] = [place('count'), place('maxLift')];
    const row = STAGE.middle.slice();
    const worth = (changes: readonly (readonly [number, number])[]) => {
      const changed = row.slice();
      for (const [at, value] of changes) changed[at] = value;
      return likelihoodOf(STAGE, changed);
    };
    const both = worth([
      [count, 3],
      [company, 4],
    ]);
    const shares = sharesOf(STAGE, row.with(count, 3).with(company, 4), 0);
    const expected = (worth([[count, 3]]) - worth([]) + both - worth([[company, 4]])) / 2;
    expect(shares.amounts.get('count')).toBeCloseTo(expected, 10);
  });

  it('gives candidates their likelihoods and keeps all others below, in their order', () => {
    const scores = Float32Array.of(0.9, 0.1, 0.5, 0.2, 0.05);
    const tags = Int32Array.of(0, 2);
    const features = new Float32Array(2 * WIDTH).fill(0.1);
    features[WIDTH + place('maxLift')] = 4;
    rankAgain(STAGE, { tags, features }, scores);
    expect(scores[2]).toBeGreaterThan(scores[0]);
    expect(scores[0]).toBeCloseTo(likelihoodOf(STAGE, features, 0), 6);
    expect(scores[0]).toBeGreaterThan(scores[3]);
    expect(scores[3]).toBeGreaterThan(scores[1]);
    expect(scores[1]).toBeGreaterThan(scores[4]);
  });
});

describe('learning a second stage', () => {
  let kernels: Kernels;
  beforeAll(async () => {
    kernels = await openKernels({ threads: 1 });
  });
  afterAll(() => kernels.close());

  /** Of each of many trios an object has two tags or all three: what two of them say together, a sum of both cannot. */
  function trios(numObjects = 250): KnowledgeGraph {
    const random = new Random(1, 'trios');
    const tagged: [string, string][] = [];
    for (let o = 0; o < numObjects; o++) {
      for (let k = 0; k < 3; k++) {
        const trio = random.below(15);
        // either both and the third, or one of them and something else
        if (random.float() < 0.5) for (const part of ['a', 'b', 'both']) tagged.push([`o${o}`, `${part}${trio}`]);
        else tagged.push([`o${o}`, `${random.float() < 0.5 ? 'a' : 'b'}${trio}`], [`o${o}`, `x${random.below(40)}`]);
      }
    }
    return graphFrom({ interact: [], tagged });
  }

  async function fitted(graph: KnowledgeGraph, second: 'on' | 'off') {
    const settings = resolveSettings(LOOM.settings, { search: 'off', second });
    const fit = await LOOM.fit({ kernels, train: graph, settings, watch: {}, listener: {} });
    return fit.fitted as Loom;
  }

  it('ranks hidden tags higher, and its explanations add up to its scores', async () => {
    const parts = split(trios(), { trainFraction: 0.8, seed: 1 });
    const recalls: number[] = [];
    for (const second of ['off', 'on'] as const) {
      const loom = await fitted(parts.train, second);
      const scorer = new LoomScorer(kernels, loom, parts.train);
      recalls.push(meanOf(await evaluate(scorer.score, parts, [3]), 'recall@3'));
      if (second === 'on') {
        expect(loom.second).toBeDefined();
        await explainsItself(scorer, parts.train);
        await agreesByTag(scorer, parts.train);
      } else expect(loom.second).toBeUndefined();
      scorer.release();
    }
    expect(recalls[1]).toBeGreaterThan(recalls[0]);
  });

  async function explainsItself(scorer: LoomScorer, train: KnowledgeGraph): Promise<void> {
    for (const object of [0, 7, 21]) {
      const facts = { tags: train.tagged.row(object), users: [], title: train.titles.at(object), object };
      const row = new Float32Array(train.tags.size);
      await scorer.score(Int32Array.of(object), row);
      const unseen = new Float32Array(train.tags.size);
      await scorer.scoreUnseen(facts, unseen);
      for (const [t, score] of unseen.entries()) expect(score).toBeCloseTo(row[t], 6);
      for (const tag of [0, 5, 11, 44].filter((one) => !train.tagged.has(object, one))) {
        const { scores, partsOf } = await scorer.explain(facts);
        expect(scores).toEqual(unseen);
        const explained = partsOf(tag);
        expect(explained.again?.length).toBeGreaterThan(0);
        expect(totalOf(explained)).toBeCloseTo(row[tag], 4);
      }
    }
  }

  /** One tag for all objects and all tags of one object are the same numbers, for the best of them. */
  async function agreesByTag(scorer: LoomScorer, train: KnowledgeGraph): Promise<void> {
    const tag = train.tags.idOf('both3');
    const column = await scorer.scoreObjects(tag);
    const open = Array.from(column.keys()).filter((object) => !train.tagged.has(object, tag));
    const best = open.sort((a, b) => column[b] - column[a]).slice(0, 20);
    for (const object of best) {
      const row = new Float32Array(train.tags.size);
      await scorer.score(Int32Array.of(object), row);
      expect(column[object]).toBeCloseTo(row[tag], 6);
    }
  }

  function totalOf({ base, own, neighbours, words, mention = 0, profile, again = [] }: ScoreParts): number {
    return [...own, ...neighbours, ...words, ...again].reduce(
      (sum, { amount }) => sum + amount,
      base + mention + profile,
    );
  }

  it('is left out where there are few objects, or chance alone gives tags', async () => {
    expect((await fitted(trios(30), 'on')).second).toBeUndefined();
    const random = new Random(1, 'chance');
    const tagged = Array.from({ length: 1200 }, (_, i) => [`o${i % 300}`, `t${random.below(60)}`] as [string, string]);
    const { fitted: loom } = await train(graphFrom({ interact: [], tagged }), { threads: 1 });
    expect((loom as Loom).second).toBeUndefined();
  });
});
