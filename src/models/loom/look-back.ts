// What the second stage learns from, and what confidence is judged on: candidates of objects some of whose tags were hidden, and
// what became of suggestions to objects all of whose tags were. A block of objects hides its tags together: if each hid them
// alone, a hidden tag would have one carrier less than it has for all others, and that would tell it. Objects that hide nothing in a
// round have nothing to be found: they are counted, not looked at.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { type Listener, makeBreather } from '../../listener.ts';
import type { Outcome } from '../confidence.ts';
import { type Candidates, CandidateTable, scoredCandidates } from './candidates.ts';
import { addOutcomes } from './confidence.ts';
import type { Example, Hindsight, SeenObjects } from './hindsight.ts';
import { shareOf } from './loom.ts';
import type { Views } from './views.ts';

/** An object with some tags hidden, and its candidates. */
export interface Judged {
  readonly example: Example;
  /** Of the objects, 0 or 1: the same in all rounds. */
  readonly half: number;
  readonly candidates: Candidates;
  /** By candidate, whether it was hidden: 0 or 1. */
  readonly answers: Uint8Array;
}

export interface LookedBack {
  readonly judged: readonly Judged[];
  /** Among how many objects with tags these were found, those that hid nothing among them. */
  readonly numObjects: number;
  /** What became of suggestions to objects none of whose tags were known. */
  readonly unknown: readonly Outcome[];
}

export interface LookBackOptions {
  /** By number of known tags, the share of the weights for objects with tags. */
  readonly mixing: readonly number[];
  /** Objects with something hidden, in all rounds. */
  readonly maxExamples: number;
  /** Whether a second stage is to learn from the candidates, or only their scores count. */
  readonly isForStage: boolean;
}

const BLOCK = 256; // objects
const MIN_BLOCKS = 6;
/** Objects to judge confidence on. To look at an object takes far longer than one more round of hiding for it. */
const MAX_UNKNOWN = 2500;

export async function lookBack(
  hindsight: Hindsight,
  views: Views,
  { mixing, maxExamples, isForStage }: LookBackOptions,
  listener: Listener,
): Promise<LookedBack> {
  const breathe = makeBreather(listener);
  const share = (numKnown: number) => shareOf(mixing, numKnown);
  const most = isForStage ? hindsight.rounds[0].length : MAX_UNKNOWN;
  const chosen = chooseExamples(
    hindsight.rounds.map((round) => round.slice(0, most)),
    maxExamples,
  );
  const objects = hindsight.rounds[0].slice(0, Math.max(MAX_UNKNOWN, ...chosen.map(({ numObjects }) => numObjects)));
  const numBlocks = 2 * Math.ceil(Math.max(MIN_BLOCKS, objects.length / BLOCK) / 2);
  const judge = blockJudge(views, share, isForStage);
  const judged: Judged[] = [];
  const unknown: Outcome[] = [];
  for (let block = 0; block < numBlocks; block++) {
    const [first, end] = [block, block + 1].map((b) => Math.round((b * objects.length) / numBlocks));
    if (first === end) continue;
    listener.progress?.('looking back', first, objects.length);
    const seen = await hindsight.look(Int32Array.from(objects.slice(first, end), ({ row }) => row));
    for (const { examples } of chosen) {
      await breathe();
      const some = examples.filter(({ place }) => place >= first && place < end).map(({ example }) => example);
      const found = await judge(seen, some);
      for (const [i, candidates] of found.entries()) {
        const { hidden } = some[i];
        const answers = Uint8Array.from(candidates.tags, (tag) => (hidden.includes(tag) ? 1 : 0));
        judged.push({ example: some[i], half: block % 2, candidates, answers });
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
  return { judged, numObjects: chosen.reduce((sum, { numKnown }) => sum + numKnown, 0), unknown };
}

/** The candidates of objects of a block that hide their tags together. */
function blockJudge(
  views: Views,
  share: (numKnown: number) => number,
  isForStage: boolean,
): (seen: SeenObjects, examples: readonly Example[]) => Promise<Candidates[]> {
  const { train } = views;
  const { numUsers } = views.users;
  return async (seen, examples) => {
    if (examples.length === 0) return [];
    const found = await seen.scores(examples, 'some', share);
    if (!isForStage) return found.map(({ example: { known }, scores }) => scoredCandidates(scores, known));
    const table = new CandidateTable(withoutHidden(train, examples));
    return found.map(({ example: { object, row, known }, scores, bareScores }) =>
      table.ofRow(views, row, { known, numUsers: numUsers[object], scores, bareScores }),
    );
  };
}

interface ChosenExamples {
  readonly examples: readonly { readonly example: Example; readonly place: number }[];
  /** The first of the round: the others are not among them. */
  readonly numObjects: number;
  /** How many of these have tags that are known. */
  readonly numKnown: number;
}

/** Of all rounds, one after the other, so many objects that about `most` of them hide something. */
function chooseExamples(rounds: readonly (readonly Example[])[], most: number): ChosenExamples[] {
  let left = most;
  return rounds.flatMap((round) => {
    if (left <= 0) return [];
    const chosen = someOf(round, left);
    left -= chosen.examples.length;
    return [chosen];
  });
}

/** The first objects of a round, of which so many hide something. */
function someOf(round: readonly Example[], most: number): ChosenExamples {
  let [numObjects, numHiding] = [0, 0];
  while (numObjects < round.length && numHiding < most) if (round[numObjects++].hidden.length > 0) numHiding++;
  const known = round
    .slice(0, numObjects)
    .map((example, place) => ({ example, place }))
    .filter(({ example }) => example.known.length > 0);
  return { examples: known.filter(({ example }) => example.hidden.length > 0), numObjects, numKnown: known.length };
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
