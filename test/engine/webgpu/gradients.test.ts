// The gradients of the tape on a GPU: every operation, a few examples each.

import { describe } from 'vitest';
import { gpuSkipped, hasGpu, isSoftwareGpu, openGpu } from '../gpu.ts';
import { describeGradients } from '../gradients-contract.ts';

describe.skipIf(!hasGpu)(`on a GPU${gpuSkipped}`, () => {
  describeGradients('WebGPU', () => openGpu(), isSoftwareGpu ? 1 : 30);
});
