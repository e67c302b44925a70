// Embeddings as text: the word2vec format (gensim, fastText and most tools for vectors read it) and the two tables that
// the TensorFlow Embedding Projector loads.

import { join } from 'node:path';
import type { Vocabulary } from '../data/vocabulary.ts';
import type { Listener } from '../listener.ts';
import { writeLines } from './export-file.ts';
import { float32Text } from './export-number.ts';
import type { Side } from './export-side.ts';

/** "count width", then a line for each name: the name and its numbers, with single blanks between. */
export async function writeWord2vec(path: string, side: Side, listener: Listener): Promise<void> {
  const contents = { label: side.label, numRows: side.names.size };
  await writeLines(path, word2vecLines(side, listener), contents, listener);
}

function* word2vecLines(side: Side, listener: Listener): Generator<string> {
  yield `${side.names.size} ${side.width}`;
  const numbers = numberLines(side, ' ');
  for (const name of unbrokenNames(side, listener)) yield `${name} ${numbers.next().value}`;
}

// fastText splits at the white space of C, gensim at the blank, many a script at whatever Unicode calls white space;
// U+0085 is such a character to Python but not to JavaScript's \s.
const BLANK = /[\s\u0085]/gu;

/**
 * The names with an underscore for each blank. A name without blanks always stays as it is; one with blanks that would
 * be the same as another gets the first free number: "new york" is "new_york_2" if there is a "new_york".
 */
function* unbrokenNames({ label, names }: Side, { warn }: Listener): Generator<string> {
  const given = new Set<string>(); // to names that had blanks
  const isTaken = (text: string) => given.has(text) || names.idOf(text) >= 0;
  let numMet = 0;
  let example = '';
  for (const name of allNames(names)) {
    const plain = name.replace(BLANK, '_');
    let text = plain;
    if (plain !== name) {
      for (let number = 2; isTaken(text); number++) text = `${plain}_${number}`;
      given.add(text);
    }
    if (text !== plain && ++numMet === 1) example = `"${name}" is "${text}"`;
    yield text;
  }
  if (numMet === 0) return;
  warn?.(
    `${label}: ${numMet} names with blanks got a number, since their underscores made them like others: ${example}.`,
  );
}

/** NAME.vectors.tsv, without a header, and NAME.metadata.tsv, with one, as the Projector expects of several columns. */
export async function writeProjector(folder: string, side: Side, listener: Listener): Promise<string[]> {
  const { label, names } = side;
  const contents = { label, numRows: names.size };
  const files = [`${label}.vectors.tsv`, `${label}.metadata.tsv`];
  await writeLines(join(folder, files[0]), numberLines(side, '\t'), contents, listener);
  await writeLines(join(folder, files[1]), metadataLines(side), contents, listener);
  return files;
}

/** Names and titles hold no tabs and no line breaks (name.ts), so they need no escaping. */
function* metadataLines({ names, titles, counts }: Side): Generator<string> {
  yield ['name', ...(titles === undefined ? [] : ['title']), ...Object.keys(counts)].join('\t');
  const columns = Object.values(counts);
  for (let id = 0; id < names.size; id++) {
    const title = titles === undefined ? '' : `\t${titles.at(id)}`;
    yield `${names.name(id)}${title}${columns.map((column) => `\t${column[id]}`).join('')}`;
  }
}

export function* allNames(names: Vocabulary): Generator<string> {
  for (let id = 0; id < names.size; id++) yield names.name(id);
}

function* numberLines({ names, width, vectors }: Side, separator: string): Generator<string> {
  for (let id = 0; id < names.size; id++) {
    let line = float32Text(vectors[id * width]);
    for (let i = id * width + 1; i < (id + 1) * width; i++) line += separator + float32Text(vectors[i]);
    yield line;
  }
}
