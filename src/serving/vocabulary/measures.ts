// What is measured of a pair of tags: what their names say, what company they keep, who uses their objects, which words stand in
// their texts, and how often both stand on one object. The numbers that `weights.ts` weighs; `proposals.ts` puts them in words.

import type { Relation } from '../../data/relation.ts';
import type { Neighbour } from './candidates.ts';
import type { Profiles } from './profiles.ts';
import type { Spelled } from './spelled-names.ts';
import { type CounterHints, counterHints, SHAPES, type Shape, type ShapeHint, shapeHints } from './word-shapes.ts';

/** In the order of a row of numbers. */
export const MEASURES = [
  ...SHAPES,
  ...(['opposite', 'versions', 'otherWord'] as const),
  ...(['company', 'users', 'words', 'rank', 'closeness', 'apart', 'inseparable'] as const),
  ...(['lift', 'overlap', 'rarity', 'balance'] as const),
  ...(['shortCompany', 'formCompany'] as const),
  ...(['meaning', 'meaningCompany', 'meaningUsers', 'meaningOverlap'] as const),
] as const;
export type Measure = (typeof MEASURES)[number];

export interface PairFacts {
  readonly hints: readonly ShapeHint[];
  readonly against: CounterHints;
  readonly company: number;
  readonly users: number;
  readonly words: number;
  /** By measure. */
  readonly row: Float64Array;
}

/** All that pairs are measured by. */
export interface Sources {
  readonly names: readonly Spelled[];
  /** Tags to objects, those with the very same tags once. */
  readonly carriers: Relation;
  readonly tagged: Relation;
  readonly numObjects: number;
  readonly company: Profiles;
  readonly users: Profiles;
  readonly words: Profiles;
  /** By tag, the nearest by company. */
  readonly neighbours: readonly (readonly Neighbour[])[];
}

const PLACES = Object.fromEntries(MEASURES.map((measure, i) => [measure, i])) as Readonly<Record<Measure, number>>;
const SHORT: ReadonlySet<Shape> = new Set(['beginning', 'letters', 'initials']);
const FORMS: ReadonlySet<Shape> = new Set(['plural', 'inflection', 'derivation']);
const EQUAL = 1e-6; // cosines that differ by less are the same
const MAX_CLOSENESS = 2;
const NUM_CLOSEST = 10; // whose mean similarity says how close neighbours are where a tag stands
const MAX_COUNTED = 5000; // objects of a tag that are asked whether they carry another
const MAX_SAMPLED = 40; // objects of a tag whose other tags are read
const MAX_APART = 1.5;
const MAX_LIFT = 6;

/** The numbers of a pair. `fits` must know both. */
export function measured(sources: Sources, [one, other]: readonly [number, number], fits: Fits): PairFacts {
  const [a, b] = [sources.names[one], sources.names[other]];
  const [hints, against] = [shapeHints(a, b), counterHints(a, b)];
  const [company, users, words] = [sources.company, sources.users, sources.words].map((by) => by.cosine(one, other));
  const row = new Float64Array(MEASURES.length);
  const set = (measure: Measure, value: number) => (row[PLACES[measure]] = value);
  for (const { shape, amount } of hints) set(shape, Math.max(row[PLACES[shape]], amount));
  set('opposite', Number(against.areOpposite));
  set('versions', Number(against.areVersions));
  set('otherWord', Number(against.differInWord));
  set('company', company);
  set('users', users);
  set('words', words);
  setNearness(sources, [one, other], company, set);
  const apart = Math.min(MAX_APART, Math.sqrt(fits.of(one, other) * fits.of(other, one)));
  set('apart', apart);
  set('inseparable', apart === 0 && company > 0 ? 1 : 0);
  const overlap = setTogether(sources, [one, other], set);
  if (hints.some(({ shape }) => SHORT.has(shape))) set('shortCompany', company);
  if (hints.some(({ shape }) => FORMS.has(shape))) set('formCompany', company);
  if (hints.length === 0) {
    set('meaning', 1);
    set('meaningCompany', company);
    set('meaningUsers', users);
    set('meaningOverlap', overlap);
  }
  return { hints, against, company, users, words, row };
}

type SetMeasure = (measure: Measure, value: number) => void;

