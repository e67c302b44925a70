// From what a person writes to an id: objects by name or title, tags by name. Where there is none, the error names similar ones.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { InputError } from '../../errors.ts';

export class NameFinder {
  readonly #graph: KnowledgeGraph;
  #idsByTitle: Map<string, number[]> | undefined; // lower case

  constructor(graph: KnowledgeGraph) {
    this.#graph = graph;
  }

  /** The id of an object by its name or, where only one bears it, its title in any case. */
  find(nameOrTitle: string): number {
    const { objects } = this.#graph;
    const id = objects.idOf(nameOrTitle);
    if (id >= 0) return id;
    const byTitle = this.#titleIndex().get(nameOrTitle.toLowerCase()) ?? [];
    if (byTitle.length === 1) return byTitle[0];
    if (byTitle.length > 1) {
      const expected = `one of ${quoted(byTitle.slice(0, 5).map((one) => objects.name(one)))}`;
      const got = `"${nameOrTitle}", a title of ${byTitle.length} objects`;
      throw new InputError({ got, expected, cure: 'Name it by its id.' });
    }
    const near = similarNames(nameOrTitle, namesAndTitles(this.#graph));
    const shown = near.map((name) => describe(this.#graph, name, this.#titleIndex()));
    const expected = near.length === 0 ? `one of ${objects.size} objects` : `something like ${shown.join(' or ')}`;
    throw new InputError({ got: `the object "${nameOrTitle}"`, expected, cure: 'Check the name.' });
  }

  findTag(name: string): number {
    const { tags } = this.#graph;
    const id = tags.idOf(name);
    if (id >= 0) return id;
    const near = similarNames(name, tags.names.toArray());
    const expected = near.length === 0 ? `one of ${tags.size} tags` : `something like ${quoted(near)}`;
    throw new InputError({ got: `the tag "${name}"`, expected, cure: 'Check the name.' });
  }

  #titleIndex(): Map<string, number[]> {
    if (this.#idsByTitle !== undefined) return this.#idsByTitle;
    const index = new Map<string, number[]>();
    const { titles } = this.#graph;
    for (let id = 0; id < titles.size; id++) {
      const title = titles.at(id).toLowerCase();
      const ids = index.get(title);
      if (ids === undefined) index.set(title, [id]);
      else ids.push(id);
    }
    this.#idsByTitle = index;
    return index;
  }
}

function* namesAndTitles({ objects, titles }: KnowledgeGraph): Generator<string> {
  for (let id = 0; id < objects.size; id++) yield objects.name(id);
  if (titles === objects.names) return;
  for (let id = 0; id < titles.size; id++) yield titles.at(id);
}

/** A name as it is, a title with the name it belongs to. */
function describe({ objects }: KnowledgeGraph, name: string, index: Map<string, number[]>): string {
  if (objects.idOf(name) >= 0) return JSON.stringify(name);
  const [id] = index.get(name.toLowerCase()) ?? [];
  return id === undefined ? JSON.stringify(name) : `${JSON.stringify(name)} (${objects.name(id)})`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}

const MAX_SHOWN = 3;

/** The most similar of `names`, best first; few. Compared without regard to case. */
export function similarNames(wanted: string, names: Iterable<string>): string[] {
  const target = wanted.toLowerCase().slice(0, 100);
  const found: { name: string; distance: number }[] = [];
  for (const name of names) {
    const limit = found.length === MAX_SHOWN ? found[MAX_SHOWN - 1].distance : Math.max(2, target.length / 2);
    const distance = distanceOf(target, name.toLowerCase().slice(0, 200), limit);
    if (distance >= limit || found.some((one) => one.name === name)) continue;
    found.push({ name, distance });
    found.sort((a, b) => a.distance - b.distance);
    found.length = Math.min(found.length, MAX_SHOWN);
  }
  return found.map(({ name }) => name);
}

/** Edits between two names; a name that holds the other is near, however long it is. */
function distanceOf(target: string, name: string, limit: number): number {
  if (target.length >= 3 && name.includes(target)) {
    return (name.startsWith(target) ? 0.3 : 0.6) + (name.length - target.length) / 1000;
  }
  return Math.abs(name.length - target.length) >= limit ? limit : editDistance(target, name, limit);
}

/** Insertions, deletions and exchanges of a letter (Levenshtein); gives up at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    if (Math.min(...next) >= limit) return limit;
    row = next;
  }
  return row[b.length];
}
