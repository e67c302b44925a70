// Which later changes an earlier one carries: they must be undone first.

import { type Declaration, namesOf, type VocabularyChange } from './declaration.ts';

const READ_AS_OTHER = ['merge', 'rename', 'synonym'];
const ENDING = [...READ_AS_OTHER, 'split', 'retire'];

/**
 * Later changes that were not undone and use a name that this one brought, or that ended (read as another, split or retired) the
 * tag it leads to: without it they would say something else.
 */
export function standingOn(change: VocabularyChange, changes: Iterable<VocabularyChange>): VocabularyChange[] {
  const brought = broughtBy(change);
  const targets = new Set(
    change.declarations.flatMap(({ kind, into }) => (READ_AS_OTHER.includes(kind) ? [...into] : [])),
  );
  const stands = (one: Declaration) =>
    namesOf(one).some((name) => brought.has(name)) ||
    (ENDING.includes(one.kind) && one.tags.some((tag) => targets.has(tag)));
  return [...changes].filter(
    (later) =>
      BigInt(later.id) > BigInt(change.id) &&
      later.undoneAt === undefined &&
      later.declarations.some((one) => stands(one)),
  );
}

/** Names that no tag had before. */
export function broughtBy({ declarations }: VocabularyChange): Set<string> {
  return new Set(declarations.flatMap(({ kind, into }) => (kind === 'rename' ? [...into] : [])));
}
