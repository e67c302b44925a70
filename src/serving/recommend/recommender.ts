// A model at work: finds objects by name or title and suggests the tags they lack. It needs the model and nothing else, and asks
// its scorer what it can do beyond scoring.

import type { Relation } from '../../data/relation.ts';
import type { Vocabulary } from '../../data/vocabulary.ts';
import type { Kernels } from '../../engine/kernels.ts';
import { type EngineOptions, openKernels } from '../../engine/open.ts';
import { InputError } from '../../errors.ts';
import { type Listener, makeBreather } from '../../listener.ts';
import { openScorer } from '../../models/fitted.ts';
import type { Model } from '../../models/model.ts';
import type { Facts, Scorer } from '../../models/scorer.ts';
import { type Amendments, hiddenTags, NO_AMENDMENTS, ownTags } from './amendments.ts';
import { type Explanation, ObjectExplainer } from './explanation.ts';
import { GraphViews, type ReversedRelations } from './graph-views.ts';
import { writtenAbout, writtenBy } from './marks.ts';
import { likeliestWithout } from './missing.ts';
import { NameFinder } from './name-finder.ts';
import { type NamedFacts, readFacts } from './named-facts.ts';
import { Ranker, type Ranking, type RankOptions, type TagScore } from './ranking.ts';
import { similarObjects, similarTags } from './similar.ts';
import type { TagRules } from './tag-rules.ts';

export type { NamedFacts } from './named-facts.ts';

/** A tag an object is missing. */
export interface Suggestion {
  readonly tag: string;
  /** Higher is more likely; the scale depends on the model. */
  readonly score: number;
  /** How likely the suggestion is right, from 0 to 1; of models that are calibrated. */
  readonly confidence?: number;
}

/** An object and the tags it is missing. */
export interface ObjectSuggestions {
  readonly object: string;
  readonly suggestions: readonly Suggestion[];
}

/** Which tags to suggest, and how many. */
export interface SuggestOptions extends RankOptions {
  /** Suggestions at most; 5 by default. */
  readonly limit?: number | undefined;
}

/** How much of an explanation to give. */
export interface ExplainOptions {
  /** Paths of each kind; 5 by default. */
  readonly maxPaths?: number;
  /** What is declared about tags, compiled for this model. @internal */
  readonly rules?: TagRules | undefined;
}

/** Which objects to list. */
export interface MissingOptions {
  /** Objects at most; 5 by default. */
  readonly limit?: number | undefined;
  /** Leaves out objects that are less likely to miss the tag. */
  readonly minConfidence?: number | undefined;
  /** What is declared about tags, compiled for this model. @internal */
  readonly rules?: TagRules | undefined;
}

/** An object that should carry a tag and does not. */
export interface MissingObject {
  readonly object: string;
  readonly title: string;
  readonly score: number;
  readonly confidence?: number;
}

/** An object that is similar to another. */
export interface NamedSimilarObject {
  readonly object: string;
  readonly title: string;
  /** The mean of the two below, or the one there is. */
  readonly similarity: number;
  /** Of data with users. */
  readonly byUsers?: number;
  readonly byTags: number;
}

/** A tag that is similar to another. */
export interface NamedSimilarTag {
  readonly tag: string;
  readonly similarity: number;
}

const LIMIT = 5;
const BLOCK_OBJECTS = 256;

/**
 * A model that answers: which tags an object is missing, why, and which objects are missing a tag.
 *
 * @example
 * import { graphFrom, Recommender, train } from 'tagloom';
 *
 * const graph = graphFrom({
 *   interact: [['ann', 'alien'], ['ann', 'solaris'], ['bob', 'heat']],
 *   tagged: [['alien', 'space'], ['alien', 'horror'], ['solaris', 'space'], ['heat', 'crime']],
 * });
 * const recommender = await Recommender.open(await train(graph, { model: 'itemknn' }));
 * const [{ tag }] = await recommender.suggest('solaris', { limit: 1 });
 * console.log(tag); // horror
 * recommender.close();
 */
export class Recommender {
  readonly model: Model;
  readonly #kernels: Kernels;
  readonly #scorer: Scorer;
  readonly #views: GraphViews;
  readonly #names: NameFinder;
  readonly #ranker: Ranker;
  #features: ReadonlyMap<string, number> | undefined;

