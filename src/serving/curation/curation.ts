// What the service suggests once reviews count: accepted tags are an object's own, rejected ones are never suggested again, and those
// that someone is unsure about are put aside until a verdict or an undo. The model learns from them what to suggest to other objects,
// and what is declared about tags holds everywhere. All that is known of the model's objects is held in memory, and with it a queue
// that is filled in the background (queue-filler.ts). A decision goes to the store first; those of other instances are read every second.

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
import { type CuratedTag, DeclaredTags, type RejectedTag } from './declared-tags.ts';
import {
  type OpenPage,
  OpenSuggestions,
  type QueueOptions,
  type QueueOrder,
  type QueuePosition,
} from './open-suggestions.ts';
import { PER_OBJECT, QueueFiller } from './queue-filler.ts';
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

export class Curation {
  readonly recommender: Recommender;
  readonly store: ReviewStore;
  readonly #reviewed: ReviewedTags;
  readonly #open: OpenSuggestions;
  readonly #now: VocabularyNow;
  readonly #declared: DeclaredTags;
  #revision = '0'; // all changes up to here were seen
  #vocabularyRevision = '0'; // likewise of the vocabulary
  readonly #filler: QueueFiller;
  readonly #closing = new AbortController();
  #newTagObjects = Number.POSITIVE_INFINITY;
  #onNewTag: () => void = () => {};
  #isBehind = false;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<unknown> = Promise.resolve();

  private constructor(recommender: Recommender, store: ReviewStore, warn: (message: string) => void) {
    const { graph, confidence, rejected } = recommender.model;
    this.recommender = recommender;
    this.store = store;
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
    const { amendments } = this.#reviewed;
    const [rules, revisionOf] = [() => this.#now.rules, (object: number) => this.#reviewed.revisionOf(object)];
    this.#filler = new QueueFiller({ recommender, open: this.#open, amendments, rules, revisionOf, warn });
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
    curation.#filler.work();
    if (store.isShared) curation.#poll(options.pollMs ?? POLL_MS);
    return curation;
  }

  /** What is declared about tags. */
  get vocabulary(): VocabularyNow {
    return this.#now;
  }

  /** What reviews say of objects. */
  get reviewed(): Pick<ReviewedTags, 'amendments' | 'objects' | 'of'> {
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
    this.#filler.giveWay();
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
    return { ...this.#open.page(limit, after, options), isComplete: this.#filler.isComplete };
  }

  /** Whether the queue is as a new one would be: nothing is left to rank again. */
  get isSettled(): boolean {
    return this.#filler.isSettled;
  }

  /** Objects whose suggestions could not be ranked, and which are tried again. */
  get numUnranked(): number {
    return this.#filler.numUnranked;
  }

  /** Whether the decisions of other instances have been read; where they could not be, it tries again now. */
  async isUpToDate(): Promise<boolean> {
    if (this.#isBehind) await this.#catchUp();
    return !this.#isBehind;
  }

  /** Changes when a review of the object does, or the vocabulary. */
  revisionOf(object: number): string {
    return this.#withVocabulary(this.#reviewed.revisionOf(object));
  }

  /** Likewise, and with what the model learns from reviews of others. */
  revisionOfSuggestions(object: number): string {
    const learnt = this.recommender.learns ? this.#reviewed.learntRevision : 0;
    return this.#withVocabulary(Math.max(learnt, this.#reviewed.revisionOf(object)));
  }

  #withVocabulary(revision: number): string {
    const { revision: declared } = this.#now;
    return `${revision}${declared === '0' ? '' : `.${declared}`}`;
  }

  get #ruled(): { readonly rules: TagRules | undefined } {
    return { rules: this.#now.rules };
  }

  /** Done when nothing more is asked of the recommender or the store. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await Promise.all([this.#filler.close(), this.#polling]);
    for (const object of this.#reviewed.objects()) this.recommender.learn(object, NO_AMENDMENTS);
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** What was decided of some objects counts for all others. */
  #learn(objects: Iterable<number>): void {
    for (const object of objects) this.recommender.learn(object, this.#reviewed.amendments);
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
      this.#filler.noteTag(tag);
    }
    this.#learn(changed);
    await this.#filler.rankNow(Int32Array.from(changed)); // the decision stands even where that fails
  }

  /** What may not be suggested any more leaves the queue at once; then all objects are ranked again. */
  #applyVocabulary(changes: readonly VocabularyChange[]): void {
    if (!this.#now.apply(changes)) return;
    const { rules } = this.#now;
    this.#reviewed.readBy(rules);
    this.#learn(this.#reviewed.objects());
    this.#declared.forget();
    if (rules !== undefined)
      this.#open.filter(rules.marks, rules.stillSuggested(this.recommender.model, this.#reviewed.amendments));
    this.#filler.restart();
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
