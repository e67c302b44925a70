// Which model serves now. Loading it anew takes nothing from those who are being answered: the old one serves until the new
// one is ready, and goes on if the file turns out to be damaged. Only decisions wait for a moment, while the new one reads
// those before them: else it would never hear of one made meanwhile.

import { InputError } from '../../errors.ts';
import type { Model } from '../../models/model.ts';
import { loadModel } from '../../models/model-file.ts';
import type { ReviewStore } from '../reviews/review-store.ts';
import { LoadedModel, type LoadOptions } from './loaded-model.ts';

export interface HolderOptions extends LoadOptions {
  /** How long it took to load one anew. */
  readonly onLoad: (seconds: number) => void;
}

export class ModelHolder {
  readonly #source: string | Model;
  readonly #store: ReviewStore;
  readonly #options: HolderOptions;
  readonly #closing = new Set<Promise<void>>();
  readonly #decisions = new Set<Promise<unknown>>();
  #current: LoadedModel;
  #lastReload: Promise<unknown> = Promise.resolve();
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
    return new ModelHolder(source, store, options, await LoadedModel.open(first, store, options));
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

  /** One after the other, where several ask at once. */
  reload(): Promise<void> {
    const mine = this.#lastReload.then(() => this.#reload());
    this.#lastReload = mine.catch(() => {});
    return mine;
  }

  /** Waits for all who are being answered. */
  async close(): Promise<void> {
    await this.#lastReload;
    await Promise.all([this.#current.close(), ...this.#closing]);
  }

  async #reload(): Promise<void> {
    if (typeof this.#source !== 'string') {
      const cure = 'Start it with the path of a file, or start another one.';
      throw new InputError({ got: 'a service that was handed a model', expected: 'one that read a file', cure });
    }
    const began = performance.now();
    const model = await loadModel(this.#source);
    const old = this.#current;
    const opening = Promise.allSettled(this.#decisions).then(() => LoadedModel.open(model, this.#store, this.#options));
    this.#reading = opening.catch(() => {});
    try {
      this.#current = await opening;
    } finally {
      this.#reading = undefined;
    }
    this.#options.onLoad((performance.now() - began) / 1000);
    const closing = old.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
