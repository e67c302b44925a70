// Trains a model again, from its own file and what curators decided since: the same kind, the same settings. Part of the
// decisions is held back, to compare the new model with the old one on. The new one lies beside the old one, in a file of its own,
// until somebody wants it used (serving/training/retrained-files.ts).
//
// The new model did not learn what was held back. Nothing is lost by that: decisions count as amendments whatever a model has
// learnt, and the next training draws anew which to hold back.

import type { EngineOptions } from '../engine/open.ts';
import { InputError } from '../errors.ts';
import { refuseExistingFile } from '../files.ts';
import type { Listener } from '../listener.ts';
import { checkedModelName } from '../models/catalogue.ts';
import type { Model } from '../models/model.ts';
import { loadModel, saveModel } from '../models/model-file.ts';
import { modelFingerprint } from '../models/model-fingerprint.ts';
import { train } from '../pipeline.ts';
import { reviewedGraph } from '../serving/reviews/reviewed-graph.ts';
import { HELD_BACK_METRIC, obstacleIn } from '../serving/training/obstacles.ts';
import { removeFacts, retrainedPath, whileTraining, writeRetrained } from '../serving/training/retrained-files.ts';
import type { CountedReview, Retrained, TrainingStage } from '../serving/training/training-messages.ts';
import { compareModels } from './compare-models.ts';
import { type Division, divide, type Pair } from './held-back.ts';

export interface RetrainOptions extends EngineOptions {
  /** The fingerprint the model in the file must have; absent: any. */
  readonly base?: string | undefined;
  /** Of which decisions are held back; 1 by default. */
  readonly seed?: number | undefined;
  /** Called when nobody else trains, and it begins. */
  readonly onBegin?: (() => void) | undefined;
  /** Called at the beginning of each part. */
  readonly onStage?: ((stage: TrainingStage) => void) | undefined;
}

export async function retrain(
  path: string,
  reviews: Iterable<CountedReview>,
  options: RetrainOptions = {},
  listener: Listener = {},
): Promise<Retrained> {
  await refuseExistingFile(retrainedPath(path), true); // a disk that takes nothing is found before the work
  return whileTraining(path, async () => {
    const { seed = 1, onBegin, onStage, ...engine } = options;
    const model = await loadModel(path, listener);
    const base = modelFingerprint(model);
    refuseOther(path, base, options.base);
    const obstacle = obstacleIn(model, path);
    if (obstacle !== undefined) throw obstacle;
    const division = divide(reviews, model, seed);
    if (division.numNew === 0) throw nothingNew(path);
    onBegin?.();
    onStage?.('training');
    const next = await trainedAgain(model, division, engine, listener);
    onStage?.('comparing');
    const { learnt: known, heldBack } = division;
    const comparison = await compareModels(
      { old: model, new: next },
      { known, heldBack },
      { ...engine, seed },
      listener,
    );
    await removeFacts(path);
    await saveModel(retrainedPath(path), next, listener);
    const numLearnt = division.numNew - numHeldBack(division);
    const facts = { base, fingerprint: modelFingerprint(next), finishedAt: new Date().toISOString() };
    const retrained: Retrained = { ...facts, numLearnt, comparison };
    await writeRetrained(path, retrained);
    return retrained;
  });
}

async function trainedAgain(
  model: Model,
  division: Division,
  engine: EngineOptions,
  listener: Listener,
): Promise<Model> {
  const { accepted, rejected } = division.learnt;
  const before = stillRejected(model, [...accepted, ...division.reopened]);
  const decided = await reviewedGraph(model.graph, { accepted, rejected: [...before, ...rejected] });
  const { settings } = model;
  const options = { ...engine, model: checkedModelName(model.name), settings };
  const trained = await train(decided.graph, options, listener);
  const metrics = { ...trained.metrics, [HELD_BACK_METRIC]: numHeldBack(division) };
  return { ...trained, metrics, ...(decided.rejected.size > 0 && { rejected: decided.rejected }) };
}

function numHeldBack({ heldBack }: Division): number {
  return heldBack.accepted.length + heldBack.rejected.length;
}

/** What the model knew as rejected, from wherever, unless that was taken back since. */
function stillRejected({ graph, rejected }: Model, takenBack: readonly Pair[]): Pair[] {
  if (rejected === undefined) return [];
  const open = new Set(takenBack.map(({ object, tag }) => `${object}\0${tag}`));
  const pairs = Array.from(rejected.heads, (object, i) => ({
    object: graph.objects.name(object),
    tag: graph.tags.name(rejected.tails[i]),
  }));
  return pairs.filter(({ object, tag }) => !open.has(`${object}\0${tag}`));
}

function refuseOther(path: string, base: string, expected: string | undefined): void {
  if (expected === undefined || base === expected) return;
  const cure = 'Reload the model (POST /v1/model/reload), then train again.';
  throw new InputError({ file: path, got: 'another model than the one that serves', expected: 'that one', cure });
}

function nothingNew(path: string): InputError {
  const got = 'no decision that the model has not learnt yet';
  return new InputError({ file: path, got, expected: 'at least one', cure: 'Decide on some suggestions first.' });
}
