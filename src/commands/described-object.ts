// An object that the model never saw, as the command line describes it: --title, --text, --text-file or standard input, --tags,
// --users and --features.

import { Option } from 'commander';
import { joined, readChunks } from '../data/table/source.ts';
import type { Vocabulary } from '../data/vocabulary.ts';
import { InputError } from '../errors.ts';
import type { Listener } from '../listener.ts';
import { userCountsOf } from '../models/fitted.ts';
import type { Model } from '../models/model.ts';
import type { NamedFacts } from '../serving/recommend/recommender.ts';
import { namesIn } from './options.ts';
import type { Terminal } from './terminal.ts';

export interface DescribingOptions {
  readonly title?: string;
  readonly text?: string;
  readonly textFile?: string;
  readonly tags?: string;
  readonly users?: string;
  readonly features?: Readonly<Record<string, number>>;
}

/** What stands for standard input. */
export const STANDARD_INPUT = '-';

const MAX_NAMED = 5;
const MAX_TEXT_BYTES = 1 << 26;

export const describingOptions = () => [
  new Option('--title <text>', 'what an object that is not in the model is called'),
  new Option('--text <text>', 'what is written about it'),
  new Option('--text-file <file>', 'the same from a file; - is standard input').conflicts('text'),
  new Option('--tags <names>', 'tags it has, with commas between'),
  new Option('--users <names>', 'its users, of a model that knows any'),
  new Option('--features <list>', 'its content features, name=value with commas between').argParser(parseFeatures),
];

export function isDescribed({ title, text, textFile, tags, users, features }: DescribingOptions): boolean {
  return [title, text, textFile, tags, users, features].some((given) => given !== undefined);
}

/** What is known of the object. Warns of names that the model does not know, and where nothing at all is known. */
export async function describedFacts(
  options: DescribingOptions,
  model: Model,
  terminal: Terminal,
  listening: Listener,
  names: Pick<Vocabulary, 'idOf'> = model.graph.tags,
): Promise<NamedFacts> {
  const { graph } = model;
  const { title, textFile, features } = options;
  const text = textFile === undefined ? options.text : await readTextFile(textFile, terminal, listening);
  const tags = namesIn(options.tags ?? '');
  const users = graph.users.size > 0 ? namesIn(options.users ?? '') : [];
  if (graph.users.size === 0 && options.users !== undefined) {
    const reason = userCountsOf(model) ? 'does not hold its users' : 'was trained without users';
    listening.warn?.(`The model ${reason}: --users is ignored.`);
  }
  const numUnknown = warnOfUnknown(tags, names, listening) + warnOfUnknown(users, graph.users, listening);
  const isBlank = [title, text].every((one) => (one ?? '').trim() === '') && features === undefined;
  if (isBlank && numUnknown === tags.length + users.length) {
    listening.warn?.('Nothing is known of the object: these are the tags that are common everywhere.');
  }
  return { tags, users, title, text, features };
}

async function readTextFile(path: string, { input }: Terminal, listening: Listener): Promise<string> {
  const isInput = path === STANDARD_INPUT;
  const file = isInput ? 'standard input' : path;
  const chunks: Uint8Array[] = [];
  let numBytes = 0;
  for await (const chunk of isInput ? input : readChunks(path, listening)) {
    chunks.push(chunk);
    numBytes += chunk.length;
    if (numBytes <= MAX_TEXT_BYTES) continue;
    const cure = 'For many objects, write a line of JSON for each and use --jsonl.';
    throw new InputError({ file, got: 'more than 64 MB', expected: 'the text of one object', cure });
  }
  return decoded(joined(chunks), file);
}

/** UTF-8, or what a byte order mark says. */
function decoded(bytes: Uint8Array, file: string): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    const cure = 'Save it as UTF-8 text (iconv -f latin1 -t utf-8).';
    const got = 'bytes that are not UTF-8';
    throw new InputError({ file, got, expected: 'the text of one object', cure }, { cause: error });
  }
}

function parseFeatures(text: string): Record<string, number> {
  const features = text.split(',').map((one): [string, number] => {
    const [, name = '', value = ''] = /^(.*)=(.*)$/.exec(one) ?? [];
    if (name.trim() === '' || value.trim() === '' || !Number.isFinite(Number(value))) {
      const cure = 'Write --features "length=12,year=1999".';
      throw new InputError({ got: `the feature "${one}"`, expected: 'name=value with a number', cure });
    }
    return [name.trim(), Number(value)];
  });
  return Object.fromEntries(features);
}

/** How many are unknown. */
export function warnOfUnknown(
  names: readonly string[],
  vocabulary: Pick<Vocabulary, 'idOf'>,
  { warn }: Listener,
): number {
  const unknown = names.filter((name) => vocabulary.idOf(name) < 0);
  if (unknown.length === 0) return 0;
  const more = unknown.length > MAX_NAMED ? ` and ${unknown.length - MAX_NAMED} more` : '';
  warn?.(`The model does not know ${unknown.slice(0, MAX_NAMED).join(', ')}${more}: counted for nothing.`);
  return unknown.length;
}
