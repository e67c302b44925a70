// Opens a backend. "cpu" is the best the processor offers: WebAssembly with threads, then on one thread, then plain
// JavaScript. A GPU is used only where it is asked for. What is missing is reported once through `warn`.

import type { Kernels } from './kernels.ts';
import { ReferenceKernels } from './reference/reference-kernels.ts';
import { openWasm } from './wasm/open-wasm.ts';

/** A GPU if there is one, the processor, a GPU, or the plain reference that the others are tested against. */
export const BACKEND_NAMES = ['auto', 'cpu', 'gpu', 'reference'] as const;
/** Where the arithmetic runs. */
export type BackendName = (typeof BACKEND_NAMES)[number];

/** Where the arithmetic runs, and on how many threads. */
export interface EngineOptions {
  /** Default: "cpu". */
  readonly backend?: BackendName;
  /** Of the backend "cpu". Default: one for each core. */
  readonly threads?: number;
  readonly warn?: (message: string) => void;
}

export async function openKernels({ backend = 'cpu', threads, warn }: EngineOptions = {}): Promise<Kernels> {
  if (backend === 'reference') return new ReferenceKernels();
  if (backend === 'gpu' || backend === 'auto') {
    // loaded when it is asked for: most runs have no use for it
    const { openWebGpu } = await import('./webgpu/web-gpu-kernels.ts');
    const opened = await openWebGpu();
    if (typeof opened !== 'string') return opened;
    warn?.(`No GPU is used: ${opened}. The processor computes instead.`);
  }
  const opened = await openWasm({ threads, warn });
  if (typeof opened !== 'string') return opened;
  warn?.(`No WebAssembly is used: ${opened}. The engine runs in plain JavaScript, about ten times slower.`);
  return new ReferenceKernels();
}

/** Runs a piece of work on a backend that is closed afterwards. */
export async function withKernels<Result>(
  options: EngineOptions,
  { warn }: Pick<EngineOptions, 'warn'>,
  work: (kernels: Kernels) => Promise<Result>,
): Promise<Result> {
  const kernels = await openKernels({ ...options, ...(warn && { warn }) });
  try {
    return await work(kernels);
  } finally {
    kernels.close();
  }
}
