// Every backend under the one contract, and the same bytes from any number of threads.

import { openKernels } from '../../src/engine/open.ts';
import { ReferenceKernels } from '../../src/engine/reference.ts';
import { BACKENDS } from './backends.ts';
import { describeKernels, describeSameBytes } from './kernels-contract.ts';

for (const [name, make] of BACKENDS) describeKernels(name, make);

describeSameBytes({
  reference: () => new ReferenceKernels(),
  'reference again': () => new ReferenceKernels(),
});

describeSameBytes({
  'wasm, 1 thread': () => openKernels({ threads: 1 }),
  '2 threads': () => openKernels({ threads: 2 }),
  '3 threads': () => openKernels({ threads: 3 }),
  '8 threads': () => openKernels({ threads: 8 }),
});
