// A model at work: finds objects by name or title and suggests the tags they lack. It needs the model and nothing else.

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
import { Best, topTags } from '../models/top-tags.ts';
import { type AlikeObject, alikeObjects, alikeTags } from './alike.ts';
import { type Amendments, hiddenTags, isHidden, NO_AMENDMENTS, ownTags } from './amendments.ts';
import { GraphViews } from './graph-views.ts';
import { NameFinder } from './name-finder.ts';
import { namedParts, pathsThroughTags, pathsThroughUsers, type Reasons } from './reasons.ts';

export interface Suggestion {
  readonly tag: string;
  /** Higher is more likely; how much is up to the model. */
  readonly score: number;
  /** How likely it is right, of models that know. */
  readonly confidence?: number;
}

/** A suggestion by the id of its tag. */
export interface Pick extends Omit<Suggestion, 'tag'> {
  readonly tag: number;
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
  /** Content features by name, as the table the model was trained with has them. */
  readonly features?: Readonly<Record<string, number>> | undefined;
}

const BLOCK_OBJECTS = 256;
const MAX_PATHS = 5;

export class Recommender {
  readonly model: Model;
  readonly #kernels: Kernels;
  readonly #scorer: Scorer;
  readonly #views: GraphViews;
  readonly #names: NameFinder;
  #features: ReadonlyMap<string, number> | undefined;

