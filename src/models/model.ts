// What a model is to the rest: a function that scores every tag for one object. How it got there is its own affair.

/** Writes a score for each tag into `scores` (numTags); higher is more likely. */
export type ScoreTags = (object: number, scores: Float32Array) => void;
