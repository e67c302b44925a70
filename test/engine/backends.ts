// Every backend the suites run over. A new one is one more line here.

import type { Kernels } from '../../src/engine/kernels.ts';
import { ReferenceKernels } from '../../src/engine/reference/reference-kernels.ts';
import { openWasm, type WasmOptions } from '../../src/engine/wasm/open-wasm.ts';

export type MakeKernels = () => Kernels | Promise<Kernels>;

export async function openCpu(options: WasmOptions): Promise<Kernels> {
  const opened = await openWasm(options);
  if (typeof opened === 'string') throw new Error(opened);
  return opened;
}

export const BACKENDS: readonly [name: string, make: MakeKernels][] = [
  ['reference', () => new ReferenceKernels()],
  ['cpu', () => openCpu({ threads: 1 })],
  ['cpu without fused multiply-add', () => openCpu({ threads: 1, fused: false })],
  ['cpu, 3 threads', () => openCpu({ threads: 3 })],
];
