// Whether declarations can all hold: nothing implies itself, no tag implies two that exclude each other, and tags that exclude
// each other are two.

import { InputError } from '../../errors.ts';
import { cyclesIn } from './cycles.ts';
import { ConflictError, type VocabularyChange } from './declaration.ts';
import { closureOf, type Declarations } from './declarations.ts';

const MOST_SHOWN = 8;
const MOST_STEPS = 2_000_000; // of all tags together up to what they imply: each is held in memory, for both directions

/** Throws a ConflictError with the changes that do not go together. */
export function checkCoherent(declarations: Declarations): void {
  for (const { path, start } of cyclesIn(declarations.upward)) {
    const circle = [...path.slice(start), path[start]];
    const steps = circle.slice(1).map((parent, i) => declarations.parentsOf(circle[i]).get(parent));
    const shown = circle.length > MOST_SHOWN ? [...circle.slice(0, MOST_SHOWN), '…', circle[0]] : circle;
    throw new ConflictError(
      {
        got: `a cycle of implied tags: ${shown.join(' → ')}`,
        expected: 'no tag that implies itself',
        cure: 'Leave out one of these steps, or merge the tags if they mean the same.',
      },
      stored(steps),
    );
  }
  checkSize(declarations);
  checkExclusions(declarations);
}

function checkExclusions(declarations: Declarations): void {
  const exclusions = declarations.exclusions();
  if (exclusions.length === 0) return;
  const below = closureOf(reversed(declarations.upward));
  const downTo = (tag: string) => below.get(tag)?.add(tag) ?? new Set([tag]);
  for (const { tags, change } of exclusions) {
    const [a, b] = tags;
    const cure = 'Undo the exclusion first, or leave this out.';
    if (a === b) {
      const got = `${JSON.stringify(a)} as the one name of tags that exclude each other`;
      throw new ConflictError({ got, expected: 'tags that go together', cure }, stored([change]));
    }
    const [few, many] = [downTo(a), downTo(b)].sort((one, other) => one.size - other.size);
    const both = [...few].find((tag) => many.has(tag));
    if (both === undefined) continue;
    const implied = [a, b].filter((tag) => tag !== both).map((tag) => JSON.stringify(tag));
    const got = `${JSON.stringify(both)}, which implies ${implied.join(' and ')}, although "${a}" and "${b}" exclude each other`;
    throw new ConflictError({ got, expected: 'tags that may go together', cure }, stored([change]));
  }
}

function reversed(links: ReadonlyMap<string, ReadonlyMap<string, unknown>>): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [from, others] of links) {
    for (const to of others.keys()) found.set(to, (found.get(to) ?? new Set()).add(from));
  }
  return found;
}

/** Counted link by link, as suggestions look them up. */
function checkSize({ upward }: Declarations): void {
  let numSteps = 0;
  for (const start of upward.keys()) {
    const found = new Set([start]);
    for (const tag of found) {
      for (const parent of upward.get(tag)?.keys() ?? []) {
        found.add(parent);
        if (++numSteps > MOST_STEPS) throw tooMany();
      }
    }
  }
}

function tooMany(): InputError {
  const got = `tags that imply more than ${MOST_STEPS.toLocaleString('en')} others, counted for each tag`;
  return new InputError({ got, expected: 'fewer', cure: 'Leave out a part of what is implied.' });
}

/** Without the one that is only asked for. */
function stored(changes: readonly (VocabularyChange | undefined)[]): VocabularyChange[] {
  return [...new Set(changes.filter((change) => change !== undefined && change.id !== ''))] as VocabularyChange[];
}
