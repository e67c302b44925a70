// tagloom retrain MODEL: trains a model again with what curators decided, as the service does in the background, and compares it
// with the old one on decisions that were held back. --use puts it in the place of the old one, --restore takes that back.

import { type Command, Option } from 'commander';
import { InputError } from '../errors.ts';
import { loadModel } from '../models/model-file.ts';
import { modelFingerprint } from '../models/model-fingerprint.ts';
import { LatestReviews } from '../retraining/latest-reviews.ts';
import { retrain } from '../retraining/retrain.ts';
import { InUseError } from '../serving/reviews/embedded-database.ts';
import type { ReviewStore } from '../serving/reviews/review-store.ts';
import { readServiceAddress } from '../serving/reviews/service-address.ts';
import {
  beforePath,
  exchangeForBefore,
  exchangeForNew,
  hasBefore,
  readRetrained,
  retrainedPath,
  whileTraining,
} from '../serving/training/retrained-files.ts';
import type { ModelComparison, Retrained } from '../serving/training/training-messages.ts';
import { type EngineChoice, engineOf, engineOptions, parseWhole } from './options.ts';
import { type Terminal, textTable, withThousands } from './terminal.ts';
import { withReviews } from './with-reviews.ts';

interface Options extends EngineChoice {
  readonly reviews?: string;
  readonly use?: true;
  readonly useIfBetter?: true;
  readonly useTrained?: true;
  readonly restore?: true;
  readonly seed?: number;
  readonly json?: true;
}

const HELP = `
MODEL is learnt again from its own data and settings, with accepted tags added and rejected ones taken out. A fifth of the decisions it
has not learnt yet (20 at least, 2,000 at most) is held back: on them the old and the new model are compared. The new one is written to
MODEL.retrained; --use, or --use-trained later, puts it in the place of MODEL, which becomes MODEL.before; --restore takes that back. A service that
serves MODEL shows what waits on its page, and takes in what is used within seconds. Ctrl-C stops and leaves everything as it was.
While a service uses a folder of reviews, train on its page, or: curl -X POST http://127.0.0.1:8080/v1/model/training
A model whose file lacks what it learnt from (content features, counted users, texts in a file beside it) is trained with
"tagloom train DATA --reviews STORE".

Examples:
  $ tagloom retrain shop.tagloom                                   with the reviews in shop.tagloom.reviews
  $ tagloom retrain shop.tagloom --reviews postgres://curator@localhost/reviews --use-if-better
  $ tagloom retrain shop.tagloom --use --json
  $ tagloom retrain shop.tagloom --use-trained                     what was trained and compared before
  $ tagloom retrain shop.tagloom --restore                         back to the model before
`;

const TRAINING = ['use', 'useIfBetter', 'reviews', 'seed']; // options of runs that train

export function addRetrain(program: Command, terminal: Terminal): void {
  const command = program
    .command('retrain')
    .description('train a model again with what curators decided, and compare')
    .argument('<model>', 'a model file')
    .option('--reviews <store>', 'the folder or postgres:// URL of "tagloom serve" (default: MODEL.reviews)')
    .addOption(new Option('--use', 'put the new model in the place of the old one').conflicts('useIfBetter'))
    .option('--use-if-better', 'the same, only where it is better for sure')
    .addOption(new Option('--use-trained', 'train nothing: use MODEL.retrained').conflicts([...TRAINING, 'restore']))
    .addOption(new Option('--restore', 'train nothing: put the model before back').conflicts(TRAINING))
    .option('--seed <n>', 'of which decisions are held back (default: 1)', parseWhole)
    .option('--json', 'print one JSON document');
  for (const option of engineOptions()) command.addOption(option);
  command.addHelpText('after', HELP).action((path: string, options: Options) => run(path, options, terminal));
}

async function run(path: string, options: Options, terminal: Terminal): Promise<void> {
  if (options.restore) return restore(path, options, terminal);
  if (options.useTrained) return useTrained(path, options, terminal);
  const started = performance.now();
  const where = options.reviews ?? `${path}.reviews`;
  const reviews = await withReviews(where, latestOf).catch(async (error) => {
    throw error instanceof InUseError ? await servedInstead(where, error) : error;
  });
  const { seed } = options;
  const retrained = await terminal.during((listening) =>
    retrain(path, reviews, { ...engineOf(options), seed }, listening),
  );
  const isUsed = options.use ?? (options.useIfBetter && retrained.comparison.verdict === 'better') ?? false;
  if (isUsed) await exchangeForNew(path);
  const seconds = (performance.now() - started) / 1000;
  const written = isUsed ? path : retrainedPath(path);
  if (options.json) return terminal.printJson({ model: path, written, isUsed, seconds, ...retrained });
  terminal.print(reportOf(path, retrained, isUsed, terminal));
}

