// A model in one file (model-tensors.ts says what is in it).

import { readTensorFile, writeTensorFile } from '../data/tensor-file.ts';
import type { Listener } from '../listener.ts';
import type { Model } from './model.ts';
import { modelFromTensors, modelToTensors } from './model-tensors.ts';

export async function saveModel(path: string, model: Model, listener: Listener = {}): Promise<void> {
  await writeTensorFile(path, modelToTensors(model), listener);
}

export async function loadModel(path: string, listener: Listener = {}): Promise<Model> {
  return modelFromTensors(await readTensorFile(path, listener), path);
}
