// Kernels made ready to run: compiled once for each text, bound once for each set of buffers.

import type { Window } from './buffers.ts';
import { COMPUTE_STAGE } from './device.ts';
import { boundNames, isWritten, type Shader, wgslOf } from './shader.ts';

interface Ready {
  readonly pipeline: GPUComputePipeline;
  readonly bindings: GPUBindGroup; // its first binding takes the parameters at an offset given with each call
}

interface Compiled {
  readonly key: string;
  readonly pipeline: GPUComputePipeline;
  readonly layout: GPUBindGroupLayout;
  readonly names: readonly string[];
}

export const PARAMS_BYTES = 256; // room for one call's parameters

export class Pipelines {
  readonly #device: GPUDevice;
  readonly #params: GPUBuffer;
  readonly #layouts = new Map<string, GPUBindGroupLayout>(); // by what each binding is
  readonly #compiled = new Map<string, Compiled>(); // by name and aliases
  readonly #bound = new Map<string, GPUBindGroup>(); // by kernel, blocks and windows
  readonly #boundWith = new Map<number, Set<string>>(); // by block

  /** `params`: the buffer that parameters are read from. */
  constructor(device: GPUDevice, params: GPUBuffer) {
    this.#device = device;
    this.#params = params;
  }

  ready(shader: Shader, windows: Readonly<Record<string, Window>>): Ready {
    const aliases = aliasesOf(shader, windows);
    const compiled = this.#compile(shader, aliases);
    let key = compiled.key;
    for (const name of compiled.names) {
      const { block, offset, bytes } = windows[name];
      key += `;${block.id},${offset},${bytes}`;
    }
    return { pipeline: compiled.pipeline, bindings: this.#bound.get(key) ?? this.#bind(key, compiled, windows) };
  }

  /** Forgets bindings of a block that is about to be destroyed. */
  forget(block: number): void {
    for (const key of this.#boundWith.get(block) ?? []) this.#bound.delete(key);
    this.#boundWith.delete(block);
  }

  #compile(shader: Shader, aliases: ReadonlyMap<string, string>): Compiled {
    const key = aliases.size === 0 ? shader.name : `${shader.name} in place of ${[...aliases.keys()].join()}`;
    const known = this.#compiled.get(key);
    if (known !== undefined) return known;
    const names = boundNames(shader, aliases);
    const layout = this.#layout(
      names.map((name) => (isWritten(shader.buffers[name]) ? 'storage' : 'read-only-storage')),
    );
    const module = this.#device.createShaderModule({ label: key, code: wgslOf(shader, aliases) });
    const pipeline = this.#device.createComputePipeline({
      label: key,
      layout: this.#device.createPipelineLayout({ bindGroupLayouts: [layout] }),
      compute: { module },
    });
    const compiled = { key, pipeline, layout, names };
    this.#compiled.set(key, compiled);
    return compiled;
  }

  #layout(types: readonly GPUBufferBindingType[]): GPUBindGroupLayout {
    const key = types.join();
    const known = this.#layouts.get(key);
    if (known !== undefined) return known;
    const layout = this.#device.createBindGroupLayout({
      entries: [
        { binding: 0, visibility: COMPUTE_STAGE, buffer: { type: 'uniform', hasDynamicOffset: true } },
        ...types.map((type, i) => ({ binding: i + 1, visibility: COMPUTE_STAGE, buffer: { type } })),
      ],
    });
    this.#layouts.set(key, layout);
    return layout;
  }

  #bind(key: string, { layout, names }: Compiled, windows: Readonly<Record<string, Window>>): GPUBindGroup {
    const entries = names.map((name, i) => {
      const { block, offset, bytes } = windows[name];
      return { binding: i + 1, resource: { buffer: block.buffer, offset, size: bytes } };
    });
    const params = { binding: 0, resource: { buffer: this.#params, size: PARAMS_BYTES } };
    const bound = this.#device.createBindGroup({ layout, entries: [params, ...entries] });
    this.#bound.set(key, bound);
    for (const name of names) {
      const { id } = windows[name].block;
      const keys = this.#boundWith.get(id);
      if (keys === undefined) this.#boundWith.set(id, new Set([key]));
      else keys.add(key);
    }
    return bound;
  }
}

/** Inputs that are an output of the same call: a GPU takes no buffer twice where one of the two is written. */
function aliasesOf(shader: Shader, windows: Readonly<Record<string, Window>>): Map<string, string> {
  const aliases = new Map<string, string>();
  const written = Object.keys(shader.buffers).filter((name) => isWritten(shader.buffers[name]));
  for (const name of Object.keys(shader.buffers)) {
    if (isWritten(shader.buffers[name])) continue;
    const same = written.find((output) => windows[output].block === windows[name].block);
    if (same === undefined) continue;
    if (!shader.inPlace || windows[same].offset !== windows[name].offset) {
      throw new Error(`Got ${name} of ${shader.name} in the memory of ${same} when expected two matrices.`);
    }
    aliases.set(name, same);
  }
  return aliases;
}
