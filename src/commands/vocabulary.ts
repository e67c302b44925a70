// tagloom vocabulary … STORE: what is declared about tags, in a store of reviews. This file names the commands and their options;
// changes are made in vocabulary-changes.ts, documents and lists in vocabulary-files.ts.

import { type Command, Option } from 'commander';
import type { Declaration } from '../serving/vocabulary/declaration.ts';
import { FORMATS } from '../serving/vocabulary/skos-format.ts';
import { parseWhole } from './options.ts';
import type { Terminal } from './terminal.ts';
import { assignedIn, type ChangeOptions, change, undo } from './vocabulary-changes.ts';
import { check, type ExportOptions, exportTo, type ImportOptions, importFrom, list, log } from './vocabulary-files.ts';
import { addVocabularyProposals } from './vocabulary-proposals.ts';

const HELP = `
STORE is what "tagloom serve --reviews" was given: a folder, which no other process may be using, or a postgres:// URL. Services on
that database follow within a second. While a service uses a folder, change the vocabulary on its page, or by its API.
With --model, names are checked against the tags of the model, and objects are counted; --dry-run shows what would change.

Examples:
  $ tagloom vocabulary merge reviews libs library-code --into library --model npm.tagloom --dry-run
  $ tagloom vocabulary merge reviews libs library-code --into library --curator Ada
  $ tagloom vocabulary rename reviews sci-fi "science fiction"
  $ tagloom vocabulary synonym reviews js ecmascript --of javascript
  $ tagloom vocabulary parent reviews react vue --implies javascript
  $ tagloom vocabulary exclude reviews fiction non-fiction
  $ tagloom vocabulary split reviews jaguar jaguar-cars jaguar-animals --assign decided.tsv
  $ tagloom vocabulary retire reviews "seen live" --take-off
  $ tagloom vocabulary log reviews
  $ tagloom vocabulary undo reviews 7
  $ tagloom vocabulary import reviews thesaurus.ttl --language en --dry-run
  $ tagloom vocabulary export reviews -o vocabulary.ttl
  $ tagloom vocabulary proposals npm.tagloom
`;

const STORE = ['<store>', 'a folder or a postgres:// URL'] as const;

export function addVocabulary(program: Command, terminal: Terminal): void {
  const all = program
    .command('vocabulary')
    .description('merge, rename, split and retire tags; synonyms, implied tags, exclusions; SKOS')
    .addHelpText('after', HELP);
  addChanges(all, terminal);
  addSplit(all, terminal);
  addUndo(all, terminal);
  addLists(all, terminal);
  addDocuments(all, terminal);
  addVocabularyProposals(all, terminal);
}

interface Kind {
  readonly kind: Declaration['kind'];
  readonly summary: string;
  readonly tags: string;
  /** The option that names the other tags. */
  readonly into?: { readonly flags: string; readonly name: string; readonly summary: string };
}

const KINDS: readonly Kind[] = [
  {
    ...{ kind: 'merge', summary: 'read tags as another one, from now on', tags: 'tags that are merged' },
    into: { flags: '--into <tag>', name: 'into', summary: 'the tag they become' },
  },
  {
    ...{ kind: 'synonym', summary: 'declare other labels of a tag', tags: 'labels' },
    into: { flags: '--of <tag>', name: 'of', summary: 'the tag they stand for' },
  },
  {
    ...{ kind: 'parent', summary: 'declare that tags imply others', tags: 'tags that imply others' },
    into: { flags: '--implies <tags...>', name: 'implies', summary: 'what carriers of these carry, too' },
  },
  { kind: 'exclude', summary: 'declare that no object carries two of some tags', tags: 'two tags or more' },
];

