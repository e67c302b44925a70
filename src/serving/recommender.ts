// A model at work: finds objects by name or title and suggests the tags they lack. It needs the model and nothing else.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Relation } from '../data/relation.ts';
import { tagCounts } from '../data/statistics.ts';
import type { Vocabulary } from '../data/vocabulary.ts';
import type { Kernels } from '../engine/kernels.ts';
import { type EngineOptions, openKernels } from '../engine/open.ts';
import { InputError } from '../errors.ts';
import { type Listener, makeBreather } from '../listener.ts';
import { confidenceOf } from '../models/confidence.ts';
import { type Facts, OpenLoom } from '../models/loom.ts';
import type { Model } from '../models/model.ts';
import type { Scorer } from '../models/score-tags.ts';
import { openScorer } from '../models/scorer.ts';
import { topTags } from '../models/top-tags.ts';
import { type AlikeObject, alikeObjects, alikeTags } from './alike.ts';
import { nearestNames } from './nearest-names.ts';
import { namedParts, pathsThroughTags, pathsThroughUsers, type Reasons } from './reasons.ts';

export interface Suggestion {
  readonly tag: string;
  /** Higher is more likely; how much is up to the model. */
  readonly score: number;
  /** How likely it is right, of models that know. */
  readonly confidence?: number;
}

export interface ObjectSuggestions {
  readonly object: string;
  readonly suggestions: readonly Suggestion[];
}

export interface MissingObject {
  readonly object: string;
  readonly title: string;
  readonly score: number;
  readonly confidence?: number;
}

/** Which tags may be suggested, and which first. */
export interface SuggestOptions {
  /** No others. */
  readonly allow?: ReadonlySet<string> | undefined;
  /** Never these. */
  readonly deny?: ReadonlySet<string> | undefined;
  /** Leaves out what is less likely. */
  readonly minConfidence?: number | undefined;
  /** From 0: the higher, the later come tags that many objects have. */
  readonly novelty?: number | undefined;
}

/** What is known of an object, by names. Names the model does not know count for nothing. */
export interface NamedFacts {
  readonly tags?: readonly string[];
  readonly users?: readonly string[];
  /** What it is called. */
  readonly title?: string | undefined;
}

const BLOCK_OBJECTS = 256;
const MAX_PATHS = 5;

export class Recommender {
  readonly model: Model;
  readonly #kernels: Kernels;
  readonly #scorer: Scorer;
  #idsByTitle: Map<string, number[]> | undefined; // lower case
  #tagCounts: Float64Array | undefined; // objects by tag
  #usersOf: Relation | undefined;

  private constructor(model: Model, kernels: Kernels) {
    this.model = model;
    this.#kernels = kernels;
    this.#scorer = openScorer(kernels, model.fitted, model.graph);
  }

