// Why a model cannot be trained again from its own file, and what to do instead; and from how many decisions on it pays.

import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { NameTable } from '../../data/vocabulary.ts';
import { InputError } from '../../errors.ts';
import { userCountsOf } from '../../models/fitted.ts';
import type { Model } from '../../models/model.ts';
import { OBJECTS_FILE_FROM, writtenBytes, writtenColumns } from '../../models/objects-file.ts';

/** The metric of a model that says how many decisions its training held back: they wait for the next one. */
export const HELD_BACK_METRIC = 'decisions held back';

const MIN_OFFERED = 50; // of which a comparison holds back 20 at least: with fewer nothing could be seen
const MAX_OFFERED = 1000; // more than a day of work: it should be learnt, however large the data are
const OFFERED_SHARE = 0.01; // of the tagged pairs: less changes hardly any suggestion

/** From how many decisions on that the model does not know a training is offered. */
export function offeredFrom({ graph }: Model): number {
  return Math.max(MIN_OFFERED, Math.min(MAX_OFFERED, Math.ceil(OFFERED_SHARE * graph.tagged.size)));
}

/** What is missing in the model to learn it again, as an error with the command to run instead; undefined where nothing is. */
export function obstacleIn(model: Model, path: string): InputError | undefined {
  const expected = 'a model whose file holds all it was trained on';
  const instead = (more: string) => `Run instead: tagloom train DATA${more} --reviews STORE -o ${path} --force.`;
  const { fitted, graph } = model;
  const obstacle = (got: string, more = '') => new InputError({ file: path, got, expected, cure: instead(more) });
  if (userCountsOf(model) !== undefined)
    return obstacle('a model without the users it learnt from', ' --engine duckdb');
  if (fitted.form === 'loom' && (fitted.content !== undefined || fitted.text.features !== undefined)) {
    return obstacle('a model without the content features it learnt from', ' --features FEATURES');
  }
  const isBeside = writtenColumns(graph).some(([, table]) => !(table instanceof NameTable));
  if (isBeside || writtenBytes(graph) > OBJECTS_FILE_FROM) {
    return obstacle('a model whose texts are in a file beside it');
  }
  return undefined;
}

/** The same for the place where a new model would be written. */
export async function obstacleAt(path: string): Promise<InputError | undefined> {
  const folder = dirname(path);
  const isWritable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (isWritable) return undefined;
  const cure = `Let the service write to ${folder}, or run instead: tagloom train DATA --reviews STORE -o FILE.`;
  return new InputError({
    file: path,
    got: 'a folder that cannot be written to',
    expected: 'room for a new model',
    cure,
  });
}

/** A service that was handed a model has no file to train from. */
export function handedModel(): InputError {
  const cure = 'Start the service with the path of a model file.';
  return new InputError({ got: 'a service that was handed a model', expected: 'one that read a file', cure });
}
