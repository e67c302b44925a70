// What is written about objects, as numbers. Each column of text (the title is one) has two parts: its words, and the groups of
// three to five letters inside them, which carry over between forms of a word and between languages. Features given as such
// are a part, too. A row has for each part the words' counts, damped, times how rare they are, to length 1 (sublinear TF-IDF).

import { type Csr, CsrBuilder } from '../../csr.ts';
import type { Features } from '../../data/features.ts';
import { type KnowledgeGraph, taggedObjects } from '../../data/knowledge-graph.ts';
import { type TextTable, Vocabulary } from '../../data/vocabulary.ts';
import { wordsIn } from '../../data/words.ts';
import { type Listener, makeBreather } from '../../listener.ts';
import { permutation, Random } from '../../random.ts';
import type { Facts } from '../scorer.ts';
import { FormatError } from '../tensor-checks.ts';
import { csrToTensors, namesToTensors, type TensorEntry, type TensorReader, vector } from '../tensors.ts';
import { CommonNames, rarities } from './common-names.ts';
import type { LoomSettings } from './settings.ts';

const KINDS = ['words', 'grams', 'features'] as const;

/** One kind of what loom knows from texts: the words of a column, the groups of letters in them, or features. */
export interface TextPart {
  readonly kind: (typeof KINDS)[number];
  /** The column of text; −1: the title. Of features: 0. */
  readonly column: number;
  readonly names: Vocabulary;
  /** How much a name counts for being rare. */
  readonly scales: Float32Array; // (numNames)
}

/** The words that count, as a model keeps them. */
export interface LoomText {
  readonly parts: readonly TextPart[];
  /** Of the objects of the data, where they came with sparse features. */
  readonly features?: Csr | undefined;
}

/** How many features there are. */
export function textWidth({ parts }: LoomText): number {
  return parts.reduce((sum, { names }) => sum + names.size, 0);
}

/** Features of one object: those of part p stand at starts[p] to starts[p + 1]. */
export interface TextRow {
  readonly features: number[]; // ids over all parts, ascending
  readonly values: number[];
}

const [MIN_LETTERS, MAX_LETTERS] = [3, 5];
const MAX_LEARNT = 200_000; // objects: more do not change which words are common
const MAX_CACHED = 1 << 18; // words
const MAX_GRAMS = 2 ** 27; // of all objects together: a gigabyte; where there are more, words have to do
const NUM_SAMPLED = 500;
const EVERY = 256; // objects between two breaths

export class TextSpace implements LoomText {
  readonly parts: readonly TextPart[];
  readonly starts: Int32Array; // (numParts + 1): where the features of a part begin
  readonly features?: Csr | undefined;
  readonly #grams: readonly Map<string, Int32Array>[]; // by part, of words met: ids of their groups of letters

  constructor({ parts, features }: LoomText) {
    this.parts = parts;
    this.features = features;
    this.#grams = parts.map(() => new Map());
    this.starts = new Int32Array(parts.length + 1);
    for (const [p, { names }] of parts.entries()) this.starts[p + 1] = this.starts[p] + names.size;
  }

  /** How many features there are. */
  get width(): number {
    return this.starts[this.parts.length];
  }

  /** What is written about an object as a row: each part to length 1. */
  rowOf({ words, features }: Written): TextRow {
    const row: TextRow = { features: [], values: [] };
    for (const [p, { kind, column }] of this.parts.entries()) {
      if (kind === 'features') this.#addScaled(row, p, features);
      else {
        const counts = words[column + 1] ?? new Map();
        this.#addScaled(row, p, damped(kind === 'words' ? this.#wordsOf(p, counts) : this.#gramsOf(p, counts)));
      }
    }
    return row;
  }

  /** A row for each of the objects. */
  rowsOf(graph: KnowledgeGraph, objects: Int32Array): Csr {
    const rows = new CsrBuilder(objects.length);
    for (const object of objects) {
      const { features, values } = this.rowOf(this.writtenAbout(graph, object));
      for (let i = 0; i < features.length; i++) rows.add(features[i], values[i]);
      rows.endRow();
    }
    return rows.finish();
  }

  /** What the data has on an object. */
  writtenAbout({ titles, texts }: KnowledgeGraph, object: number): Written {
    const features = new Map<number, number>();
    for (let e = this.features?.rowStart[object] ?? 0; this.features && e < this.features.rowStart[object + 1]; e++) {
      features.set(this.features.columns[e], this.features.values[e]);
    }
    const columns = [titles.at(object), ...texts.map((column) => column.texts.at(object))];
    return { words: columns.map(wordCounts), features };
  }

