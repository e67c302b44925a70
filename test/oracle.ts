// The independent values in fixtures/oracle, typed as far as tests use them.

import { readFileSync } from 'node:fs';

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
  readonly metrics: readonly (Record<string, number> & { ranked: number[]; relevant: number[] })[];
}

export const oracle: Oracle = JSON.parse(readFileSync(new URL('fixtures/oracle/dge.json', import.meta.url), 'utf8'));
