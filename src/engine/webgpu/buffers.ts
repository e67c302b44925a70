// The memory of a GPU in blocks: one buffer each, kept for the next request of its size when it is released. What does not
// fit is an InputError that says what would. A block may be larger than a kernel can see at once; `Window` is such a part.

import { InputError } from '../../errors.ts';
import { USAGE } from './device.ts';

export interface Block {
  readonly id: number;
  readonly buffer: GPUBuffer;
  readonly bytes: number;
}

/** What a kernel sees of a block. */
export interface Window {
  readonly block: Block;
  readonly offset: number; // bytes, a multiple of ALIGN
  readonly bytes: number;
}

export const ALIGN = 256; // bytes: what offsets of bindings are multiples of, on any device
const MAX_IDLE = 1 << 29; // bytes kept for later requests
const BLOCK_USAGE = USAGE.storage | USAGE.copySource | USAGE.copyTarget;
const PROBE_STEPS = 12;

export class Buffers {
  readonly device: GPUDevice;
  /** The most that a kernel can see of a block. */
  readonly windowBytes: number;
  readonly #idle = new Map<number, Block[]>(); // by size
  readonly #destroyed: (block: Block) => void;
  #idleBytes = 0;
  #usedBytes = 0;
  #nextId = 1;
  #checks: Promise<void>[] = [];
  #failure: Error | undefined;
  #tooLarge: InputError | undefined;

  /** `destroyed` hears of every block before it is gone. */
  constructor(device: GPUDevice, mostAtOnce: number, destroyed: (block: Block) => void) {
    this.device = device;
    this.windowBytes = Math.floor(Math.min(mostAtOnce, device.limits.maxStorageBufferBindingSize) / ALIGN) * ALIGN;
    this.#destroyed = destroyed;
    device.addEventListener('uncapturederror', ({ error }) => {
      this.#failure ??= new Error(`The GPU refused a command: ${error.message}`);
    });
    void device.lost.then(({ reason, message }) => {
      if (reason !== 'destroyed') this.#failure ??= new Error(`The GPU was lost: ${message}`);
    });
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** A block, and whether it may hold what its last owner left; else it is zeros. */
  allocate(bytes: number): { block: Block; isUsed: boolean } {
    const size = Math.ceil(Math.max(bytes, 1) / ALIGN) * ALIGN;
    const idle = this.#idle.get(size)?.pop();
    this.#usedBytes += size;
    if (idle === undefined) return { block: this.#create(size), isUsed: false };
    this.#idleBytes -= size;
    return { block: idle, isUsed: true };
  }

  release(block: Block): void {
    this.#usedBytes -= block.bytes;
    if (this.#idleBytes + block.bytes > MAX_IDLE) {
      this.#destroy(block);
      return;
    }
    this.#idleBytes += block.bytes;
    const idle = this.#idle.get(block.bytes);
    if (idle === undefined) this.#idle.set(block.bytes, [block]);
    else idle.push(block);
  }

  /** Rejects if something has gone wrong since: out of memory, or a command refused. */
  async settled(): Promise<void> {
    const checks = this.#checks;
    this.#checks = [];
    await Promise.all(checks);
    // commands that use what could not be made are refused in turn: the cause comes first
    const failure = this.#tooLarge ?? this.#failure;
    if (failure !== undefined) throw failure;
  }

  /** Destroys what nobody uses. */
  trim(): void {
    for (const blocks of this.#idle.values()) for (const block of blocks) this.#destroy(block);
    this.#idle.clear();
    this.#idleBytes = 0;
  }

  #create(size: number): Block {
    const most = this.device.limits.maxBufferSize;
    if (size > most) {
      this.#usedBytes -= size;
      throw tooLarge(size, `at most ${inGigabytes(most)} in one piece`);
    }
    this.device.pushErrorScope('out-of-memory');
    const buffer = this.device.createBuffer({ size, usage: BLOCK_USAGE });
    const [inUse, check] = [this.#usedBytes - size, this.device.popErrorScope()];
    this.#checks.push(
      check.then(async (error) => {
        if (error !== null) this.#tooLarge ??= await this.#outOfMemory(size, inUse);
      }),
    );
    if (this.#checks.length > 1000) this.#checks = [Promise.all(this.#checks).then(() => {})];
    return { id: this.#nextId++, buffer, bytes: size };
  }

  #destroy(block: Block): void {
    this.#destroyed(block);
    block.buffer.destroy();
  }

  async #outOfMemory(asked: number, inUse: number): Promise<InputError> {
    this.trim();
    return tooLarge(
      asked,
      `about ${inGigabytes(await this.#largestThatFits(asked))} beside ${inGigabytes(inUse)} in use`,
    );
  }

  /** No device says how much it has left: found by halving. */
  async #largestThatFits(refused: number): Promise<number> {
    let [fits, fails] = [0, refused];
    for (let step = 0; step < PROBE_STEPS; step++) {
      const size = Math.floor((fits + fails) / 2 / ALIGN) * ALIGN;
      if (size === 0) break;
      this.device.pushErrorScope('out-of-memory');
      const buffer = this.device.createBuffer({ size, usage: BLOCK_USAGE });
      const isRefused = (await this.device.popErrorScope()) !== null;
      buffer.destroy();
      if (isRefused) fails = size;
      else fits = size;
    }
    return fits;
  }
}

/** Kernels that must see a whole matrix cannot work on one this large. */
export function tooMuchAtOnce(asked: number, most: number): InputError {
  return tooLarge(asked, `at most ${inGigabytes(most)} for one kernel to see`);
}

function tooLarge(asked: number, expected: string): InputError {
  return new InputError({
    got: `a request for ${inGigabytes(asked)} of GPU memory`,
    expected,
    cure: 'Take smaller data or settings, or --backend cpu.',
  });
}

function inGigabytes(bytes: number): string {
  return bytes >= 1e8 ? `${(bytes / 1e9).toFixed(2)} GB` : `${(bytes / 1e6).toFixed(2)} MB`;
}
