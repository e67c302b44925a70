// What the service suggests once reviews count: accepted tags are an object's own, rejected ones are never suggested again, and
// those that someone is unsure about are put aside until a verdict or an undo. The reviews of the model's objects are held in memory, and with them a queue of the most confident suggestions, which is
// filled in the background. A decision goes to the store first; the decisions of other instances are read every second.
// Objects whose suggestions could not be ranked are tried again, less and less often, until it works.

import { setTimeout as sleep } from 'node:timers/promises';
import { NO_AMENDMENTS, ownTags } from '../recommend/amendments.ts';
import type { Explanation } from '../recommend/explanation.ts';
import type {
  MissingObject,
  MissingOptions,
  Recommender,
  Suggestion,
  SuggestOptions,
} from '../recommend/recommender.ts';
import type { Change, Decided, NewReview, Review, ReviewStore } from '../reviews/review-store.ts';
import { Affected } from './affected.ts';
import {
  type OpenPage,
  OpenSuggestions,
  type QueueOptions,
  type QueueOrder,
  type QueuePosition,
} from './open-suggestions.ts';
import { ReviewedTags } from './reviewed-tags.ts';

export type { OpenSuggestion, QueueOptions, QueueOrder, QueuePosition } from './open-suggestions.ts';

export interface QueuePage extends OpenPage {
  /** Whether all objects have been looked at. */
  readonly isComplete: boolean;
}

export interface CurationOptions {
  /** How often to read the decisions of other instances; default 1,000. */
  readonly pollMs?: number;
  /** Hears once of each failure that lasts. */
  readonly warn?: ((message: string) => void) | undefined;
}

export interface CuratedTag {
  readonly tag: string;
  readonly from: 'data' | 'review';
  readonly reviewId?: string;
  /** The model does not know it: someone added it by hand, and the next training learns it. */
  readonly isUnknown?: true;
}

/** A tag that is not an object's own by a review. */
export interface RejectedTag {
  readonly tag: string;
  readonly reviewId: string;
  /** The data has it: the review took it away. */
  readonly isRemoved?: true;
}

const POLL_MS = 1000;
const PER_OBJECT = 5; // in the queue: decided ones make room for the next
const [MAX_BLOCK, MAX_SCORES] = [16, 200_000]; // objects, or scores, that are ranked before requests get their turn
const [RETRY_MS, MAX_RETRY_MS] = [250, 30_000]; // twice as long after each failure
const GIVEN_WAY = 7; // times as long as a block took, the queue waits while someone asks something else

export class Curation {
  readonly recommender: Recommender;
  readonly store: ReviewStore;
  readonly #reviewed: ReviewedTags;
  readonly #open: OpenSuggestions;
  #revision = '0'; // all changes up to here were seen
  readonly #failed = new Set<number>(); // objects to rank again
  readonly #affected: Affected; // by decisions on others
  readonly #closing = new AbortController();
  readonly #warn: (message: string) => void;
  readonly #block: number; // objects: fewer where there are many tags
  #newTagObjects = Number.POSITIVE_INFINITY;
  #onNewTag: () => void = () => {};
  #numReached = 0; // objects that were ranked or tried, from the first on
  #numAsked = 0; // requests
  #isWorking = false;
  #hasWarned = false;
  #isBehind = false;
  #timer: NodeJS.Timeout | undefined;
  #background: Promise<unknown> = Promise.resolve();
  #polling: Promise<unknown> = Promise.resolve();

