// From the scores of all tags to the few that are suggested: which may be, in which order, and how likely they are right.

import type { Vocabulary } from '../../data/vocabulary.ts';
import { type Scorer, topTags } from '../../models/scorer.ts';
import type { GraphViews } from './graph-views.ts';
import type { TagRules } from './tag-rules.ts';

/** A suggestion by the id of its tag. */
export interface TagScore {
  readonly tag: number;
  readonly score: number;
  readonly confidence?: number;
}

/** How likely a suggestion is right, of models that know. */
export interface Confidence {
  readonly confidence?: number;
}

/** Which tags may be suggested, and which come first. */
export interface RankOptions {
  /** Only these tags. */
  readonly allow?: ReadonlySet<string> | undefined;
  /** Never these tags. */
  readonly deny?: ReadonlySet<string> | undefined;
  /** Leaves out suggestions that are less likely right. */
  readonly minConfidence?: number | undefined;
  /** Ranks rare tags higher; 0: off, 1: strongly. */
  readonly novelty?: number | undefined;
  /** What is declared about tags, compiled for this model. @internal */
  readonly rules?: TagRules | undefined;
}

/** The suggestions of one object; `hidden`: tags never suggested, ascending. */
export type Ranking = (row: Float32Array, hidden: Int32Array, hasTags: boolean) => TagScore[];

export class Ranker {
  readonly #scorer: Scorer;
  readonly #views: GraphViews;

  constructor(scorer: Scorer, views: GraphViews) {
    this.#scorer = scorer;
    this.#views = views;
  }

  /** The `limit` best tags of a row of scores, best first. */
  ranking(limit: number, options: RankOptions): Ranking {
    const keysOf = this.#keys(options);
    const pick = options.rules?.picking(topTags) ?? topTags;
    return (row, hidden, hasTags) => {
      options.rules?.fold(row);
      const keys = keysOf(row, hasTags);
      return pick(keys, hidden, limit)
        .filter((tag) => row[tag] > this.#scorer.floor && keys[tag] > Number.NEGATIVE_INFINITY)
        .map((tag) => ({ tag, score: row[tag], ...this.confidence(row[tag], hasTags) }))
        .filter((one) => isSure(one, options.minConfidence));
    };
  }

  /** How likely a suggestion of this score is right, of models that are calibrated. */
  confidence(score: number, hasTags: boolean): Confidence {
    const confidence = this.#scorer.confidence?.(score, hasTags);
    return confidence === undefined ? {} : { confidence };
  }

  /** What tags are ranked by: their scores, less where many objects have them, and lowest where they may not be suggested. */
  #keys(options: RankOptions): (row: Float32Array, hasTags: boolean) => Float32Array {
    const { novelty = 0, minConfidence } = options;
    const allowed = marksOfAllowed(this.#views.graph.tags, options);
    if (allowed === undefined && novelty === 0) return (row) => row;
    const dampings = this.#views.tagCounts.map((count) => novelty * Math.log(Math.max(1, count)));
    // the order of score · exp(−damping), by a root of it that stays within float32
    const root = 1 / (1 + novelty);
    const factors = dampings.map((damping) => Math.exp(-root * damping));
    // by scores, what is sure comes first; by novelty it may not, and would be lost behind the limit
    const isOut = (score: number, hasTags: boolean) =>
      novelty !== 0 && minConfidence !== undefined && !isSure(this.confidence(score, hasTags), minConfidence);
    return (row, hasTags) =>
      row.map((score, tag) => {
        if (allowed?.[tag] === 0 || isOut(score, hasTags)) return Number.NEGATIVE_INFINITY;
        if (this.#scorer.isLogarithmic) return score - dampings[tag];
        return score > 0 ? score ** root * factors[tag] : score;
      });
  }
}

export function isSure({ confidence }: Confidence, least: number | undefined): boolean {
  return least === undefined || (confidence !== undefined && confidence >= least);
}

/** By tag whether it may be suggested; undefined where all may. */
function marksOfAllowed(tags: Vocabulary, { allow, deny, rules }: RankOptions): Uint8Array | undefined {
  if (allow === undefined && deny === undefined && rules === undefined) return undefined;
  const marks = new Uint8Array(tags.size).fill(allow === undefined ? 1 : 0);
  const mark = (names: Iterable<string>, value: number) => {
    for (const name of names) {
      const tag = (rules ?? tags).idOf(name);
      if (tag >= 0) marks[tag] = value;
    }
  };
  mark(allow ?? [], 1);
  mark(deny ?? [], 0);
  rules?.leaveOut(marks);
  return marks;
}
