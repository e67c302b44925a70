// A model in service, with all that answers need and that is worth making once: the curation of its suggestions, names ready
// for searching, relations read from either side, answers kept, maps. Requests hold the one they began with; one that was
// replaced is closed when the last of them ends.

import { createHash, type Hash } from 'node:crypto';
import { fingerprint } from '../../data/knowledge-graph.ts';
import type { Relation } from '../../data/relation.ts';
import type { Model } from '../../models/model.ts';
import { Curation } from '../curation/curation.ts';
import { Maps } from '../map/maps.ts';
import { Recommender } from '../recommend/recommender.ts';
import type { ReviewStore } from '../reviews/review-store.ts';
import { AnswerCache } from './answer-cache.ts';
import { NameSearch } from './name-search.ts';
import { refuse } from './problem.ts';

export interface LoadOptions {
  /** What the answers that are kept may take. */
  readonly cacheBytes: number;
  /** A file beside the model; absent: maps are kept in memory. */
  readonly mapFile?: string | undefined;
  /** The program that draws maps (map/map-thread.ts) where it does not lie beside this one. */
  readonly mapThread?: URL | undefined;
  readonly warn: (message: string) => void;
}

export class LoadedModel {
  readonly model: Model;
  readonly recommender: Recommender;
  readonly curation: Curation;
  readonly fingerprint: string;
  readonly loadedAt = new Date();
  readonly usersOf: Relation; // from objects
  readonly objectsOf: Relation; // from tags
  readonly objectSearch: NameSearch;
  readonly tagSearch: NameSearch;
  readonly answers: AnswerCache;
  readonly maps: Maps;
  #numUses = 0;
  #onUnused: (() => void) | undefined;

  private constructor(recommender: Recommender, curation: Curation, options: LoadOptions) {
    const { model } = recommender;
    const { objects, titles, tags, interact, tagged } = model.graph;
    this.model = model;
    this.recommender = recommender;
    this.curation = curation;
    this.fingerprint = modelFingerprint(model);
    this.usersOf = interact.reversed();
    this.objectsOf = tagged.reversed();
    const names = objects.names.toArray();
    const columns = titles === objects.names ? [names] : [names, titles.toArray()];
    this.objectSearch = new NameSearch(columns, Int32Array.from(names.keys()));
    this.tagSearch = new NameSearch([tags.names.toArray()], byUse(this.objectsOf));
    this.answers = new AnswerCache(options.cacheBytes);
    this.maps = new Maps(model, this.fingerprint, options);
  }

  static async open(model: Model, store: ReviewStore, options: LoadOptions): Promise<LoadedModel> {
    const recommender = await Recommender.open(model, { threads: 1, warn: options.warn });
    try {
      return new LoadedModel(recommender, await Curation.open(recommender, store, { warn: options.warn }), options);
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

  findTag(name: string): number {
    const id = this.model.graph.tags.idOf(name);
    if (id >= 0) return id;
    const cure = `Look for it: GET /v1/tags?query=${encodeURIComponent(name.slice(0, 100))}`;
    return refuse(404, `There is no tag ${quoted(name)}.`, cure);
  }

  /** Of answers that depend on the model and on these. */
  etag(...revisions: readonly (string | number)[]): string {
    return `"${[this.fingerprint, ...revisions].join('-')}"`; // strong: the same bytes
  }

  /** Of answers that depend on an object's reviews, too. */
  etagOfObject(object: number): string {
    return this.etag(this.curation.revisionOf(object));
  }

  begin(): void {
    this.#numUses++;
  }

  end(): void {
    if (--this.#numUses === 0) this.#onUnused?.();
  }

  /** Waits for those who use it. */
  async close(): Promise<void> {
    if (this.#numUses > 0) await new Promise<void>((resolve) => (this.#onUnused = resolve));
    await this.maps.close();
    await this.curation.close();
    this.recommender.close();
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

/** A short text that two models share only if they hold the same: all that was learnt and the data behind it. */
export function modelFingerprint({ graph, ...rest }: Model): string {
  const hash = createHash('sha256').update(fingerprint(graph));
  addTo(hash, rest);
  return hash.digest('hex').slice(0, 32);
}

/** Arrays by their bytes, objects by their parts in the order of their names. */
function addTo(hash: Hash, value: unknown): void {
  if (ArrayBuffer.isView(value)) hash.update(`${value.byteLength}:`).update(value as Uint8Array);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
      hash.update(`${key}=`);
      addTo(hash, part);
    }
  } else hash.update(`${value};`);
}
