// Training again while a service answers: started, followed, stopped, its model put in use and taken back. One training at a time
// for a model file, by whichever service: the process that trains holds a lock beside the file. What waits to be used is told by
// the files alone, so that another service on the same file, or this one after a restart, knows of it, too.

import { InputError } from '../../errors.ts';
import type { Model } from '../../models/model.ts';
import type { Change, ReviewStore } from '../reviews/review-store.ts';
import { HELD_BACK_METRIC, handedModel, obstacleAt, obstacleIn, offeredFrom } from './obstacles.ts';
import {
  clearAfterTraining,
  exchangeForBefore,
  exchangeForNew,
  hasBefore,
  isTrainedElsewhere,
  readRetrained,
  removeRetrained,
  wasExchanged,
} from './retrained-files.ts';
import { type ChildOptions, TrainingChild, type TrainingOutcome } from './training-child.ts';
import {
  noModelBefore,
  noNewModel,
  noTraining,
  OTHER_MODEL,
  problemOf,
  running,
  runningElsewhere,
  TrainingConflict,
  type TrainingProblem,
} from './training-conflict.ts';
import type { ServedModels, TrainingFacts, TrainingState } from './training-facts.ts';
import type { Retrained, TrainingProgress } from './training-messages.ts';

export interface TrainingOptions extends Pick<ChildOptions, 'program' | 'warn'> {
  readonly threads: number;
  /** How often to look whether someone else exchanged the models; default 5,000. */
  readonly followMs?: number | undefined;
}

const FOLLOW_MS = 5000;

interface Run {
  readonly child: TrainingChild;
  readonly finished: Promise<void>;
  progress?: TrainingProgress;
}

export class BackgroundTraining {
  readonly #path: string | undefined;
  readonly #models: ServedModels;
  readonly #store: Pick<ReviewStore, 'changedSince'>;
  readonly #options: TrainingOptions;
  #run: Run | undefined;
  #failure: TrainingProblem | undefined;
  #wasStopped = false;
  #exchange: Promise<unknown> = Promise.resolve(); // one after the other
  #isClosed = false;
  #followedFrom: string | undefined; // the model that served when the file was last loaded for someone else
  readonly #following: NodeJS.Timeout | undefined;
  readonly #cleared: Promise<void>; // of what a service that was killed left behind

