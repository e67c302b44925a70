// Every backend under the one contract, and the same bytes from any number of threads.

import { ReferenceKernels } from '../../src/engine/reference/reference-kernels.ts';
import { BACKENDS, openCpu } from './backends.ts';
import { ALL_SIZES, FEW_SIZES, SHARED_SIZES } from './contract/sizes.ts';
import { describeKernels, describeSameBytes } from './kernels-contract.ts';

const SIZES: Readonly<Record<string, typeof ALL_SIZES>> = { cpu: ALL_SIZES, 'cpu, 3 threads': SHARED_SIZES };

for (const [name, make] of BACKENDS) describeKernels(name, make, SIZES[name] ?? FEW_SIZES);

describeSameBytes(
  {
    reference: () => new ReferenceKernels(),
    'reference again': () => new ReferenceKernels(),
  },
  [101, 67, 35],
);

describeSameBytes({
  'cpu, 1 thread': () => openCpu({ threads: 1 }),
  '2 threads': () => openCpu({ threads: 2 }),
  '3 threads': () => openCpu({ threads: 3 }),
  '8 threads': () => openCpu({ threads: 8 }),
});
