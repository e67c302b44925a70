// Model files whose checksum holds and whose contents do not: each is refused with what is wrong and what to do.

import { beforeAll, describe, expect, it } from 'vitest';
import { graphFrom, type KnowledgeGraph } from '../../src/data/knowledge-graph.ts';
import { split } from '../../src/data/split.ts';
import { encodeTensors, type NamedTensor, type TensorData } from '../../src/data/tensor-bytes.ts';
import { InputError } from '../../src/errors.ts';
import type { ModelName } from '../../src/models/catalogue.ts';
import type { Model } from '../../src/models/model.ts';
import { decodeModel } from '../../src/models/model-file.ts';
import { modelToTensors } from '../../src/models/model-tensors.ts';
import { train } from '../../src/pipeline.ts';
import { checkerboard } from '../checkerboard.ts';

const KINDS = ['loom', 'itemknn', 'ease', 'hetelearn', 'mf'] as const satisfies ModelName[];
const models = new Map<ModelName, Model>();
beforeAll(async () => {
  for (const name of KINDS) {
    const settings = name === 'mf' ? { epochs: 1, width: 4 } : {};
    const options = { model: name, settings, threads: 1, ...(name === 'loom' && { features: featuresOf(titled()) }) };
    models.set(name, await train(titled(), options));
  }
});

/** With titles, so that words count. */
function titled(): KnowledgeGraph {
  const { users, objects, tags, interact, tagged } = split(checkerboard(), { trainFraction: 0.7, seed: 3 }).train;
  return graphFrom({
    interact: Array.from(interact.heads, (user, i) => [users.name(user), objects.name(interact.tails[i])] as const),
    tagged: Array.from(tagged.heads, (one, i) => [objects.name(one), tags.name(tagged.tails[i])] as const),
    objects: objects.names.toArray().map((name, id) => [name, `word${id % 3} ä title ${id % 7}`] as const),
  });
}

function featuresOf({ objects }: KnowledgeGraph) {
  const rowStart = Int32Array.from({ length: objects.size + 1 }, (_, row) => row);
  const columns = Int32Array.from({ length: objects.size }, (_, row) => row % 4);
  const values = new Float32Array(objects.size).fill(1);
  return { names: ['a', 'b', 'c', 'd'], numFeatures: 4, rowStart, columns, values };
}