  /** `source`: the file that is served, or the model a service was handed. */
  constructor(
    source: string | Model,
    models: ServedModels,
    store: Pick<ReviewStore, 'changedSince'>,
    options: TrainingOptions,
  ) {
    this.#path = typeof source === 'string' ? source : undefined;
    this.#models = models;
    this.#store = store;
    this.#options = options;
    this.#cleared = this.#path === undefined ? Promise.resolve() : clearAfterTraining(this.#path);
    if (this.#path === undefined) return;
    this.#following = setInterval(() => void this.#follow().catch(() => {}), options.followMs ?? FOLLOW_MS);
    this.#following.unref();
  }

  async facts(): Promise<TrainingFacts> {
    const served = await this.#served();
    const { model, fingerprint, numUnlearnt } = served;
    const retrained = await this.#retrained(fingerprint);
    const state = await this.#state(retrained);
    const numDecisions = Math.max(0, numUnlearnt - (model.metrics[HELD_BACK_METRIC] ?? 0));
    const obstacle = await this.#obstacle(model);
    const from = offeredFrom(model);
    const isIdle = state === 'idle' || state === 'failed' || state === 'stopped';
    return {
      state,
      ...(this.#run?.progress && { progress: this.#run.progress }),
      ...(state === 'failed' && this.#failure && { problem: this.#failure }),
      ...(obstacle && { obstacle }),
      numDecisions,
      offeredFrom: from,
      isOffered: isIdle && obstacle === undefined && numDecisions >= from,
      ...(retrained && { retrained }),
      canRestore: this.#path !== undefined && (await hasBefore(this.#path)),
      fingerprint,
    };
  }

  /** Done when it trains. `useIfBetter`: a model that is better for sure is put in use at once. */
  async start({ useIfBetter = false }: { readonly useIfBetter?: boolean | undefined } = {}): Promise<void> {
    await this.#cleared;
    const { model, fingerprint } = await this.#served();
    const obstacle = await this.#obstacle(model);
    if (obstacle !== undefined) throw new TrainingConflict(obstacle);
    const path = this.#path;
    if (path === undefined || this.#isClosed || this.#run !== undefined) throw running();
    const child = new TrainingChild({
      ...this.#options,
      onProgress: (progress) => {
        if (this.#run?.child === child) this.#run.progress = progress;
      },
    });
    this.#failure = undefined;
    this.#wasStopped = false;
    const finished = child.over.then((outcome) => this.#finish(path, outcome, useIfBetter));
    this.#run = { child, finished };
    try {
      await child.begin(this.#changes(), { path, base: fingerprint, threads: this.#options.threads });
    } catch (error) {
      await this.#stop(); // the store is away
      this.#wasStopped = false; // nothing was begun
      throw error;
    }
    await child.begun.catch(async (error) => {
      await finished;
      this.#failure = undefined; // told to who asked: nothing was begun
      throw error instanceof InputError ? new TrainingConflict(problemOf(error)) : error;
    });
  }

  /** Stops the training; or, where none runs, forgets why the last one failed, or the new model that waits. */
  async stopOrForget(): Promise<void> {
    if (this.#run !== undefined) return this.#stop();
    if (this.#failure !== undefined || this.#wasStopped) {
      this.#failure = undefined;
      this.#wasStopped = false;
      return;
    }
    await this.#exchangingAlone(async (path, fingerprint) => {
      if ((await readRetrained(path, fingerprint)) === undefined) throw noTraining();
      await removeRetrained(path);
    });
  }

  /** Puts the new model in use, without dropping a request; the one before stays beside it. */
  use(): Promise<void> {
    return this.#exchangingAlone(async (path, fingerprint) => {
      if ((await readRetrained(path, fingerprint)) === undefined) throw noNewModel();
      await exchangeForNew(path);
      await this.#reloadOr(() => exchangeForBefore(path));
    });
  }

  /** Takes the last `use` back: the model before serves again, and the newer one waits. */
  restore(): Promise<void> {
    return this.#exchangingAlone(async (path) => {
      if (!(await hasBefore(path))) throw noModelBefore();
      await exchangeForBefore(path);
      await this.#reloadOr(() => exchangeForNew(path));
    });
  }

  /** Done when nothing of it runs any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#following);
    await this.#stop();
    await Promise.allSettled([this.#exchange, this.#cleared]);
  }

  /** Another service on the file, or the command line, may have exchanged the models: then what is there now is loaded, once. */
  async #follow(): Promise<void> {
    if (this.#run !== undefined) return;
    await this.#exchanging(async (path, fingerprint) => {
      if (this.#followedFrom !== fingerprint) this.#followedFrom = undefined;
      if (this.#followedFrom !== undefined || !(await wasExchanged(path, fingerprint))) return;
      this.#followedFrom = fingerprint;
      await this.#models.reload();
    });
  }

  async #stop(): Promise<void> {
    const run = this.#run;
    await run?.child.stop();
    await run?.finished;
  }

  async #finish(path: string, outcome: TrainingOutcome, useIfBetter: boolean): Promise<void> {
    try {
      if (outcome.kind !== 'done') await clearAfterTraining(path); // one that was killed could not
      this.#wasStopped = outcome.kind === 'stopped';
      if (outcome.kind === 'failed') this.#failure = { detail: outcome.detail, cure: outcome.cure };
      if (outcome.kind === 'done' && outcome.retrained.base !== (await this.#served()).fingerprint) {
        this.#failure = OTHER_MODEL;
        await removeRetrained(path);
      }
    } catch (error) {
      this.#failure = problemOf(error);
    } finally {
      this.#run = undefined;
    }
    const isBetter = outcome.kind === 'done' && outcome.retrained.comparison.verdict === 'better';
    if (!useIfBetter || !isBetter || this.#isClosed || this.#failure !== undefined) return;
    await this.use().catch((error) => {
      this.#failure = problemOf(error);
    });
  }

  async #reloadOr(takeBack: () => Promise<void>): Promise<void> {
    try {
      await this.#models.reload();
    } catch (error) {
      await takeBack();
      throw error;
    }
    this.#failure = undefined;
    this.#wasStopped = false;
  }

  /** One exchange of models after the other, and none while a training needs them. */
  #exchanging(work: (path: string, fingerprint: string) => Promise<void>): Promise<void> {
    const mine = this.#exchange.then(async () => {
      const path = this.#path;
      if (path === undefined) throw new TrainingConflict(problemOf(handedModel()));
      if (this.#run !== undefined || this.#isClosed) throw running();
      await work(path, (await this.#served()).fingerprint);
    });
    this.#exchange = mine.catch(() => {});
    return mine;
  }

  /** The same where no other process trains either: what it compares with must stay. */
  #exchangingAlone(work: (path: string, fingerprint: string) => Promise<void>): Promise<void> {
    return this.#exchanging(async (path, fingerprint) => {
      if (await isTrainedElsewhere(path)) throw runningElsewhere();
      await work(path, fingerprint);
    });
  }

  async #state(retrained: Retrained | undefined): Promise<TrainingState> {
    if (this.#run !== undefined) return this.#run.progress?.stage ?? 'training';
    if (this.#failure !== undefined) return 'failed';
    if (this.#path !== undefined && (await isTrainedElsewhere(this.#path))) return 'training';
    if (retrained !== undefined) return 'ready';
    return this.#wasStopped ? 'stopped' : 'idle';
  }

  #served(): Promise<{ model: Model; fingerprint: string; numUnlearnt: number }> {
    return this.#models.use(({ model, trainedFingerprint: fingerprint, curation }) => ({
      model,
      fingerprint,
      numUnlearnt: curation.numUnlearnt,
    }));
  }

  async #retrained(fingerprint: string): Promise<Retrained | undefined> {
    return this.#path === undefined ? undefined : readRetrained(this.#path, fingerprint);
  }

  async #obstacle(model: Model): Promise<TrainingProblem | undefined> {
    const path = this.#path;
    const error = path === undefined ? handedModel() : (obstacleIn(model, path) ?? (await obstacleAt(path)));
    return error && problemOf(error);
  }

  /** All of them, in order. */
  async *#changes(): AsyncGenerator<readonly Change[]> {
    for (let revision = '0'; ; ) {
      const changes = await this.#store.changedSince(revision);
      const last = changes.at(-1);
      if (last === undefined) return;
      yield changes;
      revision = last.revision;
    }
  }
}