  private constructor(model: Model, kernels: Kernels, known: Partial<ReversedRelations>) {
    this.model = model;
    this.#kernels = kernels;
    this.#scorer = openScorer(kernels, model, model.graph);
    const { fitted } = model;
    const isStored = fitted.form === 'loom' && fitted.users !== undefined;
    this.#views = new GraphViews(model.graph, known, isStored ? fitted.neighbours : undefined);
    this.#names = new NameFinder(model.graph);
    this.#ranker = new Ranker(this.#scorer, this.#views);
  }

  /** Close it when done: it holds threads and memory. `known`: saves computing them again. */
  static async open(
    model: Model,
    options: EngineOptions = {},
    known: { readonly usersOf?: Relation; readonly objectsOf?: Relation } = {},
  ): Promise<Recommender> {
    const kernels = await openKernels(options);
    try {
      return new Recommender(model, kernels, known);
    } catch (error) {
      kernels.close();
      throw error;
    }
  }

  /** Computes what the first answer would wait for. `breathe` lets others work in between. */
  async prepare(breathe: () => Promise<void> | undefined): Promise<void> {
    await this.#scorer.prepare?.(breathe);
  }

  /** The same for `missing`, in as much time as the texts of all objects take. */
  async prepareMissing(listener: Listener): Promise<void> {
    await this.#scorer.prepareObjects?.(listener);
  }

  close(): void {
    this.#scorer.release();
    this.#kernels.close();
  }

  /** Whether it suggests to objects it never saw, and accepted tags change what else it suggests. */
  get foldsIn(): boolean {
    return this.#scorer.scoreUnseen !== undefined;
  }

  /** Whether what is decided of some objects changes what it suggests to others. */
  get learns(): boolean {
    return this.#scorer.learn !== undefined;
  }

  /** Learns from what was decided of an object, which counts until it is told otherwise. */
  learn(object: number, amendments: Amendments): void {
    this.#scorer.learn?.(object, ownTags(this.model.graph.tagged, object, amendments));
  }

  /** The id of an object by its name or, where only one object has it, its title in any case. */
  find(nameOrTitle: string): number {
    return this.#names.find(nameOrTitle);
  }

  findTag(name: string): number {
    return this.#names.findTag(name);
  }

