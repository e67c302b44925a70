// What TransE, TransH and TransR have in common: a relation is a step through space, and how far off a tail is from where the
// step ends says how unlikely the link is. A `Translation` is all they differ in. All three minimise
//
//   λ · ranking of TaggedWith + (1 − λ) · (margin of TaggedWith + margin of Interact)
//
//   margin    mean of p · [γ + D(h, t) − D(h′, t)]₊ + (1 − p) · [γ + D(h, t) − D(h, t′)]₊: a wrong pair is to be farther off
//             than a right one. Published with one end of a pair replaced, the head with probability p (Bordes et al.,
//             NIPS 2013); here both are, and weighted by it
//   ranking   mean of − log σ(D(o, t′) − D(o, t)): what the paper adds after Cao et al. (WWW 2019), so that the links of
//             users do not drown those it is about
//
// D is the squared distance in the space of the relation. − D(o, t) = − ‖o + r − t‖² ranks as 2 (o + r) · t − ‖t‖².

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Relation } from '../data/relation.ts';
import type { Kernels } from '../engine/kernels.ts';
import type { Ints } from '../engine/matrix.ts';
import { Tape, type Tensor } from '../engine/tape/tape.ts';
import { linearScale, logScale, type SettingList, type SettingsOf } from '../settings.ts';
import { initialize, lengthLimit } from '../training/initialize.ts';
import { PairFeed } from '../training/pair-feed.ts';
import { type Embeddings, TRAINING, type Trainable } from '../training/trainer.ts';
import { type Fit, type FitContext, fitInEpochs } from './model-kind.ts';

export const VECTOR_WIDTH = { default: 100, min: 1, max: 4096, whole: true, tune: logScale(32, 256) } as const;

/** Widths are the paper's (Table "Experimental Settings"), the margin TransE's own. */
export const TRANSLATION_SETTINGS = {
  margin: {
    default: 1,
    min: 0,
    max: 1000,
    tune: logScale(0.1, 10),
    help: 'by which a wrong pair must be farther off than a right one',
  },
  rankingWeight: {
    default: 0.5,
    min: 0,
    max: 1,
    tune: linearScale(0, 1),
    help: "weight of ranking an object's tags; the margin losses have the rest",
  },
  corruption: {
    default: 'uniform',
    choices: ['uniform', 'bernoulli'],
    tune: ['uniform', 'bernoulli'],
    help: 'which end of a pair is replaced: either, or rather the one of which there are fewer',
  },
  ...TRAINING,
  batchSize: { ...TRAINING.batchSize, default: 4096, help: 'pairs of each relation in one step' },
  learningRate: { ...TRAINING.learningRate, default: 0.02 },
} as const satisfies SettingList;

type TranslationSettings = SettingsOf<typeof TRANSLATION_SETTINGS> & { readonly width: number };

export type MakeTranslation = (recorder: Recorder, relation: string) => Translation;

export function fitTranslations(context: FitContext<TranslationSettings>, make: MakeTranslation): Promise<Fit> {
  const { kernels, train, settings } = context;
  return fitInEpochs(context, new TrainableTranslations(kernels, train, settings, make));
}

/** One relation, recorded on a tape. */
export interface Translation {
  /** The vectors of users, objects or tags, as rows, as the relation sees them. */
  project(vectors: Tensor): Tensor; // (n, d) to (n, width of r)
  readonly r: Tensor; // (1, width of r)
}

/** What a relation is recorded with. */
export interface Recorder {
  readonly tape: Tape;
  /** Makes a parameter. Random rows have a length near 1. */
  learn(rows: number, cols: number, name: string, start?: 'random' | 'identity'): Tensor;
}

class TrainableTranslations implements Trainable {
  readonly tape: Tape;
  readonly parameters: Tensor[] = [];
  readonly stepsPerEpoch: number;
  readonly #kernels: Kernels;
  readonly #feeds: PairFeed[];
  readonly #objects: Tensor; // (numObjects, d), o + r
  readonly #tags: Tensor; // (numTags, d)

