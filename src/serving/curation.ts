// What the service suggests once reviews count: accepted tags are an object's own, rejected ones are never suggested again.
// The reviews of the model's objects are kept in memory, and with them a queue of the most confident suggestions, which is
// filled in the background. A decision goes to the store first; what other instances decide is asked for every second.

import { type OpenPage, OpenSuggestions, type QueueOptions, type QueuePosition } from './open-suggestions.ts';
import type { Reasons } from './reasons.ts';
import type { MissingObject, Recommender, Suggestion, SuggestOptions } from './recommender.ts';
import { ReviewedTags } from './reviewed-tags.ts';
import type { Change, Decided, NewReview, Review, ReviewStore } from './reviews/review-store.ts';

export type { OpenSuggestion, QueueOptions, QueuePosition } from './open-suggestions.ts';

export interface QueuePage extends OpenPage {
  /** Whether all objects have been looked at. */
  readonly isComplete: boolean;
}

export interface CurationOptions {
  /** How often to look for what other instances decided; 1,000 unless told. */
  readonly pollMs?: number;
}

export interface CuratedTag {
  readonly tag: string;
  readonly from: 'data' | 'review';
  readonly reviewId?: string;
}

const POLL_MS = 1000;
const PER_OBJECT = 5; // in the queue: decided ones make room for the next
const BLOCK = 16; // objects that are looked at before requests get their turn

export class Curation {
  readonly recommender: Recommender;
  readonly store: ReviewStore;
  readonly #reviewed: ReviewedTags;
  readonly #open: OpenSuggestions;
  #revision = '0'; // all changes up to here were seen
  #isComplete = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #background: Promise<unknown> = Promise.resolve();
  #polling: Promise<unknown> = Promise.resolve();
  #failure: unknown;

  private constructor(recommender: Recommender, store: ReviewStore) {
    const { graph, confidence } = recommender.model;
    this.recommender = recommender;
    this.store = store;
    this.#reviewed = new ReviewedTags(graph);
    this.#open = new OpenSuggestions(graph, confidence !== undefined, PER_OBJECT);
  }

  /** Close it before the two it is given: it closes neither. */
  static async open(recommender: Recommender, store: ReviewStore, options: CurationOptions = {}): Promise<Curation> {
    const curation = new Curation(recommender, store);
    await curation.#readChanges((changes) => {
      for (const change of changes) curation.#reviewed.apply(change); // the queue is yet to be filled
    });
    curation.#background = curation.#fill().catch((error) => {
      curation.#failure = error;
    });
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
      return [{ tag, from: 'data', ...(review && { reviewId: review.reviewId }) }];
    });
    for (const { tag, decision, reviewId } of reviewed.values()) {
      if (decision === 'accept' && !own.includes(tag)) found.push({ tag, from: 'review', reviewId });
    }
    return found.sort((a, b) => Buffer.compare(Buffer.from(a.tag), Buffer.from(b.tag)));
  }

  /** By name. */
  rejectedOf(object: number): { tag: string; reviewId: string }[] {
    const rejected = this.#reviewed.of(object).filter(({ decision }) => decision === 'reject');
    return rejected.map(({ tag, reviewId }) => ({ tag, reviewId }));
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

  suggest(object: number, limit: number, options: SuggestOptions = {}): Promise<Suggestion[]> {
    return this.recommender.suggest(object, limit, options, this.#reviewed.amendments);
  }

  explain(object: number, tag: number): Promise<Reasons> {
    return this.recommender.explain(object, tag, undefined, this.#reviewed.amendments);
  }

  /** Without those that a review was made of. */
  missing(
    tag: number,
    limit: number,
    options: { readonly minConfidence?: number | undefined } = {},
  ): Promise<MissingObject[]> {
    return this.recommender.missing(tag, limit, options, this.#reviewed.amendments);
  }

  async decide(reviews: readonly NewReview[]): Promise<Decided[]> {
    const decided = await this.store.decide(reviews);
    await this.#apply(decided.map(({ review }) => ({ ...review, isUndone: false })));
    return decided;
  }

  async undo(id: string): Promise<Review | undefined> {
    const undone = await this.store.undo(id);
    if (undone !== undefined) await this.#apply([{ ...undone, isUndone: true }]);
    return undone;
  }

  /** The most confident open suggestions over all objects, from behind a position on. */
  queue(limit: number, after?: QueuePosition, options: QueueOptions = {}): QueuePage {
    if (this.#failure !== undefined) throw this.#failure;
    return { ...this.#open.page(limit, after, options), isComplete: this.#isComplete };
  }

  /** Changes when a review of the object does. */
  revisionOf(object: number): string {
    return String(this.#reviewed.revisionOf(object));
  }

  /** Done when nothing more is asked of the recommender or the store. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await Promise.all([this.#background, this.#polling]);
  }

  async #fill(): Promise<void> {
    const numObjects = this.recommender.model.graph.objects.size;
    for (let first = 0; first < numObjects && !this.#isClosed; first += BLOCK) {
      const size = Math.min(BLOCK, numObjects - first);
      await this.#lookAt(Int32Array.from({ length: size }, (_, i) => first + i));
    }
    this.#isComplete = !this.#isClosed;
  }

  /** Puts what is suggested to some objects into the queue, a block at a time. */
  async #lookAt(objects: Int32Array): Promise<void> {
    for (let first = 0; first < objects.length && !this.#isClosed; first += BLOCK) {
      const block = objects.subarray(first, first + BLOCK);
      const revisions = Array.from(block, (object) => this.#reviewed.revisionOf(object));
      const picks = await this.recommender.best(block, PER_OBJECT, {}, this.#reviewed.amendments);
      for (const [i, object] of block.entries()) {
        // what was decided meanwhile is looked at anew by whoever decided it
        if (revisions[i] === this.#reviewed.revisionOf(object)) this.#open.set(object, picks[i]);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** A decided suggestion leaves the queue at once, before what follows from it is known. */
  async #apply(changes: readonly Change[]): Promise<void> {
    const { objects, tags } = this.recommender.model.graph;
    const changed = new Set<number>();
    for (const change of changes) {
      if (!this.#reviewed.apply(change)) continue;
      const [object, tag] = [objects.idOf(change.object), tags.idOf(change.tag)];
      changed.add(object);
      if (tag >= 0) this.#open.remove(object, tag);
    }
    await this.#lookAt(Int32Array.from(changed));
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
      this.#polling = this.#readChanges((changes) => this.#apply(changes))
        .catch(() => {})
        .finally(() => {
          if (!this.#isClosed) this.#poll(pollMs);
        });
    }, pollMs);
    this.#timer.unref();
  }
}
