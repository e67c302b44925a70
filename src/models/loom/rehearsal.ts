// How strong the views of loom should be. Part of the pairs is hidden, loom is fitted to the rest, and the strength that finds
// the hidden ones best is kept. For objects without tags, strengths are chosen apart: by what fits that lack an object say of it
// from everything but its tags. The views are looked at and compared once; a fit is then one inverse (rehearsal-fit.ts). Where
// there are more than a few thousand objects, a part of them is learnt from; then for tagged objects only the strengths of what
// is written and of content are chosen: these differ most from data to data (names of packages tell their tags, names of bands
// do not), and few objects tell them as well as many. The others go by their defaults there.

import { type KnowledgeGraph, taggedObjects } from '../../data/knowledge-graph.ts';
import type { Kernels } from '../../engine/kernels.ts';
import type { Listener } from '../../listener.ts';
import { permutation, Random } from '../../random.ts';
import { numRehearsed, type Rehearsal } from '../model-kind.ts';
import type { ScoreTags } from '../scorer.ts';
import { CandidateTable } from './candidates.ts';
import { shareOf } from './loom.ts';
import { chooseMixing, chooseShareOfNone, hitsWithout, type MixedSide, mixed, WORTH } from './mixing.ts';
import { RehearsalFit, type RehearsalProblem } from './rehearsal-fit.ts';
import { rankAgain, type SecondStage } from './second-stage.ts';
import type { LoomSettings } from './settings.ts';
import { givenStrengths, MAX_SIZE, type Step, type Strengths } from './strengths.ts';
import { ViewProducts } from './view-products.ts';
import { type Sights, viewObjects } from './views.ts';

/** What a rehearsal chose. */
export interface Rehearsed {
  readonly tagged: Strengths;
  readonly untagged: Strengths;
  /** By the number of an object's tags, the last for all above: the share that weights with own tags have in its scores. */
  readonly mixing: readonly number[];
  /** How well hidden pairs were found; undefined where only a part of the objects was learnt from. */
  readonly value: number | undefined;
  /** Whether a second stage finds hidden pairs better; undefined where only a part of the objects was learnt from. */
  readonly isBetterWith: ((stage: SecondStage) => Promise<boolean>) | undefined;
}

const MAX_ROWS = 2500; // objects, and fewer where tags are very many: the matrix to invert is no larger
const MAX_COLD = 500; // objects
const LEAST = 1 / 20; // of a strength, as long as that only does as well
/** Objects times tags, at most, where products of words are tried: each pair has a number in the model. */
export const MAX_ANSWERS = 2 ** 24;

function maxRowsOf({ tags }: KnowledgeGraph): number {
  return numRehearsed(MAX_ROWS, tags.size);
}

export async function rehearse(
  kernels: Kernels,
  train: KnowledgeGraph,
  rehearsal: Rehearsal,
  sights: Sights,
  settings: LoomSettings,
  listener: Listener,
): Promise<Rehearsed> {
  const { whole, untagged } = await chooseUntagged(kernels, train, sights, settings, listener);
  const isPart = taggedObjects(rehearsal.train).length > maxRowsOf(train);
  const cold = coldObjects(train, rehearsal.train, settings);
  const asked = Int32Array.from(new Set([...rehearsal.judged, ...cold]));
  const problem = await problemOf(kernels, rehearsal.train, asked, sights, settings, listener);
  const given = givenStrengths(settings, sights.space, true);
  const steps = stepsOf(given, sights, train).filter(({ isOften }) => isOften || !isPart);
  const tried = await climb(given, steps, listener, 'choosing strengths', async (strengths) => {
    return rehearsal.judge((await RehearsalFit.to(kernels, problem, strengths)).score);
  });
  const sides: MixedSide[] = [];
  for (const strengths of [tried.strengths, untagged]) {
    const { score } = await RehearsalFit.to(kernels, problem, strengths);
    sides.push({ score, ofWhole: await (await RehearsalFit.to(kernels, whole, strengths)).scoresWithout() });
  }
  const { mixing, value } = await chooseMixing(rehearsal, sides, isPart);
  const none = await chooseShareOfNone(train, cold, whole, sides);
  const all = [none, ...mixing.slice(1)];
  const isBetterWith = async (stage: SecondStage) => {
    return (await rehearsal.judge(rankedAgain(stage, problem, sides, all))) > value;
  };
  return {
    ...{ tagged: tried.strengths, untagged, mixing: all },
    ...(isPart ? { value: undefined, isBetterWith: undefined } : { value, isBetterWith }),
  };
}

