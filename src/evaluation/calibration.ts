// Whether a model's confidence is calibrated: on pairs held back, suggestions it calls 75 % sure should be right in 75 of 100
// cases. A reliability table shows how often they are.

import type { Split } from '../data/split.ts';
import { type Listener, makeBreather } from '../listener.ts';
import { type Confidence, confidenceOf, NUM_JUDGED, type Outcome } from '../models/confidence.ts';
import { type ScoreTags, topTags } from '../models/scorer.ts';
import { permutation, Random } from '../random.ts';

const BLOCK_OBJECTS = 256;

/**
 * The first suggestions for objects that have a tag on either side; of very many objects a sample. Where whole objects are hidden,
 * only theirs: nothing is missing from the others.
 */
export async function outcomesOf(
  score: ScoreTags,
  { train, test }: Split,
  maxObjects: number,
  listener: Listener = {},
): Promise<Outcome[]> {
  const breathe = makeBreather(listener);
  const numTags = train.tags.size;
  const order = permutation(train.objects.size, new Random(1, 'objects to calibrate on'));
  const isHidden = (object: number) => test.rowLength(object) > 0;
  const hidesWhole = !order.some((object) => isHidden(object) && train.tagged.rowLength(object) > 0);
  const judged = order.filter((object) => isHidden(object) || (!hidesWhole && train.tagged.rowLength(object) > 0));
  const objects = judged.slice(0, maxObjects);
  const outcomes: Outcome[] = [];
  const scores = new Float32Array(BLOCK_OBJECTS * numTags);
  for (let first = 0; first < objects.length; first += BLOCK_OBJECTS) {
    listener.progress?.('judging confidence', first, objects.length);
    await breathe();
    const block = objects.subarray(first, first + BLOCK_OBJECTS);
    await score(block, scores.subarray(0, block.length * numTags));
    for (let i = 0; i < block.length; i++) {
      const row = scores.subarray(i * numTags, (i + 1) * numTags);
      const own = train.tagged.row(block[i]);
      for (const tag of topTags(row, own, NUM_JUDGED)) {
        outcomes.push({ score: row[tag], isRight: test.has(block[i], tag), hasTags: own.length > 0 });
      }
    }
  }
  return outcomes;
}

/** The suggestions of about one confidence. */
export interface ReliabilityBin {
  readonly from: number;
  readonly to: number;
  readonly size: number;
  /** Means over the suggestions in it. */
  readonly confidence: number;
  readonly right: number;
}

/** How confidence and truth agree on held-back pairs. */
export interface Reliability {
  readonly bins: readonly ReliabilityBin[];
  /** Expected calibration error: the mean distance of confidence and truth, bin by bin. */
  readonly error: number;
}

const NUM_BINS = 10;

export function reliability(outcomes: readonly Outcome[], confidence: Confidence): Reliability {
  const sums = Array.from({ length: NUM_BINS }, () => ({ size: 0, confidence: 0, right: 0 }));
  for (const { score, isRight, hasTags } of outcomes) {
    const probability = confidenceOf(confidence, score, hasTags);
    const bin = sums[Math.min(NUM_BINS - 1, Math.floor(probability * NUM_BINS))];
    bin.size++;
    bin.confidence += probability;
    bin.right += isRight ? 1 : 0;
  }
  const bins = sums.map(({ size, confidence: sum, right }, i) => ({
    from: i / NUM_BINS,
    to: (i + 1) / NUM_BINS,
    size,
    confidence: size === 0 ? 0 : sum / size,
    right: size === 0 ? 0 : right / size,
  }));
  const distance = bins.reduce((sum, bin) => sum + bin.size * Math.abs(bin.confidence - bin.right), 0);
  return { bins: bins.filter(({ size }) => size > 0), error: outcomes.length === 0 ? 0 : distance / outcomes.length };
}
