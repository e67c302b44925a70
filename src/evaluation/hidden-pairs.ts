// Pairs hidden from a fit, to see how well it finds them: for early stopping, for choosing strengths, for tuning.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { type Split, split } from '../data/split.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { Listener } from '../listener.ts';
import { MISSING_SHARE } from '../models/confidence.ts';
import { openScorer, type Scorable } from '../models/fitted.ts';
import { type ModelKind, numRehearsed, type Rehearsal } from '../models/model-kind.ts';
import { fitPopularity } from '../models/popularity.ts';
import { permutation, Random } from '../random.ts';
import type { Settings } from '../settings.ts';
import { evaluate, meanOf } from './evaluate.ts';

const HIDING_SEED = 2 ** 32; // so that no split into training and test pairs is repeated inside its training pairs
const MAX_JUDGED = 1500; // objects that strengths are chosen on

/** A share of the pairs hidden. */
function hidePairs(graph: KnowledgeGraph, share: number, seed: number): Split {
  return split(graph, { trainFraction: 1 - share, seed: seed + HIDING_SEED });
}

/** What is hidden from the fit of a model: pairs to stop in time by, or a rehearsal; neither where there is only one pair. */
export interface Hidden {
  readonly validation?: Split;
  readonly rehearsal?: Rehearsal & Split;
}

/** `onAttempt`: hears the Recall@3 of each attempt in a rehearsal. */
export function hideFor(
  kind: Pick<ModelKind, 'rehearses'>,
  settings: Settings,
  graph: KnowledgeGraph,
  onAttempt?: (recall: number) => void,
  listener: Listener = {},
): Hidden {
  const [seed, share] = [Number(settings.seed), Number(settings.validation ?? 0)];
  if (graph.tagged.size < 2) return {};
  return {
    ...(share > 0 && { validation: hidePairs(graph, share, seed) }),
    ...(kind.rehearses && { rehearsal: rehearsalOn(graph, seed, onAttempt, listener) }),
  };
}

/** Recall@3 of suggesting the most common tags, on the pairs a fit is measured by; undefined where nothing is hidden. */
export async function popularityRecall(
  kernels: Kernels,
  { validation, rehearsal }: Hidden,
  listener: Listener = {},
): Promise<number | undefined> {
  const parts = validation ?? rehearsal;
  return parts && recallOf(kernels, { fitted: fitPopularity(parts.train) }, parts, listener);
}

/** Recall@3 on the hidden pairs. */
export async function recallOf(
  kernels: Kernels,
  model: Scorable,
  parts: Split,
  listener: Listener = {},
): Promise<number> {
  const scorer = openScorer(kernels, model, parts.train);
  try {
    return meanOf(await evaluate(scorer.score, parts, [3], quiet(listener)), 'recall@3');
  } finally {
    scorer.release();
  }
}

/** Part of the pairs hidden as data hides them, judged by the Recall@3 of a sample of the objects. */
function rehearsalOn(
  graph: KnowledgeGraph,
  seed: number,
  onAttempt: ((recall: number) => void) | undefined,
  listener: Listener,
): Rehearsal & Split {
  const { train, test } = hidePairs(graph, MISSING_SHARE, seed);
  const order = permutation(test.numHeads, new Random(1, 'objects to judge on'));
  const judged = order
    .filter((object) => test.rowLength(object) > 0)
    .subarray(0, numRehearsed(MAX_JUDGED, graph.tags.size));
  const isJudged = new Set(judged);
  const marks = new Uint8Array(test.size);
  for (let i = 0; i < test.size; i++) marks[i] = isJudged.has(test.heads[i]) ? 1 : 0;
  const hidden = test.select(marks);
  const judge: Rehearsal['judge'] = async (score) => {
    const recall = meanOf(await evaluate(score, { train, test: hidden }, [3], quiet(listener)), 'recall@3');
    onAttempt?.(recall);
    return recall;
  };
  return { train, test: hidden, judged, judge };
}

/** Where steps of the fit are the progress to show. */
function quiet(listener: Listener): Listener {
  return { ...listener, progress: () => {} };
}
