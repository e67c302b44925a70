// Which tags mean the same and should be merged, from a catalogue alone: pairs with similar names and pairs that keep the same
// company are measured (measures.ts) and weighed (weights.ts); the likeliest are proposed, with the reasons in words.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Relation } from '../../data/relation.ts';
import { type Listener, makeBreather } from '../../listener.ts';
import { forEachAbbreviation, forEachSimilarName, Neighbours } from './candidates.ts';
import { type Evidence, evidenceOf } from './evidence.ts';
import { Fits, MEASURES, measured, type PairFacts, type Sources } from './measures.ts';
import {
  carriersAmong,
  distinctObjects,
  Profiles,
  tagsAsFeatures,
  usersAsFeatures,
  wordsAsFeatures,
} from './profiles.ts';
import { spelled } from './spelled-names.ts';
import { BIAS, WEIGHTS } from './weights.ts';

/** Two tags that probably mean the same. */
export interface Proposal {
  /** The tag that should go: it is on fewer objects. */
  readonly from: string;
  /** The one that should stay. */
  readonly into: string;
  /** How likely they mean the same, by what was learnt from npm: from 0 to 1. */
  readonly score: number;
  /** What speaks for it, the most important first, and then what speaks against it. */
  readonly evidence: readonly Evidence[];
  /** Objects that carry `from` and `into`. */
  readonly numObjects: readonly [from: number, into: number];
}

export interface ProposalOptions extends Listener {
  /** Leaves out what is less likely. */
  readonly minScore?: number;
}

/** Chosen on half of the listed aliases of npm, as the least for which nine in ten proposals are right (research/synonyms.mjs). */
export const MIN_SCORE = 0.65;

const NUM_NEIGHBOURS = 30; // by company, of a tag
const MIN_MET = 3; // objects of a tag that has neighbours: of fewer, company says nothing
const COMPANY = { maxObjects: 1000, maxPerObject: 60, width: 64, maxCounted: 1_000_000 };
const USERS = { maxObjects: 100, maxPerObject: 50, width: 128, maxCounted: 1_000_000 };
const WORDS = { maxObjects: 20, maxPerObject: 60, width: 64, maxCounted: 20_000 };
const STEP = 64; // tags between two looks at the clock

type Breathe = () => Promise<void> | undefined;

/** A pair of tags, by id, as it was measured. */
export interface MeasuredPair extends PairFacts {
  readonly one: number;
  readonly other: number;
}

/**
 * Pairs of tags that mean the same, the likeliest first. It takes time in proportion to the number of pairs (object, tag) and of
 * tags, not of pairs of tags.
 */
export async function proposeSynonyms(graph: KnowledgeGraph, options: ProposalOptions = {}): Promise<Proposal[]> {
  const { minScore = MIN_SCORE } = options;
  const objectsOf = graph.tagged.reversed();
  const proposals: Proposal[] = [];
  for await (const pairs of measuredPairs(graph, options)) {
    for (const pair of pairs) {
      const score = Math.round(scoreOf(pair.row) * 1e4) / 1e4;
      if (score >= minScore) proposals.push(proposalOf(graph, objectsOf, pair, score));
    }
  }
  return proposals.sort(
    (a, b) => b.score - a.score || b.numObjects[0] - a.numObjects[0] || order(a.from, b.from) || order(a.into, b.into),
  );
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const ORDERED = Float64Array.from(MEASURES, (measure) => WEIGHTS[measure] ?? 0);

/** The probability that a logistic model gives to a row of measures. */
export function scoreOf(row: Float64Array): number {
  let sum = BIAS;
  for (let i = 0; i < row.length; i++) sum += ORDERED[i] * row[i];
  return 1 / (1 + Math.exp(-sum));
}

function proposalOf(
  { tags, tagged }: KnowledgeGraph,
  objectsOf: Relation,
  pair: MeasuredPair,
  score: number,
): Proposal {
  const [numOne, numOther] = [objectsOf.rowLength(pair.one), objectsOf.rowLength(pair.other)];
  // of equals the first in the alphabet stays: ids are ranks of names
  const [from, into] = numOne < numOther ? [pair.one, pair.other] : [pair.other, pair.one];
  const objects = objectsOf.row(from);
  const numTogether = objects.reduce((sum, object) => sum + (tagged.has(object, into) ? 1 : 0), 0);
  return {
    ...{ from: tags.name(from), into: tags.name(into), score },
    evidence: evidenceOf(pair, { numTogether, numObjects: objects.length }),
    numObjects: [objects.length, objectsOf.rowLength(into)],
  };
}

/** All pairs that are worth a look, as they are measured: those of a tag with later ones at once. */
export async function* measuredPairs(graph: KnowledgeGraph, listener: Listener = {}): AsyncGenerator<MeasuredPair[]> {
  const breathe = makeBreather(listener);
  const sources = await sourcesOf(graph, listener, breathe);
  const candidates = candidatesAmong(sources);
  const fits = new Fits(sources);
  for await (const one of eachTag(candidates.length, 'comparing tags', listener, breathe)) {
    const others = [...candidates[one]].sort((a, b) => a - b);
    fits.clear();
    fits.add(one, others);
    for (const other of others) fits.add(other, [one]);
    yield others.map((other) => ({ ...measured(sources, [one, other], fits), one, other }));
  }
}

/** By tag, those after it that may mean the same. */
function candidatesAmong(sources: Sources): Set<number>[] {
  const { names, company, neighbours } = sources;
  const candidates: Set<number>[] = Array.from(names, () => new Set());
  const add = (a: number, b: number) => {
    if (a !== b) candidates[Math.min(a, b)].add(Math.max(a, b));
  };
  forEachSimilarName(names, add);
  forEachAbbreviation(names, company, add);
  for (let tag = 0; tag < names.length; tag++) for (const { tag: other } of neighbours[tag]) add(tag, other);
  return candidates;
}

async function sourcesOf(graph: KnowledgeGraph, listener: Listener, breathe: Breathe): Promise<Sources> {
  const { tags, tagged } = graph;
  const objects = distinctObjects(tagged);
  const carriers = carriersAmong(tagged, objects);
  await breathe();
  const company = new Profiles(carriers, objects, tagsAsFeatures(graph), COMPANY);
  for await (const tag of eachTag(tags.size, 'reading the company of tags', listener, breathe)) company.of(tag);
  const counted = Array.from({ length: tags.size }, (_, tag) => tag).filter(
    (tag) => carriers.rowLength(tag) >= MIN_MET,
  );
  const near = new Neighbours(company, counted, tags.size, NUM_NEIGHBOURS);
  const neighbours: Sources['neighbours'][number][] = Array.from({ length: tags.size }, () => []);
  for await (const i of eachTag(counted.length, 'finding similar tags', listener, breathe)) {
    neighbours[counted[i]] = near.of(counted[i]);
  }
  return {
    names: Array.from({ length: tags.size }, (_, tag) => spelled(tags.name(tag))),
    ...{ carriers, tagged, numObjects: objects.length, company, neighbours },
    users: new Profiles(carriers, objects, usersAsFeatures(graph), USERS),
    words: new Profiles(carriers, objects, wordsAsFeatures(graph), WORDS),
  };
}

/** 0, 1, … with progress and breaks. */
async function* eachTag(count: number, step: string, listener: Listener, breathe: Breathe): AsyncGenerator<number> {
  for (let i = 0; i < count; i++) {
    if (i % STEP === 0) {
      listener.progress?.(step, i, count);
      await breathe();
    }
    yield i;
  }
  listener.progress?.(step, count, count);
}
