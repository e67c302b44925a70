// All stages, each after those it reads, and which of them a table takes.

import { CANDIDATES, PATH_CAP } from './candidates.ts';
import { INTERACT, OBJECT_NAMES, TAG_NAMES, TAGGED, USER_NAMES } from './names.ts';
import { NEIGHBOUR_TAGS, NEIGHBOURS } from './neighbours.ts';
import { SAMPLE, TAG_COUNTS } from './sample.ts';
import type { Stage } from './stage.ts';
import { OBJECT_NORMS, USER_WEIGHTS } from './user-weights.ts';

export const ALL_STAGES: readonly Stage[] = [
  OBJECT_NAMES,
  USER_NAMES,
  TAG_NAMES,
  TAGGED,
  INTERACT,
  USER_WEIGHTS,
  OBJECT_NORMS,
  PATH_CAP,
  CANDIDATES,
  NEIGHBOURS,
  NEIGHBOUR_TAGS,
  TAG_COUNTS,
  SAMPLE,
];

/** The stages that these tables take, in order. */
export function stagesFor(tables: readonly string[]): Stage[] {
  const needed = new Set(tables);
  for (const { name, inputs } of [...ALL_STAGES].reverse()) {
    if (needed.has(name)) for (const input of inputs) needed.add(input);
  }
  return ALL_STAGES.filter(({ name }) => needed.has(name));
}
