// Embeddings as text: the word2vec format (gensim, fastText and most tools for vectors read it) and the two tables that
// the TensorFlow Embedding Projector loads.

import type { Vocabulary } from '../../data/vocabulary.ts';
import type { Contents } from '../../files.ts';
import type { Listener } from '../../listener.ts';
import type { Side } from './side.ts';

const TEXT_CHUNK = 1 << 20; // characters

/** Lines in pieces of some size, each line with a line feed. */
export function* lineChunks(lines: Iterable<string>, label: string, numRows: number, { progress }: Listener) {
  progress?.(`writing ${label}`, 0, numRows);
  let text = '';
  let numDone = 0;
  for (const line of lines) {
    text += `${line}\n`;
    numDone++;
    if (text.length < TEXT_CHUNK) continue;
    yield text;
    progress?.(`writing ${label}`, numDone, numRows);
    text = '';
  }
  yield text;
}

/** "count width", then a line for each name: the name and its numbers, with single blanks between. */
export function word2vecChunks(side: Side, listener: Listener): Contents {
  return lineChunks(word2vecLines(side, listener), side.label, side.names.size, listener);
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
export function projectorFiles(side: Side, listener: Listener): [string, Contents][] {
  const { label, names } = side;
  return [
    [`${label}.vectors.tsv`, lineChunks(numberLines(side, '\t'), label, names.size, listener)],
    [`${label}.metadata.tsv`, lineChunks(metadataLines(side), label, names.size, listener)],
  ];
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

// float32 numbers as short text: JavaScript prints 0.10000000149011612 for the float32 closest to 0.1, which takes twice the
// bytes, and no digit after the ninth says anything

const MIN_DIGITS = 6; // any decimal of up to 6 digits survives the way to float32 and back (FLT_DIG)
const MAX_DIGITS = 9; // 9 tell any two float32 apart (FLT_DECIMAL_DIG)
const POWERS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`)); // exact up to 1e22

/** The text with the fewest digits, 6 to 9 before zeros are dropped, that reads back to the same float32. */
export function float32Text(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const size = Math.abs(value);
  if (size < 1e-12 || size >= 1e5) return float32TextByTrial(value); // outside, POWERS would not reach
  // Two exact numbers, one division: the quotient is the double nearest to the decimal, so it prints as that decimal.
  const fewest = MIN_DIGITS - 1 - Math.floor(Math.log10(size)); // digits behind the point
  for (let decimals = fewest; decimals <= fewest + MAX_DIGITS - MIN_DIGITS; decimals++) {
    const rounded = Math.round(value * POWERS[decimals]) / POWERS[decimals];
    if (Math.fround(rounded) === value) return String(rounded);
  }
  return float32TextByTrial(value);
}

/** The plain version: right for any float32, and half as fast. */
export function float32TextByTrial(value: number): string {
  for (let digits = MIN_DIGITS; digits < MAX_DIGITS; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return String(rounded);
  }
  return String(Number(value.toPrecision(MAX_DIGITS)));
}
