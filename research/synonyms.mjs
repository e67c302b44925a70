// How well tagloom proposes tags that mean the same (src/serving/vocabulary/), on the npm data and on any other:
//
//   node research/synonyms.mjs                         precision and recall on the half of the aliases that nothing was learnt from
//   node research/synonyms.mjs --learn                 learn the weights from the other half and write them
//   node research/synonyms.mjs --unjudged              proposals of npm that nobody has judged yet
//   node research/synonyms.mjs --data FOLDER --judged FILE.tsv     precision on judged proposals of another data set
//
// npm-aliases.tsv holds known aliases, npm-proposals-judged.tsv what was judged by hand: every proposal above the default score.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { MEASURES } from '../dist/serving/vocabulary/measures.js';
import { MIN_SCORE, measuredPairs, scoreOf } from '../dist/serving/vocabulary/proposals.js';
import { SHAPES } from '../dist/serving/vocabulary/word-shapes.js';
import { load } from '../dist/tagloom.js';
import { learn } from './synonyms-learn.mjs';

const here = (path) => new URL(path, import.meta.url);
const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    judged: { type: 'string' },
    'min-score': { type: 'string', default: String(MIN_SCORE) },
    learn: { type: 'boolean' },
    unjudged: { type: 'boolean' },
  },
});
const minScore = Number(options['min-score']);
const NOT = 'not';
/** Counter-evidence, of which too little is listed to learn how much it weighs: of es6 and es2015, the years of one thing, too much. */
const HELD = new Map(['opposite', 'versions'].map((measure) => [MEASURES.indexOf(measure), -2]));

const keyOf = (one, other) => (one < other ? `${one}\t${other}` : `${other}\t${one}`);
const percent = (part, whole) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} % (${part} of ${whole})`;

function readTable(url) {
  const lines = readFileSync(url, 'utf8').split('\n');
  const [header, ...rows] = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
  return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i]])));
}

/** Verdicts by pair: whether the two mean the same. */
function readJudged(url) {
  return new Map(readTable(url).map(({ from, into, verdict }) => [keyOf(from, into), verdict === 'same']));
}

/** All candidates with their measures, the likeliest first. */
async function candidatesOf(folder) {
  const graph = await load(folder);
  const objectsOf = graph.tagged.reversed();
  const pairs = [];
  for await (const found of measuredPairs(graph)) {
    for (const { one, other, row, hints } of found) {
      const [from, into] = objectsOf.rowLength(one) < objectsOf.rowLength(other) ? [one, other] : [other, one];
      pairs.push({
        ...{ from: graph.tags.name(from), into: graph.tags.name(into), numObjects: objectsOf.rowLength(from) },
        ...{ key: keyOf(graph.tags.name(one), graph.tags.name(other)), row, score: scoreOf(row) },
        shapes: hints.map(({ shape }) => shape),
      });
    }
  }
  return pairs.sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1));
}

/** In which half a pair is: a listed one where it is listed, others by a hash. */
function halves(aliases) {
  const listed = new Map(aliases.map(({ from, into, half }) => [keyOf(from, into), half]));
  const hashed = (key) =>
    createHash('sha256')
      .update(`7/${key.replace('\t', '/')}`)
      .digest()[0] % 2
      ? 'tune'
      : 'report';
  return (key) => listed.get(key) ?? hashed(key);
}

const aliases = readTable(here('npm-aliases.tsv'));
const kindOf = new Map(aliases.map(({ from, into, kind }) => [keyOf(from, into), kind]));
const halfOf = halves(aliases);

/** What a listed or judged pair is; undefined where nobody knows. */
function verdictOf(key, judged) {
  const kind = kindOf.get(key);
  return kind === undefined ? judged.get(key) : kind !== NOT;
}

if (options.data !== undefined) {
  const judged = readJudged(options.judged ?? here('lastfm-proposals-judged.tsv'));
  const found = (await candidatesOf(options.data)).filter(({ score }) => score >= minScore);
  const known = found.filter(({ key }) => judged.has(key));
  console.log(`${found.length} proposals with a score of ${minScore} or more; ${known.length} of them were judged`);
  console.log(`precision ${percent(known.filter(({ key }) => judged.get(key)).length, known.length)}`);
} else {
  const candidates = await candidatesOf(here('../data/npm').pathname);
  const judged = readJudged(here('npm-proposals-judged.tsv'));
  if (options.learn) learnWeights(candidates, judged);
  else if (options.unjudged) printUnjudged(candidates, judged);
  else for (const half of ['tune', 'report']) report(half, candidates, judged);
}

function printUnjudged(candidates, judged) {
  for (const { from, into, score, key, numObjects } of candidates) {
    if (score >= minScore && verdictOf(key, judged) === undefined)
      console.log([from, into, score.toFixed(3), numObjects, halfOf(key)].join('\t'));
  }
}

/**
 * Of the tuning half: aliases and judged pairs as they are, all other candidates as not the same, but for pairs of which both
 * tags belong to aliases of the other half.
 */
function learnWeights(candidates, judged) {
  const others = new Set(
    aliases.filter(({ half, kind }) => half === 'report' && kind !== NOT).flatMap(({ from, into }) => [from, into]),
  );
  const examples = candidates
    .filter(({ key }) => halfOf(key) === 'tune')
    .map((pair) => ({ row: pair.row, pair, verdict: verdictOf(pair.key, judged) }))
    .filter(({ pair, verdict }) => verdict !== undefined || !(others.has(pair.from) && others.has(pair.into)))
    .map(({ row, verdict }) => ({ row, isSame: verdict === true }));
  const { weights, bias, crossValidated } = learn(examples, MEASURES.length, HELD);
  const numSame = examples.filter(({ isSame }) => isSame).length;
  const lines = MEASURES.map((measure, i) => `  ${measure}: ${weights[i].toFixed(3)},\n`).join('');
  writeFileSync(
    here('../src/serving/vocabulary/weights.ts'),
    `${header(numSame, examples.length)}${bias.toFixed(3)};
