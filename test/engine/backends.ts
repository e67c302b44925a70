// Every backend the suites run over. A new one is one more line here.

import type { Kernels } from '../../src/engine/kernels.ts';
import { openKernels } from '../../src/engine/open.ts';
import { ReferenceKernels } from '../../src/engine/reference.ts';

export type MakeKernels = () => Kernels | Promise<Kernels>;

export const BACKENDS: readonly [name: string, make: MakeKernels][] = [
  ['reference', () => new ReferenceKernels()],
  ['wasm', () => openKernels({ threads: 1 })],
  ['wasm without fused multiply-add', () => openKernels({ threads: 1, fused: false })],
  ['wasm, 3 threads', () => openKernels({ threads: 3 })],
];
