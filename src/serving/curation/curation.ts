// What the service suggests once reviews count: accepted tags are an object's own, rejected ones are never suggested again, and
// those that someone is unsure about are put aside until a verdict or an undo. The reviews of the model's objects are held in memory, and with them a queue of the most confident suggestions, which is
// filled in the background. A decision goes to the store first; the decisions of other instances are read every second.
// Objects whose suggestions could not be ranked are tried again, less and less often, until it works.

import { setTimeout as sleep } from 'node:timers/promises';
import { cleanName } from '../../data/name.ts';
import type { Relation } from '../../data/relation.ts';
import { NO_AMENDMENTS, ownTags } from '../recommend/amendments.ts';
import type { Explanation } from '../recommend/explanation.ts';
import type {
  MissingObject,
  MissingOptions,
  Recommender,
  Suggestion,
  SuggestOptions,
} from '../recommend/recommender.ts';
import type { TagRules } from '../recommend/tag-rules.ts';
import type { Change, Decided, NewReview, Review, ReviewStore } from '../reviews/review-store.ts';
import type { Declaration, VocabularyChange } from '../vocabulary/declaration.ts';
import { VocabularyNow } from '../vocabulary/vocabulary-now.ts';
import type { DeclareOptions, Made } from '../vocabulary/vocabulary-store.ts';
import { Affected } from './affected.ts';
import { type CuratedTag, DeclaredTags, type RejectedTag } from './declared-tags.ts';
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

