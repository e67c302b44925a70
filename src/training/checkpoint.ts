// A training run on disk, so that it can go on after a stop: a tensor file beside the model to be, with the weights, Adam's
// moments, the best model so far, and what it belongs to. It is no use with other data or other settings, and says so.

import { removeFile } from '#platform';
import { type Features, featuresFingerprint } from '../data/features.ts';
import { fingerprint, type KnowledgeGraph } from '../data/knowledge-graph.ts';
import { type NamedTensor, readTensorFile, type TensorFile, writeTensorFile } from '../data/tensor-file.ts';
import { InputError } from '../errors.ts';
import type { Settings } from '../settings.ts';
import type { Checkpointing, TrainingState } from './trainer.ts';

/** Where the checkpoint of a run lies. */
export interface CheckpointFile {
  readonly path: string;
  /** Whether to go on from it. */
  readonly resume: boolean;
}

/** What a run is of: a checkpoint is no use to another. */
export interface Run {
  readonly model: string;
  readonly settings: Settings;
  readonly graph: KnowledgeGraph;
  readonly features?: Features | undefined;
}

const EVERY_MS = 30_000;

/** The checkpoint of a run, read where it is to go on and written every so often. */
export async function openCheckpoint(
  { path, resume }: CheckpointFile,
  { model, settings, graph, features }: Run,
  everyMs = EVERY_MS,
): Promise<Checkpointing> {
  const data = [fingerprint(graph), ...(features ? [featuresFingerprint(features)] : [])].join(' ');
  const identity = { model, settings, data };
  return {
    everyMs,
    resume: resume ? await loadCheckpoint(path, identity) : undefined,
    save: (state) => saveCheckpoint(path, identity, state),
  };
}

export async function removeCheckpoint({ path }: CheckpointFile): Promise<void> {
  await removeFile(path);
}

/** What a checkpoint belongs to. */
export interface RunIdentity {
  readonly model: string;
  readonly settings: Settings;
  /** Fingerprint of the graph (and features) trained on. */
  readonly data: string;
}

const FORMAT = 'tagloom checkpoint';

export async function saveCheckpoint(path: string, identity: RunIdentity, state: TrainingState): Promise<void> {
  const tensors = new Map<string, NamedTensor>();
  const add = (name: string, data: Float32Array) => tensors.set(name, { shape: [data.length], data });
  for (const [i, { weights, mean, variance }] of state.parameters.entries()) {
    add(`parameter ${i}`, weights);
    add(`mean ${i}`, mean);
    add(`variance ${i}`, variance);
  }
  const { step, numEpochs, numWorse, best } = state;
  if (best !== undefined) {
    add('best objects', best.fitted.objects);
    add('best tags', best.fitted.tags);
    add('best base', best.fitted.base);
  }
  const progress = {
    step,
    numEpochs,
    numWorse,
    numParameters: state.parameters.length,
    best: best && { value: best.value, epoch: best.epoch, width: best.fitted.width },
  };
  const metadata = { format: FORMAT, identity: JSON.stringify(identity), progress: JSON.stringify(progress) };
  await writeTensorFile(path, { metadata, tensors });
}

export async function loadCheckpoint(path: string, identity: RunIdentity): Promise<TrainingState> {
  const file = await readTensorFile(path);
  if (file.metadata.format !== FORMAT) {
    const cure = 'Leave out --resume to start over.';
    throw new InputError({ file: path, got: 'a file of another kind', expected: 'a checkpoint', cure });
  }
  requireSame(path, JSON.parse(file.metadata.identity), identity);
  const { step, numEpochs, numWorse, numParameters, best } = JSON.parse(file.metadata.progress);
  const parameters = Array.from({ length: numParameters }, (_, i) => ({
    weights: floats(file, `parameter ${i}`),
    mean: floats(file, `mean ${i}`),
    variance: floats(file, `variance ${i}`),
  }));
  if (best === undefined) return { step, numEpochs, numWorse, parameters, best: undefined };
  const fitted = {
    form: 'embeddings' as const,
    width: best.width,
    objects: floats(file, 'best objects'),
    tags: floats(file, 'best tags'),
    base: floats(file, 'best base'),
  };
  return { step, numEpochs, numWorse, parameters, best: { value: best.value, epoch: best.epoch, fitted } };
}

function floats(file: TensorFile, name: string): Float32Array {
  return file.tensors.get(name)?.data as Float32Array; // the checksum holds: it is what saveCheckpoint wrote
}

function requireSame(path: string, saved: RunIdentity, wanted: RunIdentity): void {
  const differing = (Object.keys(wanted.settings) as string[]).filter(
    (name) => saved.settings[name] !== wanted.settings[name],
  );
  const of = (run: RunIdentity) =>
    saved.model !== wanted.model
      ? `a run of ${run.model}`
      : saved.data !== wanted.data
        ? `a run on data ${run.data}`
        : `a run with ${differing.map((name) => `${name} ${run.settings[name]}`).join(', ')}`;
  if (saved.model === wanted.model && saved.data === wanted.data && differing.length === 0) return;
  const cure = 'Give the same data and settings, or --force instead of --resume to start over.';
  throw new InputError({ file: path, got: of(saved), expected: of(wanted), cure });
}
