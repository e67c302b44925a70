// Opens the WebAssembly backend: the best build that the platform takes, with threads where memory can be shared.

import { enableFusedMultiplyAdd, numCores } from '#platform';
import type { Kernels } from '../kernels.ts';
import { Memory } from '../memory.ts';
import { Threads } from './threads.ts';
import { WASM_BINARIES } from './wasm-binary.ts';
import { WasmKernels } from './wasm-kernels.ts';

export interface WasmOptions {
  /** All cores by default. */
  readonly threads?: number | undefined;
  /** False: without fused multiply-add, also where the platform has it. Results differ in the last bits. */
  readonly fused?: boolean;
  readonly warn?: ((message: string) => void) | undefined;
}

/** The kernels, or a clause that says what is missing. */
export async function openWasm({ threads, fused = true, warn }: WasmOptions = {}): Promise<Kernels | string> {
  if (fused) await enableFusedMultiplyAdd();
  const shared = typeof SharedArrayBuffer !== 'undefined';
  const module = await compiled(fused, shared);
  if (module === undefined) return 'this platform has no WebAssembly SIMD';

  const memory = new Memory({ shared, reserved: 4096 }); // the kernels have no static data; a page of room all the same
  const instance = await WebAssembly.instantiate(module, { env: { memory: memory.wasm, abort } });
  const wanted = threads ?? (await numCores());
  if (wanted <= 1) return new WasmKernels(memory, instance);
  if (!shared) {
    warn?.(
      'This platform shares no memory between threads (a page must be cross-origin isolated): one thread is used.',
    );
    return new WasmKernels(memory, instance);
  }
  try {
    return new WasmKernels(memory, instance, await Threads.start(module, instance, memory.wasm, wanted));
  } catch (error) {
    warn?.(`No threads could be started (${(error as Error).message}): one thread is used.`);
    return new WasmKernels(memory, instance);
  }
}

const modules = new Map<string, Promise<WebAssembly.Module>>(); // a service opens kernels again with every model

async function compiled(fused: boolean, shared: boolean): Promise<WebAssembly.Module | undefined> {
  const { fusedShared, fusedSingle, plainShared, plainSingle } = WASM_BINARIES;
  const builds = shared ? [fusedShared, plainShared] : [fusedSingle, plainSingle];
  for (const base64 of builds.slice(fused ? 0 : 1)) {
    const known = modules.get(base64);
    if (known !== undefined) return known;
    const bytes = decode(base64);
    if (!WebAssembly.validate(bytes)) continue;
    const module = WebAssembly.compile(bytes);
    modules.set(base64, module);
    return module;
  }
  return undefined;
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

function abort(): never {
  throw new Error('A kernel aborted.');
}
