// Figures that others have published for the same data sets and models, to stand beside ours in a report. They come from
// a JSON file that a person names (compare --paper FILE), never from the name of a data set alone.

import { readFile } from 'node:fs/promises';
import { InputError } from '../../errors.ts';
import type { DataFacts } from '../../graph/data-facts.ts';

/** The facts of a data set that can be published: sizes as counts, densities as shares, not percent. */
export type PublishedFacts = Partial<
  Pick<
    DataFacts,
    | 'numUsers'
    | 'numObjects'
    | 'numTags'
    | 'numInteract'
    | 'numTagged'
    | 'interactDensity'
    | 'taggedDensity'
    | 'objectGraphDensity'
    | 'tagGraphDensity'
  >
>;

export interface PublishedData {
  readonly facts?: PublishedFacts;
  /** By model, then by metric, such as "recall@3". */
  readonly results?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** What a reader must know of these results. */
  readonly note?: string;
}

export interface Published {
  /** By the name of the data set. */
  readonly dataSets: Readonly<Record<string, PublishedData>>;
  /** Where the figures are from. */
  readonly title?: string;
  /** Below every table of results that has such figures. */
  readonly note?: string;
  /** Below the table of data sets. */
  readonly dataNote?: string;
  /** The models whose maps are shown first. */
  readonly maps?: readonly string[];
}

/** What is published of a data set, if anything. */
export function publishedData(published: Published | undefined, data: string): PublishedData | undefined {
  return published && Object.hasOwn(published.dataSets, data) ? published.dataSets[data] : undefined;
}

/** One published figure; undefined where there is no such data set, model or metric. */
export function publishedResult(
  published: Published | undefined,
  data: string,
  model: string,
  metric: string,
): number | undefined {
  const results = publishedData(published, data)?.results;
  const figures = results && Object.hasOwn(results, model) ? results[model] : undefined;
  return figures && Object.hasOwn(figures, metric) ? figures[metric] : undefined;
}

/** Reads such a file and says where it is wrong. */
export async function readPublished(path: string): Promise<Published> {
  const refuse = (got: string, expected: string) =>
    new InputError({ file: path, got, expected, cure: 'See research/paper.json of the repository for an example.' });
  const text = await readFile(path, 'utf8').catch(() => {
    throw refuse('nothing that can be read', 'a JSON file of published figures');
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse('no JSON', 'a JSON file of published figures');
  }
  checkPublished(value, refuse);
  return value;
}

type Refuse = (got: string, expected: string) => Error;

function checkPublished(value: unknown, refuse: Refuse): asserts value is Published {
  const { dataSets, maps = [], ...texts } = objectAt(value, 'the top', refuse);
  for (const name of ['title', 'note', 'dataNote']) checkText(texts[name], name, refuse);
  const isNames = Array.isArray(maps) && maps.every((model) => typeof model === 'string');
  if (!isNames) throw refuse(`${JSON.stringify(maps)} at maps`, 'a list of models');
  for (const [data, one] of Object.entries(objectAt(dataSets, 'dataSets', refuse))) {
    const where = `dataSets.${data}`;
    const { facts = {}, results = {}, note } = objectAt(one, where, refuse);
    checkText(note, `${where}.note`, refuse);
    checkNumbers(facts, `${where}.facts`, refuse);
    for (const [model, figures] of Object.entries(objectAt(results, `${where}.results`, refuse))) {
      checkNumbers(figures, `${where}.results.${model}`, refuse);
    }
  }
}

function objectAt(value: unknown, where: string, refuse: Refuse): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw refuse(`${JSON.stringify(value) ?? 'nothing'} at ${where}`, 'a JSON object');
}

function checkNumbers(value: unknown, where: string, refuse: Refuse): void {
  for (const [name, figure] of Object.entries(objectAt(value, where, refuse))) {
    if (typeof figure !== 'number') throw refuse(`${JSON.stringify(figure)} at ${where}.${name}`, 'a number');
  }
}

function checkText(value: unknown, where: string, refuse: Refuse): void {
  if (value !== undefined && typeof value !== 'string') {
    throw refuse(`${JSON.stringify(value)} at ${where}`, 'a text');
  }
}
