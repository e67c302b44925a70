// Whether declarations can all hold: nothing implies itself, no tag implies two that exclude each other, and tags that exclude
// each other are two.

import { ConflictError, type VocabularyChange } from './declaration.ts';
import { closureOf, type Declarations } from './declarations.ts';

const MOST_SHOWN = 8;

/** Throws a ConflictError with the changes that do not go together. */
export function checkCoherent(declarations: Declarations): void {
  const circle = circleIn(declarations);
  if (circle !== undefined) {
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
  checkExclusions(declarations);
}

function checkExclusions(declarations: Declarations): void {
  const exclusions = declarations.exclusions();
  if (exclusions.length === 0) return;
  const below = closureOf(reversed(declarations.upward));
  const downTo = (tag: string) => new Set([tag, ...(below.get(tag) ?? [])]);
  for (const { tags, change } of exclusions) {
    const [a, b] = tags;
    const cure = 'Undo the exclusion first, or leave this out.';
    if (a === b) {
      const got = `${JSON.stringify(a)} as the one name of tags that exclude each other`;
      throw new ConflictError({ got, expected: 'tags that go together', cure }, stored([change]));
    }
    const others = downTo(b);
    const both = [...downTo(a)].find((tag) => others.has(tag));
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

/** The tags of a circle, the first again at its end. */
function circleIn({ upward }: Declarations): string[] | undefined {
  const done = new Set<string>();
  for (const start of upward.keys()) {
    const path: string[] = [];
    const steps: Iterator<string>[] = [];
    const enter = (tag: string) => {
      path.push(tag);
      steps.push((upward.get(tag) ?? new Map()).keys());
    };
    if (!done.has(start)) enter(start);
    while (steps.length > 0) {
      const { done: isOver, value } = steps[steps.length - 1].next();
      if (isOver) {
        done.add(path.pop() as string);
        steps.pop();
      } else if (path.includes(value)) return [...path.slice(path.indexOf(value)), value];
      else if (!done.has(value)) enter(value);
    }
  }
  return undefined;
}

/** Without the one that is only asked for. */
function stored(changes: readonly (VocabularyChange | undefined)[]): VocabularyChange[] {
  return [...new Set(changes.filter((change) => change !== undefined && change.id !== ''))] as VocabularyChange[];
}
