// A model at work: finds objects by name or title and suggests the tags they lack. It needs the model and nothing else.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Kernels } from '../engine/kernels.ts';
import { type EngineOptions, openKernels } from '../engine/open.ts';
import { InputError } from '../errors.ts';
import { type Listener, makeBreather } from '../listener.ts';
import type { Model } from '../models/model.ts';
import type { Scorer } from '../models/score-tags.ts';
import { openScorer } from '../models/scorer.ts';
import { topTags } from '../models/top-tags.ts';
import { nearestNames } from './nearest-names.ts';

export interface Suggestion {
  readonly tag: string;
  /** Higher is more likely; how much is up to the model. */
  readonly score: number;
}

export interface ObjectSuggestions {
  readonly object: string;
  readonly suggestions: readonly Suggestion[];
}

const BLOCK_OBJECTS = 256;

export class Recommender {
  readonly model: Model;
  readonly #kernels: Kernels;
  readonly #scorer: Scorer;
  #idsByTitle: Map<string, number[]> | undefined; // lower case

  private constructor(model: Model, kernels: Kernels) {
    this.model = model;
    this.#kernels = kernels;
    this.#scorer = openScorer(kernels, model.fitted, model.graph);
  }

  /** Close it when done: it holds threads and memory. */
  static async open(model: Model, options: EngineOptions = {}): Promise<Recommender> {
    return new Recommender(model, await openKernels(options));
  }

  close(): void {
    this.#scorer.release();
    this.#kernels.close();
  }

  /** The id of an object by its name or, where only one bears it, its title in any case. */
  find(nameOrTitle: string): number {
    const { objects } = this.model.graph;
    const id = objects.idOf(nameOrTitle);
    if (id >= 0) return id;
    const byTitle = this.#titleIndex().get(nameOrTitle.toLowerCase()) ?? [];
    if (byTitle.length === 1) return byTitle[0];
    if (byTitle.length > 1) {
      const expected = `one of ${quoted(byTitle.slice(0, 5).map((one) => objects.name(one)))}`;
      throw new InputError({ got: `a title of ${byTitle.length} objects`, expected, cure: 'Name it by its id.' });
    }
    const near = nearestNames(nameOrTitle, namesAndTitles(this.model.graph));
    const shown = near.map((name) => describe(this.model.graph, name, this.#titleIndex()));
    const expected = near.length === 0 ? `one of ${objects.size} objects` : `something like ${shown.join(' or ')}`;
    throw new InputError({ got: `the object "${nameOrTitle}"`, expected, cure: 'Check the name.' });
  }

  /** The best tags that an object does not have; tags with no evidence at all are not suggested. */
  async suggest(object: number, limit: number): Promise<Suggestion[]> {
    const { objects } = this.model.graph;
    if (!(object >= 0 && object < objects.size)) {
      throw new RangeError(`Got object ${object} when expected 0 to ${objects.size - 1}.`);
    }
    const [suggestions] = await this.#suggestBlock(Int32Array.of(object), limit);
    return suggestions;
  }

  /** Every object in turn, in the order of their names. */
  async *suggestAll(limit: number, listener: Listener = {}): AsyncGenerator<ObjectSuggestions> {
    const { objects } = this.model.graph;
    const breathe = makeBreather(listener);
    for (let first = 0; first < objects.size; first += BLOCK_OBJECTS) {
      listener.progress?.('suggesting', first, objects.size);
      await breathe();
      const ids = Int32Array.from({ length: Math.min(BLOCK_OBJECTS, objects.size - first) }, (_, i) => first + i);
      const block = await this.#suggestBlock(ids, limit);
      for (const [i, suggestions] of block.entries()) yield { object: objects.name(ids[i]), suggestions };
    }
  }

  async #suggestBlock(ids: Int32Array, limit: number): Promise<Suggestion[][]> {
    const { tags, tagged } = this.model.graph;
    const scores = new Float32Array(ids.length * tags.size);
    await this.#scorer.score(ids, scores);
    return Array.from(ids, (id, i) => {
      const row = scores.subarray(i * tags.size, (i + 1) * tags.size);
      return topTags(row, tagged.row(id), limit)
        .filter((tag) => row[tag] > this.#scorer.floor)
        .map((tag) => ({ tag: tags.name(tag), score: row[tag] }));
    });
  }

  #titleIndex(): Map<string, number[]> {
    if (this.#idsByTitle !== undefined) return this.#idsByTitle;
    const index = new Map<string, number[]>();
    const { titles } = this.model.graph;
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
