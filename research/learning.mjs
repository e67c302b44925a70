// What loom learns from decisions without training again, and in which order it is best asked, on pairs hidden from any data set:
//
//   node research/learning.mjs DATA [--seed 1] [--only decisions|orders] [--questions 5000] [--validation] [--threads 2] [--json]
//
// --validation: on pairs hidden from the training pairs, by which the step of learning and the order of questions were chosen.
//
// decisions: hidden pairs are accepted at random, and Recall@3 is measured on those that are left: by the model as it was (it
// knows an object's new tags, but has learnt nothing for others), as it has learnt, and trained again. Also how long a decision takes.
// orders: half of the hidden pairs are what a curator knows. She is asked some of the five best suggestions of every object, in one
// of three orders, and Recall@3 is measured on the other half: how many questions does each order need for 95 % of what the random
// one gains by 5,000? `--questions all` asks all of them, so that all orders end in the same place.

import { parseArgs } from 'node:util';
import { Random } from '../dist/random.js';
import { load, Recommender, split, train } from '../dist/tagloom.js';

const [LIMIT, PER_OBJECT] = [3, 5];
const NUM_DECISIONS = [100, 1000, 5000];
const ROUNDS = 20; // of questions
const NUM_RANDOM = 3; // orders by chance, of which the mean is taken
const MOST_RANKED = 25; // suggestions of an object, among which those that are still to be asked are looked for
const NUM_TIMED = 200;
const ENOUGH = 0.95; // of the final gain
const BLOCK = 256;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    threads: { type: 'string' },
    questions: { type: 'string', default: '5000' },
    validation: { type: 'boolean' },
    json: { type: 'boolean' },
  },
});
if (positionals.length !== 1)
  throw new Error('got no data set, expected a folder or file: node research/learning.mjs DATA');
const seed = Number(options.seed);
const engine = options.threads === undefined ? {} : { threads: Number(options.threads) };
const say = (line) => options.json || console.log(line);

const whole = await load(positionals[0]);
const graph = options.validation ? split(whole, { trainFraction: 0.8, seed }).train : whole;
const parts = split(graph, { trainFraction: 0.8, seed });
const hidden = pairsOf(parts.test);
const model = await train(parts.train, { model: 'loom', seed, ...engine });
const found = {};
if (options.only !== 'orders') found.decisions = await measureDecisions();
if (options.only !== 'decisions') found.orders = await measureOrders();
if (options.json) console.log(JSON.stringify({ data: positionals[0], seed, ...found }, null, 2));

/** Accepts more and more hidden pairs. */
async function measureDecisions() {
  const order = shuffled(hidden, new Random(seed, 'decisions'));
  const [still, learning] = [await Recommender.open(model, engine), await Recommender.open(model, engine)];
  const rows = [];
  say('decisions  as it was  learnt  trained again');
  for (const number of NUM_DECISIONS.filter((one) => one < order.length)) {
    const [accepted, left] = [order.slice(0, number), order.slice(number)];
    const amendments = amendmentsOf(accepted, []);
    for (const object of amendments.keys()) learning.learn(object, amendments);
    const again = await Recommender.open(
      await train(withPairs(parts.train, accepted), { model: 'loom', seed, ...engine }),
    );
    const recall = {
      asItWas: await recallOf(still, left, amendments),
      learnt: await recallOf(learning, left, amendments),
      trainedAgain: await recallOf(again, left, new Map()),
    };
    again.close();
    rows.push({ number, ...recall });
    say(
      `${String(number).padStart(9)}  ${Object.values(recall)
        .map((one) => one.toFixed(4))
        .join('     ')}`,
    );
  }
  const times = await timeDecisions(learning, order);
  still.close();
  learning.close();
  say(
    `a decision and the next suggestion: median ${times.medianMs.toFixed(1)} ms, slowest ${times.slowestMs.toFixed(1)} ms`,
  );
  return { rows, ...times };
}

