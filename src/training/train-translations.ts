// TransE, TransH and TransR, from a knowledge graph to something the trainer can run. All three minimise
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
import { Tape, type Tensor } from '../engine/tape.ts';
import type { Embeddings } from '../models/embeddings.ts';
import {
  marginLoss,
  type Recorder,
  rankingLoss,
  squaredDistances,
  type Translation,
  transE,
} from '../models/transe.ts';
import { transH } from '../models/transh.ts';
import { transR } from '../models/transr.ts';
import { Random } from '../random.ts';
import { Batches } from './batches.ts';
import type { SettingsOf } from './config.ts';
import type { TRANS_E, TRANS_H, TRANS_R } from './config-translations.ts';
import type { Fit, FitContext } from './model-kind.ts';
import { Noise } from './noise.ts';
import { runTraining, type Trainable } from './trainer.ts';

export function fitTransE(context: FitContext<SettingsOf<typeof TRANS_E>>): Promise<Fit> {
  const { width } = context.settings;
  return trainTranslations(context, (recorder, relation) => transE(recorder, relation, width));
}

export function fitTransH(context: FitContext<SettingsOf<typeof TRANS_H>>): Promise<Fit> {
  const { width } = context.settings;
  return trainTranslations(context, (recorder, relation) => transH(recorder, relation, width));
}

export function fitTransR(context: FitContext<SettingsOf<typeof TRANS_R>>): Promise<Fit> {
  const shape = context.settings;
  return trainTranslations(context, (recorder, relation) => transR(recorder, relation, shape));
}

type MakeTranslation = (recorder: Recorder, relation: string) => Translation;
type TranslationSettings = SettingsOf<typeof TRANS_E>; // what all three have
type SampleSettings = Pick<TranslationSettings, 'batchSize' | 'corruption' | 'seed'>;

async function trainTranslations(context: FitContext<TranslationSettings>, make: MakeTranslation): Promise<Fit> {
  const { kernels, train, settings, watch, listener } = context;
  const trainable = new TrainableTranslations(kernels, train, settings, make);
  const { fitted, ...training } = await runTraining(kernels, trainable, settings, watch, listener);
  return { fitted, training };
}

class TrainableTranslations implements Trainable {
  readonly tape: Tape;
  readonly parameters: Tensor[] = [];
  readonly stepsPerEpoch: number;
  readonly #kernels: Kernels;
  readonly #samples: LinkSamples[];
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
    const tagged = new LinkSamples(kernels, 'TaggedWith', train.tagged, settings);
    const distances = recordDistances(tape, taggedWith, { heads: objects, tails: tags }, tagged);
    const ranking = rankingLoss(tape, distances.right, distances.otherTail);
    let margins = this.#margins(distances, tagged.headShare, margin);
    this.#samples = [tagged];
    if (train.interact.size > 0) {
      const users = learn(train.users.size, width, 'users');
      const interact = make({ tape, learn }, 'Interact');
      const interacted = new LinkSamples(kernels, 'Interact', train.interact, settings);
      const ofUsers = recordDistances(tape, interact, { heads: users, tails: objects }, interacted);
      margins = tape.add(margins, this.#margins(ofUsers, interacted.headShare, margin));
      this.#samples.push(interacted);
    }
    tape.minimize(tape.add(tape.scale(ranking, rankingWeight), tape.scale(margins, 1 - rankingWeight)));
    this.stepsPerEpoch = tagged.stepsPerEpoch;
    // no part of the loss: worked out when asked for
    this.#objects = tape.addBias(taggedWith.project(objects), taggedWith.r);
    this.#tags = taggedWith.project(tags);
  }

