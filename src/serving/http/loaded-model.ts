// A model in service, with all that answers need and that is worth making once: the curation of its suggestions, names ready
// for searching, relations read from either side, answers kept, maps. Requests hold the one they began with; one that was
// replaced is closed when the last of them ends.

import type { Relation } from '../../data/relation.ts';
import { type Listener, makeBreather } from '../../listener.ts';
import type { Model } from '../../models/model.ts';
import { Curation } from '../curation/curation.ts';
import { Maps } from '../map/maps.ts';
import { type NamedSimilarTag, Recommender } from '../recommend/recommender.ts';
import type { ReviewStore } from '../reviews/review-store.ts';
import { SynonymProposals } from '../vocabulary/synonym-proposals.ts';
import { AnswerCache } from './answer-cache.ts';
import { NameSearch } from './name-search.ts';
import { refuse } from './problem.ts';
import type { ReadiedModel } from './readied-model.ts';

export interface LoadOptions {
  /** What the answers that are kept may take. */
  readonly cacheBytes: number;
  /** A file beside the model; absent: maps are kept in memory. */
  readonly mapFile?: string | undefined;
  /** The program that draws maps (map/map-thread.ts) where it does not lie beside this one. */
  readonly mapThread?: URL | undefined;
  readonly warn: (message: string) => void;
}

/** A model that could answer, but for the reviews. */
export interface PreparedModel extends ReadiedModel {
  readonly recommender: Recommender;
  readonly objectSearch: NameSearch;
  readonly tagSearch: NameSearch;
}

const SLICE_MS = 5; // of work before requests get their turn

/** Little by little, so that another model answers meanwhile. */
export async function prepareModel(
  ready: ReadiedModel,
  options: LoadOptions,
  listener: Listener = {},
): Promise<PreparedModel> {
  const breathe = makeBreather(listener, SLICE_MS);
  const { objects, titles, tags } = ready.model.graph;
  const tables = titles === objects.names ? [titles] : [objects.names, titles];
  const inOrder = Int32Array.from({ length: objects.size }, (_, object) => object);
  const objectSearch = await NameSearch.fromTables(tables, inOrder, breathe);
  const tagSearch = await NameSearch.fromTables([tags.names], byUse(ready.objectsOf), breathe);
  await breathe();
  const recommender = await Recommender.open(ready.model, { threads: 1, warn: options.warn }, ready);
  try {
    await recommender.prepare(breathe);
  } catch (error) {
    recommender.close();
    throw error;
  }
  return { ...ready, recommender, objectSearch, tagSearch };
}

export class LoadedModel {
  readonly model: Model;
  readonly recommender: Recommender;
  readonly curation: Curation;
  readonly fingerprint: string;
  readonly trainedFingerprint: string;
  readonly loadedAt = new Date();
  readonly usersOf: Relation; // from objects
  readonly objectsOf: Relation; // from tags
  readonly objectSearch: NameSearch;
  readonly tagSearch: NameSearch;
  readonly answers: AnswerCache;
  readonly maps: Maps;
  readonly proposals: SynonymProposals;
  readonly #closing = new AbortController();
  readonly #background: Promise<void>;
  #numUses = 0;
  #onUnused: (() => void) | undefined;

  private constructor(prepared: PreparedModel, curation: Curation, options: LoadOptions) {
    this.model = prepared.model;
    this.recommender = prepared.recommender;
    this.curation = curation;
    this.fingerprint = prepared.fingerprint;
    this.trainedFingerprint = prepared.trainedFingerprint;
    this.usersOf = prepared.usersOf;
    this.objectsOf = prepared.objectsOf;
    this.objectSearch = prepared.objectSearch;
    this.tagSearch = prepared.tagSearch;
    this.answers = new AnswerCache(options.cacheBytes);
    this.maps = new Maps(this.model, this.fingerprint, options);
    this.proposals = new SynonymProposals(this.model.graph);
    this.#background = this.#prepareMissing(options.warn);
  }

