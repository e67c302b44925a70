import { describe, expect, it } from 'vitest';
import type { Kernels } from '../../src/engine/kernels.ts';
import { Tape, type Tensor } from '../../src/engine/tape/tape.ts';
import { bprLoss, dropNodes, logisticLoss, squaredLengths } from '../../src/models/tripartite-network.ts';
import { withKernels } from './network-contract.ts';

function parameter(kernels: Kernels, tape: Tape, rows: number[][]): Tensor {
  const made = tape.parameter(rows.length, rows[0].length);
  kernels.write(made.value, rows.flat());
  return made;
}

function ints(kernels: Kernels, values: number[]) {
  const made = kernels.ints(values.length);
  kernels.writeInts(made, values);
  return made;
}

const softplus = (x: number) => Math.log1p(Math.exp(x));

describe('bprLoss', () => {
  it('is the mean of log(1 + e^−margin), the margin summed over layers', async () => {
    await withKernels(1, async (kernels) => {
      const tape = new Tape(kernels);
      const rows = (values: number[][]) => parameter(kernels, tape, values);
      const layers = [
        {
          objects: rows([
            [1, 2],
            [0, 1],
          ]),
          tags: rows([
            [1, 0],
            [0, 1],
            [1, 1],
          ]),
        },
        { objects: rows([[3], [-2]]), tags: rows([[1], [0], [2]]) },
      ];
      // object 0 has tag 2 and lacks 0: (1 · 1 + 2 · 1 + 3 · 2) − (1 · 1 + 3 · 1) = 5
      // object 1 has tag 1 and lacks 2: (1 − 0) − (1 − 2 · 2) = 4
      const triples = { objects: ints(kernels, [0, 1]), tags: ints(kernels, [2, 1]), lacking: ints(kernels, [0, 2]) };
      tape.minimize(bprLoss(tape, layers, triples));
      tape.run();
      expect(await tape.loss()).toBeCloseTo((softplus(-5) + softplus(-4)) / 2, 6);
    });
  });
});

describe('logisticLoss', () => {
  it('is the mean of log(1 + e^−score) of pairs and log(1 + e^score) of tags that are lacking', async () => {
    await withKernels(1, async (kernels) => {
      const tape = new Tape(kernels);
      const layer = {
        objects: parameter(kernels, tape, [
          [1, 2],
          [0, 1],
        ]),
        tags: parameter(kernels, tape, [
          [1, 0],
          [0, 1],
          [1, 1],
        ]),
      };
      const triples = { objects: ints(kernels, [0, 1]), tags: ints(kernels, [2, 0]), lacking: ints(kernels, [0, 1]) };
      tape.minimize(logisticLoss(tape, layer, triples));
      tape.run();
      const [first, second] = [softplus(-3) + softplus(1), softplus(-0) + softplus(1)];
      expect(await tape.loss()).toBeCloseTo((first + second) / 2, 5);
    });
  });
});

describe('squaredLengths', () => {
  it('counts a row as often as it is in a triple', async () => {
    await withKernels(1, async (kernels) => {
      const tape = new Tape(kernels);
      const layer = {
        objects: parameter(kernels, tape, [[1, 2]]),
        tags: parameter(kernels, tape, [
          [3, 4],
          [5, 6],
        ]),
      };
      const triples = { objects: ints(kernels, [0, 0]), tags: ints(kernels, [0, 0]), lacking: ints(kernels, [1, 0]) };
      tape.minimize(squaredLengths(tape, [layer, layer], triples));
      tape.run();
      expect(await tape.loss()).toBeCloseTo((2 * (5 + 25 + 61 + 5 + 25 + 25)) / 2 / 2, 4);
    });
  });
});

describe('dropNodes', () => {
  it('drops whole rows in a step, keeps the mean, and drops none in evaluation', async () => {
    await withKernels(1, async (kernels) => {
      const tape = new Tape(kernels);
      const x = parameter(
        kernels,
        tape,
        Array.from({ length: 4000 }, () => [1, 1, 1]),
      );
      const dropped = dropNodes(tape, x, 0.25, 7);
      tape.minimize(tape.mean(dropped));
      tape.run();
      const values = await kernels.read(dropped.value);
      for (let row = 0; row < 4000; row++) {
        expect([0, Math.fround(4 / 3)]).toContain(values[3 * row]);
        expect(values[3 * row + 1]).toBe(values[3 * row]);
      }
      expect(await tape.loss()).toBeCloseTo(1, 1);
      tape.forward();
      expect((await kernels.read(dropped.value)).every((value) => value === 1)).toBe(true);
    });
  });
});
