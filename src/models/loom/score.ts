// loom at work: scores of objects in the data, and of any others from what is known of them.

import { type Csr, entryOf } from '../../csr.ts';
import { allObjects, type KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { NameTable } from '../../data/vocabulary.ts';
import type { Kernels } from '../../engine/kernels.ts';
import { Similarity, type SimilarObjects } from '../../graph/similarity.ts';
import type { ExplainedScores, Facts, Scorer, ScoreTags, TagsOf } from '../scorer.ts';
import { contentRow } from './content.ts';
import { scoreExplainer } from './explain.ts';
import { type Loom, shareOf } from './loom.ts';
import { Mentions } from './mentions.ts';
import { addNeighbourMeans, marksOfTagged } from './neighbours.ts';
import { profilesOf, userVectors } from './profile.ts';
import { SharedWords } from './shared-words.ts';
import { type Seen, Side } from './side.ts';
import { TextSpace, type Written } from './text-space.ts';
import { readTexts } from './views.ts';

const BLOCK = 256; // objects at a time

interface WrittenRows {
  readonly text: Csr;
  readonly mentions: Csr;
}

/** By object, where its tags stand. */
interface TagRows {
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly tags: Int32Array;
}

/** What the score of one tag for every object is made from. */
interface ColumnInputs {
  readonly tag: number;
  readonly own: TagRows;
  readonly profiles: Float32Array;
  readonly written: WrittenRows;
}

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
  #written: Promise<WrittenRows> | undefined; // of all objects

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
  async scoreObjects(
    tag: number,
    tagsOf: TagsOf = this.#ownTags,
    isChanged: (object: number) => boolean = () => tagsOf !== this.#ownTags,
  ): Promise<Float32Array> {
    return this.#loom.tagged.squares || this.#loom.untagged.squares
      ? this.#scoreAllFor(tag, tagsOf)
      : this.#scoreColumn(tag, this.#tagTable(tagsOf, isChanged));
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
    const { tagged, untagged } = this.#loom;
    if (tagged.squares || untagged.squares) this.#shared ??= new SharedWords(this.#space, this.#train);
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

  /** The tags of all objects as rows: those of the data, but where they changed. */
  #tagTable(tagsOf: TagsOf, isChanged: (object: number) => boolean): TagRows {
    const { rowStart, tails, numHeads } = this.#train.tagged;
    const changed: ArrayLike<number>[] = [];
    const [start, end] = [new Int32Array(numHeads), new Int32Array(numHeads)];
    let more = 0;
    for (let object = 0; object < numHeads; object++) {
      if (isChanged(object)) {
        const own = tagsOf(object);
        changed.push(own);
        start[object] = tails.length + more;
        more += own.length;
        end[object] = tails.length + more;
      } else [start[object], end[object]] = [rowStart[object], rowStart[object + 1]];
    }
    if (more === 0) return { start, end, tags: tails };
    const tags = new Int32Array(tails.length + more);
    tags.set(tails);
    let at = tails.length;
    for (const own of changed) for (let i = 0; i < own.length; i++) tags[at++] = own[i];
    return { start, end, tags };
  }

  async #scoreColumn(tag: number, own: TagRows): Promise<Float32Array> {
    const scores = new Float32Array(this.#train.objects.size);
    const { tagged, untagged } = this.#openSides();
    const [profiles, written] = [await this.#allProfiles(), await this.#allWritten()];
    const shares = new Float64Array(scores.length);
    for (const side of [tagged, untagged]) {
      let isAsked = false;
      for (let object = 0; object < scores.length; object++) {
        const share = shareOf(this.#loom.mixing, own.end[object] - own.start[object]);
        shares[object] = side === tagged ? share : 1 - share;
        isAsked ||= shares[object] > 0;
      }
      if (isAsked) this.#addColumn(scores, side, shares, { tag, own, profiles, written });
    }
    return scores;
  }

  /** Adds what one side says of a tag, object by object. */
  #addColumn(scores: Float32Array, side: Side, shares: Float64Array, inputs: ColumnInputs): void {
    const { tag, own, profiles, written } = inputs;
    const { text, mentions } = written;
    const { weights, layout } = side;
    const { profile, content, neighbours } = this.#loom;
    const numTags = weights.base.length;
    const columnOf = (matrix: Float32Array, width: number) =>
      Float32Array.from({ length: width }, (_, k) => matrix[k * numTags + tag]);
    const ofProfile = columnOf(weights.profile, profile.width);
    const ofContent = columnOf(weights.content, content?.width ?? 0);
    // the weights of all features for this one tag: looked up once, not for each object that has them
    const ofOwn = weightsFor(weights.sparse, 0, layout.neighbours, tag);
    const ofNeighbours = weightsFor(weights.sparse, layout.neighbours, numTags, tag);
    const ofText = weightsFor(weights.sparse, layout.text, this.#space.width, tag);
    const fromTags = this.#sumsOverTags(ofNeighbours); // what an object adds to the tag as a neighbour
    for (let object = 0; object < scores.length; object++) {
      if (!(shares[object] > 0)) continue;
      let sum = weights.base[tag] + dot(profiles, object, ofProfile);
      if (content) sum += dot(content.rows, object, ofContent);
      if (ofOwn.length > 0) for (let e = own.start[object]; e < own.end[object]; e++) sum += ofOwn[own.tags[e]];
      for (let e = text.rowStart[object]; e < text.rowStart[object + 1]; e++) {
        sum += text.values[e] * ofText[text.columns[e]];
      }
      sum += entryOf(mentions, object, tag) * weights.mention[tag];
      scores[object] += shares[object] * (sum + meanOver(neighbours, object, fromTags));
    }
  }

  /** By object, the sum over its tags in the data. */
  #sumsOverTags(ofTags: Float32Array): Float64Array {
    const { rowStart, tails, numHeads } = this.#train.tagged;
    const sums = new Float64Array(numHeads);
    for (let object = 0; object < numHeads; object++) {
      for (let e = rowStart[object]; e < rowStart[object + 1]; e++) sums[object] += ofTags[tails[e]];
    }
    return sums;
  }

  #allProfiles(): Promise<Float32Array> {
    this.#profiles ??= profilesOf(this.#kernels, this.#loom.profile, this.#similarity, this.#train);
    return this.#profiles;
  }

  #allWritten(): Promise<WrittenRows> {
    this.#written ??= readTexts(this.#space, this.#mentions, this.#train, allObjects(this.#train), {});
    return this.#written;
  }

  #storedNeighbours(object: number): SimilarObjects {
    const { rowStart, columns, values } = this.#loom.neighbours;
    const [start, end] = [rowStart[object], rowStart[object + 1]];
    return { objects: columns.subarray(start, end), cosines: values.subarray(start, end) };
  }
}

/** Of some rows, the entries of one column. */
function weightsFor(rows: Csr, first: number, numRows: number, column: number): Float32Array {
  return Float32Array.from({ length: numRows }, (_, row) => entryOf(rows, first + row, column));
}

/** The mean of what neighbours add, weighted by their cosines. */
function meanOver({ rowStart, columns, values: cosines }: Csr, object: number, amounts: Float64Array): number {
  let [sum, total] = [0, 0];
  for (let e = rowStart[object]; e < rowStart[object + 1]; e++) {
    sum += cosines[e] * amounts[columns[e]];
    total += cosines[e];
  }
  return total > 0 ? sum / total : 0;
}

function dot(rows: Float32Array, row: number, column: Float32Array): number {
  let sum = 0;
  for (let k = 0, at = row * column.length; k < column.length; k++, at++) sum += rows[at] * column[k];
  return sum;
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
