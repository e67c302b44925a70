// The facts of a data set by SQL: the same numbers as graph/data-facts.ts, of data that need not fit into memory. Engines count how
// often each count occurs, and spreads are taken from that. Nothing is written: there are no ids and no run folder.

import type { Spread } from '../data/statistics.ts';
import type { DataFacts } from '../graph/data-facts.ts';
import type { Listener } from '../listener.ts';
import { type CountRequest, type OpenedData, withData } from './count-data.ts';
import type { TableEngine } from './engine.ts';
import type { EngineRequest } from './open-engine.ts';
import { numberIn, openSources, optionsOf } from './run-stages.ts';

/** All that follows from pairs; texts, titles and spellings are not read. */
export type CountedFacts = Omit<DataFacts, 'texts' | 'numSharedTitles' | 'fingerprint'>;

const MAX_PATHS = 2e8; // fewer than in memory: names are joined here, not numbers
const FEW = 5;
const NUM_TOP_TAGS = 10;
const VIEWS = {
  pairs_tagged: 'SELECT DISTINCT object, tag FROM data_tagged',
  pairs_interact: 'SELECT DISTINCT person, object FROM data_interact',
};

export function countFacts(
  request: EngineRequest & Pick<CountRequest, 'data'>,
  listener: Listener,
): Promise<CountedFacts> {
  return withData(request, listener, (opened) => factsOf(opened, listener));
}

async function factsOf({ engine, data }: OpenedData, listener: Listener): Promise<CountedFacts> {
  await openSources({ engine, data }, listener);
  for (const [name, query] of Object.entries(VIEWS)) {
    await engine.run(`CREATE OR REPLACE TEMPORARY VIEW ${name} AS ${query}`, optionsOf(listener));
  }
  const objects = await objectCounts(engine, listener);
  const objectsOf = await histogram(engine, 'person', 'pairs_interact', listener);
  const objectsWith = await histogram(engine, 'tag', 'pairs_tagged', listener);
  const [tagsOf, usersOf] = [objects.map(({ tags, n }) => [tags, n]), objects.map(({ users, n }) => [users, n])];
  const [numObjects, numUsers, numTags] = [numIn(tagsOf), numIn(objectsOf), numIn(objectsWith)];
  const [numTagged, numInteract] = [totalOf(objectsWith), totalOf(objectsOf)];
  const count = (test: (object: ObjectCount) => boolean) => numIn(objects.filter(test).map(({ n }) => [0, n]));
  const joined = (by: string, node: string, table: string) => countJoined(engine, by, node, table, listener);
  return {
    ...{ numObjects, numTags, numUsers, numInteract, numTagged },
    interactDensity: ratio(numInteract, numUsers * numObjects),
    taggedDensity: ratio(numTagged, numObjects * numTags),
    tagsPerObject: spread(tagsOf),
    usersPerObject: spread(usersOf),
    objectsPerUser: spread(objectsOf),
    objectsPerTag: spread(objectsWith),
    numObjectsWithoutTags: count(({ tags }) => tags === 0),
    numObjectsWithoutUsers: count(({ users }) => users === 0),
    numTaggedWithoutUsers: count(({ tags, users }) => tags > 0 && users === 0),
    numObjectsWithNeither: count(({ tags, users }) => tags === 0 && users === 0),
    numTagsOnOneObject: numIn(objectsWith.filter(([value]) => value === 1)),
    numTagsOnFewObjects: numIn(objectsWith.filter(([value]) => value <= FEW)),
    topTenthShare: ratio(totalOfLargest(objectsWith, Math.ceil(numTags / 10)), numTagged),
    topTags: await topTags(engine, listener),
    objectGraphDensity: await density(numObjects, objectsOf, () => joined('person', 'object', 'pairs_interact')),
    tagGraphDensity: await density(numTags, tagsOf, () => joined('object', 'tag', 'pairs_tagged')),
  };
}

/** How often each value occurs, ascending by value. */
type Histogram = readonly (readonly number[])[];

async function histogram(engine: TableEngine, by: string, table: string, listener: Listener): Promise<Histogram> {
  const counted = `SELECT count(*) AS value FROM ${table} GROUP BY ${by}`;
  const rows = await numbersIn(engine, `SELECT value, count(*) AS n FROM (${counted}) AS c GROUP BY value`, listener);
  return rows.map(({ value, n }) => [value, n]).sort(([a], [b]) => a - b);
}