  /** The best tags that an object does not have; tags with no evidence at all are not suggested. */
  async suggest(
    object: string | number,
    options: SuggestOptions = {},
    amendments = NO_AMENDMENTS,
  ): Promise<Suggestion[]> {
    const [found] = await this.suggestMany(Int32Array.of(this.#objectId(object)), options, amendments);
    return found.map((one) => this.#named(one, options.rules));
  }

  /** The same by ids, for many objects at once. */
  async suggestMany(
    objects: Int32Array,
    options: SuggestOptions = {},
    amendments = NO_AMENDMENTS,
  ): Promise<TagScore[][]> {
    const { graph, rejected } = this.model;
    const numTags = graph.tags.size;
    const scores = new Float32Array(objects.length * numTags);
    const tagsOf = (object: number) => ownTags(graph.tagged, this.#objectId(object), amendments);
    await this.#scorer.score(objects, scores, tagsOf);
    const rank = this.#rankingFor(options);
    return Array.from(objects, (object, i) => {
      const hidden =
        options.rules?.hiddenFor(this.model, object, amendments) ??
        hiddenTags({ tagged: graph.tagged, rejected }, object, amendments);
      return rank(scores.subarray(i * numTags, (i + 1) * numTags), hidden, tagsOf(object).length > 0);
    });
  }

  /** The same for an object the model never saw: from its tags, users, title or features, without training again. */
  async suggestFor(facts: NamedFacts, options: SuggestOptions = {}): Promise<Suggestion[]> {
    const { rules } = options;
    const known = this.#knownFacts(facts, rules);
    const row = new Float32Array(this.model.graph.tags.size);
    await this.#scoreUnseen(known, row, 'suggestions for an unseen object');
    const given = (facts.tags ?? []).map((name) => rules?.anyIdOf(name) ?? -1).filter((id) => id >= 0);
    const hidden = rules?.hidden({ object: -1, own: given }) ?? known.tags;
    return this.#rankingFor(options)(row, hidden, known.tags.length > 0).map((one) => this.#named(one, rules));
  }

  /** Every object in turn, in the order of their names. `first` and `end`: only those with ids from one on, up to another. */
  async *suggestAll(
    options: SuggestOptions = {},
    listener: Listener = {},
    { first = 0, end = this.model.graph.objects.size }: { readonly first?: number; readonly end?: number } = {},
    amendments = NO_AMENDMENTS,
  ): AsyncGenerator<ObjectSuggestions> {
    const { objects } = this.model.graph;
    const breathe = makeBreather(listener);
    for (const ids of blocksOf(first, end)) {
      listener.progress?.('suggesting', ids[0] - first, end - first);
      await breathe();
      const block = await this.suggestMany(ids, options, amendments);
      for (const [i, found] of block.entries()) {
        yield { object: objects.name(ids[i]), suggestions: found.map((one) => this.#named(one, options.rules)) };
      }
    }
  }

  /** Why a tag is suggested to an object, or to one the model never saw. */
  async explain(
    about: string | number | NamedFacts,
    tag: string | number,
    options: ExplainOptions = {},
    amendments = NO_AMENDMENTS,
  ): Promise<Explanation> {
    return (await this.explainer(about, options, amendments))(this.#tagId(tag, options.rules));
  }

  /** The same for many tags of one object: what they share is computed once. */
  async explainer(
    about: string | number | NamedFacts,
    options: ExplainOptions = {}, // destructured, its declaration would name what is internal
    amendments = NO_AMENDMENTS,
  ): Promise<(tag: string | number) => Explanation> {
    const { maxPaths = LIMIT, rules } = options;
    const { graph } = this.model;
    const facts = typeof about === 'object' ? this.#knownFacts(about, rules) : this.#factsOf(about, amendments);
    const explained = await this.#scorer.explain?.(facts);
    const scores = explained?.scores ?? (await this.#scoresOf(facts));
    const written =
      typeof about === 'object' ? writtenBy(graph, about.title, about.text) : writtenAbout(graph, facts.object ?? 0);
    const known = { facts, scores, partsOf: explained?.partsOf, written, maxPaths };
    const explainer = new ObjectExplainer(this.#views, known);
    return (tag) => {
      const id = this.#tagId(tag, rules);
      return rules?.explained(id, scores, explainer) ?? explainer.explain(id);
    };
  }

  /** The objects that should carry a tag and do not, the likeliest first. */
  async missing(
    tag: string | number,
    options: MissingOptions = {},
    amendments = NO_AMENDMENTS,
  ): Promise<MissingObject[]> {
    const { limit = LIMIT, minConfidence, rules } = options;
    const { graph, rejected } = this.model;
    const id = this.#tagId(tag, rules);
    if (rules?.isOut(id)) return [];
    const scoresOf = (one: number) => this.#scoreObjects(one, amendments);
    const scores = await (rules?.highest(id, scoresOf) ?? scoresOf(id));
    const confidence = (object: number, hasTags: boolean) => this.#ranker.confidence(scores[object], hasTags);
    const from = {
      ...{ tagged: graph.tagged, rejected, amendments },
      ...{ scores, floor: this.#scorer.floor, confidence },
      isHidden: rules?.hiding(id, this.model, amendments),
    };
    return likeliestWithout(id, from, limit, minConfidence).map(({ object, ...known }) => ({
      object: graph.objects.name(object),
      title: graph.titles.at(object),
      score: scores[object],
      ...known,
    }));
  }

  /** The objects most similar to one, by the users and the tags they share. */
  similarObjects(object: string | number, { limit = LIMIT }: { readonly limit?: number } = {}): NamedSimilarObject[] {
    const { objects, titles } = this.model.graph;
    return similarObjects(this.#views, this.#objectId(object), limit).map(({ object: other, ...rest }) => ({
      object: objects.name(other),
      title: titles.at(other),
      ...rest,
    }));
  }

  /** The tags most similar to one, by the objects that carry both. */
  similarTags(tag: string | number, { limit = LIMIT }: { readonly limit?: number } = {}): NamedSimilarTag[] {
    const { tags } = this.model.graph;
    return similarTags(this.#views, this.#tagId(tag), limit).map((one) => ({ ...one, tag: tags.name(one.tag) }));
  }

  /** The score of one tag for every object. */
  async #scoreObjects(tag: number, amendments: Amendments): Promise<Float32Array> {
    const { objects, tags, tagged } = this.model.graph;
    const tagsOf = (object: number) => ownTags(tagged, object, amendments);
    if (this.#scorer.scoreObjects !== undefined)
      return this.#scorer.scoreObjects(tag, { objects: [...amendments.keys()], tagsOf });
    const column = new Float32Array(objects.size);
    const scores = new Float32Array(BLOCK_OBJECTS * tags.size);
    for (const ids of blocksOf(0, objects.size)) {
      await this.#scorer.score(ids, scores.subarray(0, ids.length * tags.size), tagsOf);
      for (const [i, id] of ids.entries()) column[id] = scores[i * tags.size + tag];
    }
    return column;
  }

  /** The scores of all tags. */
  async #scoresOf(facts: Facts): Promise<Float32Array> {
    const row = new Float32Array(this.model.graph.tags.size);
    if (facts.object === undefined || this.#scorer.scoreUnseen !== undefined) {
      await this.#scoreUnseen(facts, row, 'an explanation for an unseen object');
    } else await this.#scorer.score(Int32Array.of(facts.object), row);
    return row;
  }

  async #scoreUnseen(facts: Facts, row: Float32Array, what: string): Promise<void> {
    if (this.#scorer.scoreUnseen !== undefined) return this.#scorer.scoreUnseen(facts, row);
    const cure = 'Train one: tagloom train DATA --model loom -o FILE.';
    throw new InputError({ got: `a ${this.model.name} model`, expected: `loom, for ${what}`, cure });
  }

  #rankingFor({ limit = LIMIT, ...options }: SuggestOptions): Ranking {
    return this.#ranker.ranking(limit, options);
  }

  #named(found: TagScore, rules: TagRules | undefined): Suggestion {
    return { ...found, tag: rules?.nameOf(found.tag) ?? this.model.graph.tags.name(found.tag) };
  }

  #factsOf(nameOrId: string | number, amendments: Amendments): Facts & { tags: Int32Array } {
    const object = this.#objectId(nameOrId);
    const { tagged, titles, texts } = this.model.graph;
    const tags = ownTags(tagged, object, amendments);
    const written = texts.map((column) => column.texts.at(object));
    return { tags, users: this.#views.usersOf.row(object), title: titles.at(object), texts: written, object };
  }

  #knownFacts(facts: NamedFacts, rules?: TagRules): Facts & { tags: Int32Array } {
    return readFacts(facts, this.model.graph, this.#featureIds, rules);
  }

  /** Content features the model knows, by name. */
  get #featureIds(): ReadonlyMap<string, number> {
    const names = this.#scorer.featureNames;
    this.#features ??= new Map(Array.from({ length: names?.size ?? 0 }, (_, f) => [names?.at(f) ?? '', f]));
    return this.#features;
  }

  #objectId(object: string | number): number {
    return typeof object === 'string' ? this.find(object) : checkedId(object, this.model.graph.objects, 'object');
  }

  #tagId(tag: string | number, rules?: TagRules): number {
    if (typeof tag === 'number') return checkedId(tag, this.model.graph.tags, 'tag');
    const declared = rules?.idOf(tag) ?? -1;
    return declared >= 0 ? declared : this.findTag(tag);
  }
}

function checkedId(id: number, { size }: Vocabulary, what: string): number {
  if (Number.isInteger(id) && id >= 0 && id < size) return id;
  throw new RangeError(`Got ${what} ${id} when expected 0 to ${size - 1}.`);
}

/** The ids from one on, up to another, some at a time. */
function* blocksOf(first: number, end: number): Generator<Int32Array> {
  for (let start = first; start < end; start += BLOCK_OBJECTS) {
    yield Int32Array.from({ length: Math.min(BLOCK_OBJECTS, end - start) }, (_, i) => start + i);
  }
}
