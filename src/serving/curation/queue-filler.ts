// Fills the queue in the background: the suggestions of all objects are ranked from the first to the last, then those of objects that
// failed, then those that decisions on others affect. Those who ask something go first, and after a failure it waits, longer and longer.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Amendments } from '../recommend/amendments.ts';
import type { Recommender } from '../recommend/recommender.ts';
import type { TagRules } from '../recommend/tag-rules.ts';
import { Affected } from './affected.ts';
import type { OpenSuggestions } from './open-suggestions.ts';

/** What is ranked, by what is known now. */
export interface Ranked {
  readonly recommender: Recommender;
  readonly open: OpenSuggestions;
  readonly amendments: Amendments;
  readonly rules: () => TagRules | undefined;
  /** Changes with each decision on an object. */
  readonly revisionOf: (object: number) => number;
  /** Hears once of a failure that lasts. */
  readonly warn: (message: string) => void;
}

export const PER_OBJECT = 5; // in the queue: decided ones make room for the next
const [MAX_BLOCK, MAX_SCORES] = [16, 200_000]; // objects, or scores, that are ranked before requests get their turn
const [RETRY_MS, MAX_RETRY_MS] = [250, 30_000]; // twice as long after each failure
const GIVEN_WAY = 7; // times as long as a block took, the queue waits while someone asks something else

export class QueueFiller {
  readonly #ranked: Ranked;
  readonly #affected: Affected; // by decisions on others
  readonly #failed = new Set<number>(); // objects to rank again
  readonly #closing = new AbortController();
  readonly #block: number; // objects: fewer where there are many tags
  readonly #numObjects: number;
  #numReached = 0; // objects that were ranked or tried, from the first on
  #round = 0; // of ranking all objects
  #numAsked = 0; // requests
  #isWorking = false;
  #hasWarned = false;
  #background: Promise<unknown> = Promise.resolve();

  constructor(ranked: Ranked) {
    const { objects, tags } = ranked.recommender.model.graph;
    this.#ranked = ranked;
    this.#numObjects = objects.size;
    this.#block = Math.max(1, Math.min(MAX_BLOCK, Math.floor(MAX_SCORES / Math.max(1, tags.size))));
    this.#affected = new Affected(ranked.recommender, (tag, most) => ranked.open.objectsWith(tag, most));
  }

  /** Whether all objects were looked at. */
  get isComplete(): boolean {
    return this.#numReached >= this.#numObjects && this.#failed.size === 0;
  }

  /** Whether nothing is left to rank again. */
  get isSettled(): boolean {
    return this.isComplete && this.#affected.isEmpty && !this.#isWorking;
  }

  /** Objects whose suggestions could not be ranked, and which are tried again. */
  get numUnranked(): number {
    return this.#failed.size;
  }

  /** Called by each request: while some come, it waits for most of the time. */
  giveWay(): void {
    this.#numAsked++;
  }

  /** Something was decided of a tag: other objects may get other suggestions by that. */
  noteTag(tag: number): void {
    this.#affected.note(tag);
  }

  /** Begins with the first object again. */
  restart(): void {
    this.#round++;
    this.#numReached = 0;
    this.#failed.clear();
    this.work();
  }

  /** Ranks some objects now. What fails is tried again in the background. */
  async rankNow(objects: Int32Array): Promise<void> {
    const isRanked = await this.#tryToRank(objects);
    if (!isRanked || !this.#affected.isEmpty) this.work();
  }

  /** Ranks in the background what is to be ranked, unless that is under way. */
  work(): void {
    if (this.#isWorking) return;
    this.#isWorking = true;
    this.#background = this.#rankAll().finally(() => {
      this.#isWorking = false;
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#background;
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  async #rankAll(): Promise<void> {
    let pause = RETRY_MS;
    let numAsked = this.#numAsked;
    while (!this.#isClosed && !(this.isComplete && this.#affected.isEmpty)) {
      const block = this.isComplete ? await this.#nextAffected() : this.#nextBlock();
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
    const size = Math.min(this.#block, this.#numObjects - first);
    return size > 0
      ? Int32Array.from({ length: size }, (_, i) => first + i)
      : Int32Array.from(firstOf(this.#failed, this.#block));
  }

  /** None where they could not be found: the queue is a little older then. */
  #nextAffected(): Promise<Int32Array> {
    return this.#affected.next(this.#block, this.#ranked.amendments).catch(() => new Int32Array(0));
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
        this.#ranked.warn(
          `Suggestions for the queue could not be ranked (${why}). This is tried again until it works.`,
        );
      }
      this.#hasWarned = true;
      return false;
    }
  }

  /** Puts the suggestions of some objects into the queue, a block at a time. */
  async #rank(objects: Int32Array): Promise<void> {
    for (let first = 0; first < objects.length && !this.#isClosed; first += this.#block) {
      const block = objects.subarray(first, first + this.#block);
      const revisions = Array.from(block, (object) => this.#ranked.revisionOf(object));
      const round = this.#round;
      const options = { limit: PER_OBJECT, rules: this.#ranked.rules() };
      const picks = await this.#ranked.recommender.suggestMany(block, options, this.#ranked.amendments);
      if (round !== this.#round) return; // all objects are ranked again
      for (const [i, object] of block.entries()) {
        // an object that was decided on meanwhile is ranked again by that decision
        if (revisions[i] === this.#ranked.revisionOf(object)) this.#ranked.open.set(object, picks[i]);
      }
      await new Promise((resolve) => setImmediate(resolve));
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