/** One decision after the other, each followed by a suggestion to another object, which has learnt from it. */
async function timeDecisions(recommender, order) {
  const took = [];
  const known = order.slice(0, NUM_DECISIONS.at(-1));
  const amendments = amendmentsOf(known, []);
  for (let i = 0; i < NUM_TIMED; i++) {
    const [object, tag] = order[order.length - 1 - i];
    const began = performance.now();
    amendments.set(object, amendmentsOf([...known.filter(([one]) => one === object), [object, tag]], []).get(object));
    recommender.learn(object, amendments);
    await recommender.suggestMany(Int32Array.of(order[i][0]), { limit: PER_OBJECT }, amendments);
    took.push(performance.now() - began);
  }
  took.sort((a, b) => a - b);
  return { medianMs: took[took.length >> 1], slowestMs: took[took.length - 1] };
}

/** Asks questions in three orders. */
async function measureOrders() {
  const order = shuffled(hidden, new Random(seed, 'decisions'));
  const [known, left] = [order.slice(0, order.length >> 1), order.slice(order.length >> 1)];
  const questions = await questionsOf(left);
  const number = options.questions === 'all' ? questions.length : Math.min(Number(options.questions), questions.length);
  const recommender = await Recommender.open(model, engine);
  const before = await recallOf(recommender, left, new Map());
  recommender.close();
  const task = { questions, known, left, number };
  const byChance = [];
  for (let i = 0; i < NUM_RANDOM; i++)
    byChance.push(await curveOf(task, randomKeys(new Random(seed + i, 'questions'))));
  const random = byChance[0].map(({ numAsked }, round) => ({
    numAsked,
    recall: mean(byChance.map((one) => one[round].recall)),
  }));
  const curves = { random, confident: await curveOf(task, confidentKeys), useful: await curveOf(task, usefulKeys) };
  const enough = before + ENOUGH * (random[random.length - 1].recall - before);
  say(
    `${number} of ${questions.length} questions; Recall@3 ${before.toFixed(4)} before; ${enough.toFixed(4)} is 95 % of what chance gains`,
  );
  const found = {};
  for (const [name, curve] of Object.entries(curves)) {
    const needed = neededFor(enough, [{ numAsked: 0, recall: before }, ...curve]);
    found[name] = { curve, needed };
    say(`${name.padEnd(9)} ${curve.map(({ recall }) => recall.toFixed(4)).join(' ')}: ${needed.toFixed(0)} questions`);
  }
  return { numQuestions: questions.length, before, ...found };
}

/** The best suggestions of all objects, but those that are measured. */
async function questionsOf(left) {
  const recommender = await Recommender.open(model, engine);
  const taken = new Set(left.map(keyOf));
  const questions = [];
  for await (const [object, best] of suggestionsTo(recommender, allObjects(), PER_OBJECT, new Map())) {
    for (const { tag } of best) if (!taken.has(keyOf([object, tag]))) questions.push([object, tag]);
  }
  recommender.close();
  return questions;
}

/** Recall@3 after each round of questions, those with the highest keys first, as the model then is. */
async function curveOf({ questions, known, left, number }, keysOf) {
  const recommender = await Recommender.open(model, engine);
  const curve = [];
  const asked = [];
  let open = questions;
  for (let round = 1; round <= ROUNDS; round++) {
    const keys = await keysOf(recommender, open, answersTo(asked, known));
    const order = open.map((_, i) => i).sort((a, b) => keys[b] - keys[a] || a - b);
    const chosen = new Set(order.slice(0, Math.round((number * round) / ROUNDS) - asked.length));
    const fresh = open.filter((_, i) => chosen.has(i));
    open = open.filter((_, i) => !chosen.has(i));
    asked.push(...fresh);
    const amendments = answersTo(asked, known);
    for (const object of new Set(fresh.map(([one]) => one))) recommender.learn(object, amendments);
    curve.push({ numAsked: asked.length, recall: await recallOf(recommender, left, amendments) });
  }
  recommender.close();
  return curve;
}

function randomKeys(random) {
  return async (_recommender, open) => open.map(() => random.float());
}

async function confidentKeys(recommender, open, amendments) {
  const worths = await worthsOf(recommender, open, amendments);
  return open.map((pair) => worths.get(keyOf(pair)) ?? 0);
}

