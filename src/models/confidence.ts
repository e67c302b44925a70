// From a score to a probability. A curve says for rising scores how often a suggestion of such a score was right on pairs held
// back; between its points it is straight, beyond them level. Objects without a tag have a curve of their own: all their
// tags are missing, not some.

/** The share of all tags that data is taken to lack: what the curves are learnt under. */
export const MISSING_SHARE = 0.2;
/** As many suggestions for an object as a person may look at: what the curves are learnt from, and judged on. */
export const NUM_JUDGED = 10;

export interface Curve {
  readonly scores: Float32Array; // ascending
  readonly probabilities: Float32Array; // not falling
}

export interface Confidence {
  /** Of objects with tags. */
  readonly tagged: Curve;
  /** Of objects without. */
  readonly untagged: Curve;
}

/** What became of one suggestion. */
export interface Outcome {
  readonly score: number;
  readonly isRight: boolean;
  /** Whether the object has a training tag. */
  readonly hasTags: boolean;
}

/** How likely a suggestion is right: that the tag is among those of the object that were not told. */
export function confidenceOf({ tagged, untagged }: Confidence, score: number, hasTags: boolean): number {
  return heightAt(hasTags ? tagged : untagged, score);
}

function heightAt({ scores, probabilities }: Curve, score: number): number {
  let [low, high] = [0, scores.length]; // the first point above the score
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (scores[middle] <= score) low = middle + 1;
    else high = middle;
  }
  if (scores.length === 0) return 0;
  if (low === 0) return probabilities[0];
  if (low === scores.length) return probabilities[low - 1];
  const share = (score - scores[low - 1]) / (scores[low] - scores[low - 1]);
  return probabilities[low - 1] + share * (probabilities[low] - probabilities[low - 1]);
}