/** What both stages say in the rehearsal. */
function rankedAgain(
  stage: SecondStage,
  { views }: RehearsalProblem,
  [tagged, untagged]: readonly MixedSide[],
  mixing: readonly number[],
): ScoreTags {
  const { train, objects } = views;
  const [table, { numUsers }] = [new CandidateTable(train), views.users];
  const rowOf = new Map(Array.from(objects, (object, row) => [object, row]));
  const numTags = train.tags.size;
  return async (asked, scores) => {
    const bareScores = new Float32Array(scores.length);
    await untagged.score(asked, bareScores);
    await tagged.score(asked, scores);
    for (const [i, object] of asked.entries()) {
      const [row, known] = [rowOf.get(object) as number, train.tagged.row(object)];
      const ofObject = (all: Float32Array) => all.subarray(i * numTags, (i + 1) * numTags);
      const [first, bare] = [ofObject(scores), ofObject(bareScores)];
      first.set(mixed([first, bare], shareOf(mixing, known.length)));
      if (known.length === 0) continue;
      const stated = { known, numUsers: numUsers[object], scores: first, bareScores: bare };
      rankAgain(stage, table.ofRow(views, row, stated), first);
    }
  };
}

/** Objects of which all tags are hidden in the rehearsal: mostly those of few tags. */
function coldObjects(train: KnowledgeGraph, rehearsed: KnowledgeGraph, { seed }: LoomSettings): Int32Array {
  const all = taggedObjects(train).filter((object) => rehearsed.tagged.rowLength(object) === 0);
  const order = permutation(all.length, new Random(seed, 'cold objects to rehearse on')).subarray(0, MAX_COLD);
  return order.map((i) => all[i]);
}

/** The strengths for objects without tags, by the first three suggestions to objects that a fit does not know. */
async function chooseUntagged(
  kernels: Kernels,
  train: KnowledgeGraph,
  sights: Sights,
  settings: LoomSettings,
  listener: Listener,
): Promise<{ readonly whole: RehearsalProblem; readonly untagged: Strengths }> {
  const whole = await problemOf(kernels, train, new Int32Array(0), sights, settings, listener);
  const given = givenStrengths(settings, sights.space, false);
  const found = await climb(given, stepsOf(given, sights, train), listener, 'choosing strengths', async (strengths) => {
    const fit = await RehearsalFit.to(kernels, whole, strengths);
    return hitsWithout(whole, await fit.scoresWithout());
  });
  return { whole, untagged: found.strengths };
}

/** Some tagged objects to learn from, then those to judge by. */
async function problemOf(
  kernels: Kernels,
  train: KnowledgeGraph,
  judged: Int32Array,
  sights: Sights,
  settings: LoomSettings,
  listener: Listener,
): Promise<RehearsalProblem> {
  const all = taggedObjects(train);
  const order = permutation(all.length, new Random(settings.seed, 'objects to rehearse on')).subarray(
    0,
    maxRowsOf(train),
  );
  const learnt = order.map((i) => all[i]).sort();
  const views = await viewObjects(train, sights, Int32Array.of(...learnt, ...judged), settings, listener);
  const products = await ViewProducts.of(kernels, views, learnt.length, settings);
  return { views, numLearnt: learnt.length, products, settings };
}

/** The matrix to invert has as many rows as there are objects, too. */
function isSquarable(train: KnowledgeGraph): boolean {
  const numTagged = taggedObjects(train).length;
  return numTagged <= MAX_SIZE && numTagged * train.tags.size <= MAX_ANSWERS;
}

interface TriedStep extends Step {
  /** Whether a part of the objects tells it. */
  readonly isOften: boolean;
}