  /** What facts have on an object; features by default from the data. */
  writtenIn(graph: KnowledgeGraph, { title = '', texts, features, object }: Facts): Written {
    const known = object === undefined ? undefined : this.writtenAbout(graph, object);
    const columns = texts?.map(wordCounts) ?? known?.words.slice(1) ?? [];
    return { words: [wordCounts(title), ...columns], features: features ?? known?.features ?? new Map() };
  }

  /** The features of what is written, word by word: groups of letters belong to every word they are in. */
  *featuresByWord({ words, features }: Written): Generator<WordFeature> {
    for (const [p, { kind, column, names }] of this.parts.entries()) {
      const start = this.starts[p];
      if (kind === 'features') {
        for (const id of features.keys())
          yield { column: FEATURES, word: names.name(id), feature: start + id, count: 1 };
        continue;
      }
      for (const [word, count] of words[column + 1] ?? []) {
        const ids = kind === 'grams' ? this.#gramIds(p, word) : [names.idOf(word)].filter((id) => id >= 0);
        for (const id of ids) yield { column, word, feature: start + id, count };
      }
    }
  }

  #wordsOf(p: number, counts: ReadonlyMap<string, number>): Map<number, number> {
    const found = new Map<number, number>();
    for (const [word, count] of counts) {
      const id = this.parts[p].names.idOf(word);
      if (id >= 0) found.set(id, count);
    }
    return found;
  }

  #gramsOf(p: number, counts: ReadonlyMap<string, number>): Map<number, number> {
    const found = new Map<number, number>();
    for (const [word, count] of counts) {
      for (const id of this.#gramIds(p, word)) found.set(id, (found.get(id) ?? 0) + count);
    }
    return found;
  }

  #gramIds(p: number, word: string): Int32Array {
    const cached = this.#grams[p];
    const known = cached.get(word);
    if (known !== undefined) return known;
    const { names } = this.parts[p];
    const ids = Int32Array.from([...gramsOf(word)].map((gram) => names.idOf(gram)).filter((id) => id >= 0));
    if (cached.size >= MAX_CACHED) cached.clear();
    cached.set(word, ids);
    return ids;
  }

  /** Adds what was counted in a part, times its scales, to length 1. */
  #addScaled({ features, values }: TextRow, p: number, counted: ReadonlyMap<number, number>): void {
    const { scales } = this.parts[p];
    const ids = Int32Array.from(counted.keys()).sort();
    let squares = 0;
    for (const id of ids) squares += ((counted.get(id) as number) * scales[id]) ** 2;
    if (squares === 0) return;
    for (const id of ids) {
      features.push(this.starts[p] + id);
      values.push(((counted.get(id) as number) * scales[id]) / Math.sqrt(squares));
    }
  }
}

/** Stands for the features given as such in place of a column. */
export const FEATURES = -2;

/** A feature and the word of a column it comes from, that many times. */
export interface WordFeature {
  /** −1: the title. */
  readonly column: number;
  readonly word: string;
  readonly feature: number;
  readonly count: number;
}

/** What is written about an object, in words. */
export interface Written {
  /** How often each word occurs: in the title, then in each column of text. */
  readonly words: readonly ReadonlyMap<string, number>[];
  readonly features: ReadonlyMap<number, number>;
}

/** Learns which words count from the tagged objects: those that enough of them share. */
export async function learnTextSpace(
  train: KnowledgeGraph,
  features: Features | undefined,
  { wordCount, gramCount, seed }: LoomSettings,
  listener: Listener,
): Promise<TextSpace> {
  const breathe = makeBreather(listener);
  const tagged = taggedObjects(train);
  const order = permutation(tagged.length, new Random(seed, 'objects to learn words from')).subarray(0, MAX_LEARNT);
  const objects = order.map((i) => tagged[i]).sort();
  const parts: TextPart[] = [];
  for (let column = -1; column < train.texts.length; column++) {
    const texts = column < 0 ? train.titles : train.texts[column].texts;
    const [words, grams] = [new CommonNames(), new CommonNames()];
    const takesGrams = gramCount > 0 && meanGrams(texts, objects) * tagged.length <= MAX_GRAMS;
    for (const [i, object] of objects.entries()) {
      if (i % EVERY === 0) {
        listener.progress?.(
          'learning words',
          (column + 1) * objects.length + i,
          (train.texts.length + 1) * objects.length,
        );
        await breathe();
      }
      const counts = wordCounts(texts.at(object));
      words.add(counts.keys());
      if (takesGrams) grams.add(allGrams(counts.keys()));
    }
    if (wordCount > 0) parts.push({ kind: 'words', column, ...words.finish(wordCount, objects.length) });
    if (takesGrams) parts.push({ kind: 'grams', column, ...grams.finish(gramCount, objects.length) });
  }
  const given = features && sortedByName(features);
  if (given) {
    const scales = rarities(countsIn(given.rows, given.names.size, objects), objects.length);
    parts.push({ kind: 'features', column: 0, names: given.names, scales });
  }
  return new TextSpace({ parts: parts.filter(({ names }) => names.size > 0), features: given?.rows });
}

