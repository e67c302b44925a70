// Commands on their way to the GPU. They are recorded into one encoder and submitted together, since a submission costs as
// much as a dozen commands: when something is read, and when enough has gathered. Parameters and small writes travel with
// them, so that writing between two steps does not cut the recording in two.

import { type Block, Buffers, tooMuchAtOnce, type Window } from './buffers.ts';
import { MAP_READ, USAGE } from './device.ts';
import { PARAMS_BYTES, Pipelines } from './pipelines.ts';
import type { Arguments, Shader } from './shader.ts';

const MAX_CALLS = 512; // in a submission
const ARENA_BYTES = 1 << 23; // of small writes in a submission
const SMALL_WRITE = 1 << 20; // bytes; larger ones go their own way
const READ_BYTES = 1 << 28; // mapped at a time
const READ_STEP = 1 << 12; // bytes: sizes of what is mapped are multiples
const MAX_READINGS = 4; // buffers kept for it
const WRITE_BYTES = 1 << 28;
const MAX_GRID = 65_535; // workgroups in a dimension

export class Queue {
  readonly device: GPUDevice;
  readonly buffers: Buffers;
  readonly #pipelines: Pipelines;
  readonly #params: GPUBuffer;
  readonly #paramBytes = new ArrayBuffer(MAX_CALLS * PARAMS_BYTES);
  readonly #paramView = new DataView(this.#paramBytes);
  readonly #arena: GPUBuffer;
  readonly #arenaBytes = new Uint8Array(ARENA_BYTES);
  #encoder: GPUCommandEncoder | undefined;
  #pass: GPUComputePassEncoder | undefined;
  #numCalls = 0;
  #arenaEnd = 0;
  readonly #readings: GPUBuffer[] = []; // that nobody reads

