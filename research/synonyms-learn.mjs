// A logistic model with a ridge, fitted by Newton's method: few numbers, thousands of examples.

import { createHash } from 'node:crypto';

const RIDGE = 0.3; // of 0.1, 0.3, 1 and 2 the one with the least cross-validated loss
const NUM_FOLDS = 5;
const MAX_STEPS = 40;

/**
 * Weights and bias for examples {row, isSame}, and how well others are told that were left out. `held`: by place, weights that stay
 * as they are.
 */
export function learn(examples, size, held = new Map()) {
  const modelOf = (some) => fitted(some, size, held);
  const foldOf = (i) => createHash('sha256').update(`fold ${i}`).digest()[0] % NUM_FOLDS;
  const told = new Float64Array(examples.length);
  for (let fold = 0; fold < NUM_FOLDS; fold++) {
    const weights = modelOf(examples.filter((_, i) => foldOf(i) !== fold));
    for (let i = 0; i < examples.length; i++) if (foldOf(i) === fold) told[i] = probability(weights, examples[i].row);
  }
  const loss = examples.reduce((sum, { isSame }, i) => sum - Math.log(isSame ? told[i] : 1 - told[i]), 0);
  const order = examples.map((_, i) => i).sort((a, b) => told[b] - told[a]);
  const precisions = [100, 200, 250, 300].map((most) => {
    const right = order.slice(0, most).filter((i) => examples[i].isSame).length;
    return `${((100 * right) / most).toFixed(1)} % of the first ${most}`;
  });
  const weights = modelOf(examples);
  return {
    weights: weights.slice(0, size),
    bias: weights[size],
    crossValidated: `loss ${loss.toFixed(1)}; right ${precisions.join(', ')}`,
  };
}

function probability(weights, row) {
  let sum = weights[row.length];
  for (let i = 0; i < row.length; i++) sum += weights[i] * row[i];
  return 1 / (1 + Math.exp(-sum));
}

function fitted(examples, size, held) {
  const weights = new Float64Array(size + 1);
  for (const [place, weight] of held) weights[place] = weight;
  for (let step = 0; step < MAX_STEPS; step++) {
    const system = newtonSystem(examples, weights, size);
    for (const place of held.keys()) system[place].fill(0).set([1], place);
    const change = solved(system);
    for (let i = 0; i <= size; i++) weights[i] += change[i];
    if (Math.max(...change.map(Math.abs)) < 1e-7) break;
  }
  return weights;
}

/** Rows of the Hessian, each with its part of the gradient behind it. */
function newtonSystem(examples, weights, size) {
  const system = Array.from({ length: size + 1 }, (_, i) => {
    const row = new Float64Array(size + 2);
    row[i] = i < size ? RIDGE : 1e-6;
    row[size + 1] = i < size ? -RIDGE * weights[i] : 0;
    return row;
  });
  for (const { row, isSame } of examples) {
    const p = probability(weights, row);
    const curvature = Math.max(1e-9, p * (1 - p));
    const at = [...row, 1];
    for (let i = 0; i <= size; i++) {
      if (at[i] === 0) continue;
      system[i][size + 1] += (Number(isSame) - p) * at[i];
      for (let j = 0; j <= size; j++) system[i][j] += curvature * at[i] * at[j];
    }
  }
  return system;
}

/** By elimination with pivots. */
function solved(system) {
  const size = system.length;
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++) {
      if (Math.abs(system[row][column]) > Math.abs(system[pivot][column])) pivot = row;
    }
    [system[column], system[pivot]] = [system[pivot], system[column]];
    for (let row = 0; row < size; row++) {
      if (row === column) continue;
      const factor = system[row][column] / system[column][column];
      if (factor !== 0) for (let k = column; k <= size; k++) system[row][k] -= factor * system[column][k];
    }
  }
  return Array.from(system, (row, i) => row[size] / row[i]);
}
