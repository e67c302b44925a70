// What commands on a model file share: it is loaded, opened, used and closed again, with progress shown meanwhile.

import type { Listener } from '../listener.ts';
import { loadModel } from '../models/model-file.ts';
import { Recommender } from '../serving/recommender.ts';
import { type EngineChoice, engineOf } from './engine-option.ts';
import type { Terminal } from './terminal.ts';

export function withRecommender<Result>(
  path: string,
  options: EngineChoice,
  terminal: Terminal,
  use: (recommender: Recommender, listening: Listener) => Result | Promise<Result>,
): Promise<Result> {
  return terminal.during(async (listening) => {
    const { warn } = listening;
    const engine = { ...engineOf(options), ...(warn && { warn }) };
    const recommender = await Recommender.open(await loadModel(path, listening), engine);
    try {
      return await use(recommender, listening);
    } finally {
      recommender.close();
    }
  });
}
