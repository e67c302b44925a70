// `tagloom import`: exports of other programs, public releases and lists of triples become a data set folder. One subcommand a
// source; the result is written whole or not at all.

import type { Command } from 'commander';
import { fingerprint, type KnowledgeGraph } from '../data/knowledge-graph.ts';
import { writeFolder } from '../data/write-folder.ts';
import { refuseExisting, stageFolder } from '../files.ts';
import type { Listener } from '../listener.ts';
import { eachSource, type Source } from './import-sources.ts';
import { mergeTagsOption, type OutputFolder, outputFolderOptions, readMerged, type TagMerging } from './options.ts';
import { type Terminal, textTable, withThousands } from './terminal.ts';

const EXAMPLES = `
  $ tagloom import wordpress blog.WordPress.2026-11-01.xml -o blog
  $ tagloom import zotero "My Library.csv" -o library
  $ tagloom import stackexchange cooking --site cooking.stackexchange.com -o cooking-data
  $ tagloom import shopify --help`;

export function addImport(program: Command, terminal: Terminal): void {
  const parent = program
    .command('import')
    .description('turn an export of another program, a public release or a list of triples into a data set folder')
    .addHelpText('after', `\nExamples:${EXAMPLES}\n`);
  eachSource((source) => addSource(parent, terminal, source));
}

function addSource<Options extends Listener>(parent: Command, terminal: Terminal, source: Source<Options>): void {
  const command = parent.command(source.name).description(source.about).argument('<path>', source.path);
  for (const option of [...source.options, mergeTagsOption(), ...outputFolderOptions()]) command.addOption(option);
  command
    .option('--json', 'print the counts as JSON')
    .addHelpText('after', `\nExamples:${source.examples}\n`)
    .action(async (path: string, flags: Options & OutputFolder & TagMerging & { json?: true }) => {
      await refuseExisting(flags.output, flags.force ?? false, path);
      const graph = await terminal.during(async (listener) => {
        const reading = async () => ({ graph: await source.read(path, { ...flags, ...listener }) });
        const { graph: read } = await readMerged(reading, flags, listener);
        await stageFolder(flags.output, flags, (folder) =>
          writeFolder(folder, read, { ...listener, gzip: flags.gzip ?? false }),
        );
        return read;
      });
      report(terminal, source.name, graph, flags);
    });
}

function report(
  terminal: Terminal,
  source: string,
  graph: KnowledgeGraph,
  flags: { readonly output: string; readonly json?: true },
): void {
  const { users, objects, tags, interact, tagged } = graph;
  const hasUsers = interact.size > 0;
  if (flags.json) {
    terminal.printJson({
      source,
      output: flags.output,
      ...(hasUsers && { users: users.size }),
      objects: objects.size,
      tags: tags.size,
      ...(hasUsers && { interact: interact.size }),
      tagged: tagged.size,
      fingerprint: fingerprint(graph),
    });
    return;
  }
  const counts = {
    ...(hasUsers && { users }),
    ...{ objects, tags },
    ...(hasUsers && { Interact: interact }),
    TaggedWith: tagged,
  };
  const rows = Object.entries(counts).map(([name, { size }]) => [name, withThousands(size)]);
  terminal.print(`${textTable(undefined, rows)}\nWritten to ${flags.output}`);
}