interface Change {
  readonly tensors?: Readonly<Record<string, ((data: TensorData) => TensorData) | undefined>>;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** The bytes of a model with some of its parts exchanged, and a checksum that is right. */
function changed(name: ModelName, { tensors: changes = {}, metadata = {} }: Change): Uint8Array {
  const file = modelToTensors(models.get(name) as Model);
  const tensors = new Map<string, NamedTensor>(file.tensors);
  for (const [key, change] of Object.entries(changes)) {
    const old = tensors.get(key) as NamedTensor;
    if (change === undefined) tensors.delete(key);
    else {
      const data = change(old.data.slice());
      tensors.set(key, { ...old, data, shape: [data.length] });
    }
  }
  return new Uint8Array(Buffer.concat(encodeTensors({ metadata: { ...file.metadata, ...metadata }, tensors })));
}

const set = (at: number, value: number) => (data: TensorData) => {
  data[at < 0 ? data.length + at : at] = value;
  return data;
};
const swapped = (data: TensorData) => {
  const [first, second] = data;
  data[0] = second;
  data[1] = first;
  return data;
};

/** [what is exchanged in which model, what the error says was got] */
const ATTACKS: readonly (readonly [model: ModelName, change: Change, got: RegExp])[] = [
  ['loom', { tensors: { 'objects.offsets': (data) => data.fill(0xffffffff) } }, /objects\.offsets that begin/],
  ['loom', { tensors: { 'objects.offsets': set(3, 0xfffffff0) } }, /objects\.offsets that fall at 4/],
  ['loom', { tensors: { 'objects.offsets': set(-1, 1) } }, /objects\.offsets that fall/],
  ['loom', { tensors: { 'objects.offsets': () => new Uint32Array(0) } }, /no numbers in objects\.offsets/],
  ['loom', { tensors: { 'objects.bytes': set(2, 0xff) } }, /objects\.bytes that are not UTF-8/],
  ['loom', { tensors: { 'tags.bytes': set(0, 0x7f) } }, /names out of order at 1 in tags/],
  ['loom', { tensors: { 'tags.bytes': set(0, 9) } }, /a control character at 0 in tags\.bytes/],
  ['loom', { tensors: { 'objects.offsets': set(1, 0) } }, /a blank name in objects/],
  ['loom', { tensors: { 'users.offsets': (data) => data.subarray(0, 9) } }, /users\.offsets that end with/],
  ['loom', { tensors: { 'titles.offsets': (data) => data.map((at, i) => (i === 1 ? 7 : at)) } }, /inside a character/],
  ['loom', { tensors: { 'titles.offsets': (data) => data.subarray(0, 9) } }, /9 numbers in titles\.offsets/],
  ['loom', { tensors: { 'tagged.rowStart': set(1, -1) } }, /tagged\.rowStart that fall/],
  ['loom', { tensors: { 'tagged.tails': set(0, 12345) } }, /12345 at 0 in tagged\.tails/],
  ['loom', { tensors: { 'tagged.tails': swapped } }, /in tagged\.tails/],
  ['loom', { tensors: { 'interact.tails': set(0, -7) } }, /-7 at 0 in interact\.tails/],
  ['loom', { tensors: { 'loom.neighbours.columns': set(0, 2 ** 30) } }, /1073741824 at 0 in loom\.neighbours/],
  ['loom', { tensors: { 'loom.neighbours.weights': set(0, -1) } }, /-1 at 0 in loom\.neighbours\.weights/],
  ['loom', { tensors: { 'loom.tagged.weights.columns': set(0, 60000) } }, /60000 at 0 in loom\.tagged\.weights/],
  ['loom', { tensors: { 'loom.tagged.weights.weights': set(0, 0x7e00) } }, /no number at 0 in loom\.tagged/],
  ['loom', { tensors: { 'loom.tagged.base': set(1, Number.NaN) } }, /NaN at 1 in loom\.tagged\.base/],
  ['loom', { tensors: { 'loom.untagged.mention': set(0, 3e38) } }, /in loom\.untagged\.mention/],
  ['loom', { tensors: { 'loom.mixing': set(0, 1.5) } }, /1\.5 at 0 in loom\.mixing/],
  ['loom', { tensors: { 'loom.mixing': () => new Float32Array(0) } }, /no numbers in loom\.mixing/],
  ['loom', { tensors: { 'loom.numbers': set(0, -3) } }, /loom\.numbers of -3/],
  ['loom', { tensors: { 'loom.numbers': set(1, 2.5) } }, /loom\.numbers of/],
  ['loom', { tensors: { 'loom.numbers': set(2, 2 ** 40) } }, /loom\.numbers of/],
  ['loom', { tensors: { 'loom.text.0.kind': set(0, 9) } }, /a part 0 of the text/],
  ['loom', { tensors: { 'loom.text.0.kind': set(1, 5) } }, /a part 0 of the text/],
  ['loom', { tensors: { 'loom.text.0.scales': set(0, Number.POSITIVE_INFINITY) } }, /Infinity at 0 in loom\.text\.0/],
  ['loom', { tensors: { 'loom.content.scales': set(0, Number.NaN) } }, /NaN at 0 in loom\.content\.scales/],
  ['loom', { tensors: { 'loom.content.vectors': (data) => data.subarray(1) } }, /numbers in loom\.content\.vectors/],
  ['loom', { tensors: { 'loom.content.rows': (data) => data.subarray(1) } }, /numbers in loom\.content\.rows/],
  ['loom', { tensors: { 'loom.text.0.kind': undefined } }, /that no model has|numbers in|that end with/],
  ['itemknn', { tensors: { 'neighbours.columns': set(3, 999) } }, /999 at 3 in neighbours\.columns/],
  ['itemknn', { tensors: { 'neighbours.rowStart': set(0, 1) } }, /neighbours\.rowStart that begin with 1/],
  ['ease', { tensors: { 'linear.columns': set(0, 999) } }, /999 at 0 in linear\.columns/],
  ['ease', { tensors: { 'linear.base': (data) => data.subarray(1) } }, /numbers in linear\.base/],
  ['hetelearn', { tensors: { 'scores.columns': set(0, -1) } }, /-1 at 0 in scores\.columns/],
  ['hetelearn', { tensors: { 'scores.weights': set(0, Number.NaN) } }, /NaN at 0 in scores\.weights/],
  ['mf', { tensors: { 'embeddings.tags': (data) => data.subarray(1) } }, /numbers in embeddings\.tags/],
  ['mf', { tensors: { 'embeddings.objects': set(0, Number.NaN) } }, /NaN at 0 in embeddings\.objects/],
  ['mf', { tensors: { 'embeddings.objects': (data) => data.subarray(4) } }, /numbers in embeddings\.objects/],
  ['mf', { metadata: { settings: 'no JSON' } }, /"settings" in the header that is not JSON/],
  ['mf', { metadata: { settings: '[1, 2]' } }, /"settings" in the header of another kind/],
  ['mf', { metadata: { settings: '{"width": {}}' } }, /"settings" in the header of another kind/],
  ['mf', { metadata: { metrics: '{"a": "b"}' } }, /"metrics" in the header of another kind/],
  ['mf', { metadata: { texts: '{}' } }, /"texts" in the header of another kind/],
  ['mf', { metadata: { texts: '["a"]' } }, /no text\.0\.bytes/],
  ['mf', { metadata: { form: 'linear' } }, /no linear\.base/],
  ['mf', { metadata: { form: '__proto__' } }, /a model of the form "__proto__"/],
  ['mf', { metadata: { model: '' } }, /no "model" in the header/],
];

describe('a model file with a valid checksum', () => {
  it.each(ATTACKS.map(([model, change, got]) => ({ model, change, got })))(
    'of $model is refused where it has $got',
    async ({ model, change, got }) => {
      const error = await decodeModel(changed(model, change)).then(
        () => new Error('It was accepted.'),
        (refusal) => refusal,
      );
      expect(error.message).toMatch(got);
      expect(error).toBeInstanceOf(InputError);
      expect(error.problem).toMatchObject({ file: 'the model', cure: expect.stringMatching(/train it again/) });
    },
  );

  it('of confidence that falls, or lies beyond 0 to 1, is refused', async () => {
    const curve = { scores: Float32Array.of(0, 1), probabilities: Float32Array.of(0.2, 0.4) };
    const sure = { ...(models.get('mf') as Model), confidence: { tagged: curve, untagged: curve } };
    models.set('popularity', sure);
    expect(await decodeModel(changed('popularity', {}))).toEqual(sure);
    for (const tensors of [
      { 'confidence.tagged.scores': swapped },
      { 'confidence.untagged.probabilities': swapped },
      { 'confidence.tagged.probabilities': set(1, 1.5) },
      { 'confidence.tagged.probabilities': undefined },
      { 'confidence.tagged.scores': undefined },
    ]) {
      await expect(decodeModel(changed('popularity', { tensors }))).rejects.toThrow(/confidence\.(un)?tagged/);
    }
  });

  it.each(KINDS)('of %s is read as it was written where nothing is exchanged', async (name) => {
    expect(await decodeModel(changed(name, {}))).toEqual(models.get(name));
  });
});
