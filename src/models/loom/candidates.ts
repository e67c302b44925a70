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
  meanOf(tag: number): number;
  mentionOf(tag: number): number;
}

export interface Candidates {
  readonly tags: Int32Array; // best first
  readonly features: Float32Array; // (tags, CANDIDATE_FEATURES)
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
    const { known, scores, bareScores, object } = first;
    const tags = Int32Array.from(topTags(scores, known, NUM_CANDIDATES));
    const features = new Float32Array(tags.length * WIDTH);
    const [level, bareLevel] = [levelOf(scores), levelOf(bareScores)];
    for (const [c, tag] of tags.entries()) {
      features.set(
        [
          scores[tag],
          (scores[tag] - level.mean) / level.deviation,
          scores[tag] - scores[tags[0]],
          Math.log(c + 1),
          bareScores[tag],
          (bareScores[tag] - bareLevel.mean) / bareLevel.deviation,
          first.meanOf(tag),
          first.mentionOf(tag),
          Math.log(this.#company.countOf(tag, object) + 1),
          Math.log(known.length + 1),
          Math.log(first.numUsers + 1),
        ],
        c * WIDTH,
      );
    }
    this.#company.tell(known, tags, object, features, { start: FIRST_OF_COMPANY, stride: WIDTH });
    compareCandidates(features);
    return { tags, features };
  }
}

function compareCandidates(features: Float32Array): void {
  for (const [k, feature] of COMPARED.entries()) {
    let [sum, squares, most, count] = [0, 0, Number.NEGATIVE_INFINITY, 0];
    for (let at = feature; at < features.length; at += WIDTH, count++) {
      sum += features[at];
      squares += features[at] * features[at];
      most = Math.max(most, features[at]);
    }
    const { mean, deviation } = levelFrom(sum, squares, count);
    for (let first = 0; first < features.length; first += WIDTH) {
      const value = features[first + feature];
      features[first + FIRST_COMPARED + 2 * k] = (value - mean) / deviation;
      features[first + FIRST_COMPARED + 2 * k + 1] = value - most;
    }
  }
}

interface Level {
  readonly mean: number;
  readonly deviation: number;
}

function levelOf(scores: Float32Array): Level {
  let [sum, squares] = [0, 0];
  for (let t = 0; t < scores.length; t++) {
    sum += scores[t];
    squares += scores[t] * scores[t];
  }
  return levelFrom(sum, squares, scores.length);
}

function levelFrom(sum: number, squares: number, count: number): Level {
  const mean = sum / Math.max(1, count);
  return { mean, deviation: Math.sqrt(Math.max(0, squares / Math.max(1, count) - mean * mean)) + 1e-6 };
}

/** By object. */
export function numUsersOf({ interact, objects }: KnowledgeGraph): Int32Array {
  const counts = new Int32Array(objects.size);
  for (const object of interact.tails) counts[object]++;
  return counts;
}
