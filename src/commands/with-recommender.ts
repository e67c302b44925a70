// What commands that ask a model file share: the model is loaded, opened, used and closed again, with progress shown
// meanwhile; and the options that choose among its suggestions.

import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, Option } from 'commander';
import { InputError } from '../errors.ts';
import type { Listener } from '../listener.ts';
import type { Model } from '../models/model.ts';
import { loadModel } from '../models/model-file.ts';
import { type Decisions, readDecisions } from '../serving/curation/decisions.ts';
import { NO_AMENDMENTS } from '../serving/recommend/amendments.ts';
import { Recommender, type SuggestOptions } from '../serving/recommend/recommender.ts';
import { type EngineChoice, engineOf, namesIn, parseNumber, parseShare } from './options.ts';
import type { Reviewing } from './reviews.ts';
import type { Terminal } from './terminal.ts';
import { withReviews } from './with-reviews.ts';

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

/** What curators decided and declared, as suggestions count it; nothing without --reviews. */
export async function decisionsFor(
  { model }: Recommender,
  { reviews }: Reviewing,
): Promise<Pick<Decisions, 'amendments' | 'rules'> & Partial<Pick<Decisions, 'revision'>>> {
  if (reviews === undefined) return { amendments: NO_AMENDMENTS, rules: undefined };
  return withReviews(reviews, (store) => readDecisions(model.graph, store));
}

/** Which tags may be suggested; a list of tags is names with commas between, or @FILE with one name a line. */
export interface ChoiceOptions {
  readonly allow?: string;
  readonly deny?: string;
  readonly minConfidence?: number;
  readonly novelty?: number;
}

export const choiceOptions = () => [
  new Option('--min-confidence <p>', 'leave out suggestions that are less likely right').argParser(parseShare),
  new Option('--allow <tags>', 'suggest no others; names with commas between, or @FILE'),
  new Option('--deny <tags>', 'never suggest these; names with commas between, or @FILE'),
  new Option('--novelty <n>', 'rank rare tags higher (0: off, 1: strongly)').argParser(parseNovelty),
];

export async function choiceOf({ allow, deny, minConfidence, novelty }: ChoiceOptions): Promise<SuggestOptions> {
  return {
    allow: allow === undefined ? undefined : new Set(await listed(allow)),
    deny: deny === undefined ? undefined : new Set(await listed(deny)),
    minConfidence,
    novelty,
  };
}

/** Only some models know how sure they are. */
export function refuseUnsure({ name, confidence }: Model, minConfidence: number | undefined): void {
  if (minConfidence === undefined || confidence !== undefined) return;
  throw unsure(name, 'leave out --min-confidence.');
}

/** Says why a model cannot tell: most kinds never can, and loom not from a handful of objects. */
export function unsure(name: string, otherwise: string): InputError {
  const got = name === 'loom' ? 'a loom model of too few objects' : `a ${name} model`;
  const cure = `Train ${name === 'loom' ? 'on more objects' : 'loom'}, or ${otherwise}`;
  return new InputError({ got, expected: 'one that knows how sure it is', cure });
}

async function listed(text: string): Promise<string[]> {
  if (!text.startsWith('@')) return namesIn(text);
  const path = text.slice(1);
  const content = await readFile(path, 'utf8').catch(() => {
    const cure = 'Check the path after the @.';
    throw new InputError({ file: path, got: 'nothing that can be read', expected: 'a tag on each line', cure });
  });
  return content
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function parseNovelty(text: string): number {
  const novelty = parseNumber(text);
  if (novelty < 0) throw new InvalidArgumentError('Expected a number, 0 or more.');
  return novelty;
}
