// The options that several commands share, and what they mean: numbers and lists of names, the backend, settings of models,
// the columns of the data, tags to be merged, and a folder to write.

import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, Option } from 'commander';
import type { LoadedCatalogue } from '../data/catalogue/read-catalogue.ts';
import { understoodText } from '../data/catalogue/understood.ts';
import { loadCatalogue } from '../data/data-set.ts';
import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { mergeTags, readTagMapping } from '../data/merge-tags.ts';
import { BACKEND_NAMES, type BackendName, type EngineOptions } from '../engine/open.ts';
import { InputError } from '../errors.ts';
import type { Listener } from '../listener.ts';
import type { Settings, SettingValue } from '../settings.ts';
import type { Terminal } from './terminal.ts';

export function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('Expected a number.');
  return value;
}

/** A whole number, 0 or more. */
export function parseWhole(text: string): number {
  const value = parseNumber(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError('Expected a whole number, 0 or more.');
  return value;
}

export function parseShare(text: string): number {
  const share = parseNumber(text);
  if (!(share >= 0 && share <= 1)) throw new InvalidArgumentError('Expected a number from 0 to 1.');
  return share;
}

/** Names with commas between. */
export function namesIn(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Which backend computes, and on how many threads. */
export interface EngineChoice {
  readonly threads?: number;
  readonly backend?: BackendName;
}

export const engineOptions = () => [
  new Option('--threads <n>', 'threads to compute on (default: all cores)').argParser(parseWhole),
  new Option('--backend <name>', 'what computes: the processor, or a GPU (default: cpu)').choices(BACKEND_NAMES),
];

export function engineOf({ threads, backend }: EngineChoice): EngineOptions {
  return { ...(threads === undefined ? {} : { threads }), ...(backend === undefined ? {} : { backend }) };
}

/** Tags that are to be read as others. */
export interface TagMerging {
  readonly mergeTags?: string;
}

export const mergeTagsOption = () =>
  new Option('--merge-tags <file>', 'a table of tags to be read as others: columns tag and merged');

/** Reads data and merges its tags. The mapping goes first: a mistake in it shows before hours of reading. */
export async function readMerged<Read extends { readonly graph: KnowledgeGraph }>(
  read: () => Promise<Read>,
  { mergeTags: path }: TagMerging,
  listening: Listener,
): Promise<Read> {
  if (path === undefined) return read();
  const mapping = await readTagMapping(path, listening);
  const data = await read();
  return { ...data, graph: mergeTags(data.graph, mapping, listening) };
}

/** What the columns of a file are, where they are not found as they should be. */
export interface DataChoice {
  readonly id?: string;
  readonly title?: string;
  readonly text?: string[];
  readonly tags?: string[];
  readonly separator?: string;
}

/** What DATA may be, for the help of commands that read it. */
export const DATA_ARGUMENT = 'a file (CSV, TSV, JSON, Parquet; - for standard input) or a folder of tables';

export const dataOptions = () => [
  new Option('--id <column>', 'column that identifies an object (default: found, or row numbers)'),
  new Option('--title <column>', 'column with the name of an object (default: found)'),
  new Option('--text <columns>', 'columns with text, with commas between (default: found)').argParser(namesIn),
  new Option('--tags <columns>', 'columns with tags, with commas between (default: found)').argParser(namesIn),
  new Option('--separator <text>', 'what stands between two tags in a cell (default: found)').argParser(parseSeparator),
];

const SEPARATORS: Readonly<Record<string, string>> = {
  '\\t': '\t',
  tab: '\t',
  '\\n': '\n',
  newline: '\n',
  space: ' ',
  comma: ',',
  semicolon: ';',
};

function parseSeparator(text: string): string {
  if (text === '') throw new InvalidArgumentError('Expected a character such as ";", or tab, newline or space.');
  return SEPARATORS[text] ?? text;
}

/** Reads data as the options say, shows what was understood of them, and merges tags. */
export async function readData(
  path: string,
  options: DataChoice & TagMerging,
  terminal: Terminal,
): Promise<LoadedCatalogue> {
  const { id, title, text, tags, separator } = options;
  const choice = {
    ...(id !== undefined && { id }),
    ...(title !== undefined && { title }),
    ...(text !== undefined && { text }),
    ...(tags !== undefined && { tags }),
    ...(separator !== undefined && { separator }),
  };
  const warnings: string[] = [];
  const warn = (text: string) => warnings.push(text);
  const loaded = await terminal
    .during((listening) =>
      readMerged(() => loadCatalogue(path, { ...choice, ...listening, warn }), options, { ...listening, warn }),
    )
    .catch((error) => {
      for (const warning of warnings) terminal.note(`warning: ${warning}`);
      throw error;
    });
  // what was understood comes first, and then what is unusual about it; a folder of the three tables has nothing to find out
  if (loaded.understood.columns.length > 0) terminal.note(understoodText(loaded.understood));
  for (const warning of warnings) terminal.note(`warning: ${warning}`);
  return loaded;
}

/** A folder as the result of a command. */
export interface OutputFolder {
  readonly output: string;
  readonly force?: true;
  readonly gzip?: true;
}

export const outputFolderOptions = () => [
  new Option('-o, --output <folder>', 'where to write').makeOptionMandatory(),
  new Option('--force', 'replace the folder if it is already there'),
  new Option('--gzip', 'write .tsv.gz'),
];

// Settings of models: --set name=value, model.name=value where several models are compared, and data.model.name=value where
// several data sets are. --config FILE has a JSON object of them: {"dge": {"epochs": 50}} is the same as {"dge.epochs": 50}.

/** By name, with the model and the data set before it where it is theirs alone. */
type Given = Readonly<Record<string, SettingValue>>;

export interface SettingsOptions {
  readonly set: Given;
  readonly config?: string;
}

export const settingsOptions = () => [
  new Option('--set <name=value>', 'a setting of the model; may be repeated')
    .argParser(collect)
    .default({}, 'see "tagloom models NAME"'),
  new Option('--config <file>', 'a JSON object of settings; --set goes over it'),
];

/** The settings given for one model on one data set: what is said of all goes first, the most particular last. */
export async function settingsFor(model: string, data: string, options: SettingsOptions): Promise<Settings> {
  const given = { ...(options.config === undefined ? {} : await readConfig(options.config)), ...options.set };
  const own: Record<string, SettingValue> = {};
  for (const scope of ['', `${model}.`, `${data}.${model}.`]) {
    for (const [name, value] of Object.entries(given)) {
      const last = name.lastIndexOf('.') + 1;
      if (name.slice(0, last) === scope) own[name.slice(last)] = value;
    }
  }
  return own;
}

function collect(text: string, before: Given): Given {
  const at = text.indexOf('=');
  if (at <= 0) throw new InvalidArgumentError('Expected name=value.');
  const [name, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (value === '') throw new InvalidArgumentError('Expected name=value.');
  return { ...before, [name]: Number.isNaN(Number(value)) ? value : Number(value) };
}

async function readConfig(path: string): Promise<Given> {
  const refuse = (got: string) =>
    new InputError({
      file: path,
      got,
      expected: 'a JSON object of settings',
      cure: 'Write {"epochs": 50}, for instance.',
    });
  const text = await readFile(path, 'utf8').catch(() => {
    throw refuse('nothing that can be read');
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse('no JSON');
  }
  return Object.fromEntries(flattened(value, '', refuse));
}

/** Objects within objects become names with dots. */
function* flattened(value: unknown, scope: string, refuse: (got: string) => Error): Iterable<[string, SettingValue]> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refuse(scope === '' ? 'something else' : `the value ${JSON.stringify(value)}`);
  }
  for (const [name, one] of Object.entries(value)) {
    if (typeof one === 'number' || typeof one === 'string') yield [`${scope}${name}`, one];
    else yield* flattened(one, `${scope}${name}.`, refuse);
  }
}
