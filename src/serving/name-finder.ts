// From what a person writes to an id: objects by name or title, tags by name. Where there is none, the error names those nearby.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { InputError } from '../errors.ts';
import { nearestNames } from './nearest-names.ts';

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
    const near = nearestNames(nameOrTitle, namesAndTitles(this.#graph));
    const shown = near.map((name) => describe(this.#graph, name, this.#titleIndex()));
    const expected = near.length === 0 ? `one of ${objects.size} objects` : `something like ${shown.join(' or ')}`;
    throw new InputError({ got: `the object "${nameOrTitle}"`, expected, cure: 'Check the name.' });
  }

  findTag(name: string): number {
    const { tags } = this.#graph;
    const id = tags.idOf(name);
    if (id >= 0) return id;
    const near = nearestNames(name, tags.names.toArray());
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