  /** Closes what was prepared where the reviews cannot be read. */
  static async open(prepared: PreparedModel, store: ReviewStore, options: LoadOptions): Promise<LoadedModel> {
    const { recommender } = prepared;
    try {
      return new LoadedModel(prepared, await Curation.open(recommender, store, { warn: options.warn }), options);
    } catch (error) {
      recommender.close();
      throw error;
    }
  }

  /** By its exact name. */
  findObject(name: string): number {
    const id = this.model.graph.objects.idOf(name);
    if (id >= 0) return id;
    const cure = `Look for it: GET /v1/objects?query=${encodeURIComponent(name.slice(0, 100))}`;
    return refuse(404, `There is no object ${quoted(name)}.`, cure);
  }

  /** By any of its names. */
  findTag(name: string): number {
    const id = (this.curation.vocabulary.rules ?? this.model.graph.tags).idOf(name);
    if (id >= 0) return id;
    const cure = `Look for it: GET /v1/tags?query=${encodeURIComponent(name.slice(0, 100))}`;
    return refuse(404, `There is no tag ${quoted(name)}.`, cure);
  }

  /** What a tag is called now. */
  tagName(tag: number): string {
    return this.curation.vocabulary.rules?.nameOf(tag) ?? this.model.graph.tags.name(tag);
  }

  /** Tags that a query matches, by any of their names; those that were merged are found as what they became. */
  findTags(query: string): ArrayLike<number> {
    const found = this.tagSearch.find(query);
    const { rules } = this.curation.vocabulary;
    return rules === undefined ? found : rules.found(found, query);
  }

  /** As tags are called now, without retired ones. */
  similarTags(tag: number, limit: number): NamedSimilarTag[] {
    const { rules } = this.curation.vocabulary;
    if (rules === undefined) return this.recommender.similarTags(tag, { limit });
    return rules.similar(tag, this.recommender.similarTags(tag, { limit: this.model.graph.tags.size })).slice(0, limit);
  }

  /** The objects that carry a tag, ascending. */
  carriersOf(tag: number): Int32Array {
    const inData = tag < this.objectsOf.numHeads ? this.objectsOf.row(tag) : new Int32Array(0);
    return this.curation.objectsWith(tag, inData, this.objectsOf);
  }

  numCarriersOf(tag: number): number {
    if (this.curation.vocabulary.rules?.concerns(tag)) return this.carriersOf(tag).length;
    return tag < this.objectsOf.numHeads ? this.objectsOf.rowLength(tag) + this.curation.gainedBy(tag) : 0;
  }

  /** Of answers that depend on the model and on these. */
  etag(...revisions: readonly (string | number)[]): string {
    return `"${[this.fingerprint, ...revisions].join('-')}"`; // strong: the same bytes
  }

  /** Of answers that depend on an object's reviews, too. */
  etagOfObject(object: number): string {
    return this.etag(this.curation.revisionOf(object));
  }

  /** Reads all texts in the background; the first list of objects that miss a tag waits for the rest of it at most. */
  async #prepareMissing(warn: (message: string) => void): Promise<void> {
    try {
      await this.recommender.prepareMissing({ signal: this.#closing.signal });
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      const why = error instanceof Error ? error.message : String(error);
      warn(`The texts of all objects could not be read (${why}). They are read again when a tag is looked at.`);
    }
  }

  begin(): void {
    this.#numUses++;
    this.curation.giveWay();
  }

  end(): void {
    if (--this.#numUses === 0) this.#onUnused?.();
  }

  /** Waits for those who use it. */
  async close(): Promise<void> {
    if (this.#numUses > 0) await new Promise<void>((resolve) => (this.#onUnused = resolve));
    this.#closing.abort();
    await this.#background;
    try {
      await Promise.all([this.maps.close(), this.proposals.close()]);
    } finally {
      await this.curation.close();
      this.recommender.close();
    }
  }
}

function quoted(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}

/** The most used first. */
function byUse(objectsOf: Relation): Int32Array {
  const order = Int32Array.from({ length: objectsOf.numHeads }, (_, tag) => tag);
  return order.sort((a, b) => objectsOf.rowLength(b) - objectsOf.rowLength(a) || a - b);
}