/** How near two tags are among the neighbours of each: 1 for rank where each is the nearest of the other. */
function setNearness(
  { neighbours }: Sources,
  [one, other]: readonly [number, number],
  company: number,
  set: SetMeasure,
): void {
  const place = (of: number, found: number) => {
    const at = neighbours[of].find(({ tag }) => tag === found);
    return at && 1 + neighbours[of].filter(({ cosine }) => cosine > at.cosine + EQUAL).length;
  };
  const [first, second] = [place(one, other), place(other, one)];
  set('rank', first === undefined || second === undefined ? 0 : 1 / Math.sqrt(first * second));
  const around = (closest(neighbours[one]) + closest(neighbours[other])) / 2;
  set('closeness', Math.min(MAX_CLOSENESS, company / (0.05 + around)));
}

function closest(neighbours: readonly Neighbour[]): number {
  const nearest = neighbours.slice(0, NUM_CLOSEST);
  return nearest.reduce((sum, { cosine }) => sum + cosine, 0) / Math.max(1, nearest.length);
}

/** How often both stand on one object: the share of the rarer one's objects is returned. */
function setTogether(
  { carriers, tagged, numObjects }: Sources,
  [one, other]: readonly [number, number],
  set: SetMeasure,
): number {
  const [few, many] = carriers.rowLength(one) <= carriers.rowLength(other) ? [one, other] : [other, one];
  const [numFew, numMany] = [carriers.rowLength(few), carriers.rowLength(many)];
  const together = countTogether(tagged, carriers.row(few), many);
  const expected = (numFew * numMany) / numObjects;
  const lift = Math.log((together + 0.5) / (expected + 0.5));
  const overlap = together / Math.max(1, numFew);
  set('lift', Math.max(-MAX_LIFT, Math.min(MAX_LIFT, lift)) / MAX_LIFT);
  set('overlap', overlap);
  set('rarity', 1 / Math.sqrt(Math.max(1, numFew)));
  set('balance', Math.log(numFew + 1) / Math.log(numMany + 1));
  return overlap;
}

/** Of very many objects, some at even distances tell. */
function countTogether(tagged: Relation, objects: Int32Array, tag: number): number {
  const step = Math.max(1, objects.length / MAX_COUNTED);
  let [together, count] = [0, 0];
  for (let i = 0; i < objects.length; i += step, count++) if (tagged.has(objects[Math.floor(i)], tag)) together++;
  return (together * objects.length) / Math.max(1, count);
}

/** How well a tag would fit the objects of another that lack it: 1, as well as it fits its own. */
export class Fits {
  readonly #sources: Sources;
  readonly #weights: Float64Array; // by tag, scratch, zeros between calls
  readonly #known = new Map<number, number>(); // of tag · number of tags + other

  constructor(sources: Sources) {
    this.#sources = sources;
    this.#weights = new Float64Array(sources.names.length);
  }

  of(one: number, other: number): number {
    return this.#known.get(one * this.#weights.length + other) ?? 0;
  }

  /** Before they are asked for: the fit of a tag to the objects of others. */
  add(tag: number, others: readonly number[]): void {
    const { company, carriers } = this.#sources;
    const { features, weights } = company.of(tag);
    for (let i = 0; i < features.length; i++) this.#weights[features[i]] = weights[i];
    const own = this.#fitTo(carriers.row(tag), -1);
    for (const other of others) {
      const fit = this.#fitTo(carriers.row(other), tag);
      this.#known.set(tag * this.#weights.length + other, own > 0 ? fit / own : 0);
    }
    for (const feature of features) this.#weights[feature] = 0;
  }

  clear(): void {
    this.#known.clear();
  }

  #fitTo(objects: Int32Array, lacking: number): number {
    const { tagged } = this.#sources;
    const step = Math.max(1, objects.length / MAX_SAMPLED);
    let [sum, count] = [0, 0];
    for (let i = 0; i < objects.length; i += step) {
      const tags = tagged.row(objects[Math.floor(i)]);
      if (lacking >= 0 && tags.includes(lacking)) continue;
      let fit = 0;
      for (let k = 0; k < tags.length; k++) fit += this.#weights[tags[k]];
      sum += fit / Math.sqrt(tags.length);
      count++;
    }
    return count === 0 ? 0 : sum / count;
  }
}