  constructor(kernels: Kernels, train: KnowledgeGraph, settings: TranslationSettings, make: MakeTranslation) {
    this.#kernels = kernels;
    this.tape = new Tape(kernels);
    const { tape } = this;
    const { width, margin, rankingWeight, seed } = settings;
    const learn: Recorder['learn'] = (...what) => this.#learn(seed, ...what);
    const objects = learn(train.objects.size, width, 'objects');
    const tags = learn(train.tags.size, width, 'tags');

    const taggedWith = make({ tape, learn }, 'TaggedWith');
    const tagged = feedOf(kernels, 'TaggedWith', train.tagged, settings);
    const distances = recordDistances(tape, taggedWith, { heads: objects, tails: tags }, tagged);
    const ranking = rankingLoss(tape, distances.right, distances.otherTail);
    let margins = this.#margins(distances, headShare(train.tagged, settings), margin);
    this.#feeds = [tagged];
    if (train.interact.size > 0) {
      const users = learn(train.users.size, width, 'users');
      const interact = make({ tape, learn }, 'Interact');
      const interacted = feedOf(kernels, 'Interact', train.interact, settings);
      const ofUsers = recordDistances(tape, interact, { heads: users, tails: objects }, interacted);
      margins = tape.add(margins, this.#margins(ofUsers, headShare(train.interact, settings), margin));
      this.#feeds.push(interacted);
    }
    tape.minimize(tape.add(tape.scale(ranking, rankingWeight), tape.scale(margins, 1 - rankingWeight)));
    this.stepsPerEpoch = tagged.stepsPerEpoch;
    // no part of the loss: worked out when asked for
    this.#objects = tape.addBias(taggedWith.project(objects), taggedWith.r);
    this.#tags = taggedWith.project(tags);
  }

  prepare(step: number): void {
    for (const feed of this.#feeds) feed.fill(step);
  }

  async fitted(): Promise<Embeddings> {
    this.tape.forward();
    const [objects, tags] = [await this.#kernels.read(this.#objects.value), await this.#kernels.read(this.#tags.value)];
    const width = this.#tags.cols;
    const base = new Float32Array(this.#tags.rows);
    for (let i = 0; i < tags.length; i++) base[Math.floor(i / width)] -= tags[i] ** 2;
    return { form: 'embeddings', width, objects: objects.map((x) => 2 * x), tags, base };
  }

  release(): void {
    this.tape.release();
    for (const feed of this.#feeds) feed.release();
  }

  /** Both ends replaced in turn, weighted by how often each is to be. */
  #margins({ right, otherHead, otherTail }: Distances, share: number, margin: number): Tensor {
    const { tape } = this;
    const gamma = tape.constant(1, right.cols);
    this.#kernels.fill(gamma.value, margin);
    const byHead = marginLoss(tape, right, otherHead, gamma);
    const byTail = marginLoss(tape, right, otherTail, gamma);
    return tape.add(tape.scale(byHead, share), tape.scale(byTail, 1 - share));
  }

  #learn(seed: number, rows: number, cols: number, name: string, start = 'random'): Tensor {
    const made = this.tape.parameter(rows, cols, name);
    if (start === 'random') initialize(this.#kernels, [made], () => lengthLimit(1, cols), seed);
    else {
      const one = (_: unknown, i: number) => (Math.floor(i / cols) === i % cols ? 1 : 0);
      this.#kernels.write(made.value, Float32Array.from({ length: rows * cols }, one));
    }
    this.parameters.push(made);
    return made;
  }
}

/** D of the pairs of a step, (1, B) each: as they are, with another head, with another tail. */
interface Distances {
  readonly right: Tensor;
  readonly otherHead: Tensor;
  readonly otherTail: Tensor;
}

function recordDistances(
  tape: Tape,
  { project, r }: Translation,
  vectors: { readonly heads: Tensor; readonly tails: Tensor },
  feed: PairFeed,
): Distances {
  const step = (heads: Tensor) => tape.addBias(project(heads), r);
  const [from, otherFrom] = pick(tape, vectors.heads, step, [feed.heads, feed.otherHeads]);
  const [to, otherTo] = pick(tape, vectors.tails, project, [feed.tails, feed.otherTails]);
  return {
    right: squaredDistances(tape, from, to),
    otherHead: squaredDistances(tape, otherFrom, to),
    otherTail: squaredDistances(tape, from, otherTo),
  };
}

/** Rows of f(vectors). What has fewer rows goes through f: all of them, or those picked. */
function pick(tape: Tape, vectors: Tensor, f: (x: Tensor) => Tensor, rows: readonly Ints[]): Tensor[] {
  const numPicked = rows.reduce((sum, { length }) => sum + length, 0);
  if (numPicked < vectors.rows) return rows.map((ids) => f(tape.gather(vectors, ids)));
  const all = f(vectors);
  return rows.map((ids) => tape.gather(all, ids));
}

/** The pairs of a relation that a step looks at, and for each another head and another tail. */
function feedOf(kernels: Kernels, name: string, links: Relation, { batchSize, seed }: TranslationSettings): PairFeed {
  return new PairFeed(kernels, links, { batchSize, seed, otherEnds: name });
}

/** How much it counts that the head is replaced, rather than the tail. */
export function headShare(links: Relation, { corruption }: Pick<TranslationSettings, 'corruption'>): number {
  return corruption === 'bernoulli' ? bernoulliShare(links) : 0.5;
}

/** As TransH has it: tails per head / (tails per head + heads per tail), so that pairs made up are seldom true. */
function bernoulliShare({ heads, tails, size }: Relation): number {
  const [tailsPerHead, headsPerTail] = [size / new Set(heads).size, size / new Set(tails).size];
  return tailsPerHead / (tailsPerHead + headsPerTail);
}

/** ‖from − to‖² of each row, as (1, n); from is h + r and to is t. */
function squaredDistances(tape: Tape, from: Tensor, to: Tensor): Tensor {
  const gap = tape.sub(from, to);
  return tape.rowDot(gap, gap);
}

/** The mean of [γ + right − wrong]₊: a wrong pair is to be farther off than a right one, by γ (1, n). */
function marginLoss(tape: Tape, right: Tensor, wrong: Tensor, gamma: Tensor): Tensor {
  return tape.mean(tape.relu(tape.add(gamma, tape.sub(right, wrong))));
}

/** The mean of − log σ(wrong − right): Bayesian personalised ranking (Rendle et al., UAI 2009) by distances. */
function rankingLoss(tape: Tape, right: Tensor, wrong: Tensor): Tensor {
  return tape.mean(tape.softplus(tape.sub(right, wrong)));
}

/** x[r] / ‖x[r]‖ */
export function unitRows(tape: Tape, x: Tensor): Tensor {
  const logLength = tape.log(tape.rowNorm(x));
  return tape.scaleRows(x, tape.exp(tape.scale(logLength, -1)));
}
