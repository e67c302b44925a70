// A stage: one query over tables that earlier stages left, written once for all dialects.

import type { SampleSize } from '../../graph/row-sample.ts';
import type { Dialect } from '../dialect.ts';

/** What statements depend on, besides the data. */
export interface StageSettings extends SampleSize {
  /** Most similar objects, for each. */
  readonly neighbours: number;
  /** How much less a user of many objects counts. */
  readonly damping: number;
}

/** Objects from one id on, up to another. */
export interface Part {
  readonly first: number;
  readonly end: number;
}

export interface Stage {
  /** The table it makes. */
  readonly name: string;
  /** What the table holds, in a sentence. */
  readonly about: string;
  /** Tables it reads: of other stages, or views of the data (sources.ts). */
  readonly inputs: readonly string[];
  /** `part`: only for these objects. */
  query(dialect: Dialect, settings: StageSettings, part?: Part): string;
  /** Whether it may be computed in parts. */
  readonly hasParts?: true;
}

/** A condition on the objects of a part, to follow others. */
export function withinPart(column: string, part: Part | undefined): string {
  return part === undefined ? '' : ` AND ${column} >= ${part.first} AND ${column} < ${part.end}`;
}
