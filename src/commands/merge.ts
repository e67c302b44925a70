// tagloom merge PART… -o FILE: joins the parts that "tagloom suggest --all --part" wrote.

import { type Command, Option } from 'commander';
import { refuseExistingFile } from '../files.ts';
import { mergeParts } from '../serving/parts/merge-parts.ts';
import { type Terminal, withThousands } from './terminal.ts';

interface Options {
  readonly output: string;
  readonly force?: true;
  readonly json?: true;
}

const HELP = `
The result is byte for byte what "tagloom suggest --all" writes with the same options and without --part. Nothing is written
unless all parts are there, each once and whole, and of the same model, number of parts and options.

Examples:
  $ tagloom suggest shop.tagloom --all --part 1/2 -o part-1.tsv      on one machine
  $ tagloom suggest shop.tagloom --all --part 2/2 -o part-2.tsv      on another
  $ tagloom merge part-*.tsv -o suggestions.tsv
`;

export function addMerge(program: Command, terminal: Terminal): void {
  program
    .command('merge')
    .description('join the parts that "suggest --all --part" wrote')
    .argument('<parts...>', 'all parts, in any order')
    .addOption(new Option('-o, --output <file>', 'where to write').makeOptionMandatory())
    .option('--force', 'replace the file if it is already there')
    .option('--json', 'print one JSON document about the result')
    .addHelpText('after', HELP)
    .action((parts: string[], options: Options) => run(parts, options, terminal));
}

async function run(paths: readonly string[], options: Options, terminal: Terminal): Promise<void> {
  const { output, force = false, json } = options;
  for (const path of paths) await refuseExistingFile(output, force, path);
  const merged = await terminal.during((listening) => mergeParts(paths, output, listening));
  if (json) return terminal.printJson({ output, ...merged });
  const { numParts, numObjects } = merged;
  terminal.print(`${output}: ${withThousands(numObjects)} objects in ${withThousands(numParts)} parts`);
}