/** What the service sorts by (src/serving/curation/open-suggestions.ts), by the suggestions that it holds of an object. */
async function usefulKeys(recommender, open, amendments) {
  const lists = new Map();
  const objects = Int32Array.from(new Set(open.map(([object]) => object)));
  for await (const [object, best] of suggestionsTo(recommender, objects, PER_OBJECT, amendments)) {
    const worths = best.map(({ confidence, score }) => Math.max(0, confidence ?? score));
    const expected = worths.reduce((sum, one) => sum + one, 0);
    for (const [rank, { tag }] of best.entries()) {
      const next = worths[rank + LIMIT];
      lists.set(keyOf([object, tag]), next === undefined ? 1e-4 * worths[rank] : next / (1 + expected - next) ** 2);
    }
  }
  return open.map((pair) => lists.get(keyOf(pair)) ?? 0);
}

function groupedBy(pairs) {
  const groups = new Map();
  for (const pair of pairs) groups.set(pair[0], [...(groups.get(pair[0]) ?? []), pair]);
  return groups;
}

/** By open pair, how likely it is as the model is now. */
async function worthsOf(recommender, open, amendments) {
  const worths = new Map();
  const objects = Int32Array.from(new Set(open.map(([object]) => object)));
  for await (const [object, best] of suggestionsTo(recommender, objects, MOST_RANKED, amendments)) {
    for (const { tag, confidence, score } of best) worths.set(keyOf([object, tag]), confidence ?? score);
  }
  return worths;
}

/** Right ones are accepted, others rejected. */
function answersTo(asked, known) {
  const right = new Set(known.map(keyOf));
  return amendmentsOf(
    asked.filter((pair) => right.has(keyOf(pair))),
    asked.filter((pair) => !right.has(keyOf(pair))),
  );
}

/** Mean over the objects that have some of these pairs. */
async function recallOf(recommender, pairs, amendments) {
  const wanted = groupedBy(pairs);
  let sum = 0;
  for await (const [object, best] of suggestionsTo(recommender, Int32Array.from(wanted.keys()), LIMIT, amendments)) {
    const tags = new Set(best.map(({ tag }) => tag));
    const own = wanted.get(object);
    sum += own.filter(([, tag]) => tags.has(tag)).length / own.length;
  }
  return sum / wanted.size;
}

async function* suggestionsTo(recommender, objects, limit, amendments) {
  for (let at = 0; at < objects.length; at += BLOCK) {
    const block = objects.subarray(at, at + BLOCK);
    const found = await recommender.suggestMany(block, { limit }, amendments);
    for (const [i, object] of block.entries()) yield [object, found[i]];
  }
}

function amendmentsOf(accepted, rejected) {
  const [added, out] = [groupedBy(accepted), groupedBy(rejected)];
  const tagsOf = (pairs = []) => Int32Array.from(pairs, ([, tag]) => tag).sort();
  const objects = new Set([...added.keys(), ...out.keys()]);
  return new Map(
    [...objects].map((object) => [object, { added: tagsOf(added.get(object)), rejected: tagsOf(out.get(object)) }]),
  );
}

function withPairs(data, pairs) {
  const rows = new Map();
  for (const [object, own] of groupedBy(pairs)) {
    rows.set(object, Int32Array.from(new Set([...data.tagged.row(object), ...own.map(([, tag]) => tag)])).sort());
  }
  return { ...data, tagged: data.tagged.withRows(rows) };
}

function allObjects() {
  return Int32Array.from({ length: graph.objects.size }, (_, object) => object);
}

function pairsOf({ heads, tails }) {
  return Array.from(heads, (object, i) => [object, tails[i]]);
}

function keyOf([object, tag]) {
  return object * graph.tags.size + tag;
}

/** How many questions until a curve is so high, on straight lines between its points. */
function neededFor(level, curve) {
  const place = curve.findIndex(({ recall }) => recall >= level);
  if (place < 1) return place < 0 ? Number.NaN : 0;
  const [from, to] = [curve[place - 1], curve[place]];
  return from.numAsked + ((to.numAsked - from.numAsked) * (level - from.recall)) / (to.recall - from.recall);
}

function mean(values) {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

function shuffled(list, random) {
  const result = list.slice();
  for (let i = result.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [result[i], result[j]] = [result[j], result[i]];
  }
  return result;
}