  private constructor(recommender: Recommender, store: ReviewStore, warn: (message: string) => void) {
    const { graph, confidence, rejected } = recommender.model;
    this.recommender = recommender;
    this.store = store;
    this.#warn = warn;
    this.#block = Math.max(1, Math.min(MAX_BLOCK, Math.floor(MAX_SCORES / Math.max(1, graph.tags.size))));
    this.#reviewed = new ReviewedTags(graph, rejected);
    const numTagsOf = (object: number) => ownTags(graph.tagged, object, this.#reviewed.amendments).length;
    this.#open = new OpenSuggestions(graph, confidence !== undefined, PER_OBJECT, numTagsOf);
    this.#affected = new Affected(recommender, (tag, most) => this.#open.objectsWith(tag, most));
  }

  /** Close it before the two it is given: it closes neither. */
  static async open(recommender: Recommender, store: ReviewStore, options: CurationOptions = {}): Promise<Curation> {
    const curation = new Curation(recommender, store, options.warn ?? (() => {}));
    await curation.#readChanges((changes) => {
      for (const change of changes) curation.#reviewed.apply(change); // the queue is yet to be filled
    });
    curation.#learn(curation.#reviewed.amendments.keys());
    curation.#work();
    if (store.isShared) curation.#poll(options.pollMs ?? POLL_MS);
    return curation;
  }

  /** Its tags of the data but rejected ones, and the accepted ones; by name. */
  tagsOf(object: number): CuratedTag[] {
    const { tags, tagged } = this.recommender.model.graph;
    const reviewed = new Map(this.#reviewed.of(object).map((one) => [one.tag, one]));
    const own = Array.from(tagged.row(object), (tag) => tags.name(tag));
    const found: CuratedTag[] = own.flatMap((tag) => {
      const review = reviewed.get(tag);
      if (review?.decision === 'reject') return [];
      return [{ tag, from: 'data', ...(review?.decision === 'accept' && { reviewId: review.reviewId }) }];
    });
    for (const { tag, decision, reviewId } of reviewed.values()) {
      if (decision !== 'accept' || own.includes(tag)) continue;
      found.push({ tag, from: 'review', reviewId, ...(tags.idOf(tag) < 0 && { isUnknown: true }) });
    }
    return found.sort((a, b) => Buffer.compare(Buffer.from(a.tag), Buffer.from(b.tag)));
  }

  /** By name. */
  rejectedOf(object: number): RejectedTag[] {
    const { tags, tagged } = this.recommender.model.graph;
    const isOwn = (tag: string) => tags.idOf(tag) >= 0 && tagged.has(object, tags.idOf(tag));
    const rejected = this.#reviewed.of(object).filter(({ decision }) => decision === 'reject');
    return rejected.map(({ tag, reviewId }) => ({ tag, reviewId, ...(isOwn(tag) && { isRemoved: true }) }));
  }

  /** By name. */
  unsureOf(object: number): { tag: string; reviewId: string }[] {
    const unsure = this.#reviewed.of(object).filter(({ decision }) => decision === 'unsure');
    return unsure.map(({ tag, reviewId }) => ({ tag, reviewId }));
  }

  /** The objects that carry a tag: those of `inData` (ascending ids) but where it was rejected, and where it was accepted. */
  objectsWith(tag: number, inData: Int32Array): Int32Array {
    const carriers = new Set(inData);
    for (const [object, { added, rejected }] of this.#reviewed.amendments) {
      if (rejected.includes(tag)) carriers.delete(object);
      else if (added.includes(tag)) carriers.add(object);
    }
    return Int32Array.from(carriers).sort();
  }

  /** How many objects more than in the data carry a tag, by reviews. */
  gainedBy(tag: number): number {
    return this.#reviewed.gainedBy(tag);
  }

  /** Hears when so many objects were given a tag that the model does not know, if it could learn it. */
  onNewTag(numObjects: number, listener: () => void): void {
    if (!this.recommender.learns) return;
    this.#newTagObjects = numObjects;
    this.#onNewTag = listener;
  }

  /** Verdicts that the model has not learnt. */
  get numUnlearnt(): number {
    return this.#reviewed.numUnlearnt;
  }

  /** Called by each request: while some come, the queue waits for most of the time. */
  giveWay(): void {
    this.#numAsked++;
  }

  suggest(object: number, options: SuggestOptions = {}): Promise<Suggestion[]> {
    return this.recommender.suggest(object, options, this.#reviewed.amendments);
  }

  explain(object: number, tag: number): Promise<Explanation> {
    return this.recommender.explain(object, tag, {}, this.#reviewed.amendments);
  }

  /** The same for many tags of one object. */
  explainer(object: number): Promise<(tag: number) => Explanation> {
    return this.recommender.explainer(object, {}, this.#reviewed.amendments);
  }

  /** Without those that a review was made of. */
  missing(tag: number, options: MissingOptions = {}): Promise<MissingObject[]> {
    return this.recommender.missing(tag, options, this.#reviewed.amendments);
  }

  async decide(reviews: readonly NewReview[]): Promise<Decided[]> {
    const decided = await this.store.decide(reviews);
    await this.#apply(decided.map(({ review }) => ({ ...review, isUndone: false })));
    return decided;
  }

  async undo(id: string, who?: string): Promise<Review | undefined> {
    const undone = await this.store.undo(id, who);
    if (undone !== undefined) await this.#apply([{ ...undone, isUndone: true }]);
    return undone;
  }

  /** Before a queue in an order is asked for, unless it is the most confident first. */
  prepareQueue(order: QueueOrder | undefined): Promise<void> {
    return this.#open.prepare(order);
  }

  /** The open suggestions over all objects, the most confident first unless told otherwise, from behind a position on. */
  queue(limit: number, after?: QueuePosition, options: QueueOptions = {}): QueuePage {
    return { ...this.#open.page(limit, after, options), isComplete: this.#isComplete };
  }

  /** Whether the queue is as a new one would be: nothing is left to rank again. */
  get isSettled(): boolean {
    return this.#isComplete && this.#affected.isEmpty && !this.#isWorking;
  }

  /** Objects whose suggestions could not be ranked, and which are tried again. */
  get numUnranked(): number {
    return this.#failed.size;
  }

  /** Whether the decisions of other instances have been read; where they could not be, it tries again now. */
  async isUpToDate(): Promise<boolean> {
    if (this.#isBehind) await this.#catchUp();
    return !this.#isBehind;
  }

  /** Changes when a review of the object does, and with what the model learns from reviews of others. */
  revisionOf(object: number): string {
    const learnt = this.recommender.learns ? this.#reviewed.learntRevision : 0;
    return String(Math.max(learnt, this.#reviewed.revisionOf(object)));
  }

  /** Done when nothing more is asked of the recommender or the store. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await Promise.all([this.#background, this.#polling]);
    for (const object of this.#reviewed.amendments.keys()) this.recommender.learn(object, NO_AMENDMENTS);
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** What was decided of some objects counts for all others. */
  #learn(objects: Iterable<number>): void {
    for (const object of objects) this.recommender.learn(object, this.#reviewed.amendments);
  }

  get #isComplete(): boolean {
    return this.#numReached >= this.recommender.model.graph.objects.size && this.#failed.size === 0;
  }

  /** Ranks in the background what is to be ranked, unless that is under way. */
  #work(): void {
    if (this.#isWorking) return;
    this.#isWorking = true;
    this.#background = this.#rankAll().finally(() => {
      this.#isWorking = false;
    });
  }

  /**
   * All objects from the first to the last, then those that failed, then those that decisions on others affect; after a failure it
   * waits. Those who ask go first.
   */
  async #rankAll(): Promise<void> {
    let pause = RETRY_MS;
    let numAsked = this.#numAsked;
    while (!this.#isClosed && !(this.#isComplete && this.#affected.isEmpty)) {
      const block = this.#isComplete ? await this.#nextAffected() : this.#nextBlock();
      const began = performance.now();
      const isRanked = await this.#tryToRank(block);
      const tookMs = performance.now() - began;
      if (block[0] === this.#numReached) this.#numReached += block.length;
      if (isRanked) pause = RETRY_MS;
      else {
        await this.#sleep(pause);
        pause = Math.min(2 * pause, MAX_RETRY_MS);
      }
      if (this.#numAsked > numAsked) await this.#sleep(GIVEN_WAY * tookMs);
      numAsked = this.#numAsked;
    }
  }

  /** Until the time is over, or it is closed. */
  async #sleep(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
  }

  #nextBlock(): Int32Array {
    const first = this.#numReached;
    const size = Math.min(this.#block, this.recommender.model.graph.objects.size - first);
    return size > 0
      ? Int32Array.from({ length: size }, (_, i) => first + i)
      : Int32Array.from(firstOf(this.#failed, this.#block));
  }

  /** None where they could not be found: the queue is a little older then. */
  #nextAffected(): Promise<Int32Array> {
    return this.#affected.next(this.#block, this.#reviewed.amendments).catch(() => new Int32Array(0));
  }

  /** False where it failed: the objects are tried again later. */
  async #tryToRank(objects: Int32Array): Promise<boolean> {
    try {
      await this.#rank(objects);
      for (const object of objects) this.#failed.delete(object);
      if (this.#failed.size === 0) this.#hasWarned = false;
      return true;
    } catch (error) {
      for (const object of objects) {
        this.#failed.delete(object); // behind the others
        this.#failed.add(object);
      }
      if (!this.#hasWarned) {
        const why = error instanceof Error ? error.message : String(error);
        this.#warn(`Suggestions for the queue could not be ranked (${why}). This is tried again until it works.`);
      }
      this.#hasWarned = true;
      return false;
    }
  }

  /** Puts the suggestions of some objects into the queue, a block at a time. */
  async #rank(objects: Int32Array): Promise<void> {
    for (let first = 0; first < objects.length && !this.#isClosed; first += this.#block) {
      const block = objects.subarray(first, first + this.#block);
      const revisions = Array.from(block, (object) => this.#reviewed.revisionOf(object));
      const picks = await this.recommender.suggestMany(block, { limit: PER_OBJECT }, this.#reviewed.amendments);
      for (const [i, object] of block.entries()) {
        // an object that was decided on meanwhile is ranked again by that decision
        if (revisions[i] === this.#reviewed.revisionOf(object)) this.#open.set(object, picks[i]);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** A decided suggestion leaves the queue at once; then the object's others are ranked again. */
  async #apply(changes: readonly Change[]): Promise<void> {
    const { objects, tags } = this.recommender.model.graph;
    const changed = new Set<number>();
    for (const change of changes) {
      if (!this.#reviewed.apply(change)) continue;
      const [object, tag] = [objects.idOf(change.object), tags.idOf(change.tag)];
      changed.add(object);
      if (tag < 0) {
        if (this.#reviewed.numGiven(change.tag) === this.#newTagObjects) this.#onNewTag();
        continue;
      }
      this.#open.remove(object, tag);
      this.#affected.note(tag);
    }
    this.#learn(changed);
    const isRanked = await this.#tryToRank(Int32Array.from(changed));
    if (!isRanked || !this.#affected.isEmpty) this.#work(); // the decision stands all the same
  }

  /** All there are, page by page. */
  async #readChanges(apply: (changes: readonly Change[]) => Promise<void> | void): Promise<void> {
    for (;;) {
      const changes = await this.store.changedSince(this.#revision);
      const last = changes.at(-1);
      if (last === undefined || this.#isClosed) return;
      await apply(changes);
      this.#revision = last.revision;
    }
  }

  /** Again and again; a store that is away is asked the next time. */
  #poll(pollMs: number): void {
    this.#timer = setTimeout(() => {
      this.#polling = this.#catchUp().then(() => {
        if (!this.#isClosed) this.#poll(pollMs);
      });
    }, pollMs);
    this.#timer.unref();
  }

  async #catchUp(): Promise<void> {
    try {
      await this.#readChanges((changes) => this.#apply(changes));
      this.#isBehind = false;
    } catch {
      this.#isBehind = true;
    }
  }
}

function* firstOf(objects: Iterable<number>, most: number): Generator<number> {
  let size = 0;
  for (const object of objects) {
    if (size++ === most) return;
    yield object;
  }
}
