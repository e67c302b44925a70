// tagloom export FILE --format F -o PATH: the embeddings of a model for other tools.

import { type Command, Option } from 'commander';
import { loadModel } from '../models/model-file.ts';
import {
  EXPORT_FORMATS,
  type Exported,
  type ExportFormat,
  exportEmbeddings,
  refuseExportTarget,
} from '../serving/export/export.ts';
import { SIDES, type WhichSides } from '../serving/export/side.ts';
import { type Terminal, withThousands } from './terminal.ts';

interface Options {
  readonly format: ExportFormat;
  readonly what: WhichSides;
  readonly output: string;
  readonly force?: true;
  readonly json?: true;
}

const HELP = `
Formats:
  word2vec   text: "count width", then a name and its numbers on each line; gensim, fastText and others read it.
             PATH is a file; with --what both a folder with objects.txt and tags.txt.
  projector  a folder for the TensorFlow Embedding Projector: NAME.vectors.tsv and NAME.metadata.tsv.
  npy        a folder of NumPy arrays: NAME.npy (float32), NAME.txt with the name of each row, and base.npy.
  parquet    columns name, title (objects), base (tags) and vector, a list of float32.
             PATH is a file; with --what both a folder with objects.parquet and tags.parquet.

The score of a tag for an object is the product of their vectors plus the tag's base. base is in npy and parquet only:
without it, the nearest tags of an object are not quite the ones that "tagloom suggest" ranks first.

word2vec ends a name at the first blank, so each blank becomes an underscore. Where that makes a name like another, it
gets a number, with a warning: "new york" is new_york_2 if there is also a new_york. The other formats keep names whole.

Examples:
  $ tagloom export lastfm.tagloom --format word2vec --what tags -o tags.txt
  $ tagloom export lastfm.tagloom --format projector -o projector
  $ tagloom export lastfm.tagloom --format npy -o arrays
  $ tagloom export lastfm.tagloom --format parquet --what objects -o objects.parquet --force
`;

export function addExport(program: Command, terminal: Terminal): void {
  program
    .command('export')
    .description('write the embeddings of a model for other tools')
    .argument('<file>', 'a model that "tagloom train" wrote')
    .addOption(new Option('--format <format>', 'of the result').choices(EXPORT_FORMATS).makeOptionMandatory())
    .addOption(new Option('-o, --output <path>', 'where to write: a file or a folder, see below').makeOptionMandatory())
    .addOption(new Option('--what <side>', 'whose embeddings').choices(SIDES).default('both'))
    .option('--force', 'replace what is already there')
    .option('--json', 'print one JSON document')
    .addHelpText('after', HELP)
    .action((file: string, options: Options) => run(file, options, terminal));
}

async function run(file: string, options: Options, terminal: Terminal): Promise<void> {
  const { format, what, output } = options;
  const target = { format, what, force: options.force ?? false, input: file };
  await refuseExportTarget(output, target);
  const { name, exported } = await terminal.during(async (listening) => {
    const model = await loadModel(file, listening);
    return { name: model.name, exported: await exportEmbeddings(model, output, { ...target, ...listening }) };
  });
  if (options.json) return terminal.printJson({ model: name, format, what, output, ...exported });
  terminal.print(`${output}: ${sizes(exported)}, ${withThousands(exported.width)} numbers each (${format})`);
}

function sizes({ numObjects, numTags }: Exported): string {
  const parts: string[] = [];
  if (numObjects !== undefined) parts.push(`${withThousands(numObjects)} objects`);
  if (numTags !== undefined) parts.push(`${withThousands(numTags)} tags`);
  return parts.join(' and ');
}
