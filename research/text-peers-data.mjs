// The data of research/text-peers.mjs: which objects train and which test, what is known of each, and the files all contestants read.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const TEST_SHARE = 0.2;

/**
 * What a data set has: `train` and `test` (tags by object), `texts`, `titles` and `features` by object, `interact` (user,
 * object) where there is such a table. Without an official split, a share of the objects with tags and words is drawn: the first
 * by a hash of the seed and their name.
 */
export function contentOf(data, { texts: textFile, titles: takesTitles, seed }) {
  const tagged = byObject(table(data, 'tagged'));
  const official = table(data, join('test', 'tagged'));
  const features = table(data, 'features');
  const descriptions = table(data, 'descriptions');
  const titles = new Map(takesTitles ? table(data, 'objects') : []);
  const texts = textFile === undefined ? new Map(descriptions) : textsIn(textFile);
  const interact = table(data, 'interact');
  const content = {
    texts,
    titles,
    interact,
    ...(features && { features: featuresByObject(features) }),
  };
  if (official !== undefined) return { ...content, isOfficial: true, train: tagged, test: byObject(official) };
  const hasWords = (object) => texts.has(object) || titles.has(object) || content.features?.has(object);
  const keyOf = (object) => createHash('sha256').update(`${seed} ${object}`).digest('hex');
  const keyed = [...tagged.keys()].filter(hasWords).map((object) => [keyOf(object), object]);
  const drawn = keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  const numTest = Math.round(TEST_SHARE * drawn.length);
  const part = (objects) => new Map(objects.map((object) => [object, tagged.get(object)]));
  return { ...content, isOfficial: false, train: part(drawn.slice(numTest)), test: part(drawn.slice(0, numTest)) };
}

export function textOf({ texts }, object) {
  return texts.get(object) ?? '';
}

/**
 * The files: train.tsv, test.tsv and documents.tsv or features.tsv for the others; tagloom/, a data set with the test objects in it,
 * untagged, and tagloom-unseen/, one without them.
 */
export function writeCase(folder, content) {
  const { train, test, titles, features } = content;
  const pairs = [...train].flatMap(([object, tags]) => tags.map((tag) => [object, tag]));
  writeTable(join(folder, 'train.tsv'), ['object', 'tag'], pairs);
  writeTable(
    join(folder, 'test.tsv'),
    ['object'],
    [...test.keys()].map((object) => [object]),
  );
  const everyone = [...train.keys(), ...test.keys()];
  if (features === undefined) {
    const words = (object) => `${titles.get(object) ?? ''} ${textOf(content, object)}`.trim();
    writeTable(
      join(folder, 'documents.tsv'),
      ['object', 'text'],
      everyone.map((object) => [object, words(object)]),
    );
  } else {
    writeFeatures(join(folder, 'features.tsv'), features, everyone);
    writeFeatures(join(folder, 'features-train.tsv'), features, [...train.keys()]);
  }
  for (const [name, objects] of [
    ['tagloom', everyone],
    ['tagloom-unseen', [...train.keys()]],
  ]) {
    mkdirSync(join(folder, name), { recursive: true });
    writeTable(join(folder, name, 'tagged.tsv'), ['object', 'tag'], pairs);
    const rows = objects.map((object) => [object, titles.get(object) ?? '', textOf(content, object)]);
    const columns = features === undefined ? ['object', 'title', 'text'] : ['object', 'title'];
    writeTable(
      join(folder, name, 'objects.tsv'),
      columns,
      rows.map((row) => row.slice(0, columns.length)),
    );
  }
}

function writeFeatures(path, features, objects) {
  const rows = objects.flatMap((object) => Object.entries(features.get(object) ?? {}).map((pair) => [object, ...pair]));
  writeTable(path, ['object', 'feature', 'value'], rows);
}

/** Users of the objects of one of the two data sets; the other objects would come in by them. */
export function writeUsers(folder, { interact, train, test }, isSeen) {
  const isIn = (object) => train.has(object) || (isSeen && test.has(object));
  writeTable(
    join(folder, 'interact.tsv'),
    ['user', 'object'],
    interact.filter(([, object]) => isIn(object)),
  );
}

function writeTable(path, columns, rows) {
  const clean = (text) => `${text}`.replace(/[\t\r\n]+/g, ' ');
  writeFileSync(path, [columns, ...rows].map((row) => `${row.map(clean).join('\t')}\n`).join(''));
}

/** The rows of NAME.tsv or NAME.tsv.gz without the header; undefined where neither is there. */
function table(folder, name) {
  const path = [`${name}.tsv`, `${name}.tsv.gz`].map((file) => join(folder, file)).find((file) => existsSync(file));
  if (path === undefined) return undefined;
  const bytes = readFileSync(path);
  const lines = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').split('\n');
  return lines
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => line.replace(/\r$/, '').split('\t'));
}

function byObject(rows) {
  const tags = new Map();
  for (const [object, tag] of rows) tags.set(object, [...(tags.get(object) ?? []), tag]);
  return tags;
}

function featuresByObject(rows) {
  const features = new Map();
  for (const [object, feature, value] of rows) {
    const own = features.get(object) ?? {};
    own[feature] = Number(value);
    features.set(object, own);
  }
  return features;
}

/** JSON Lines with id and description; lines without a description count for nothing. */
function textsIn(path) {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const rows = lines.map((line) => JSON.parse(line));
  return new Map(rows.filter((row) => row.description).map((row) => [row.id, row.description]));
}