interface ObjectCount {
  readonly tags: number;
  readonly users: number;
  /** Objects with so many of both. */
  readonly n: number;
}

async function objectCounts(engine: TableEngine, listener: Listener): Promise<readonly ObjectCount[]> {
  const sql = `SELECT tags, users, count(*) AS n
FROM (
  SELECT object, CAST(sum(tag) AS BIGINT) AS tags, CAST(sum(person) AS BIGINT) AS users
  FROM (
    SELECT object, 1 AS tag, 0 AS person FROM pairs_tagged
    UNION ALL SELECT object, 0 AS tag, 1 AS person FROM pairs_interact
    UNION ALL SELECT DISTINCT object, 0 AS tag, 0 AS person FROM data_objects
  ) AS each_once
  GROUP BY object
) AS by_object
GROUP BY tags, users`;
  const rows = await numbersIn(engine, sql, listener);
  return rows.map(({ tags, users, n }) => ({ tags, users, n })).sort((a, b) => a.tags - b.tags || a.users - b.users);
}

async function numbersIn(engine: TableEngine, sql: string, listener: Listener): Promise<Record<string, number>[]> {
  const rows: Record<string, number>[] = [];
  for await (const { numRows, columns } of engine.query(sql, optionsOf(listener))) {
    for (let row = 0; row < numRows; row++) {
      rows.push(Object.fromEntries([...columns].map(([name, column]) => [name, Number(column[row])])));
    }
  }
  return rows;
}

async function topTags(engine: TableEngine, listener: Listener): Promise<CountedFacts['topTags']> {
  const sql = `SELECT tag, count(*) AS n FROM pairs_tagged GROUP BY tag ORDER BY n DESC, tag LIMIT ${NUM_TOP_TAGS}`;
  const found: { tag: string; numObjects: number }[] = [];
  for await (const { columns } of engine.query(sql, optionsOf(listener))) {
    const counts = columns.get('n') as BigInt64Array;
    for (const [i, tag] of (columns.get('tag') as string[]).entries())
      found.push({ tag, numObjects: Number(counts[i]) });
  }
  return found;
}

/** Pairs of nodes that something joins. */
async function countJoined(
  engine: TableEngine,
  by: string,
  node: string,
  table: string,
  listener: Listener,
): Promise<number> {
  const sql = `SELECT count(*) AS n
FROM (
  SELECT DISTINCT a.${node} AS one, b.${node} AS other
  FROM ${table} AS a
  JOIN ${table} AS b ON b.${by} = a.${by}
  WHERE a.${node} < b.${node}
) AS joined`;
  return numberIn(engine, sql, listener);
}

/** `middles`: how many nodes each of what joins them has. */
async function density(numNodes: number, middles: Histogram, joined: () => Promise<number>): Promise<number | null> {
  const numPaths = middles.reduce((sum, [value, n]) => sum + n * value * value, 0);
  if (numPaths > MAX_PATHS) return null;
  return numNodes < 2 ? 0 : (2 * (await joined())) / (numNodes * (numNodes - 1));
}

function numIn(values: Histogram): number {
  return values.reduce((sum, [, n]) => sum + n, 0);
}

function totalOf(values: Histogram): number {
  return values.reduce((sum, [value, n]) => sum + value * n, 0);
}

function totalOfLargest(values: Histogram, most: number): number {
  let [left, total] = [most, 0];
  for (const [value, n] of [...values].reverse()) {
    total += value * Math.min(n, left);
    left -= Math.min(n, left);
  }
  return total;
}

/** Over the values that are not zero, as data/statistics.ts takes it. */
function spread(all: Histogram): Spread {
  const values = all.filter(([value]) => value > 0).sort(([a], [b]) => a - b);
  const size = numIn(values);
  if (size === 0) return { mean: 0, median: 0, p90: 0, max: 0 };
  const at = (share: number) => {
    let left = Math.min(size - 1, Math.floor(share * size));
    let i = 0;
    for (; left >= values[i][1]; i++) left -= values[i][1];
    return values[i][0];
  };
  return { mean: totalOf(values) / size, median: at(0.5), p90: at(0.9), max: values[values.length - 1][0] };
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
