// tagloom split DATA -o DIR: DIR/train is a data set, DIR/test/tagged.tsv holds the pairs kept back.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type SplitUnit, split } from '../data/split.ts';
import { writeFolder, writeTagged } from '../data/write-folder.ts';
import { InputError } from '../errors.ts';
import { refuseExisting, stageFolder } from '../files.ts';
import {
  DATA_ARGUMENT,
  type DataChoice,
  dataOptions,
  mergeTagsOption,
  type OutputFolder,
  outputFolderOptions,
  parseNumber,
  parseWhole,
  readData,
  type TagMerging,
} from './options.ts';
import { type Terminal, withThousands } from './terminal.ts';

interface Options extends OutputFolder, TagMerging, DataChoice {
  readonly trainFraction: number;
  readonly seed: number;
  readonly by: SplitUnit;
  readonly groupPattern: RegExp;
  readonly json?: true;
}

const HELP = `
The same seed and the same data give the same split. Interact stays whole in DIR/train.
By "group", objects whose names match the pattern in the same text stay on one side; the rest stand alone,
as do those of which it matches nothing but the empty text.

Examples:
  $ tagloom split lastfm --train-fraction 0.8 --seed 1 -o lastfm-split
  $ tagloom split products.csv --by object -o products-split
  $ tagloom split npm --by group --group-pattern '^@[^/]+/' -o npm-scopes
`;

export function addSplit(program: Command, terminal: Terminal): void {
  const command = program
    .command('split')
    .description('split a data set into a training set and test pairs')
    .argument('<data>', DATA_ARGUMENT)
    .option('--train-fraction <share>', 'share that goes to training', parseNumber, 0.8)
    .option('--seed <n>', 'a whole number', parseWhole, 1)
    .addOption(new Option('--by <unit>', 'what stays together').choices(['pair', 'object', 'group']).default('pair'))
    .addOption(
      new Option('--group-pattern <regexp>', 'for --by group: what the names of a family share')
        .argParser(parsePattern)
        .default(/^@[^/]+\//u, '"^@[^/]+/", an npm scope'),
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', HELP)
    .action((folder: string, options: Options, self: Command) => {
      if (options.by !== 'group' && self.getOptionValueSource('groupPattern') === 'cli') throw idlePattern(options.by);
      return run(folder, options, terminal);
    });
  for (const option of [...dataOptions(), mergeTagsOption(), ...outputFolderOptions()]) command.addOption(option);
}

async function run(folder: string, options: Options, terminal: Terminal): Promise<void> {
  const { output, trainFraction, seed, by, groupPattern } = options;
  await refuseExisting(output, options.force ?? false, folder);
  const { graph } = await readData(folder, options, terminal);
  const numbers = await terminal.during(async (listening) => {
    const groupOf = (name: string) => groupPattern.exec(name)?.[0] || `\0${name}`; // \0: no match can be this text
    const { train, test } = split(graph, { trainFraction, seed, by, groupOf });
    const writing = { ...listening, gzip: options.gzip ?? false };
    await stageFolder(output, { force: options.force ?? false }, async (staged) => {
      await mkdir(join(staged, 'train'));
      await mkdir(join(staged, 'test'));
      await writeFolder(join(staged, 'train'), train, writing);
      await writeTagged(join(staged, 'test'), graph, test, writing);
    });
    return { by, seed, trainFraction, numTrain: train.tagged.size, numTest: test.size, output };
  });
  if (options.json) return terminal.printJson(numbers);
  const { numTrain, numTest } = numbers;
  terminal.print(
    `${output}: ${withThousands(numTrain)} pairs to train, ${withThousands(numTest)} to test (by ${by}, seed ${seed})`,
  );
}

/** A pattern that changes nothing is a mistake the person would not see in the result. */
function idlePattern(by: SplitUnit): InputError {
  const cure = 'Add --by group, or leave out --group-pattern.';
  return new InputError({ got: `--group-pattern with --by ${by}`, expected: '--by group', cure });
}

function parsePattern(text: string): RegExp {
  try {
    return new RegExp(text, 'u');
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