function addChanges(all: Command, terminal: Terminal): void {
  for (const { kind, summary, tags, into } of KINDS) {
    const command = all
      .command(kind)
      .description(summary)
      .argument(...STORE)
      .argument('<tags...>', tags);
    if (into !== undefined) command.requiredOption(into.flags, into.summary);
    changing(command).action((store: string, names: string[], options: ChangeOptions & Record<string, unknown>) => {
      const others = into === undefined ? [] : [options[into.name]].flat().map(String);
      return change(store, { kind, tags: names, into: others }, options, terminal);
    });
  }
  changing(
    all
      .command('rename')
      .description('give a tag a name that no tag has')
      .argument(...STORE)
      .argument('<tag>', 'the tag')
      .argument('<name>', 'its new name'),
  ).action((store: string, tag: string, name: string, options: ChangeOptions) =>
    change(store, { kind: 'rename', tags: [tag], into: [name] }, options, terminal),
  );
  changing(
    all
      .command('retire')
      .description('suggest tags no more')
      .argument(...STORE)
      .argument('<tags...>', 'tags')
      .option('--take-off', 'and take them off the objects that carry them'),
  ).action((store: string, tags: string[], options: ChangeOptions & { takeOff?: true }) => {
    const takeOff = options.takeOff ?? false;
    return change(store, { kind: 'retire', tags, into: [], ...(takeOff && { takeOff }) }, options, terminal);
  });
}

function addSplit(all: Command, terminal: Terminal): void {
  const split = all
    .command('split')
    .description('let a tag give way to its parts, object by object')
    .argument(...STORE)
    .argument('<tag>', 'the tag')
    .argument('<parts...>', 'tags it gives way to')
    .option('--assign <file>', 'a table of what is decided: columns object and tag');
  changing(split).action(
    async (store: string, tag: string, parts: string[], options: ChangeOptions & { assign?: string }) => {
      const assigned = options.assign === undefined ? [] : await assignedIn(options.assign);
      return change(store, { kind: 'split', tags: [tag], into: parts, assigned }, options, terminal);
    },
  );
}

/** The options of all changes. */
function changing(command: Command): Command {
  return command
    .option('--curator <name>', 'who declares it')
    .option('--note <text>', 'kept with the change')
    .option('--model <file>', 'a model file: checks names and counts objects')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--json', 'print one JSON document')
    .addHelpText('after', HELP);
}

function addUndo(all: Command, terminal: Terminal): void {
  all
    .command('undo')
    .description('undo a change that no later one stands on')
    .argument(...STORE)
    .argument('<id>', 'of the change: see "tagloom vocabulary log"')
    .option('--curator <name>', 'who undoes it')
    .option('--json', 'print one JSON document')
    .addHelpText('after', HELP)
    .action((store: string, id: string, options: ChangeOptions) => undo(store, id, options, terminal));
}

function addLists(all: Command, terminal: Terminal): void {
  const reading = (name: string, summary: string) =>
    all
      .command(name)
      .description(summary)
      .argument(...STORE)
      .option('--json', 'print one JSON document')
      .addHelpText('after', HELP);
  reading('list', 'list the tags that something is declared of')
    .option('--model <file>', 'a model file: counts objects')
    .action((store: string, options: ChangeOptions) => list(store, options, terminal));
  reading('log', 'list all changes, the newest first')
    .option('--limit <n>', 'changes, at most', parseWhole, 50)
    .action((store: string, options: { limit: number; json?: true }) => log(store, options, terminal));
  reading('check', 'look for what does not go together')
    .requiredOption('--model <file>', 'a model file')
    .action((store: string, options: ChangeOptions & { model: string }) => check(store, options, terminal));
}

function addDocuments(all: Command, terminal: Terminal): void {
  const format = () => new Option('--format <name>', 'how it is written (default: by the ending)').choices(FORMATS);
  const language = (summary: string) => new Option('--language <tag>', summary);
  changing(
    all
      .command('import')
      .description('declare what a SKOS document says, as one change')
      .argument(...STORE)
      .argument('<file>', 'Turtle (.ttl) or N-Triples (.nt)')
      .addOption(format())
      .addOption(language('of the labels that count (default: those without one, then en, then any)')),
  ).action((store: string, file: string, options: ImportOptions) => importFrom(store, file, options, terminal));
  all
    .command('export')
    .description('write a SKOS document')
    .argument(...STORE)
    .option('-o, --output <file>', 'where to write (default: standard output)')
    .option('--force', 'replace the file if it is already there')
    .option('--model <file>', 'a model file: writes all its tags, too')
    .addOption(format())
    .addOption(language('of the labels (default: none is said)'))
    .addHelpText('after', HELP)
    .action((store: string, options: ExportOptions) => exportTo(store, options, terminal));
}