async function latestOf(store: ReviewStore): Promise<LatestReviews> {
  const reviews = new LatestReviews();
  for (let revision = '0'; ; ) {
    const changes = await store.changedSince(revision);
    const last = changes.at(-1);
    if (last === undefined) return reviews;
    reviews.add(changes);
    revision = last.revision;
  }
}

/** The service that has the folder open trains itself. */
async function servedInstead(where: string, error: InUseError): Promise<InputError> {
  const url = (await readServiceAddress(where)) ?? 'http://ADDRESS';
  const cure = `While a service uses the folder, train on its page, or: curl -X POST '${url}/v1/model/training'`;
  return new InputError({ ...error.problem, cure }, { cause: error });
}

async function useTrained(path: string, { json }: Options, terminal: Terminal): Promise<void> {
  const base = modelFingerprint(await terminal.during((listening) => loadModel(path, listening)));
  if ((await readRetrained(path, base)) === undefined) {
    const expected = 'one that was compared with the model in the file';
    const cure = 'Train one: leave out --use-trained.';
    throw new InputError({ file: retrainedPath(path), got: 'no new model', expected, cure });
  }
  await whileTraining(path, () => exchangeForNew(path)); // what another process compares with stays
  if (json) return terminal.printJson({ model: path, isUsed: true, before: beforePath(path) });
  terminal.print(usedText(path, terminal));
}

async function restore(path: string, { json }: Options, terminal: Terminal): Promise<void> {
  if (!(await hasBefore(path))) {
    const cure = '"tagloom retrain --use" keeps one where a new model takes its place.';
    throw new InputError({ file: beforePath(path), got: 'no model before', expected: 'one', cure });
  }
  await whileTraining(path, () => exchangeForBefore(path));
  if (json) return terminal.printJson({ model: path, isRestored: true, retrained: retrainedPath(path) });
  terminal.print(`${path} is the model before again. The newer one is ${retrainedPath(path)}.`);
}

function reportOf(path: string, { comparison, numLearnt }: Retrained, isUsed: boolean, terminal: Terminal): string {
  const use = terminal.commandLine(`retrain ${path} --use-trained`);
  const next = isUsed ? usedText(path, terminal) : `Written to ${retrainedPath(path)}. To use it: ${use}`;
  const learnt = `${withThousands(numLearnt)} new decision${numLearnt === 1 ? '' : 's'} learnt`;
  return `${comparison.statement}\n\n${figuresOf(comparison)}\n${learnt}. ${next}`;
}

function usedText(path: string, terminal: Terminal): string {
  const back = terminal.commandLine(`retrain ${path} --restore`);
  return `${path} is the new model, ${beforePath(path)} the one before. To go back: ${back}`;
}

function figuresOf({ accepted, rejected, separation }: ModelComparison): string {
  const fixed = (value: number) => value.toFixed(4);
  return textTable(
    ['held back', 'old', 'new', 'p'],
    [
      [
        `Recall@3 of ${withThousands(accepted.numPairs)} accepted`,
        fixed(accepted.recallAt3.old),
        fixed(accepted.recallAt3.new),
        accepted.difference?.pValue.toFixed(3) ?? '',
      ],
      ['mean of 1 / rank', fixed(accepted.reciprocalRank.old), fixed(accepted.reciprocalRank.new), ''],
      [
        `suggested of ${withThousands(rejected.numPairs)} rejected`,
        withThousands(rejected.numSuggested.old),
        withThousands(rejected.numSuggested.new),
        rejected.difference?.pValue.toFixed(3) ?? '',
      ],
      ...(separation === undefined
        ? []
        : [
            [
              'surer of accepted than of rejected',
              fixed(separation.share.old),
              fixed(separation.share.new),
              separation.difference?.pValue.toFixed(3) ?? '',
            ],
          ]),
    ],
  );
}