  prepare(step: number): void {
    for (const samples of this.#samples) samples.fill(step);
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
    for (const samples of this.#samples) samples.release();
  }

  /** Both ends replaced in turn, weighted by how often each is to be. */
  #margins({ right, otherHead, otherTail }: Distances, headShare: number, margin: number): Tensor {
    const { tape } = this;
    const gamma = tape.constant(1, right.cols);
    this.#kernels.fill(gamma.value, margin);
    const byHead = marginLoss(tape, right, otherHead, gamma);
    const byTail = marginLoss(tape, right, otherTail, gamma);
    return tape.add(tape.scale(byHead, headShare), tape.scale(byTail, 1 - headShare));
  }

  #learn(seed: number, rows: number, cols: number, name: string, start = 'random'): Tensor {
    const made = this.tape.parameter(rows, cols, name);
    const random = new Random(seed, made.operation);
    const limit = Math.sqrt(3 / cols); // uniform in ± limit has variance limit² / 3
    const draw = () => limit * (2 * random.float() - 1);
    const one = (_: unknown, i: number) => (Math.floor(i / cols) === i % cols ? 1 : 0);
    this.#kernels.write(made.value, Float32Array.from({ length: rows * cols }, start === 'random' ? draw : one));
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
  samples: LinkSamples,
): Distances {
  const step = (heads: Tensor) => tape.addBias(project(heads), r);
  const [from, otherFrom] = pick(tape, vectors.heads, step, [samples.heads, samples.otherHeads]);
  const [to, otherTo] = pick(tape, vectors.tails, project, [samples.tails, samples.otherTails]);
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

const MOST_DRAWS = 10; // for a pair that is not linked: some heads are linked to nearly all tails

/** The pairs of a relation that a step looks at, and for each another head and another tail, not linked to it. */
export class LinkSamples {
  readonly heads: Ints; // (B)
  readonly tails: Ints; // (B)
  readonly otherHeads: Ints; // (B)
  readonly otherTails: Ints; // (B)
  readonly headShare: number; // how often it is the head that is to be replaced
  readonly stepsPerEpoch: number;
  readonly #kernels: Kernels;
  readonly #name: string;
  readonly #links: Relation;
  readonly #batches: Batches;
  readonly #seed: number;

  constructor(kernels: Kernels, name: string, links: Relation, settings: SampleSettings) {
    this.#kernels = kernels;
    this.#name = name;
    this.#links = links;
    this.#seed = settings.seed;
    this.#batches = new Batches(links, new Noise([]), { ...settings, noisePerPair: 0 });
    this.stepsPerEpoch = this.#batches.stepsPerEpoch;
    this.headShare = settings.corruption === 'bernoulli' ? bernoulliShare(links) : 0.5;
    const ids = () => kernels.ints(this.#batches.objects.length);
    [this.heads, this.tails, this.otherHeads, this.otherTails] = [ids(), ids(), ids(), ids()];
  }

  fill(step: number): void {
    this.#batches.fill(step);
    const { objects: heads, tags: tails } = this.#batches;
    const { numHeads, numTails } = this.#links;
    const random = new Random(this.#seed, `other ends of ${this.#name} in step ${step}`);
    const otherHeads = tails.map((tail) => draw(random, numHeads, (head) => this.#links.has(head, tail)));
    const otherTails = heads.map((head) => draw(random, numTails, (tail) => this.#links.has(head, tail)));
    this.#kernels.writeInts(this.heads, heads);
    this.#kernels.writeInts(this.tails, tails);
    this.#kernels.writeInts(this.otherHeads, otherHeads);
    this.#kernels.writeInts(this.otherTails, otherTails);
  }

  release(): void {
    this.#kernels.release(this.heads, this.tails, this.otherHeads, this.otherTails);
  }
}

/** One of n that is not linked, if a few draws find it. */
function draw(random: Random, n: number, isLinked: (id: number) => boolean): number {
  let id = random.below(n);
  for (let i = 1; i < MOST_DRAWS && isLinked(id); i++) id = random.below(n);
  return id;
}

/** As TransH has it: tails per head / (tails per head + heads per tail), so that pairs made up are seldom true. */
function bernoulliShare({ heads, tails, size }: Relation): number {
  const [tailsPerHead, headsPerTail] = [size / new Set(heads).size, size / new Set(tails).size];
  return tailsPerHead / (tailsPerHead + headsPerTail);
}