export const WEIGHTS: Readonly<Record<Measure, number>> = {
${lines}};
`,
  );
  console.log(`learnt from ${numSame} pairs that mean the same and ${examples.length - numSame} others`);
  console.log(`cross-validated: ${crossValidated}`);
}

function header(numSame, numExamples) {
  return `// What each measure of a pair of tags weighs in the odds that both mean the same: a logistic model with a ridge, learnt from half
// of the aliases listed for npm (${numSame} pairs that mean the same, ${numExamples - numSame} others) by node research/synonyms.mjs --learn, which writes
// this file.

import type { Measure } from './measures.ts';

export const BIAS = `;
}

function report(half, candidates, judged) {
  const known = aliases.filter((alias) => alias.half === half && alias.kind !== NOT);
  const proposals = candidates.filter(({ key, score }) => score >= minScore && halfOf(key) === half);
  const same = proposals.filter(({ key }) => verdictOf(key, judged));
  const unknown = proposals.filter(({ key }) => verdictOf(key, judged) === undefined).length;
  const strict = same.filter(({ key, shapes }) => kindOf.get(key) !== 'derivation' && !shapes.includes('derivation'));
  const found = new Map(proposals.map((pair) => [pair.key, pair]));
  const hit = (some) => some.filter(({ from, into }) => found.has(keyOf(from, into))).length;
  console.log(
    `\n${half === 'tune' ? 'The half that weights and threshold were chosen on' : 'The half that nothing was learnt from'}`,
  );
  console.log(
    `  precision ${percent(same.length, proposals.length - unknown)}${unknown > 0 ? `; ${unknown} not judged` : ''}`,
  );
  console.log(
    `    were derivations (validate, validator) wrong: ${percent(strict.length, proposals.length - unknown)}`,
  );
  console.log(`  recall ${percent(hit(known), known.length)}`);
  for (const kind of new Set(known.map((alias) => alias.kind))) {
    const ofKind = known.filter((alias) => alias.kind === kind);
    console.log(`    ${kind.padEnd(12)} ${percent(hit(ofKind), ofKind.length)}`);
  }
  const nots = aliases.filter((alias) => alias.half === half && alias.kind === NOT);
  console.log(`  listed as not the same and proposed all the same: ${percent(hit(nots), nots.length)}`);
  reportWays(half, candidates, known, judged);
}

/** What names alone, use alone and both find: each ranks the candidates of the half; so many are taken as there are proposals. */
function reportWays(half, candidates, known, judged) {
  const mine = candidates.filter(({ key }) => halfOf(key) === half);
  const most = mine.filter(({ score }) => score >= minScore).length;
  const listed = new Set(known.map(({ from, into }) => keyOf(from, into)));
  const isName = MEASURES.map((measure) =>
    [...SHAPES, 'opposite', 'versions', 'otherWord', 'meaning'].includes(measure),
  );
  const only =
    (takesNames) =>
    ({ row }) =>
      scoreOf(row.map((value, i) => (isName[i] === takesNames ? value : 0)));
  for (const [way, score] of [
    ['names alone', only(true)],
    ['use alone', only(false)],
    ['both', ({ row }) => scoreOf(row)],
  ]) {
    const ranked = mine
      .map((pair) => ({ key: pair.key, by: score(pair) }))
      .sort((a, b) => b.by - a.by || (a.key < b.key ? -1 : 1));
    const top = ranked.slice(0, most);
    const right = top.filter(({ key }) => verdictOf(key, judged)).length;
    const hits = top.filter(({ key }) => listed.has(key)).length;
    console.log(
      `  the first ${most} by ${way}: recall ${percent(hits, known.length)}, known to be right ${percent(right, most)}`,
    );
  }
}