  constructor(device: GPUDevice, windowBytes: number) {
    this.device = device;
    this.#params = device.createBuffer({
      size: MAX_CALLS * PARAMS_BYTES,
      usage: USAGE.uniform | USAGE.copyTarget,
    });
    this.#arena = device.createBuffer({ size: ARENA_BYTES, usage: USAGE.copySource | USAGE.copyTarget });
    this.#pipelines = new Pipelines(device, this.#params);
    this.buffers = new Buffers(device, windowBytes, (block) => {
      this.flush(); // what is recorded may still use it
      this.#pipelines.forget(block.id);
    });
  }

  /** Records a kernel on so many workgroups; `layers` of them, where it asks for groupId.z. */
  run<Param extends string, Name extends string>(
    shader: Shader<Param, Name>,
    params: Arguments<Param>,
    blocks: Readonly<Record<Name, Block | Window>>,
    numGroups: number,
    layers = 1,
  ): void {
    if (numGroups === 0 || layers === 0) return;
    if (this.#numCalls === MAX_CALLS) this.flush();
    const { pipeline, bindings } = this.#pipelines.ready(shader, this.#windows(shader, blocks));
    const offset = this.#numCalls++ * PARAMS_BYTES;
    this.#writeParams(offset, shader, params);
    const pass = this.#openPass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bindings, [offset]);
    const width = Math.min(numGroups, MAX_GRID);
    pass.dispatchWorkgroups(width, Math.ceil(numGroups / width), layers);
  }

  /** Zeros. */
  clear(block: Block): void {
    this.#openEncoder().clearBuffer(block.buffer, 0, block.bytes);
  }

  copy(from: Block, to: Block, bytes: number): void {
    this.#openEncoder().copyBufferToBuffer(from.buffer, 0, to.buffer, 0, bytes);
  }

  /** Bytes from the program's memory, as many as a multiple of 4. */
  upload(to: Block, values: Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer>): void {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    if (bytes.length > SMALL_WRITE) {
      this.flush();
      for (let at = 0; at < bytes.length; at += WRITE_BYTES) {
        this.device.queue.writeBuffer(to.buffer, at, bytes, at, Math.min(WRITE_BYTES, bytes.length - at));
      }
      return;
    }
    if (this.#arenaEnd + bytes.length > ARENA_BYTES) this.flush();
    this.#arenaBytes.set(bytes, this.#arenaEnd);
    this.#openEncoder().copyBufferToBuffer(this.#arena, this.#arenaEnd, to.buffer, 0, bytes.length);
    this.#arenaEnd += bytes.length;
  }

  /** The first bytes of a block, as they are once all that was recorded until now is done. */
  async download(from: Block, bytes: number): Promise<ArrayBuffer> {
    const parts: GPUBuffer[] = [];
    for (let at = 0; at < bytes; at += READ_BYTES) {
      const size = Math.min(READ_BYTES, bytes - at);
      const part = this.#lendReading(size);
      this.#openEncoder().copyBufferToBuffer(from.buffer, at, part, 0, size);
      parts.push(part);
    }
    this.flush();
    await this.buffers.settled();
    const out = new Uint8Array(bytes);
    for (const [i, part] of parts.entries()) {
      const size = Math.min(READ_BYTES, bytes - i * READ_BYTES);
      await part.mapAsync(MAP_READ, 0, size);
      out.set(new Uint8Array(part.getMappedRange(0, size)), i * READ_BYTES);
      part.unmap();
      this.#takeBackReading(part);
    }
    await this.buffers.settled();
    return out.buffer;
  }

  /** A buffer that the program can read, at least so large; the last ones are kept, as making one takes its time. */
  #lendReading(size: number): GPUBuffer {
    const at = this.#readings.findIndex((idle) => idle.size >= size && idle.size <= 2 * size + READ_STEP);
    if (at >= 0) return this.#readings.splice(at, 1)[0];
    const rounded = Math.ceil(size / READ_STEP) * READ_STEP;
    return this.device.createBuffer({ size: rounded, usage: USAGE.mapRead | USAGE.copyTarget });
  }

  #takeBackReading(buffer: GPUBuffer): void {
    this.#readings.push(buffer);
    if (this.#readings.length > MAX_READINGS) this.#readings.shift()?.destroy();
  }

  /** Sends off what was recorded. */
  flush(): void {
    this.#pass?.end();
    this.#pass = undefined;
    if (this.#encoder === undefined) return;
    const { queue } = this.device;
    if (this.#numCalls > 0) queue.writeBuffer(this.#params, 0, this.#paramBytes, 0, this.#numCalls * PARAMS_BYTES);
    if (this.#arenaEnd > 0) queue.writeBuffer(this.#arena, 0, this.#arenaBytes, 0, this.#arenaEnd);
    queue.submit([this.#encoder.finish()]);
    this.#encoder = undefined;
    this.#numCalls = 0;
    this.#arenaEnd = 0;
  }

  #windows<Name extends string>(
    { buffers }: Shader<string, Name>,
    blocks: Readonly<Record<Name, Block | Window>>,
  ): Record<Name, Window> {
    const windows = {} as Record<Name, Window>;
    for (const name in buffers) {
      const given: Block | Window = blocks[name];
      const window = 'block' in given ? given : { block: given, offset: 0, bytes: given.bytes };
      if (window.bytes > this.buffers.windowBytes) throw tooMuchAtOnce(window.bytes, this.buffers.windowBytes);
      windows[name] = window;
    }
    return windows;
  }

  #writeParams<Param extends string>(offset: number, shader: Shader<Param>, params: Arguments<Param>): void {
    let at = offset;
    for (const name in shader.params) {
      const value = params[name];
      if (shader.params[name] === 'f32') this.#paramView.setFloat32(at, value, true);
      else this.#paramView.setUint32(at, value, true);
      at += 4;
    }
  }

  #openPass(): GPUComputePassEncoder {
    this.#encoder ??= this.device.createCommandEncoder();
    this.#pass ??= this.#encoder.beginComputePass();
    return this.#pass;
  }

  #openEncoder(): GPUCommandEncoder {
    this.#pass?.end();
    this.#pass = undefined;
    this.#encoder ??= this.device.createCommandEncoder();
    return this.#encoder;
  }
}
