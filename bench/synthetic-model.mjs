// A loom model of any size in seconds: a graph with topics of objects that share tags and users, and random sparse weights of the
// shape that training leaves. It knows nothing; it is as large and answers as slowly as one that does.

import { Relation } from '../dist/data/relation.js';
import { NameTable, Vocabulary } from '../dist/data/vocabulary.js';
import { Random } from '../dist/random.js';

const TOPIC = 100; // objects that share tags
const TAGS_OF_TOPIC = 8;
const USERS_PER_OBJECT = 5;
const NUM_WORDS = 5000;
const NEIGHBOURS = 10;
const MAX_NUMBERS = 2 ** 26; // as in training: in the profiles of all objects
const SYLLABLES = [
  'ka',
  'lo',
  'mi',
  'ne',
  'pu',
  'ra',
  'so',
  'ti',
  'va',
  'zu',
  'be',
  'do',
  'fi',
  'gu',
  'ha',
  'je',
  'wo',
];

export function syntheticModel({ numObjects, numTags }) {
  const random = new Random(1, 'synthetic model');
  const words = wordList();
  const graph = graphOf({ numObjects, numTags, words, random });
  const width = Math.min(256, Math.max(16, Math.floor(MAX_NUMBERS / numObjects)));
  const numWeights = 2 * numTags + NUM_WORDS;
  const weightsOf = (numRows) => ({
    sparse: weightRows(numRows, numTags, random),
    profile: smallNumbers(width * numTags, random),
    content: new Float32Array(0),
    base: smallNumbers(numTags, random),
    mention: new Float32Array(numTags).fill(0.1),
  });
  const curve = {
    scores: Float32Array.from({ length: 50 }, (_, i) => i / 20),
    probabilities: Float32Array.from({ length: 50 }, (_, i) => 0.98 * (i / 49) ** 0.7),
  };
  const fitted = {
    form: 'loom',
    damping: 0.25,
    numNeighbours: NEIGHBOURS,
    neighbours: neighbourRows(numObjects, random),
    text: {
      parts: [
        { kind: 'words', column: -1, names: Vocabulary.from(words), scales: new Float32Array(NUM_WORDS).fill(1) },
      ],
    },
    profile: { side: 'users', width, vectors: smallNumbers(graph.users.size * width, random) },
    tagged: weightsOf(numWeights),
    untagged: weightsOf(numWeights - numTags),
    mixing: Float32Array.of(0, 1),
  };
  const confidence = { tagged: curve, untagged: curve };
  return { name: 'loom', settings: {}, metrics: {}, graph, fitted, confidence };
}

/** Pronounceable, so that a search finds what begins like it. */
function wordList() {
  const { length } = SYLLABLES;
  return Array.from({ length: NUM_WORDS }, (_, i) => {
    const [a, b, c] = [i % length, Math.floor(i / length) % length, Math.floor(i / length ** 2) % length];
    return SYLLABLES[a] + SYLLABLES[b] + SYLLABLES[c] + (i >= length ** 3 ? SYLLABLES[i % 7] : '');
  });
}

function graphOf({ numObjects, numTags, words, random }) {
  const digits = String(numObjects).length;
  const numbered = (kind, i) => `${kind} ${String(i).padStart(digits, '0')}`;
  const names = (kind, count) =>
    Vocabulary.fromSorted(NameTable.from(Array.from({ length: count }, (_, i) => numbered(kind, i))));
  const word = () => words[random.below(NUM_WORDS)];
  const [users, objects] = [names('user', Math.ceil(0.3 * numObjects)), names('object', numObjects)];
  const tags = Vocabulary.from(Array.from({ length: numTags }, (_, i) => `${words[i % NUM_WORDS]} ${i}`));
  const titles = NameTable.from(Array.from({ length: numObjects }, (_, i) => `${word()} ${word()} ${i}`));
  const tagged = relationOf(numObjects, numTags, (object, add) => {
    const topic = Math.floor(object / TOPIC);
    for (let i = 0; i < 4; i++) add((topic * 5 + random.below(TAGS_OF_TOPIC)) % numTags);
    for (let i = 0; i < 2; i++) add(Math.floor(numTags * random.float() ** 4)); // some are common
  });
  const ofObjects = relationOf(numObjects, users.size, (object, add) => {
    const community = Math.floor(object / 500) * 150;
    for (let i = 0; i < USERS_PER_OBJECT; i++) add((community + random.below(150)) % users.size);
  });
  return { users, objects, tags, titles, texts: [], interact: ofObjects.reversed(), tagged };
}

/** From each head to the distinct tails that `fill` adds. */
function relationOf(numHeads, numTails, fill) {
  const heads = [];
  const tails = [];
  for (let head = 0; head < numHeads; head++) {
    const own = new Set();
    fill(head, (tail) => own.add(tail));
    for (const tail of [...own].sort((a, b) => a - b)) {
      heads.push(head);
      tails.push(tail);
    }
  }
  return new Relation(numHeads, numTails, Int32Array.from(heads), Int32Array.from(tails));
}

/** Tags of the same topic speak for one another; the rest is noise. */
function weightRows(numRows, numTags, random) {
  const rowStart = new Int32Array(numRows + 1);
  const columns = [];
  const values = [];
  for (let row = 0; row < numRows; row++) {
    const own = new Map();
    for (let i = 0; i < 40; i++) own.set(random.below(numTags), (random.float() - 0.5) / 50);
    for (let i = 1; i < TAGS_OF_TOPIC; i++) own.set((row + i) % numTags, 0.2 * random.float());
    for (const [column, value] of [...own].sort(([a], [b]) => a - b)) {
      columns.push(column);
      values.push(value);
    }
    rowStart[row + 1] = columns.length;
  }
  return { rowStart, columns: Int32Array.from(columns), values: Float32Array.from(values) };
}

function neighbourRows(numObjects, random) {
  const most = Math.min(NEIGHBOURS, numObjects - 1);
  const columns = new Int32Array(numObjects * most);
  for (let object = 0; object < numObjects; object++) {
    const first = Math.min(numObjects - 2 * most, Math.max(0, object - most));
    const own = new Set();
    while (own.size < most) own.add(Math.max(0, first) + random.below(Math.min(numObjects, 2 * most)));
    columns.set(Int32Array.from(own).sort(), object * most);
  }
  return {
    rowStart: Int32Array.from({ length: numObjects + 1 }, (_, object) => object * most),
    columns,
    values: Float32Array.from(columns, () => 0.1 + 0.8 * random.float()),
  };
}

function smallNumbers(length, random) {
  return Float32Array.from({ length }, () => (random.float() - 0.5) / 50);
}
