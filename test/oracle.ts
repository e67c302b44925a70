// The independent values in fixtures/oracle, typed as far as tests use them.

import { readFileSync } from 'node:fs';

type Rows = readonly (readonly number[])[];

export interface OracleWeights {
  readonly objectW0: Rows; // (objects, hidden)
  readonly objectW1: Rows; // (hidden, output)
  readonly tagW0: Rows; // (tags, hidden)
  readonly tagW1: Rows; // (hidden, output)
}

interface OracleVariant {
  readonly objectEmbeddings: Rows;
  readonly tagEmbeddings: Rows;
  readonly loss: number;
  readonly gradients: OracleWeights;
}

interface Oracle {
  readonly users: number;
  readonly objects: number;
  readonly tags: number;
  readonly shiftObjects: number;
  readonly shiftTags: number;
  readonly interact: readonly [number, number][];
  readonly tagged: readonly [number, number][];
  readonly countsObjects: readonly number[][];
  readonly countsTags: readonly number[][];
  readonly sppmiObjects: readonly number[][];
  readonly sppmiTags: readonly number[][];
  readonly normalizedObjects: Rows;
  readonly normalizedTags: Rows;
  readonly negativesPerPositive: number;
  readonly noise: readonly number[]; // probability by tag
  readonly negatives: Rows; // noise tags by pair of `tagged`
  readonly weights: OracleWeights;
  readonly variants: Readonly<Record<'dge' | 'dgeWithoutPrior' | 'soGe' | 'stGe', OracleVariant>>;
  readonly adam: {
    readonly learningRate: number;
    readonly beta1: number;
    readonly beta2: number;
    readonly epsilon: number;
    readonly losses: readonly number[]; // before each step
    readonly finalObjectW1: Rows;
    readonly finalTagW0: Rows;
  };
  readonly ease: { readonly lam: number; readonly weights: Rows; readonly scores: Rows };
  readonly twoViewRidge: {
    readonly ownLambda: number;
    readonly neighbourLambda: number;
    readonly interceptLambda: number;
    readonly neighbourScale: number;
    readonly weights: Rows; // (tags + tags + 1, tags): own tags, neighbours' tags, intercept
    readonly scores: Rows;
  };
  readonly metrics: readonly (Record<string, number> & { ranked: number[]; relevant: number[] })[];
}

export const oracle: Oracle = JSON.parse(readFileSync(new URL('fixtures/oracle/dge.json', import.meta.url), 'utf8'));
