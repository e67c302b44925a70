// The GPU backend under the contract of all backends, at fewer sizes where the GPU is a software one.

import { describe } from 'vitest';
import { ALL_SIZES, FEW_SIZES } from '../contract/sizes.ts';
import { gpuSkipped, hasGpu, isSoftwareGpu, openGpu } from '../gpu.ts';
import { describeKernels, describeSameBytes } from '../kernels-contract.ts';

describe.skipIf(!hasGpu)(`on a GPU${gpuSkipped}`, () => {
  describeKernels('WebGPU', () => openGpu(), isSoftwareGpu ? FEW_SIZES : ALL_SIZES);
  describeSameBytes(
    { 'a GPU': () => openGpu(), 'the same again': () => openGpu() },
    isSoftwareGpu ? [150, 90, 35] : [701, 333, 67],
  );
});
