// The scores of one object at a time, by steps of an engine that take no copies: the same bits as for many objects, which
// score.ts takes together.

import type { Dense } from '../../engine/matrix.ts';
import type { SingleRows } from '../../engine/single-rows.ts';
import { type Candidates, type Level, levelFrom } from './candidates.ts';
import { type Loom, shareOf } from './loom.ts';
import { rankAgain, treesIn } from './second-stage.ts';
import type { Seen } from './seen.ts';
import type { Side } from './side.ts';
import type { TreesAtOnce } from './trees-at-once.ts';

/** What the first stage says, a row for each object. */
export interface FirstScores {
  readonly scores: Float32Array; // (objects, numTags)
  /** Without own tags; only where it was asked for. */
  readonly bareScores: Float32Array; // (objects, numTags)
  /** Of one object, where the engine says. */
  readonly levels?: readonly [Level, Level] | undefined;
}

export class OneObject {
  readonly #engine: SingleRows;
  readonly #loom: Loom;
  readonly #sides: { readonly tagged: Side; readonly untagged: Side };
  readonly #trees: TreesAtOnce | undefined;

  constructor(engine: SingleRows, loom: Loom, sides: { readonly tagged: Side; readonly untagged: Side }) {
    this.#engine = engine;
    this.#loom = loom;
    this.#sides = sides;
    this.#trees = loom.second && treesIn(engine, loom.second);
  }

  /** Writes a score for each tag. */
  score(seen: Seen, scores: Float32Array, candidatesOf: (first: FirstScores) => Candidates): void {
    const { second } = this.#loom;
    const isRanked = second !== undefined && seen.tags.length > 0;
    const first = this.#scoreFirst(seen, isRanked, scores);
    if (first !== undefined && isRanked) rankAgain(second, candidatesOf(first), scores, this.#trees);
  }

  release(): void {
    this.#trees?.release();
  }

  /** Undefined where nothing is ranked again. */
  #scoreFirst(seen: Seen, isRanked: boolean, scores: Float32Array): FirstScores | undefined {
    const [engine, { tagged, untagged }] = [this.#engine, this.#sides];
    const share = shareOf(this.#loom.mixing, seen.tags.length);
    const add = (row: Dense, weight: number) => {
      const from = engine.view(row);
      for (let t = 0; t < row.cols; t++) scores[t] += weight * from[t];
    };
    scores.fill(0);
    const own = share > 0 ? tagged.scoreOne(seen) : undefined;
    if (own) add(own, share);
    const bare = isRanked || share < 1 ? untagged.scoreOne(seen) : undefined;
    if (bare && share < 1) add(bare, 1 - share);
    if (!isRanked || bare === undefined) return undefined;
    const bareScores = engine.view(bare).subarray(0, bare.cols);
    // the levels of a mixture are not those of a row
    return { scores, bareScores, ...(own && share === 1 && { levels: levelsOf(engine, own, bare) }) };
  }
}

function levelsOf(engine: SingleRows, a: Dense, b: Dense): [Level, Level] {
  const [sumA, squaresA, sumB, squaresB] = engine.sumsOf(a, b);
  return [levelFrom(sumA, squaresA, a.cols), levelFrom(sumB, squaresB, b.cols)];
}