export type { CuratedTag, RejectedTag } from './declared-tags.ts';

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
  readonly #now: VocabularyNow;
  readonly #declared: DeclaredTags;
  #revision = '0'; // all changes up to here were seen
  #vocabularyRevision = '0'; // likewise of the vocabulary
  #round = 0; // of ranking all objects: each change of the vocabulary begins another
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
    this.#now = new VocabularyNow(graph);
    this.#declared = new DeclaredTags(graph, this.#reviewed, this.#now);
    const { objects, titles, tags } = graph;
    const names = {
      size: tags.size,
      name: (id: number) => this.#now.rules?.nameOf(id) ?? tags.name(id),
      idOf: (name: string) => (this.#now.rules ?? tags).idOf(name),
    };
    const numTagsOf = (object: number) => ownTags(graph.tagged, object, this.#reviewed.amendments).length;
    this.#open = new OpenSuggestions({ objects, titles, tags: names }, confidence !== undefined, PER_OBJECT, numTagsOf);
    this.#affected = new Affected(recommender, (tag, most) => this.#open.objectsWith(tag, most));
  }

  /** Close it before the two it is given: it closes neither. */
  static async open(recommender: Recommender, store: ReviewStore, options: CurationOptions = {}): Promise<Curation> {
    const curation = new Curation(recommender, store, options.warn ?? (() => {}));
    await curation.#readVocabulary(
      (changes) => curation.#now.apply(changes) && curation.#reviewed.readBy(curation.#now.rules),
    );
    await curation.#readChanges((changes) => {
      for (const change of changes) curation.#reviewed.apply(change); // the queue is yet to be filled
    });
    curation.#learn(curation.#reviewed.amendments.keys());
    curation.#work();
    if (store.isShared) curation.#poll(options.pollMs ?? POLL_MS);
    return curation;
  }

  /** What is declared about tags. */
  get vocabulary(): VocabularyNow {
    return this.#now;
  }

  /** What reviews say of objects. */
  get reviewed(): Pick<ReviewedTags, 'amendments' | 'of'> {
    return this.#reviewed;
  }

  /** Its tags of the data but rejected ones, the accepted ones, and what those imply; by name. */
  tagsOf(object: number): CuratedTag[] {
    return this.#declared.of(object);
  }

  /** By name. */
  rejectedOf(object: number): RejectedTag[] {
    return this.#declared.rejectedOf(object);
  }

  /** By name. */
  unsureOf(object: number): { tag: string; reviewId: string }[] {
    return this.#declared.unsureOf(object);
  }

  /**
   * The objects that carry a tag: those of `inData` (ascending ids) but where it was rejected, and where it was accepted.
   * `objectsOf`: from all tags, for those of which more is declared.
   */
  objectsWith(tag: number, inData: Int32Array, objectsOf?: Relation): Int32Array {
    return (objectsOf && this.#declared.objectsWith(tag, objectsOf)) ?? this.#declared.plainObjectsWith(tag, inData);
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
    return this.recommender.suggest(object, { ...options, ...this.#ruled }, this.#reviewed.amendments);
  }

  explain(object: number, tag: number): Promise<Explanation> {
    return this.recommender.explain(object, tag, this.#ruled, this.#reviewed.amendments);
  }

  /** The same for many tags of one object. */
  explainer(object: number): Promise<(tag: number) => Explanation> {
    return this.recommender.explainer(object, this.#ruled, this.#reviewed.amendments);
  }

  /** Without those that a review was made of. */
  missing(tag: number, options: MissingOptions = {}): Promise<MissingObject[]> {
    return this.recommender.missing(tag, { ...options, ...this.#ruled }, this.#reviewed.amendments);
  }

  /** Tags are called what they are called now. */
  async decide(reviews: readonly NewReview[]): Promise<Decided[]> {
    const { declarations } = this.#now;
    const decided = await this.store.decide(
      declarations.isEmpty ? reviews : reviews.map((one) => ({ ...one, tag: declarations.tagOf(cleanName(one.tag)) })),
    );
    await this.#apply(decided.map(({ review }) => ({ ...review, isUndone: false })));
    return decided;
  }

  async undo(id: string, who?: string): Promise<Review | undefined> {
    const undone = await this.store.undo(id, who);
    if (undone !== undefined) await this.#apply([{ ...undone, isUndone: true }]);
    return undone;
  }

  /** Declares something about tags; suggestions keep to it from then on. */
  async declare(asked: readonly Declaration[], options: DeclareOptions = {}): Promise<Made> {
    const made = await this.store.vocabulary.declare(asked, options);
    this.#applyVocabulary([made.change]);
    return made;
  }

  async undoDeclared(id: string, curator?: string): Promise<VocabularyChange | undefined> {
    const undone = await this.store.vocabulary.undo(id, curator);
    if (undone !== undefined) this.#applyVocabulary([undone]);
    return undone;
  }

  /** How many open suggestions are of any of some tags. */
  numOpenOf(tags: ReadonlySet<number>): number {
    return this.#open.countOf(tags);
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

  /** Changes when a review of the object does, or the vocabulary, and with what the model learns from reviews of others. */
  revisionOf(object: number): string {
    const learnt = this.recommender.learns ? this.#reviewed.learntRevision : 0;
    const { revision } = this.#now;
    return `${Math.max(learnt, this.#reviewed.revisionOf(object))}${revision === '0' ? '' : `.${revision}`}`;
  }

  get #ruled(): { readonly rules: TagRules | undefined } {
    return { rules: this.#now.rules };
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
      const round = this.#round;
      const began = performance.now();
      const isRanked = await this.#tryToRank(block);
      const tookMs = performance.now() - began;
      if (block[0] === this.#numReached && round === this.#round) this.#numReached += block.length;
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
      const round = this.#round;
      const options = { limit: PER_OBJECT, ...this.#ruled };
      const picks = await this.recommender.suggestMany(block, options, this.#reviewed.amendments);
      if (round !== this.#round) return; // all objects are ranked again
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
    this.#declared.forget();
    for (const change of changes) {
      if (!this.#reviewed.apply(change)) continue;
      const [object, tag] = [objects.idOf(change.object), (this.#now.rules ?? tags).idOf(change.tag)];
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

  /** What may not be suggested any more leaves the queue at once; then all objects are ranked again. */
  #applyVocabulary(changes: readonly VocabularyChange[]): void {
    if (!this.#now.apply(changes)) return;
    const { rules } = this.#now;
    this.#reviewed.readBy(rules);
    this.#learn(this.#reviewed.objects());
    this.#declared.forget();
    this.#round++;
    this.#numReached = 0;
    this.#failed.clear();
    if (rules !== undefined)
      this.#open.filter(rules.marks, rules.stillSuggested(this.recommender.model, this.#reviewed.amendments));
    this.#work();
  }

  async #readVocabulary(apply: (changes: readonly VocabularyChange[]) => void): Promise<void> {
    const changes = await this.store.vocabulary.changedSince(this.#vocabularyRevision);
    const last = changes.at(-1);
    if (last === undefined || this.#isClosed) return;
    apply(changes);
    this.#vocabularyRevision = last.revision;
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
      await this.#readVocabulary((changes) => this.#applyVocabulary(changes));
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
