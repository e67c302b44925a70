// What a report shows of one fitted model besides its figures: the tags it puts first for a few objects, and a map of its
// tags. It takes the model itself, so it is taken right after the fit and kept with the result.

import type { Listener } from '../listener.ts';
import type { Fitted } from '../models/model.ts';
import type { Scorer } from '../models/score-tags.ts';
import { topTags } from '../models/top-tags.ts';
import { chooseObjects, findObject, type JudgedGraph } from './examples.ts';
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

export interface Glimpse {
  readonly examples: readonly Example[];
  /** Of models that embed tags in two dimensions or more. */
  readonly map?: TagMap;
}

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
