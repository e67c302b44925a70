// loom at work: scores of objects in the data, and of any others from what is known of them.

import { transposedSlowly } from '../../csr.ts';
import { allObjects, type KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { NameTable } from '../../data/vocabulary.ts';
import type { Kernels } from '../../engine/kernels.ts';
import { largest } from '../../engine/numerics/top-k.ts';
import type { SimilarObjects } from '../../graph/shared-users.ts';
import { type Listener, makeBreather } from '../../listener.ts';
import type { AgainAmount, AmendedTags, ExplainedScores, Facts, Scorer, ScoreTags, TagsOf } from '../scorer.ts';
import { type Candidates, CandidateTable } from './candidates.ts';
import { contentRow } from './content.ts';
import { scoreExplainer } from './explain.ts';
import { KnownUsers } from './known-users.ts';
import type { Learning } from './learning.ts';
import { type Loom, shareOf } from './loom.ts';
import { Mentions } from './mentions.ts';
import { addNeighbourMeans } from './neighbours.ts';
import { type FirstScores, OneObject } from './one-object.ts';
import { explainAgain, rankAgain } from './second-stage.ts';
import type { Seen, TagMeans } from './seen.ts';
import { SharedWords } from './shared-words.ts';
import { Side } from './side.ts';
import { TagColumns } from './tag-column.ts';
import { TextSpace, type Written } from './text-space.ts';
import { readTexts } from './views.ts';

const BLOCK = 256; // objects at a time
const [MIN_AGAIN, MAX_AGAIN] = [50, 2 ** 20]; // objects that one tag is ranked again for; scores of these, all tags counted
const SLICE_MS = 5; // of reading texts before others get their turn, until someone waits for it

/** `train`: whose tags and users count. */
export class LoomScorer implements Scorer {
  readonly floor = Number.NEGATIVE_INFINITY;
  readonly featureNames?: NameTable;
  readonly #loom: Loom;
  readonly #space: TextSpace;
  readonly #trained: KnowledgeGraph;
  #train: KnowledgeGraph; // with the tags that were decided since
  readonly #kernels: Kernels;
  readonly #users: KnownUsers;
  readonly #mentions: Mentions;
  readonly #ownTags: TagsOf;
  readonly #means: Float64Array; // (numTags) scratch, zeros between calls
  readonly #sides: { tagged?: Side; untagged?: Side } = {}; // opened when they are asked for
  #shared: SharedWords | undefined;
  #table: CandidateTable | undefined;
  #one: OneObject | undefined;
  #columns: Promise<TagColumns> | undefined;
  readonly #decided = new Map<number, Int32Array>(); // the tags of objects, of which nothing was learnt yet
  #learning: Learning | undefined; // where something was learnt
  #lesson: Promise<void> | undefined; // under way
  learn?: (object: number, tags: Int32Array) => void;
  #isAwaited = false; // whether someone waits for them

  constructor(kernels: Kernels, loom: Loom, train: KnowledgeGraph) {
    this.#kernels = kernels;
    this.#loom = loom;
    this.#space = new TextSpace(loom.text);
    const features = loom.text.parts.find(({ kind }) => kind === 'features')?.names.names;
    if (loom.content !== undefined || features !== undefined) {
      this.featureNames = loom.content?.names ?? features ?? NameTable.from([]);
    }
    this.#trained = train;
    this.#train = train;
    this.#users = new KnownUsers(kernels, loom, train);
    this.#mentions = new Mentions(train.tags);
    this.#ownTags = (object) => this.#train.tagged.row(object);
    if (loom.tagged.rates !== undefined) this.learn = (object, tags) => this.#decided.set(object, tags);
    this.#means = new Float64Array(train.tags.size);
  }

  readonly score: ScoreTags = async (ids, scores, tagsOf = this.#ownTags): Promise<void> => {
    await this.#learn();
    const numTags = this.#train.tags.size;
    const { width } = this.#loom.profile;
    const profiles = this.#users.profiles();
    for (let first = 0; first < ids.length; first += BLOCK) {
      const some = ids.subarray(first, first + BLOCK);
      const own = await profiles.rowsOf(some);
      const block = Array.from(some, (id, i) => this.#seenInData(id, tagsOf(id), rowOf(own, width, i)));
      if (block.length === 1) await this.#scoreOne(block[0], scores.subarray(first * numTags));
      else scores.set(await this.#scoreSeen(block), first * numTags);
    }
  };

  /** The same for any facts, those of a new object among them. */
  async scoreUnseen(facts: Facts, row: Float32Array): Promise<void> {
    await this.#learn();
    const neighbours = this.#users.neighboursOf(facts);
    await this.#scoreOne(await this.#seenIn(facts, this.#writtenOf(facts), neighbours), row);
  }

  profileOf(users: ArrayLike<number>): Promise<Float32Array> {
    return this.#users.profileOf({ users });
  }

  /** Empty where the model knows of no content. */
  contentOf({ features, object }: Facts): Float32Array {
    const { content } = this.#loom;
    if (content === undefined) return new Float32Array(0);
    if (features !== undefined) return contentRow(content, [...features.keys()], [...features.values()]);
    if (object !== undefined) return rowOf(content.rows, content.width, object);
    return new Float32Array(content.width);
  }

  #writtenOf(facts: Facts): Written {
    return this.#space.writtenIn(this.#train, facts);
  }

  async explain(facts: Facts): Promise<ExplainedScores> {
    await this.#learn();
    const { tagged, untagged, shared } = this.#openSides();
    const [written, neighbours] = [this.#writtenOf(facts), this.#users.neighboursOf(facts)];
    const seen = await this.#seenIn(facts, written, neighbours);
    const share = this.#shareOf(facts.tags);
    const shareIn = ({ weights, features, layout }: Side, own: number) => ({ weights, features, layout, share: own });
    const sides = [shareIn(tagged, share), shareIn(untagged, 1 - share)].filter(({ share: weight }) => weight > 0);
    const explained = { loom: this.#loom, space: this.#space, train: this.#train, shared, sides };
    const partsOf = scoreExplainer(explained, { ...seen, neighbours, written });
    const { second } = this.#loom;
    if (second === undefined || seen.tags.length === 0) return { scores: await this.#scoreSeen([seen]), partsOf };
    const first = await this.#scoreFirst([seen], true);
    const candidates = this.#candidatesOf(seen, first);
    const scores = first.scores.slice();
    rankAgain(second, candidates, scores);
    const againOf = (tag: number): AgainAmount[] => {
      const closest = () => this.#openTable().closest({ known: seen.tags, object: seen.object }, tag);
      return explainAgain(second, candidates, { tag, first: first.scores[tag], final: scores[tag] }, closest);
    };
    return { scores, partsOf: (tag) => ({ ...partsOf(tag), again: againOf(tag) }) };
  }

  /** The score of one tag for every object in the data: far fewer steps than all tags of all objects. */
  async scoreObjects(tag: number, amended?: AmendedTags): Promise<Float32Array> {
    await this.#learn();
    if (this.#hasSquares) return this.#scoreAllFor(tag, amended?.tagsOf ?? this.#ownTags);
    this.#isAwaited = true;
    const [profiles, columns] = [this.#users.profiles(), await this.#openColumns({})];
    const scores = await columns.score(this.#openSides(), { tag, amended, profiles });
    if (this.#loom.second !== undefined) await this.#rankObjectsAgain(tag, scores, amended?.tagsOf ?? this.#ownTags);
    return scores;
  }

  /** What was decided since the last time. Who comes while another learns waits for that, too. */
  async #learn(): Promise<void> {
    while (this.#lesson !== undefined) await this.#lesson;
    if (this.#decided.size === 0 && !this.#learning?.hasChanged) return;
    this.#lesson = this.#takeLesson().finally(() => {
      this.#lesson = undefined;
    });
    await this.#lesson;
  }

  async #takeLesson(): Promise<void> {
    const { Learning } = await import('./learning.ts'); // so that pages that only ask do not load it
    this.#learning ??= new Learning(this.#loom, this.#trained);
    const learning = this.#learning;
    for (const [object, tags] of this.#decided) learning.decide(object, tags);
    this.#decided.clear();
    const tags = learning.takeChanged();
    if (tags.length === 0) return;
    try {
      await learning.lookAt(tags, (objects) => this.#asTrained(objects));
    } catch (error) {
      learning.putBack(tags);
      throw error;
    }
    for (const name of ['tagged', 'untagged'] as const) {
      const side = this.#openSide(name);
      for (const tag of tags) side.learn(tag, learning.changeFor(tag, side.weights, name === 'tagged'));
    }
    this.#train = learning.graph();
    this.#table = undefined;
    if (this.#columns !== undefined) (await this.#columns).tagAgain(this.#train);
  }

  /** What the fit saw of some objects. */
  async #asTrained(objects: Int32Array): Promise<Seen[]> {
    const profiles = await this.#users.profiles().rowsOf(objects);
    const { width } = this.#loom.profile;
    return Array.from(objects, (object, i) =>
      this.#seenInData(object, this.#trained.tagged.row(object), rowOf(profiles, width, i), this.#trained),
    );
  }

  /** Of the objects with tags, those of the highest first scores get the scores of both stages; the others stay below them. */
  async #rankObjectsAgain(tag: number, scores: Float32Array, tagsOf: TagsOf): Promise<void> {
    const numTags = this.#train.tags.size;
    const isOpen = (object: number) => {
      const own = tagsOf(object);
      return own.length > 0 && !Array.prototype.includes.call(own, tag);
    };
    const open = Int32Array.from(scores.keys()).filter(isOpen);
    const firstOf = (objects: Int32Array) => Float32Array.from(objects, (object) => scores[object]);
    const best = largest(open, firstOf(open), Math.max(MIN_AGAIN, Math.floor(MAX_AGAIN / numTags))).sort();
    if (best.length === 0) return;
    const again = new Float32Array(best.length * numTags);
    await this.score(best, again, tagsOf);
    const found = Float32Array.from(best, (_, i) => again[i * numTags + tag]);
    const lowest = (values: Float32Array) => values.reduce((least, one) => Math.min(least, one));
    const shift = Math.min(0, lowest(found) - lowest(firstOf(best)));
    for (const object of open) scores[object] += shift;
    for (const [i, object] of best.entries()) scores[object] = found[i];
  }

  /** Reads all texts, a minute's work for some millions of them. */
  async prepareObjects(listener: Listener): Promise<void> {
    if (!this.#hasSquares) await this.#openColumns(listener);
  }

  async prepare(breathe: () => Promise<void> | undefined): Promise<void> {
    for (const side of ['tagged', 'untagged'] as const) {
      await breathe();
      this.#openSide(side);
    }
    await breathe();
    this.#users.profiles();
    await breathe();
  }

  release(): void {
    this.#sides.tagged?.release();
    this.#sides.untagged?.release();
    this.#users.release();
    this.#one?.release();
  }

  #openSides() {
    return { tagged: this.#openSide('tagged'), untagged: this.#openSide('untagged'), shared: this.#shared };
  }

  #openSide(name: 'tagged' | 'untagged'): Side {
    if (this.#hasSquares) this.#shared ??= new SharedWords(this.#space, this.#train);
    const weights = this.#loom[name];
    this.#sides[name] ??= new Side(this.#kernels, this.#loom, weights, name === 'tagged', this.#shared);
    return this.#sides[name];
  }

  #shareOf({ length }: ArrayLike<number>): number {
    return shareOf(this.#loom.mixing, length);
  }

  /** Each set of weights scores those it has a share in; then the best tags of objects with tags are ranked again. */
  async #scoreSeen(objects: readonly Seen[]): Promise<Float32Array> {
    const { second } = this.#loom;
    const first = await this.#scoreFirst(objects, second !== undefined);
    for (const [i, seen] of objects.entries()) {
      if (second === undefined || seen.tags.length === 0) continue;
      const one = this.#rowsOf(first, i);
      rankAgain(second, this.#candidatesOf(seen, one), one.scores);
    }
    return first.scores;
  }

  /** The same for one object, by steps of the engine for one where it has them. */
  async #scoreOne(seen: Seen, scores: Float32Array): Promise<void> {
    const sides = this.#openSides();
    const { singleRows } = this.#kernels;
    if (singleRows !== undefined && sides.tagged.takesOne && sides.untagged.takesOne) {
      this.#one ??= new OneObject(singleRows, this.#loom, sides);
      this.#one.score(seen, scores, (first) => this.#candidatesOf(seen, first));
    } else scores.set(await this.#scoreSeen([seen]));
  }

  /** The first stage alone. `takesBare`: what is said of objects with tags from everything but these, too. */
  async #scoreFirst(objects: readonly Seen[], takesBare: boolean): Promise<FirstScores> {
    const numTags = this.#train.tags.size;
    const scores = new Float32Array(objects.length * numTags);
    const bareScores = new Float32Array(takesBare ? scores.length : 0);
    const { tagged, untagged } = this.#openSides();
    for (const side of [tagged, untagged]) {
      const isBare = side === untagged;
      const weightOf = ({ tags }: Seen) => (isBare ? 1 - this.#shareOf(tags) : this.#shareOf(tags));
      const asked = Array.from(objects.keys()).filter(
        (i) => weightOf(objects[i]) > 0 || (isBare && takesBare && objects[i].tags.length > 0),
      );
      if (asked.length === 0) continue;
      const found = await side.score(asked.map((i) => objects[i]));
      for (const [k, i] of asked.entries()) {
        const row = found.subarray(k * numTags, (k + 1) * numTags);
        if (isBare && takesBare) bareScores.set(row, i * numTags);
        const weight = weightOf(objects[i]);
        for (let t = 0, at = i * numTags; weight > 0 && t < numTags; t++, at++) scores[at] += weight * row[t];
      }
    }
    return { scores, bareScores };
  }

  #openTable(): CandidateTable {
    this.#table ??= new CandidateTable(this.#train);
    return this.#table;
  }

  #rowsOf({ scores, bareScores }: FirstScores, i: number): FirstScores {
    const numTags = this.#train.tags.size;
    const rowOf = (all: Float32Array) => all.subarray(i * numTags, (i + 1) * numTags);
    return { scores: rowOf(scores), bareScores: rowOf(bareScores) };
  }

  #candidatesOf(seen: Seen, first: FirstScores): Candidates {
    const { object, tags: known, numUsers, mentions } = seen;
    const [means, { tags, values }] = [this.#means, seen.means];
    for (let i = 0; i < tags.length; i++) means[tags[i]] = values[i];
    const candidates = this.#openTable().of({
      ...{ object, known, numUsers, ...first },
      meanOf: (tag) => means[tag],
      mentionOf: (tag) => mentions.get(tag) ?? 0,
    });
    for (let i = 0; i < tags.length; i++) means[tags[i]] = 0;
    return candidates;
  }

  async #seenIn(facts: Facts, written: Written, neighbours: SimilarObjects): Promise<Seen> {
    const space = this.#space;
    return {
      ...(facts.object !== undefined && { object: facts.object }),
      tags: facts.tags,
      numUsers: this.#users.numUsersOf(facts),
      means: this.#meansOver(neighbours),
      text: space.rowOf(written),
      mentions: this.#mentions.in(written, space),
      profile: await this.#users.profileOf(facts),
      content: this.contentOf(facts),
    };
  }

  #seenInData(object: number, tags: ArrayLike<number>, profile: Float32Array, train = this.#train): Seen {
    const space = this.#space;
    const { content } = this.#loom;
    const written = space.writtenAbout(this.#train, object);
    return {
      object,
      tags,
      numUsers: this.#users.numUsersIn(object),
      means: this.#meansOver(this.#users.storedNeighbours(object), train),
      text: space.rowOf(written),
      mentions: this.#mentions.in(written, space),
      profile,
      content: content ? rowOf(content.rows, content.width, object) : new Float32Array(0),
    };
  }

  #meansOver(neighbours: SimilarObjects, { tagged } = this.#train): TagMeans {
    const means = this.#means;
    const tags = addNeighbourMeans(means, neighbours, tagged);
    const values = tags.map((tag) => means[tag]);
    for (const tag of tags) means[tag] = 0;
    return { tags, values };
  }

  async #scoreAllFor(tag: number, tagsOf: TagsOf): Promise<Float32Array> {
    const numTags = this.#train.tags.size;
    const all = allObjects(this.#train);
    const column = new Float32Array(all.length);
    const scores = new Float32Array(BLOCK * numTags);
    for (let first = 0; first < all.length; first += BLOCK) {
      const block = all.subarray(first, first + BLOCK);
      await this.score(block, scores.subarray(0, block.length * numTags), tagsOf);
      for (let i = 0; i < block.length; i++) column[first + i] = scores[i * numTags + tag];
    }
    return column;
  }

  /** Whoever asks first has them read; after a failure it is tried again. */
  #openColumns(listener: Listener): Promise<TagColumns> {
    this.#columns ??= this.#readColumns(listener).catch((error) => {
      this.#columns = undefined;
      throw error;
    });
    return this.#columns;
  }

  async #readColumns(listener: Listener): Promise<TagColumns> {
    const [unnoticed, asked] = [makeBreather(listener, SLICE_MS), makeBreather(listener)];
    const breathe = () => (this.#isAwaited ? asked() : unnoticed());
    const objects = allObjects(this.#train);
    const { text, mentions } = await readTexts(this.#space, this.#mentions, this.#train, objects, listener, breathe);
    const { rowStart, columns } = await transposedSlowly(this.#loom.neighbours, objects.length, breathe);
    return new TagColumns(this.#loom, this.#train, {
      objectsOf: await this.#train.tagged.reversedSlowly(breathe),
      text: await transposedSlowly(text, this.#space.width, breathe),
      mentions: await transposedSlowly(mentions, this.#train.tags.size, breathe),
      nearTo: { rowStart, columns },
    });
  }

  get #hasSquares(): boolean {
    return this.#loom.tagged.squares !== undefined || this.#loom.untagged.squares !== undefined;
  }
}

function rowOf(rows: Float32Array, width: number, row: number): Float32Array {
  return rows.subarray(row * width, (row + 1) * width);
}