/** How many groups of letters a text has, from some of them. */
function meanGrams(texts: TextTable, objects: Int32Array): number {
  const some = objects.subarray(0, NUM_SAMPLED);
  const numGrams = some.reduce((sum, object) => sum + allGrams(wordCounts(texts.at(object)).keys()).size, 0);
  return numGrams / Math.max(1, some.length);
}

/** Features in the order of their names. */
function sortedByName({ names, rowStart, columns, values }: Features): {
  readonly names: Vocabulary;
  readonly rows: Csr;
} {
  const sorted = Vocabulary.from(names);
  const rank = Int32Array.from(names, (name) => sorted.idOf(name));
  const rows = new CsrBuilder(rowStart.length - 1);
  for (let row = 0; row + 1 < rowStart.length; row++) {
    const entries = Array.from({ length: rowStart[row + 1] - rowStart[row] }, (_, i) => rowStart[row] + i);
    for (const e of entries.sort((a, b) => rank[columns[a]] - rank[columns[b]])) rows.add(rank[columns[e]], values[e]);
    rows.endRow();
  }
  return { names: sorted, rows: rows.finish() };
}

function countsIn({ rowStart, columns }: Csr, numColumns: number, rows: Int32Array): Int32Array {
  const counts = new Int32Array(numColumns);
  for (const row of rows) for (let e = rowStart[row]; e < rowStart[row + 1]; e++) counts[columns[e]]++;
  return counts;
}

function wordCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { word } of wordsIn(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** 1 + ln(count): a word that is repeated counts a little more. */
function damped(counts: Map<number, number>): Map<number, number> {
  for (const [id, count] of counts) counts.set(id, 1 + Math.log(count));
  return counts;
}

function allGrams(words: Iterable<string>): Set<string> {
  const grams = new Set<string>();
  for (const word of words) for (const gram of gramsOf(word)) grams.add(gram);
  return grams;
}

/** The groups of three to five letters of a word, a space standing for either end; each once. */
export function gramsOf(word: string): Set<string> {
  const letters = Array.from(` ${word} `);
  const grams = new Set<string>();
  for (let length = MIN_LETTERS; length <= MAX_LETTERS; length++) {
    for (let start = 0; start + length <= letters.length; start++)
      grams.add(letters.slice(start, start + length).join(''));
  }
  return grams;
}

export function textToTensors({ parts, features }: LoomText): TensorEntry[] {
  return [
    ...parts.flatMap(({ kind, column, names, scales }, p): TensorEntry[] => [
      [`loom.text.${p}.kind`, vector(Int32Array.of(KINDS.indexOf(kind), column))],
      ...namesToTensors(`loom.text.${p}`, names.names),
      [`loom.text.${p}.scales`, vector(scales)],
    ]),
    ...(features === undefined ? [] : csrToTensors('loom.features', features)),
  ];
}

export function textFromTensors(tensors: TensorReader, { objects, texts }: KnowledgeGraph): LoomText {
  const parts: TextPart[] = [];
  for (let p = 0; tensors.has(`loom.text.${p}.kind`); p++) {
    const [kind, column] = tensors.array(`loom.text.${p}.kind`, Int32Array, 2);
    const names = tensors.vocabulary(`loom.text.${p}`);
    const scales = tensors.array(`loom.text.${p}.scales`, Float32Array, names.size);
    parts.push({ kind: KINDS[kind], column, names, scales });
    checkPart(parts, p, texts.length);
  }
  const numFeatures = parts.find(({ kind }) => kind === 'features')?.names.size ?? 0;
  return {
    parts,
    ...(tensors.has('loom.features.rowStart') && {
      features: tensors.csr('loom.features', objects.size, numFeatures),
    }),
  };
}

/** A part is of a kind there is and of a column of the data, and no other part is of both. */
function checkPart(parts: readonly TextPart[], p: number, numColumns: number): void {
  const { kind, column } = parts[p];
  const [first, last] = kind === 'features' ? [0, 0] : [-1, numColumns - 1];
  const isRepeated = parts.slice(0, p).some((other) => other.kind === kind && other.column === column);
  if (kind === undefined || column < first || column > last || isRepeated) {
    throw new FormatError(`a part ${p} of the text of an unknown kind or column`, `columns from ${first} to ${last}`);
  }
}
