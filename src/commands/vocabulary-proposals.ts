// tagloom vocabulary proposals DATA|MODEL: pairs of tags that probably mean the same, with the reasons.

import { open } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { InputError } from '../errors.ts';
import { refuseExistingFile, writeFile } from '../files.ts';
import { loadModel } from '../models/model-file.ts';
import { MIN_SCORE, type Proposal, proposeSynonyms } from '../serving/vocabulary/proposals.ts';
import { DATA_ARGUMENT, type DataChoice, dataOptions, parseShare, parseWhole, readData } from './options.ts';
import { type Terminal, withThousands } from './terminal.ts';

interface Options extends DataChoice {
  readonly minScore: number;
  readonly limit: number;
  readonly output?: string;
  readonly force?: true;
  readonly json?: true;
}

const HELP = `
Names say most: the same word with another ending or spelling (parse, parsing, parser), or its abbreviation (i18n). The
objects of two tags then tell whether they mean the same: their other tags, their users, the words of their texts, and how
often both tags stand on one object. A score says how likely that is. Below ${MIN_SCORE}, more than one in ten is wrong.
-o writes each tag with the best of its proposals. Look through the file before you pass it to --merge-tags.

Examples:
  $ tagloom vocabulary proposals lastfm
  $ tagloom vocabulary proposals lastfm.tagloom --min-score 0.9 --limit 100
  $ tagloom vocabulary proposals products.csv --json | jq '.proposals[0].evidence[].text'
  $ tagloom vocabulary proposals lastfm -o same.tsv && tagloom stats lastfm --merge-tags same.tsv
`;

/** Adds the subcommand to "tagloom vocabulary". */
export function addVocabularyProposals(vocabulary: Command, terminal: Terminal): void {
  const command = vocabulary
    .command('proposals')
    .description('list pairs of tags that probably mean the same')
    .argument('<data>', `a model file, or ${DATA_ARGUMENT}`)
    .option('--min-score <p>', 'leave out what is less likely', parseShare, MIN_SCORE)
    .option('--limit <n>', 'pairs to show, at most', parseWhole, 50)
    .addOption(new Option('-o, --output <file.tsv>', 'write all of them as a table for --merge-tags'))
    .option('--force', 'replace that file if it is already there')
    .option('--json', 'print all of them as one JSON document')
    .addHelpText('after', HELP)
    .action((path: string, options: Options) => run(path, options, terminal));
  for (const option of dataOptions()) command.addOption(option);
}

async function run(path: string, options: Options, terminal: Terminal): Promise<void> {
  const { minScore, limit, output, json } = options;
  const force = options.force ?? false;
  if (output !== undefined) {
    requireTsv(output);
    await refuseExistingFile(output, force);
  }
  const graph = await graphOf(path, options, terminal);
  const proposals = await terminal.during(async (listening) => {
    const found = await proposeSynonyms(graph, { ...listening, minScore });
    if (output !== undefined) await writeFile(output, mappingText(found), { isNew: !force });
    return found;
  });
  if (json) terminal.printJson({ proposals });
  else terminal.print(proposalsText(proposals.slice(0, limit), proposals.length));
  if (output !== undefined) terminal.note(`Proposals written to ${output}`);
}

/** Of a model, what it was trained on. */
async function graphOf(path: string, options: Options, terminal: Terminal): Promise<KnowledgeGraph> {
  if (!(await isModelFile(path))) return (await readData(path, options, terminal)).graph;
  return terminal.during(async (listening) => (await loadModel(path, listening)).graph);
}

/**
 * A model's file begins with the length of its header, as a number of eight bytes, and the header (tensor-bytes.ts); no table of text does.
 * A path that cannot be read is left to who reads data: its errors say more.
 */
async function isModelFile(path: string): Promise<boolean> {
  if (path === '-') return false;
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(9), 0, 9, 0);
      return bytesRead === 9 && buffer.readUInt32LE(4) === 0 && buffer[8] === 0x7b; // a header is below 4 GB, and of JSON
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}

/** Reading goes by the ending. */
function requireTsv(path: string): void {
  if (path.endsWith('.tsv')) return;
  const cure = 'Name it so: it is read by its ending.';
  throw new InputError({ file: path, got: 'a file of another kind', expected: 'a name ending in .tsv', cure });
}

/** A tag goes into one other: the likeliest comes first. */
function mappingText(proposals: readonly Proposal[]): string {
  const merged = new Map<string, string>();
  for (const { from, into } of proposals) if (!merged.has(from)) merged.set(from, into);
  return `tag\tmerged\n${Array.from(merged, ([tag, into]) => `${tag}\t${into}\n`).join('')}`;
}

function proposalsText(shown: readonly Proposal[], numAll: number): string {
  if (numAll === 0) return 'No two tags seem to mean the same.\n';
  const lines = shown.flatMap(({ from, into, score, evidence, numObjects: [numFrom, numInto] }) => [
    `${score.toFixed(2)}  ${from} (${withThousands(numFrom)}) → ${into} (${withThousands(numInto)})`,
    `      ${evidence.map(({ text }) => text).join('; ')}`,
  ]);
  const left = numAll - shown.length;
  const rest = left > 0 ? [`and ${withThousands(left)} more: --limit shows more, --json all of them`] : [];
  return `${[...lines, ...rest].join('\n')}\n`;
}
