// loom at work: scores of objects in the data, and of any others from what is known of them.

import { transposedSlowly } from '../../csr.ts';
import { allObjects, type KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { NameTable } from '../../data/vocabulary.ts';
import type { Kernels } from '../../engine/kernels.ts';
import { Similarity, type SimilarObjects } from '../../graph/similarity.ts';
import { type Listener, makeBreather } from '../../listener.ts';
import type { AmendedTags, ExplainedScores, Facts, Scorer, ScoreTags, TagsOf } from '../scorer.ts';
import { contentRow } from './content.ts';
import { scoreExplainer } from './explain.ts';
import { type Loom, shareOf } from './loom.ts';
import { Mentions } from './mentions.ts';
import { addNeighbourMeans, marksOfTagged } from './neighbours.ts';
import { profilesOf, userVectors } from './profile.ts';
import { SharedWords } from './shared-words.ts';
import { type Seen, Side } from './side.ts';
import { TagColumns } from './tag-column.ts';
import { TextSpace, type Written } from './text-space.ts';
import { readTexts } from './views.ts';

const BLOCK = 256; // objects at a time
const SLICE_MS = 5; // of reading texts before others get their turn, until someone waits for it

/** `train`: whose tags and users count. */
export class LoomScorer implements Scorer {
  readonly floor = Number.NEGATIVE_INFINITY;
  readonly featureNames?: NameTable;
  readonly #loom: Loom;
  readonly #space: TextSpace;
  readonly #train: KnowledgeGraph;
  readonly #kernels: Kernels;
  readonly #similarity: Similarity;
  readonly #mentions: Mentions;
  readonly #ownTags: TagsOf;
  readonly #isTagged: Uint8Array;
  readonly #means: Float64Array; // (numTags) scratch, zeros between calls
  readonly #sides: { tagged?: Side; untagged?: Side } = {}; // opened when they are asked for
  #shared: SharedWords | undefined;
  #userVectors: Promise<Float32Array | undefined> | undefined; // (numUsers, profile.width)
  #profiles: Promise<Float32Array> | undefined; // (numObjects, width)
  #columns: Promise<TagColumns> | undefined;
  #isAwaited = false; // whether someone waits for them

  constructor(kernels: Kernels, loom: Loom, train: KnowledgeGraph) {
    this.#kernels = kernels;
    this.#loom = loom;
    this.#space = new TextSpace(loom.text);
    const features = loom.text.parts.find(({ kind }) => kind === 'features')?.names.names;
    if (loom.content !== undefined || features !== undefined) {
      this.featureNames = loom.content?.names ?? features ?? NameTable.from([]);
    }
    this.#train = train;
    this.#similarity = new Similarity(train.interact, loom.damping);
    this.#mentions = new Mentions(train.tags);
    this.#ownTags = (object) => train.tagged.row(object);
    this.#isTagged = marksOfTagged(train.tagged);
    this.#means = new Float64Array(train.tags.size);
  }

  readonly score: ScoreTags = async (ids, scores, tagsOf = this.#ownTags): Promise<void> => {
    const numTags = this.#train.tags.size;
    const profiles = await this.#allProfiles();
    for (let first = 0; first < ids.length; first += BLOCK) {
      const block = Array.from(ids.subarray(first, first + BLOCK), (id) => this.#seenInData(id, tagsOf(id), profiles));
      scores.set(await this.#scoreSeen(block), first * numTags);
    }
  };

  /** The same for any facts, those of a new object among them. */
  async scoreUnseen(facts: Facts, row: Float32Array): Promise<void> {
    row.set(await this.#scoreSeen([await this.#seenIn(facts, this.#writtenOf(facts), this.#neighboursOf(facts))]));
  }

  #neighboursOf({ users, object }: Facts): SimilarObjects {
    const options = { most: this.#loom.numNeighbours, among: this.#isTagged };
    return this.#similarity.mostSimilar(users, object === undefined ? options : { ...options, except: object });
  }

  async profileOf(users: ArrayLike<number>): Promise<Float32Array> {
    const { profile } = this.#loom;
    if (profile.width === 0) return new Float32Array(0);
    this.#userVectors ??= userVectors(this.#kernels, profile, this.#similarity, this.#train);
    const ofUsers = await this.#userVectors;
    if (ofUsers !== undefined) return sumOf(ofUsers, profile.width, users, this.#similarity.row(users));
    const { objects, cosines } = this.#similarity.similarTo(users);
    return sumOf(profile.vectors, profile.width, objects, cosines);
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
    const { tagged, untagged, shared } = this.#openSides();
    const [written, neighbours] = [this.#writtenOf(facts), this.#neighboursOf(facts)];
    const seen = await this.#seenIn(facts, written, neighbours);
    const share = this.#shareOf(facts.tags);
    const sides = [
      { ...tagged, share },
      { ...untagged, share: 1 - share },
    ].filter(({ share: weight }) => weight > 0);
    const explained = { loom: this.#loom, space: this.#space, train: this.#train, shared, sides };
    return {
      scores: await this.#scoreSeen([seen]),
      partsOf: scoreExplainer(explained, { ...seen, neighbours, written }),
    };
  }

  /** The score of one tag for every object in the data: far fewer steps than all tags of all objects. */
  async scoreObjects(tag: number, amended?: AmendedTags): Promise<Float32Array> {
    if (this.#hasSquares) return this.#scoreAllFor(tag, amended?.tagsOf ?? this.#ownTags);
    this.#isAwaited = true;
    const [profiles, columns] = [await this.#allProfiles(), await this.#openColumns({})];
    return columns.score(this.#openSides(), { tag, amended, profiles });
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
    await this.#allProfiles();
    await breathe();
  }

  release(): void {
    this.#sides.tagged?.release();
    this.#sides.untagged?.release();
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

  /** Each side scores those it has a share in. */
  async #scoreSeen(objects: readonly Seen[]): Promise<Float32Array> {
    const numTags = this.#train.tags.size;
    const scores = new Float32Array(objects.length * numTags);
    const { tagged, untagged } = this.#openSides();
    for (const [side, weightOf] of [
      [tagged, (share: number) => share],
      [untagged, (share: number) => 1 - share],
    ] as const) {
      const weights = objects.map(({ tags }) => weightOf(this.#shareOf(tags)));
      const asked = objects.flatMap((seen, i) => (weights[i] > 0 ? [{ seen, i }] : []));
      if (asked.length === 0) continue;
      const found = await side.score(asked.map(({ seen }) => seen));
      for (const [k, { i }] of asked.entries()) {
        const weight = weights[i];
        for (let t = 0; t < numTags; t++) scores[i * numTags + t] += weight * found[k * numTags + t];
      }
    }
    return scores;
  }

  async #seenIn(facts: Facts, written: Written, neighbours: SimilarObjects): Promise<Seen> {
    const space = this.#space;
    return {
      tags: facts.tags,
      means: this.#meansOver(neighbours),
      text: space.rowOf(written),
      mentions: this.#mentions.in(written, space),
      profile: await this.profileOf(facts.users),
      content: this.contentOf(facts),
    };
  }

  #seenInData(object: number, tags: ArrayLike<number>, profiles: Float32Array): Seen {
    const space = this.#space;
    const { profile, content } = this.#loom;
    const written = space.writtenAbout(this.#train, object);
    return {
      tags,
      means: this.#meansOver(this.#storedNeighbours(object)),
      text: space.rowOf(written),
      mentions: this.#mentions.in(written, space),
      profile: rowOf(profiles, profile.width, object),
      content: content ? rowOf(content.rows, content.width, object) : new Float32Array(0),
    };
  }

  #meansOver(neighbours: SimilarObjects): Map<number, number> {
    const means = this.#means;
    const found = new Map<number, number>();
    for (const tag of addNeighbourMeans(means, neighbours, this.#train.tagged)) {
      found.set(tag, means[tag]);
      means[tag] = 0;
    }
    return found;
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

  #allProfiles(): Promise<Float32Array> {
    this.#profiles ??= profilesOf(this.#kernels, this.#loom.profile, this.#similarity, this.#train);
    return this.#profiles;
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
    return new TagColumns(this.#loom, this.#train, {
      objectsOf: await this.#train.tagged.reversedSlowly(breathe),
      text: await transposedSlowly(text, this.#space.width, breathe),
      mentions: await transposedSlowly(mentions, this.#train.tags.size, breathe),
    });
  }

  get #hasSquares(): boolean {
    return this.#loom.tagged.squares !== undefined || this.#loom.untagged.squares !== undefined;
  }

  #storedNeighbours(object: number): SimilarObjects {
    const { rowStart, columns, values } = this.#loom.neighbours;
    const [start, end] = [rowStart[object], rowStart[object + 1]];
    return { objects: columns.subarray(start, end), cosines: values.subarray(start, end) };
  }
}

/** Rows of some ids, each times its factor, added up. */
function sumOf(rows: Float32Array, width: number, ids: ArrayLike<number>, factors: Float32Array): Float32Array {
  const sum = new Float64Array(width);
  for (let i = 0; i < ids.length; i++) {
    for (let k = 0, at = ids[i] * width; k < width; k++, at++) sum[k] += factors[i] * rows[at];
  }
  return Float32Array.from(sum);
}

function rowOf(rows: Float32Array, width: number, row: number): Float32Array {
  return rows.subarray(row * width, (row + 1) * width);
}
