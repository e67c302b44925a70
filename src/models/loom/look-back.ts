// What the second stage learns from, and what confidence is judged on: candidates of objects some of whose tags were hidden, and
// what became of suggestions to objects all of whose tags were. A block of objects hides its tags together: if each hid them
// alone, a hidden tag would have one carrier less than it has for all others, and that would tell it.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { type Listener, makeBreather } from '../../listener.ts';
import type { Outcome } from '../confidence.ts';
import { type Candidates, CandidateTable } from './candidates.ts';
import { addOutcomes } from './confidence.ts';
import type { Example, Hindsight, SeenObjects } from './hindsight.ts';
import { shareOf } from './loom.ts';
import type { Views } from './views.ts';

/** An object with some tags hidden, and its candidates. */
export interface Judged {
  readonly example: Example;
  /** How many objects it stands for. */
  readonly weight: number;
  /** Of the objects, 0 or 1: the same in all rounds. */
  readonly half: number;
  readonly candidates: Candidates;
  /** By candidate, whether it was hidden: 0 or 1. */
  readonly answers: Uint8Array;
}

export interface LookedBack {
  readonly judged: readonly Judged[];
  /** What became of suggestions to objects none of whose tags were known. */
  readonly unknown: readonly Outcome[];
}

export interface LookBackOptions {
  /** By number of known tags, the share of the weights for objects with tags. */
  readonly mixing: readonly number[];
  /** Objects with something hidden, in all rounds. */
  readonly maxExamples: number;
}

const BLOCK = 256; // objects
const MIN_BLOCKS = 6;
const MAX_WITHOUT = 1250; // objects with nothing hidden in a round: they stand for all such, where how sure to be is judged
const MAX_UNKNOWN = 2500; // objects

export async function lookBack(
  hindsight: Hindsight,
  views: Views,
  { mixing, maxExamples }: LookBackOptions,
  listener: Listener,
): Promise<LookedBack> {
  const breathe = makeBreather(listener);
  const share = (numKnown: number) => shareOf(mixing, numKnown);
  const chosen = chooseExamples(hindsight.rounds, maxExamples);
  const objects = hindsight.rounds[0].slice(0, Math.max(MAX_UNKNOWN, ...chosen.map(({ numObjects }) => numObjects)));
  const numBlocks = 2 * Math.ceil(Math.max(MIN_BLOCKS, objects.length / BLOCK) / 2);
  const judge = blockJudge(views, share);
  const judged: Judged[] = [];
  const unknown: Outcome[] = [];
  for (let block = 0; block < numBlocks; block++) {
    const [first, end] = [block, block + 1].map((b) => Math.round((b * objects.length) / numBlocks));
    if (first === end) continue;
    listener.progress?.('looking back', first, objects.length);
    const seen = await hindsight.look(Int32Array.from(objects.slice(first, end), ({ row }) => row));
    for (const { examples, weightOfNone } of chosen) {
      await breathe();
      const some = examples.filter(({ place }) => place >= first && place < end).map(({ example }) => example);
      const found = await judge(seen, some);
      for (const [i, candidates] of found.entries()) {
        const { hidden } = some[i];
        const answers = Uint8Array.from(candidates.tags, (tag) => (hidden.includes(tag) ? 1 : 0));
        const weight = hidden.length > 0 ? 1 : weightOfNone;
        judged.push({ example: some[i], weight, half: block % 2, candidates, answers });
      }
    }
    await breathe();
    for (const { example, scores } of await seen.scores(
      objects.slice(first, Math.min(end, MAX_UNKNOWN)),
      'all',
      share,
    )) {
      addOutcomes(unknown, scores, new Int32Array(0), example.tags);
    }
  }
  return { judged, unknown };
}

/** The candidates of objects of a block that hide their tags together. */
function blockJudge(
  views: Views,
  share: (numKnown: number) => number,
): (seen: SeenObjects, examples: readonly Example[]) => Promise<Candidates[]> {
  const { train } = views;
  const { numUsers } = views.users;
  return async (seen, examples) => {
    if (examples.length === 0) return [];
    const table = new CandidateTable(withoutHidden(train, examples));
    const found = await seen.scores(examples, 'some', share);
    return found.map(({ example: { object, row, known }, scores, bareScores }) =>
      table.ofRow(views, row, { known, numUsers: numUsers[object], scores, bareScores }),
    );
  };
}

interface ChosenExamples {
  readonly examples: readonly { readonly example: Example; readonly place: number }[];
  readonly weightOfNone: number;
  /** The first of the round: the others are not among them. */
  readonly numObjects: number;
}

/** Of all rounds, one after the other, so many objects that about `most` of them hide something. */
function chooseExamples(rounds: readonly (readonly Example[])[], most: number): ChosenExamples[] {
  let left = most;
  return rounds.flatMap((round) => {
    if (left <= 0) return [];
    const chosen = someOf(round, left);
    left -= chosen.examples.filter(({ example }) => example.hidden.length > 0).length;
    return [chosen];
  });
}

/** Of the objects of a round that hide nothing only some count, for all of them. */
function someOf(round: readonly Example[], most: number): ChosenExamples {
  let [numObjects, numHiding] = [0, 0];
  while (numObjects < round.length && numHiding < most) if (round[numObjects++].hidden.length > 0) numHiding++;
  const known = round
    .slice(0, numObjects)
    .map((example, place) => ({ example, place }))
    .filter(({ example }) => example.known.length > 0);
  const without = known.filter(({ example }) => example.hidden.length === 0);
  const kept = new Set(without.slice(0, MAX_WITHOUT));
  return {
    examples: known.filter((one) => one.example.hidden.length > 0 || kept.has(one)),
    weightOfNone: without.length / Math.max(1, kept.size),
    numObjects,
  };
}

function withoutHidden(train: KnowledgeGraph, examples: readonly Example[]): KnowledgeGraph {
  const { tagged } = train;
  const marks = new Uint8Array(tagged.size).fill(1);
  for (const { object, hidden } of examples) {
    for (let e = tagged.rowStart[object]; e < tagged.rowStart[object + 1]; e++) {
      if (hidden.includes(tagged.tails[e])) marks[e] = 0;
    }
  }
  return { ...train, tagged: tagged.select(marks) };
}