  private constructor(model: Model, kernels: Kernels) {
    this.model = model;
    this.#kernels = kernels;
    this.#scorer = openScorer(kernels, model.fitted, model.graph);
    this.#views = new GraphViews(model.graph);
    this.#names = new NameFinder(model.graph);
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

  /** Whether accepted tags change what else is suggested, and objects nobody saw before get suggestions. */
  get foldsIn(): boolean {
    return this.#scorer instanceof OpenLoom;
  }

  /** The id of an object by its name or, where only one bears it, its title in any case. */
  find(nameOrTitle: string): number {
    return this.#names.find(nameOrTitle);
  }

  findTag(name: string): number {
    return this.#names.findTag(name);
  }

  /** The best tags that an object does not have; tags with no evidence at all are not suggested. */
  async suggest(
    object: number,
    limit: number,
    options: SuggestOptions = {},
    amendments = NO_AMENDMENTS,
  ): Promise<Suggestion[]> {
    const [picks] = await this.best(Int32Array.of(object), limit, options, amendments);
    return picks.map((pick) => this.#named(pick));
  }

  /** The same by ids, for many objects at once. */
  async best(
    objects: Int32Array,
    limit: number,
    options: SuggestOptions = {},
    amendments = NO_AMENDMENTS,
  ): Promise<Pick[][]> {
    for (const object of objects) this.#check(object);
    const { graph, rejected } = this.model;
    const numTags = graph.tags.size;
    const scores = new Float32Array(objects.length * numTags);
    const tagsOf = (object: number) => ownTags(graph.tagged, object, amendments);
    if (this.#scorer instanceof OpenLoom) await this.#scorer.score(objects, scores, tagsOf);
    else await this.#scorer.score(objects, scores);
    const pick = this.#picking(limit, options);
    return Array.from(objects, (object, i) => {
      const hidden = hiddenTags({ tagged: graph.tagged, rejected }, object, amendments);
      return pick(scores.subarray(i * numTags, (i + 1) * numTags), hidden, tagsOf(object).length > 0);
    });
  }

  /** The same for an object the model never saw: from its tags, its users or both, without training anew. */
  async suggestFor(facts: NamedFacts, limit: number, options: SuggestOptions = {}): Promise<Suggestion[]> {
    const known = this.#knownFacts(facts);
    const row = new Float32Array(this.model.graph.tags.size);
    await this.#loom('suggestions for an unseen object').scoreFacts(known, row);
    const picks = this.#picking(limit, options)(row, known.tags, known.tags.length > 0);
    return picks.map((pick) => this.#named(pick));
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
      const block = await this.best(ids, limit, options);
      for (const [i, picks] of block.entries()) {
        yield { object: objects.name(ids[i]), suggestions: picks.map((pick) => this.#named(pick)) };
      }
    }
  }

  /** Why a tag is suggested to an object, or to one the model never saw; so many paths of each kind. */
  async explain(
    about: number | NamedFacts,
    tag: number,
    maxPaths = MAX_PATHS,
    amendments = NO_AMENDMENTS,
  ): Promise<Reasons> {
    const { graph } = this.model;
    const facts = typeof about === 'number' ? this.#factsOf(about, amendments) : this.#knownFacts(about);
    const row = new Float32Array(graph.tags.size);
    const loom = this.#scorer instanceof OpenLoom ? this.#scorer : undefined;
    if (loom !== undefined) await loom.scoreFacts(facts, row);
    else if (facts.object !== undefined) await this.#scorer.score(Int32Array.of(facts.object), row);
    else this.#loom('reasons for an unseen object');
    return {
      tag: graph.tags.name(tag),
      score: row[tag],
      ...(loom && { parts: namedParts(await loom.explain(facts, tag), facts, graph) }),
      throughUsers: pathsThroughUsers(this.#views, facts, tag, maxPaths),
      throughTags: pathsThroughTags(this.#views, facts, tag, maxPaths),
    };
  }

  /** The objects that should carry a tag and do not, the likeliest first. */
  async missing(
    tag: number,
    limit: number,
    options: { readonly minConfidence?: number | undefined } = {},
    amendments = NO_AMENDMENTS,
  ): Promise<MissingObject[]> {
    const { graph, rejected } = this.model;
    const scores = await this.#scoreObjects(tag, amendments);
    const sure = (object: number) => {
      const hasTags = ownTags(graph.tagged, object, amendments).length > 0;
      return this.#confidence(scores[object], hasTags);
    };
    // objects without tags have a curve of their own: the likeliest are not always those of the highest score
    const likelihoods = new Float64Array(scores.length);
    const worth = (a: number, b: number) => likelihoods[a] - likelihoods[b] || scores[a] - scores[b] || b - a;
    const best = new Best(limit, (a, b) => worth(a, b) < 0);
    for (let object = 0; object < scores.length; object++) {
      if (!(scores[object] > this.#scorer.floor)) continue;
      if (isHidden({ tagged: graph.tagged, rejected }, object, tag, amendments)) continue;
      const known = sure(object);
      if (!isSure(known, options.minConfidence)) continue;
      likelihoods[object] = known.confidence ?? 0;
      best.offer(object);
    }
    return best.sorted().map((object) => ({
      object: graph.objects.name(object),
      title: graph.titles.at(object),
      score: scores[object],
      ...sure(object),
    }));
  }

  similarObjects(object: number, limit: number): (Omit<AlikeObject, 'object'> & { object: string; title: string })[] {
    this.#check(object);
    const { objects, titles } = this.model.graph;
    return alikeObjects(this.#views, object, limit).map(({ object: other, ...rest }) => ({
      object: objects.name(other),
      title: titles.at(other),
      ...rest,
    }));
  }

  similarTags(tag: number, limit: number): { tag: string; likeness: number }[] {
    const { tags } = this.model.graph;
    return alikeTags(this.#views, tag, limit).map((one) => ({ ...one, tag: tags.name(one.tag) }));
  }

  async #scoreObjects(tag: number, amendments: Amendments): Promise<Float32Array> {
    if (this.#scorer instanceof OpenLoom) {
      const scores = await this.#scorer.scoreObjects(tag);
      for (const object of amendments.keys()) scores[object] += this.#amendedBy(object, tag, this.#scorer, amendments);
      return scores;
    }
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

  /** How much the score of a tag changes by what became known of an object. */
  #amendedBy(object: number, tag: number, loom: OpenLoom, amendments: Amendments): number {
    const { tagged } = this.model.graph;
    const sum = (tags: Int32Array) => tags.reduce((total, own) => total + loom.ownWeight(own, tag), 0);
    return sum(ownTags(tagged, object, amendments)) - sum(tagged.row(object));
  }

  /** From scores to suggestions; `hidden`: ascending, never suggested. */
  #picking(
    limit: number,
    options: SuggestOptions,
  ): (row: Float32Array, hidden: Int32Array, hasTags: boolean) => Pick[] {
    const rank = this.#ranking(options);
    return (row, hidden, hasTags) => {
      const ranking = rank(row, hasTags);
      return topTags(ranking, hidden, limit)
        .filter((tag) => row[tag] > this.#scorer.floor && ranking[tag] > Number.NEGATIVE_INFINITY)
        .map((tag) => ({ tag, score: row[tag], ...this.#confidence(row[tag], hasTags) }))
        .filter((one) => isSure(one, options.minConfidence));
    };
  }

  #named(pick: Pick): Suggestion {
    return { ...pick, tag: this.model.graph.tags.name(pick.tag) };
  }

  /** What tags are ranked by: their scores, less where many objects have them, and lowest where they may not be suggested. */
  #ranking(options: SuggestOptions): (row: Float32Array, hasTags: boolean) => Float32Array {
    const { novelty = 0, minConfidence } = options;
    const allowed = this.#allowed(options);
    if (allowed === undefined && novelty === 0) return (row) => row;
    const isLog = this.model.fitted.form === 'embeddings'; // of these, scores are near logarithms
    const dampings = this.#views.tagCounts.map((count) => novelty * Math.log(Math.max(1, count)));
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

  #factsOf(object: number, amendments: Amendments): Facts & { tags: Int32Array } {
    this.#check(object);
    const { tagged, titles } = this.model.graph;
    const tags = ownTags(tagged, object, amendments);
    return { tags, users: this.#views.usersOf.row(object), title: titles.at(object), object };
  }

  #knownFacts({ tags = [], users = [], title, features = {} }: NamedFacts): Facts & { tags: Int32Array } {
    const { graph } = this.model;
    const known = Object.entries(features)
      .map(([name, value]) => [this.#featureIds.get(name) ?? -1, value] as const)
      .filter(([feature]) => feature >= 0);
    return { tags: knownIds(graph.tags, tags), users: knownIds(graph.users, users), title, features: new Map(known) };
  }

  /** Content features the model knows, by name. */
  get #featureIds(): ReadonlyMap<string, number> {
    const { fitted } = this.model;
    const names = fitted.form === 'loom' ? fitted.content?.names : undefined;
    this.#features ??= new Map(Array.from({ length: names?.size ?? 0 }, (_, f) => [names?.at(f) ?? '', f]));
    return this.#features;
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
}

function isSure({ confidence }: { readonly confidence?: number }, least: number | undefined): boolean {
  return least === undefined || (confidence !== undefined && confidence >= least);
}

/** Ascending, each once. */
function knownIds(vocabulary: Vocabulary, names: Iterable<string>): Int32Array {
  const ids = new Set(Array.from(names, (name) => vocabulary.idOf(name)).filter((id) => id >= 0));
  return Int32Array.from(ids).sort();
}
