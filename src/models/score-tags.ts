// How a model answers, whatever is behind it: a score for every tag of some objects.

/**
 * Writes a score for each tag of each object into `scores` (objects.length, numTags), row-major; higher is more likely.
 * A whole block of objects at a time, since many models answer by one product of matrices.
 */
export type ScoreTags = (objects: Int32Array, scores: Float32Array) => void | Promise<void>;

export interface Scorer {
  readonly score: ScoreTags;
  /** A score of this or less means that nothing speaks for the tag. */
  readonly floor: number;
  /** Gives back the engine's memory. */
  release(): void;
}

/** A model that scores object by object: `score` fills one row. */
export function rowByRow(numTags: number, score: (object: number, row: Float32Array) => void): ScoreTags {
  return (objects, scores) => {
    for (let i = 0; i < objects.length; i++) score(objects[i], scores.subarray(i * numTags, (i + 1) * numTags));
  };
}