/** Tried one after the other; a step is taken again as long as it pays, upwards first. */
function stepsOf(
  { ownPenalty, parts }: Strengths,
  { users, content, space }: Sights,
  train: KnowledgeGraph,
): TriedStep[] {
  const replaced = (values: readonly number[], p: number, value: number) =>
    values.map((one, i) => (i === p ? value : one));
  const hasUsers = users.profile.width > 0;
  const needsMany = ownPenalty === undefined && taggedObjects(train).length > maxRowsOf(train);
  const of = (
    name: 'profile' | 'neighbours' | 'content' | 'mention',
    factor: number,
    isOften: boolean,
    first?: number,
  ): TriedStep => ({
    ...{ name, factor, isOften, ...(first !== undefined && { first }) },
    valueIn: (strengths) => strengths[name],
    with: (strengths, value) => ({ ...strengths, [name]: value }),
  });
  return [
    ...parts.map(
      (_, p): TriedStep => ({
        ...{ name: `part ${p}`, factor: 4, isOften: true },
        ...(parts.length > 1 && { goes: space.parts[p].kind === 'grams' ? 'unless it pays' : 'if that pays' }),
        valueIn: (strengths) => strengths.parts[p],
        with: (strengths, value) => ({ ...strengths, parts: replaced(strengths.parts, p, value) }),
      }),
    ),
    ...(content ? [of('content', 4, true)] : []),
    ...(space.width > 0 ? [of('mention', 2, true, 0.1)] : []),
    ...(isSquarable(train) ? parts : []).map(
      (_, p): TriedStep => ({
        ...{ name: `square ${p}`, factor: 4, isOften: true, first: needsMany ? 0.25 : 1, needsMany },
        valueIn: (strengths) => strengths.squares[p],
        with: (strengths, value) => ({ ...strengths, squares: replaced(strengths.squares, p, value) }),
      }),
    ),
    ...(hasUsers ? [of('profile', 4, ownPenalty === undefined), of('neighbours', 3, ownPenalty === undefined)] : []),
    ...(ownPenalty === undefined
      ? []
      : [
          {
            ...{ name: 'own tags', factor: 2.5, isOften: false },
            valueIn: (strengths: Strengths) => strengths.ownPenalty ?? 0,
            with: (strengths: Strengths, value: number) => ({ ...strengths, ownPenalty: value }),
          },
        ]),
  ];
}

interface Tried {
  readonly strengths: Strengths;
  readonly value: number;
}

async function climb(
  given: Strengths,
  steps: readonly Step[],
  listener: Listener,
  what: string,
  judge: (strengths: Strengths) => Promise<number>,
): Promise<Tried> {
  let numTried = 0;
  const attempt = async (strengths: Strengths): Promise<Tried> => {
    const total = 4 * steps.length + 1; // about as many
    listener.progress?.(what, Math.min(numTried++, total), total);
    return { strengths, value: await judge(strengths) };
  };
  let best = await attempt(given);
  for (const when of ['unless it pays', 'if that pays'] as const) {
    for (const { goes, with: replaced } of steps) {
      if (goes !== when) continue;
      const next = await attempt(replaced(best.strengths, 0));
      if (next.value > best.value + (when === 'if that pays' ? WORTH : -WORTH)) best = next;
    }
  }
  for (const { factor, first = 0, goes, needsMany, valueIn, with: replaced } of steps) {
    for (const times of [factor, 1 / factor]) {
      const before = best;
      for (let pays = true; pays; ) {
        const value = valueIn(best.strengths);
        if (value === 0 && first === 0) break;
        const start = times > 1 ? first : first * times;
        const next = await attempt(replaced(best.strengths, value === 0 ? start : value * times));
        // of two strengths of a text that do as well, the weaker: few objects make texts look better than they are
        const isWeaker = goes !== undefined && times < 1 && valueIn(next.strengths) >= LEAST * valueIn(given);
        const isGrowing = needsMany === true && value === 0;
        pays = next.value > best.value + (isWeaker || isGrowing ? 0 : WORTH);
        if (pays) best = next;
      }
      if (best !== before) break;
    }
  }
  return best;
}
