// The noise distribution of noise-contrastive estimation: how often each tag was used in training, mixed with a little
// of the uniform distribution, so that tags never seen can be drawn too. Draws take constant time by the alias method
// (Walker 1977, in Vose's form).

import type { Random } from '../random.ts';
import { logScale, type SettingList } from '../settings.ts';

/** The settings of models with a noise-contrastive loss. */
export const NOISE_SETTINGS = {
  noisePerPair: {
    default: 15,
    min: 1,
    max: 1000,
    whole: true,
    tune: logScale(5, 50),
    help: 'noise tags drawn for each pair',
  },
  prior: { default: 'on', choices: ['on', 'off'], help: "whether log p(tag) is part of a tag's score" },
} as const satisfies SettingList;

const UNIFORM_SHARE = 0.1;

export class Noise {
  readonly probabilities: Float64Array; // (numTags), sums to 1
  readonly #keep: Float64Array; // by tag: share of its column that is its own
  readonly #alias: Int32Array; // by tag: whose the rest is

  /** `counts`: by tag, how many training pairs it has. */
  constructor(counts: ArrayLike<number>) {
    const size = counts.length;
    let total = 0;
    for (let tag = 0; tag < size; tag++) total += counts[tag];
    this.probabilities = Float64Array.from(counts, (count) => {
      const observed = total === 0 ? 1 / size : count / total;
      return (1 - UNIFORM_SHARE) * observed + UNIFORM_SHARE / size;
    });
    this.#keep = new Float64Array(size).fill(1);
    this.#alias = new Int32Array(size);
    this.#fillColumns();
  }

  draw(random: Random): number {
    const tag = random.below(this.#keep.length);
    return random.float() < this.#keep[tag] ? tag : this.#alias[tag];
  }

  /** For an engine that draws by itself: by tag, the largest 32-bit draw for which it stays, and whose the others are. */
  get table(): { readonly keep: Int32Array; readonly alias: Int32Array } {
    const keep = Int32Array.from(this.#keep, (share) => (Math.ceil(share * 2 ** 32) - 1) | 0);
    return { keep, alias: this.#alias };
  }

  /** A column has room for 1 / size: what a rare tag leaves free is given to a frequent one. */
  #fillColumns(): void {
    const size = this.#keep.length;
    const height = this.probabilities.map((p) => p * size);
    const [small, large]: [number[], number[]] = [[], []];
    for (let tag = 0; tag < size; tag++) (height[tag] < 1 ? small : large).push(tag);
    while (small.length > 0 && large.length > 0) {
      const [rare, frequent] = [small.pop() as number, large[large.length - 1]];
      this.#keep[rare] = height[rare];
      this.#alias[rare] = frequent;
      height[frequent] -= 1 - height[rare];
      if (height[frequent] < 1) small.push(large.pop() as number);
    }
  }
}
