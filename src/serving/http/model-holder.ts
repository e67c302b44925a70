// Which model serves now. Loading it again takes nothing from those who are being answered: the old one serves until the new
// one is ready, and goes on if the file turns out to be damaged. Only decisions wait for a moment, while the new one reads
// those before them: else it would never hear of one made meanwhile. Whoever asks while one is being loaded gets the next one,
// all of them the same: that one reads the file after they asked.

import { CancelledError, InputError } from '../../errors.ts';
import type { Model } from '../../models/model.ts';
import type { ReviewStore } from '../reviews/review-store.ts';
import { LoadedModel, type LoadOptions, prepareModel } from './loaded-model.ts';
import { readied, readyInThread, type ThreadOptions } from './readied-model.ts';

export interface HolderOptions extends LoadOptions, ThreadOptions {
  /** How long it took to load one again. */
  readonly onLoad: (seconds: number) => void;
}

/** Objects with a tag by decisions for it to be worth suggesting to others. */
const NEW_TAG_OBJECTS = 5;

export class ModelHolder {
  readonly #source: string | Model;
  readonly #store: ReviewStore;
  readonly #options: HolderOptions;
  readonly #closing = new Set<Promise<void>>();
  readonly #decisions = new Set<Promise<unknown>>();
  #current: LoadedModel;
  readonly #stopping = new AbortController();
  #reloading: Promise<void> | undefined;
  #nextReload: Promise<void> | undefined; // begins when the one before it is over
  #reading: Promise<unknown> | undefined; // of decisions, by a new model

  private constructor(source: string | Model, store: ReviewStore, options: HolderOptions, first: LoadedModel) {
    this.#source = source;
    this.#store = store;
    this.#options = options;
    this.#current = first;
  }

  /** `source`: what to load anew from; `first`: the model it gave. */
  static async open(
    source: string | Model,
    first: Model,
    store: ReviewStore,
    options: HolderOptions,
  ): Promise<ModelHolder> {
    const tags = await store.tagsGiven(NEW_TAG_OBJECTS);
    const prepared = await prepareModel(readied(first, tags), options);
    const loaded = await LoadedModel.open(prepared, store, options);
    const holder = new ModelHolder(source, store, options, loaded);
    holder.#listenForTags();
    return holder;
  }

  /** Runs a piece of work on the model that serves now; it stays open for as long as the work takes. */
  async use<Result>(work: (loaded: LoadedModel) => Result | Promise<Result>): Promise<Result> {
    const loaded = this.#current;
    loaded.begin();
    try {
      return await work(loaded);
    } finally {
      loaded.end();
    }
  }

  /** The same for work that changes reviews. */
  async decide<Result>(work: (loaded: LoadedModel) => Promise<Result>): Promise<Result> {
    while (this.#reading !== undefined) await this.#reading;
    const decision = this.use(work);
    this.#decisions.add(decision);
    try {
      return await decision;
    } finally {
      this.#decisions.delete(decision);
    }
  }

  /** Reads the file after this call. Where one is being read already, all who ask share the next. */
  reload(): Promise<void> {
    if (typeof this.#source === 'string') return this.#exchange();
    const cure = 'Start it with the path of a file, or start another one.';
    const got = 'a service that was handed a model';
    return Promise.reject(new InputError({ got, expected: 'one that read a file', cure }));
  }

  /** Loads no more: who waits for that is told with a CancelledError. */
  stopLoading(): void {
    this.#stopping.abort();
  }

  /** Waits for all who are being answered. */
  async close(): Promise<void> {
    this.stopLoading();
    await Promise.allSettled([this.#reloading, this.#nextReload]);
    await Promise.all([this.#current.close(), ...this.#closing]);
  }

  #exchange(): Promise<void> {
    if (this.#nextReload !== undefined) return this.#nextReload;
    if (this.#reloading === undefined) return this.#beginReload();
    this.#nextReload = this.#reloading.catch(() => {}).then(() => this.#beginReload());
    return this.#nextReload;
  }

  #beginReload(): Promise<void> {
    this.#nextReload = undefined;
    const mine = this.#load().finally(() => {
      this.#reloading = undefined;
    });
    this.#reloading = mine;
    return mine;
  }

  /** A tag that was new becomes one of the model when a few objects have it: the same model, with that tag. */
  #listenForTags(): void {
    this.#current.curation.onNewTag(NEW_TAG_OBJECTS, () => {
      this.#exchange().catch((error: unknown) => {
        if (error instanceof CancelledError) return;
        const why = error instanceof Error ? error.message : String(error);
        this.#options.warn(
          `A new tag could not be taken into the model (${why}). It will be when the model is loaded again.`,
        );
      });
    });
  }

  async #load(): Promise<void> {
    const began = performance.now();
    const { signal } = this.#stopping;
    const tags = await this.#store.tagsGiven(NEW_TAG_OBJECTS);
    const ready =
      typeof this.#source === 'string'
        ? await readyInThread(this.#source, tags, this.#options, signal)
        : readied(this.#source, tags);
    const prepared = await prepareModel(ready, this.#options, { signal });
    const old = this.#current;
    const opening = Promise.allSettled(this.#decisions).then(() => {
      if (!signal.aborted) return LoadedModel.open(prepared, this.#store, this.#options);
      prepared.recommender.close();
      throw new CancelledError();
    });
    this.#reading = opening.catch(() => {});
    try {
      this.#current = await opening;
      this.#listenForTags();
    } finally {
      this.#reading = undefined;
    }
    this.#options.onLoad((performance.now() - began) / 1000);
    const closing = old
      .close()
      .catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        this.#options.warn(`The model before could not be closed (${why}). The new one serves all the same.`);
      })
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
