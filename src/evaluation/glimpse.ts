// What a report shows of one fitted model besides its figures: the tags it puts first for a few objects, and a map of its
// tags. It takes the model itself, so it is taken right after the fit and kept with the result. The objects are chosen by
// rule, so that nobody picks the flattering ones, or named by a person.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Listener } from '../listener.ts';
import type { Fitted } from '../models/fitted.ts';
import { type Scorer, topTags } from '../models/scorer.ts';
import type { Judged } from './evaluate.ts';
import { mapTags, type TagMap } from './tag-map.ts';

/** What to look at; a kept glimpse is found again by it. */
export interface GlimpseRequest {
  /** Ids. */
  readonly objects: readonly number[];
  /** Tags for each. */
  readonly limit: number;
  /** On the map, at most. */
  readonly numTags: number;
  readonly seed: number;
}

/** A look at one fitted model: examples and a map of its tags. */
export interface Glimpse {
  readonly examples: readonly Example[];
  /** Of models that embed tags in two dimensions or more. */
  readonly map?: TagMap;
}

/** What a model suggests to one object, beside the truth. */
export interface Example {
  readonly title: string;
  readonly numUsers: number;
  /** None: a cold object. */
  readonly trainTags: readonly string[];
  readonly testTags: readonly string[];
  /** From best to worst; tags without any evidence are left out. */
  readonly suggested: readonly string[];
}

const LIMIT = 5; // as in the paper's table
const NUM_TAGS = 500; // more would hide one another

/** `names`: objects by name or title, those that are there; none: chosen by rule. */
export function requestGlimpse(parts: JudgedGraph, names: readonly string[], seed: number): GlimpseRequest {
  const named = names.map((name) => findObject(parts.train, name)).filter((object) => object >= 0);
  const objects = names.length === 0 ? chooseObjects(parts) : [...new Set(named)];
  return { objects, limit: LIMIT, numTags: NUM_TAGS, seed };
}

export async function takeGlimpse(
  request: GlimpseRequest,
  model: { readonly fitted: Fitted; readonly scorer: Scorer },
  parts: JudgedGraph,
  listener: Listener = {},
): Promise<Glimpse> {
  const { fitted, scorer } = model;
  const examples = await suggestTo(request, scorer, parts);
  const map = fitted.form === 'embeddings' ? await mapTags(fitted, parts.train, request, listener) : undefined;
  return { examples, ...(map === undefined ? {} : { map }) };
}

async function suggestTo(request: GlimpseRequest, scorer: Scorer, { train, test }: JudgedGraph): Promise<Example[]> {
  const numTags = train.tags.size;
  const ids = Int32Array.from(request.objects);
  const scores = new Float32Array(ids.length * numTags);
  if (ids.length > 0) await scorer.score(ids, scores);
  const usersOf = train.interact.reversed();
  const names = (tags: Iterable<number>) => Array.from(tags, (tag) => train.tags.name(tag));
  return Array.from(ids, (object, i) => {
    const row = scores.subarray(i * numTags, (i + 1) * numTags);
    const best = topTags(row, train.tagged.row(object), request.limit).filter((tag) => row[tag] > scorer.floor);
    return {
      title: train.titles.at(object),
      numUsers: usersOf.rowLength(object),
      trainTags: names(train.tagged.row(object)),
      testTags: names(test.row(object)),
      suggested: names(best),
    };
  });
}

/** The part of a split that is looked at here. */
export interface JudgedGraph extends Judged {
  readonly train: KnowledgeGraph;
}

/**
 * The object with the most users, a middling one (the median by users), both with tags to learn from and at least two
 * to find, and the cold one with the most users. Where none has two to find, one will do.
 */
export function chooseObjects({ train, test }: JudgedGraph): number[] {
  const usersOf = train.interact.reversed();
  const isFound = (object: number, least: number) => test.rowLength(object) >= least;
  const isCold = (object: number) => train.tagged.rowLength(object) === 0;
  const all = Array.from({ length: test.numHeads }, (_, object) => object)
    .filter((object) => isFound(object, 1))
    .sort((a, b) => usersOf.rowLength(b) - usersOf.rowLength(a) || a - b);
  const atLeastTwo = (objects: number[]) => {
    const some = objects.filter((object) => isFound(object, 2));
    return some.length > 0 ? some : objects;
  };
  const warm = atLeastTwo(all.filter((object) => !isCold(object)));
  const cold = atLeastTwo(all.filter(isCold));
  const chosen = [warm[0], warm[Math.floor(warm.length / 2)], cold[0]];
  return [...new Set(chosen.filter((object) => object !== undefined))];
}

/** The object of that name or, if there is but one, of that title, in any case; −1 if there is none. */
export function findObject({ objects, titles }: KnowledgeGraph, nameOrTitle: string): number {
  const id = objects.idOf(nameOrTitle);
  if (id >= 0) return id;
  const wanted = nameOrTitle.toLowerCase();
  let found = -1;
  for (let object = 0; object < titles.size; object++) {
    if (titles.at(object).toLowerCase() !== wanted) continue;
    if (found >= 0) return -1;
    found = object;
  }
  return found;
}
