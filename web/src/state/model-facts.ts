// What the service says of its model, asked for once.

import { useEffect, useState } from 'preact/hooks';
import { getModel } from '../api/calls.ts';
import type { ModelFacts } from '../api/shapes.ts';

let asked: Promise<ModelFacts> | undefined;

/** Undefined until it is known, and where it cannot be. */
export function useModel(): ModelFacts | undefined {
  const [model, setModel] = useState<ModelFacts>();
  useEffect(() => {
    asked ??= getModel();
    asked.then(setModel, () => {
      asked = undefined;
    });
  }, []);
  return model;
}
