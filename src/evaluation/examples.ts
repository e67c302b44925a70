// Objects to show beside the figures: chosen by rule, so that nobody picks the flattering ones, or named by a person.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Judged } from './evaluate.ts';

/** The part of a split that is looked at here. */
export interface JudgedGraph extends Judged {
  readonly train: KnowledgeGraph;
}

/**
 * The object with the most users, a middling one (the median by users), both with tags to learn from and at least two
 * to find, and the cold one with the most users. Where none has two to find, one will do.
 */
export function chooseObjects({ train, test }: JudgedGraph): number[] {
  const usersOf = train.interact.reversed();
  const isFound = (object: number, least: number) => test.rowLength(object) >= least;
  const isCold = (object: number) => train.tagged.rowLength(object) === 0;
  const all = Array.from({ length: test.numHeads }, (_, object) => object)
    .filter((object) => isFound(object, 1))
    .sort((a, b) => usersOf.rowLength(b) - usersOf.rowLength(a) || a - b);
  const atLeastTwo = (objects: number[]) => {
    const some = objects.filter((object) => isFound(object, 2));
    return some.length > 0 ? some : objects;
  };
  const warm = atLeastTwo(all.filter((object) => !isCold(object)));
  const cold = atLeastTwo(all.filter(isCold));
  const chosen = [warm[0], warm[Math.floor(warm.length / 2)], cold[0]];
  return [...new Set(chosen.filter((object) => object !== undefined))];
}

/** The object of that name or, if there is but one, of that title, in any case; −1 if there is none. */
export function findObject({ objects, titles }: KnowledgeGraph, nameOrTitle: string): number {
  const id = objects.idOf(nameOrTitle);
  if (id >= 0) return id;
  const wanted = nameOrTitle.toLowerCase();
  let found = -1;
  for (let object = 0; object < titles.size; object++) {
    if (titles.at(object).toLowerCase() !== wanted) continue;
    if (found >= 0) return -1;
    found = object;
  }
  return found;
}
