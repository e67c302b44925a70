// The best tags of the first stage, and what is known of each beside its score: all that the second stage looks at. The same for
// objects of the data and for new ones, and nothing of it depends on whether the object has the tag.

import { type Csr, entryOf } from '../../csr.ts';
import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { topTags } from '../scorer.ts';
import { COMPANY, TagCompany } from './company.ts';

/** What is known of a candidate, in this order. */
export const CANDIDATE_FEATURES = [
  'score',
  'standing',
  'gap',
  'rank',
  'bareScore',
  'bareStanding',
  'neighbours',
  'mention',
  'count',
  'numTags',
  'numUsers',
  ...COMPANY,
  ...(['neighbours', ...COMPANY] as const).flatMap((name) => [`${name}Standing`, `${name}Gap`] as const),
] as const;

const NUM_CANDIDATES = 60;
const WIDTH = CANDIDATE_FEATURES.length;
const FIRST_OF_COMPANY = CANDIDATE_FEATURES.indexOf(COMPANY[0]);
/** What is told again beside the other candidates: how far above their mean, in deviations, and how far below the highest. */
const COMPARED = (['neighbours', ...COMPANY] as const).map((name) => CANDIDATE_FEATURES.indexOf(name));
const FIRST_COMPARED = WIDTH - 2 * COMPARED.length;

/** What the first stage knows of an object. */
export interface FirstStage {
  /** The object itself, where the data has it: it does not count as company. */
  readonly object?: number | undefined;
  readonly known: ArrayLike<number>; // its tags, ascending
  readonly numUsers: number;
  readonly scores: Float32Array; // (numTags)
  /** Without own tags. */
  readonly bareScores: Float32Array; // (numTags)
  /** Of both, where it is known already. */
  readonly levels?: readonly [Level, Level] | undefined;
  meanOf(tag: number): number;
  mentionOf(tag: number): number;
}

export interface Candidates {
  readonly tags: Int32Array; // best first
  readonly features: Float32Array; // (tags, CANDIDATE_FEATURES)
}

/** The best tags with nothing but their scores. */
export function scoredCandidates(scores: Float32Array, known: ArrayLike<number>): Candidates {
  const tags = Int32Array.from(topTags(scores, known, NUM_CANDIDATES));
  const features = new Float32Array(tags.length * WIDTH);
  for (let c = 0; c < tags.length; c++) features[c * WIDTH] = scores[tags[c]];
  return { tags, features };
}

/** What is known of objects, a row for each (views.ts). */
interface Viewed {
  readonly objects: Int32Array;
  readonly means: Csr;
  readonly mentions: Csr;
}

export class CandidateTable {
  readonly #company: TagCompany;

  constructor(train: KnowledgeGraph) {
    this.#company = new TagCompany(train);
  }

  /** Of an object of some views, by its row there. */
  ofRow(
    { objects, means, mentions }: Viewed,
    row: number,
    first: Pick<FirstStage, 'known' | 'numUsers' | 'scores' | 'bareScores'>,
  ): Candidates {
    return this.of({
      ...first,
      object: objects[row],
      meanOf: (tag) => entryOf(means, row, tag),
      mentionOf: (tag) => entryOf(mentions, row, tag),
    });
  }

  /** The own tag that a tag goes with best. */
  closest({ known, object }: Pick<FirstStage, 'known' | 'object'>, tag: number): number | undefined {
    return this.#company.closest(known, tag, object);
  }

  of(first: FirstStage): Candidates {
    const { known, scores, object } = first;
    const tags = Int32Array.from(topTags(scores, known, NUM_CANDIDATES));
    const features = new Float32Array(tags.length * WIDTH);
    this.#describe(first, tags, features);
    this.#company.tell(known, tags, object, features, { start: FIRST_OF_COMPANY, stride: WIDTH });
    compareCandidates(features);
    return { tags, features };
  }

  /** What is known without company. */
  #describe(first: FirstStage, tags: Int32Array, features: Float32Array): void {
    const { known, scores, bareScores, object } = first;
    const [level, bareLevel] = first.levels ?? [levelOf(scores), levelOf(bareScores)];
    const [numTags, numUsers] = [Math.log(known.length + 1), Math.log(first.numUsers + 1)];
    for (let c = 0, at = 0; c < tags.length; c++, at += WIDTH) {
      const tag = tags[c];
      features[at] = scores[tag];
      features[at + 1] = (scores[tag] - level.mean) / level.deviation;
      features[at + 2] = scores[tag] - scores[tags[0]];
      features[at + 3] = Math.log(c + 1);
      features[at + 4] = bareScores[tag];
      features[at + 5] = (bareScores[tag] - bareLevel.mean) / bareLevel.deviation;
      features[at + 6] = first.meanOf(tag);
      features[at + 7] = first.mentionOf(tag);
      features[at + 8] = Math.log(this.#company.countOf(tag, object) + 1);
      features[at + 9] = numTags;
      features[at + 10] = numUsers;
    }
  }
}

function compareCandidates(features: Float32Array): void {
  for (let k = 0; k < COMPARED.length; k++) {
    const feature = COMPARED[k];
    let sum = 0;
    let squares = 0;
    let most = Number.NEGATIVE_INFINITY;
    for (let at = feature; at < features.length; at += WIDTH) {
      const value = features[at];
      sum += value;
      squares += value * value;
      if (value > most) most = value;
    }
    const { mean, deviation } = levelFrom(sum, squares, features.length / WIDTH);
    for (let first = 0; first < features.length; first += WIDTH) {
      const value = features[first + feature];
      features[first + FIRST_COMPARED + 2 * k] = (value - mean) / deviation;
      features[first + FIRST_COMPARED + 2 * k + 1] = value - most;
    }
  }
}

/** Where scores lie. */
export interface Level {
  readonly mean: number;
  readonly deviation: number;
}

function levelOf(scores: Float32Array): Level {
  let sum = 0;
  let squares = 0;
  for (let t = 0; t < scores.length; t++) {
    const score = scores[t];
    sum += score;
    squares += score * score;
  }
  return levelFrom(sum, squares, scores.length);
}

export function levelFrom(sum: number, squares: number, count: number): Level {
  const mean = sum / Math.max(1, count);
  return { mean, deviation: Math.sqrt(Math.max(0, squares / Math.max(1, count) - mean * mean)) + 1e-6 };
}

/** By object. */
export function numUsersOf({ interact, objects }: KnowledgeGraph): Int32Array {
  const counts = new Int32Array(objects.size);
  for (const object of interact.tails) counts[object]++;
  return counts;
}