  /** Close it when done: it holds threads and memory. */
  static async open(model: Model, options: EngineOptions = {}): Promise<Recommender> {
    const kernels = await openKernels(options);
    try {
      return new Recommender(model, kernels);
    } catch (error) {
      kernels.close();
      throw error;
    }
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
      const got = `"${nameOrTitle}", a title of ${byTitle.length} objects`;
      throw new InputError({ got, expected, cure: 'Name it by its id.' });
    }
    const near = nearestNames(nameOrTitle, namesAndTitles(this.model.graph));
    const shown = near.map((name) => describe(this.model.graph, name, this.#titleIndex()));
    const expected = near.length === 0 ? `one of ${objects.size} objects` : `something like ${shown.join(' or ')}`;
    throw new InputError({ got: `the object "${nameOrTitle}"`, expected, cure: 'Check the name.' });
  }

  findTag(name: string): number {
    const { tags } = this.model.graph;
    const id = tags.idOf(name);
    if (id >= 0) return id;
    const names = Array.from({ length: tags.size }, (_, tag) => tags.name(tag));
    const near = nearestNames(name, names);
    const expected = near.length === 0 ? `one of ${tags.size} tags` : `something like ${quoted(near)}`;
    throw new InputError({ got: `the tag "${name}"`, expected, cure: 'Check the name.' });
  }

  /** The best tags that an object does not have; tags with no evidence at all are not suggested. */
  async suggest(object: number, limit: number, options: SuggestOptions = {}): Promise<Suggestion[]> {
    this.#check(object);
    const [suggestions] = await this.#suggestBlock(Int32Array.of(object), limit, options);
    return suggestions;
  }

  /** The same for an object the model never saw: from its tags, its users or both, without training anew. */
  async suggestFor(facts: NamedFacts, limit: number, options: SuggestOptions = {}): Promise<Suggestion[]> {
    const known = this.#knownFacts(facts);
    const row = new Float32Array(this.model.graph.tags.size);
    await this.#loom('suggestions for an unseen object').scoreFacts(known, row);
    return this.#picking(limit, options)(row, known.tags);
  }

  /** Every object in turn, in the order of their names. */
  async *suggestAll(
    limit: number,
    listener: Listener = {},
    options: SuggestOptions = {},
  ): AsyncGenerator<ObjectSuggestions> {
    const { objects } = this.model.graph;
    const breathe = makeBreather(listener);
    for (let first = 0; first < objects.size; first += BLOCK_OBJECTS) {
      listener.progress?.('suggesting', first, objects.size);
      await breathe();
      const ids = Int32Array.from({ length: Math.min(BLOCK_OBJECTS, objects.size - first) }, (_, i) => first + i);
      const block = await this.#suggestBlock(ids, limit, options);
      for (const [i, suggestions] of block.entries()) yield { object: objects.name(ids[i]), suggestions };
    }
  }

  /** Why a tag is suggested to an object, or to one the model never saw; so many paths of each kind. */
  async explain(about: number | NamedFacts, tag: number, maxPaths = MAX_PATHS): Promise<Reasons> {
    const { graph } = this.model;
    const facts = typeof about === 'number' ? this.#factsOf(about) : this.#knownFacts(about);
    const row = new Float32Array(graph.tags.size);
    const loom = this.#scorer instanceof OpenLoom ? this.#scorer : undefined;
    if (loom !== undefined) await loom.scoreFacts(facts, row);
    else if (facts.object !== undefined) await this.#scorer.score(Int32Array.of(facts.object), row);
    else this.#loom('reasons for an unseen object');
    return {
      tag: graph.tags.name(tag),
      score: row[tag],
      ...(loom && { parts: namedParts(loom.explain(facts, tag), facts, graph) }),
      throughUsers: pathsThroughUsers(graph, facts, tag, maxPaths),
      throughTags: pathsThroughTags(graph, facts, tag, maxPaths),
    };
  }

  /** The objects that should carry a tag and do not, the likeliest first. */
  async missing(
    tag: number,
    limit: number,
    options: Pick<SuggestOptions, 'minConfidence'> = {},
  ): Promise<MissingObject[]> {
    const { objects, titles, tagged } = this.model.graph;
    const scores = await this.#scoreObjects(tag);
    const sure = Array.from(scores, (score, object) => this.#confidence(score, tagged.rowLength(object) > 0));
    const lacking = Int32Array.from(scores.keys()).filter(
      (object) =>
        !tagged.has(object, tag) && scores[object] > this.#scorer.floor && isSure(sure[object], options.minConfidence),
    );
    // objects without tags have a curve of their own: the likeliest are not always those of the highest score
    const likelihood = (object: number) => sure[object].confidence ?? 0;
    lacking.sort((a, b) => likelihood(b) - likelihood(a) || scores[b] - scores[a] || a - b);
    return Array.from(lacking.subarray(0, limit), (object) => ({
      object: objects.name(object),
      title: titles.at(object),
      score: scores[object],
      ...sure[object],
    }));
  }

  similarObjects(object: number, limit: number): (Omit<AlikeObject, 'object'> & { object: string; title: string })[] {
    this.#check(object);
    const { objects, titles } = this.model.graph;
    return alikeObjects(this.model.graph, object, limit).map(({ object: other, ...rest }) => ({
      object: objects.name(other),
      title: titles.at(other),
      ...rest,
    }));
  }

  similarTags(tag: number, limit: number): { tag: string; likeness: number }[] {
    const { tags } = this.model.graph;
    return alikeTags(this.model.graph, tag, limit).map((one) => ({ ...one, tag: tags.name(one.tag) }));
  }

  async #scoreObjects(tag: number): Promise<Float32Array> {
    if (this.#scorer instanceof OpenLoom) return this.#scorer.scoreObjects(tag);
    const { objects, tags } = this.model.graph;
    const column = new Float32Array(objects.size);
    const scores = new Float32Array(BLOCK_OBJECTS * tags.size);
    for (let first = 0; first < objects.size; first += BLOCK_OBJECTS) {
      const ids = Int32Array.from({ length: Math.min(BLOCK_OBJECTS, objects.size - first) }, (_, i) => first + i);
      await this.#scorer.score(ids, scores.subarray(0, ids.length * tags.size));
      for (const [i, id] of ids.entries()) column[id] = scores[i * tags.size + tag];
    }
    return column;
  }

  async #suggestBlock(ids: Int32Array, limit: number, options: SuggestOptions): Promise<Suggestion[][]> {
    const { tags, tagged } = this.model.graph;
    const scores = new Float32Array(ids.length * tags.size);
    await this.#scorer.score(ids, scores);
    const pick = this.#picking(limit, options);
    return Array.from(ids, (id, i) => pick(scores.subarray(i * tags.size, (i + 1) * tags.size), tagged.row(id)));
  }

  /** From scores to suggestions; `own`: ascending, never suggested. */
  #picking(limit: number, options: SuggestOptions): (row: Float32Array, own: Int32Array) => Suggestion[] {
    const { tags } = this.model.graph;
    const rank = this.#ranking(options);
    return (row, own) => {
      const ranking = rank(row, own.length > 0);
      return topTags(ranking, own, limit)
        .filter((tag) => row[tag] > this.#scorer.floor && ranking[tag] > Number.NEGATIVE_INFINITY)
        .map((tag) => ({ tag: tags.name(tag), score: row[tag], ...this.#confidence(row[tag], own.length > 0) }))
        .filter((one) => isSure(one, options.minConfidence));
    };
  }

  /** What tags are ranked by: their scores, less where many objects have them, and lowest where they may not be suggested. */
  #ranking(options: SuggestOptions): (row: Float32Array, hasTags: boolean) => Float32Array {
    const { novelty = 0, minConfidence } = options;
    const allowed = this.#allowed(options);
    if (allowed === undefined && novelty === 0) return (row) => row;
    const isLog = this.model.fitted.form === 'embeddings'; // of these, scores are near logarithms
    this.#tagCounts ??= tagCounts(this.model.graph);
    const dampings = this.#tagCounts.map((count) => novelty * Math.log(Math.max(1, count)));
    // the order of score · exp(−damping), by a root of it that stays within float32
    const root = 1 / (1 + novelty);
    const factors = dampings.map((damping) => Math.exp(-root * damping));
    // by scores, what is sure comes first; by novelty it may not, and would be lost behind the limit
    const isOut = (score: number, hasTags: boolean) =>
      novelty !== 0 && minConfidence !== undefined && !isSure(this.#confidence(score, hasTags), minConfidence);
    return (row, hasTags) =>
      row.map((score, tag) => {
        if (allowed?.[tag] === 0 || isOut(score, hasTags)) return Number.NEGATIVE_INFINITY;
        return isLog ? score - dampings[tag] : score > 0 ? score ** root * factors[tag] : score;
      });
  }

  /** By tag whether it may be suggested; undefined where all may. */
  #allowed({ allow, deny }: SuggestOptions): Uint8Array | undefined {
    if (allow === undefined && deny === undefined) return undefined;
    const { tags } = this.model.graph;
    const marks = new Uint8Array(tags.size).fill(allow === undefined ? 1 : 0);
    for (const tag of knownIds(tags, allow ?? [])) marks[tag] = 1;
    for (const tag of knownIds(tags, deny ?? [])) marks[tag] = 0;
    return marks;
  }

  #confidence(score: number, hasTags: boolean): { confidence?: number } {
    const { confidence } = this.model;
    return confidence === undefined ? {} : { confidence: confidenceOf(confidence, score, hasTags) };
  }

  #factsOf(object: number): Facts & { tags: Int32Array } {
    this.#check(object);
    this.#usersOf ??= this.model.graph.interact.reversed();
    const { tagged, titles } = this.model.graph;
    return { tags: tagged.row(object), users: this.#usersOf.row(object), title: titles.at(object), object };
  }

  #knownFacts({ tags = [], users = [], title }: NamedFacts): Facts & { tags: Int32Array } {
    const { graph } = this.model;
    return { tags: knownIds(graph.tags, tags), users: knownIds(graph.users, users), title };
  }

  #loom(what: string): OpenLoom {
    if (this.#scorer instanceof OpenLoom) return this.#scorer;
    const cure = 'Train one: tagloom train DATA --model loom -o FILE.';
    throw new InputError({ got: `a ${this.model.name} model`, expected: `loom, for ${what}`, cure });
  }

  #check(object: number): void {
    const { objects } = this.model.graph;
    if (!(object >= 0 && object < objects.size)) {
      throw new RangeError(`Got object ${object} when expected 0 to ${objects.size - 1}.`);
    }
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

function isSure({ confidence }: { readonly confidence?: number }, least: number | undefined): boolean {
  return least === undefined || (confidence !== undefined && confidence >= least);
}

/** Ascending, each once. */
function knownIds(vocabulary: Vocabulary, names: Iterable<string>): Int32Array {
  const ids = new Set(Array.from(names, (name) => vocabulary.idOf(name)).filter((id) => id >= 0));
  return Int32Array.from(ids).sort();
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
