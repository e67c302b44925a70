// Threads that run WebAssembly kernels side by side on one shared memory. A call is written into a small control block
// and cut into parts; the caller and every thread that is awake take part after part until none is left. Which thread
// takes which part does not change a byte of the result. A thread without work spins for a while, since the next call
// usually follows at once, and then sleeps.
//
// `run` waits for the threads that joined its call, not for all there are: a thread that is still asleep, or has died,
// costs speed and nothing else. It waits also when a part fails, so that nobody writes into memory that its caller has
// already released.

import { startThread, type Thread } from '#platform';

// places in the control block's int32s
const CALL = 0; // number of the call; threads sleep on it
const OPEN = 1; // 1 while threads may join the call
const ACTIVE = 2; // threads that have joined; the caller sleeps on it
const NEXT_PART = 3;
const FAILED = 4; // 1 if a part trapped
const KERNEL = 5;
const NUM_PARTS = 6;
const NUM_ARGUMENTS = 7;
const ARGUMENTS = 64; // byte where the arguments begin, as float64s
const CONTROL_BYTES = 64 + 8 * 32;
const SPINS = 4000; // some microseconds; longer spinning did not pay

/**
 * What a thread runs, as text: Node and browsers start threads from different kinds of files. It joins before it looks
 * whether the call is open, the caller closes the call before it looks who has joined: so they cannot miss each other.
 */
const WORKER = `({ memory, module, control }, ready) => {
  const { exports } = new WebAssembly.Instance(module, { env: { memory, abort() { throw new Error('abort'); } } });
  const kernels = WebAssembly.Module.exports(module).map(({ name }) => exports[name]);
  const state = new Int32Array(control);
  const values = new Float64Array(control, ${ARGUMENTS});
  ready();
  for (let seen = 0; ; ) {
    let spins = 0;
    while (Atomics.load(state, ${CALL}) === seen) if (++spins > ${SPINS}) Atomics.wait(state, ${CALL}, seen);
    seen = Atomics.load(state, ${CALL});
    Atomics.add(state, ${ACTIVE}, 1);
    if (Atomics.load(state, ${OPEN}) === 1) {
      const numParts = state[${NUM_PARTS}];
      try {
        const kernel = kernels[state[${KERNEL}]];
        const args = values.subarray(0, state[${NUM_ARGUMENTS}]);
        for (let part = Atomics.add(state, ${NEXT_PART}, 1); part < numParts; part = Atomics.add(state, ${NEXT_PART}, 1)) {
          kernel(part, numParts, ...args);
        }
      } catch {
        Atomics.store(state, ${FAILED}, 1);
        Atomics.store(state, ${NEXT_PART}, numParts);
      }
    }
    if (Atomics.sub(state, ${ACTIVE}, 1) === 1) Atomics.notify(state, ${ACTIVE});
  }
}`;

export class Threads {
  readonly numThreads: number;
  readonly #numbers = new Map<string, number>(); // by name of the kernel
  readonly #kernels: ((...args: number[]) => unknown)[];
  readonly #state: Int32Array;
  readonly #values: Float64Array;
  readonly #threads: readonly Thread[];
  readonly #mayWait: boolean; // a browser's main thread may not
  #isClosed = false;

  private constructor(
    module: WebAssembly.Module,
    instance: WebAssembly.Instance,
    control: SharedArrayBuffer,
    threads: readonly Thread[],
  ) {
    const names = WebAssembly.Module.exports(module).map(({ name }) => name);
    for (const [number, name] of names.entries()) this.#numbers.set(name, number);
    this.#kernels = names.map((name) => instance.exports[name] as (...args: number[]) => unknown);
    this.#state = new Int32Array(control);
    this.#values = new Float64Array(control, ARGUMENTS);
    this.#threads = threads;
    this.numThreads = threads.length + 1;
    this.#mayWait = typeof document === 'undefined';
  }

  /** Starts numThreads − 1 threads, or none: the caller of `run` is one of them. */
  static async start(
    module: WebAssembly.Module,
    instance: WebAssembly.Instance,
    memory: WebAssembly.Memory,
    numThreads: number,
  ): Promise<Threads> {
    const control = new SharedArrayBuffer(CONTROL_BYTES);
    const starting = Array.from({ length: numThreads - 1 }, () => startThread(WORKER, { memory, module, control }));
    const settled = await Promise.allSettled(starting);
    const threads = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const failed = settled.find((one) => one.status === 'rejected');
    if (failed === undefined) return new Threads(module, instance, control, threads);
    for (const thread of threads) thread.terminate();
    throw failed.reason;
  }

  /** Runs a kernel in `numParts` parts and returns, or throws, when no thread works on it any more. */
  run(name: string, numParts: number, args: readonly number[]): void {
    const state = this.#state;
    const number = this.#numbers.get(name);
    if (number === undefined) throw new Error(`There is no kernel ${name}.`);
    this.#values.set(args);
    state[NUM_ARGUMENTS] = args.length;
    state[KERNEL] = number;
    state[NUM_PARTS] = numParts;
    Atomics.store(state, NEXT_PART, 0);
    if (!this.#isClosed) {
      Atomics.store(state, OPEN, 1);
      Atomics.add(state, CALL, 1);
      Atomics.notify(state, CALL);
    }
    try {
      for (let part = Atomics.add(state, NEXT_PART, 1); part < numParts; part = Atomics.add(state, NEXT_PART, 1)) {
        this.#kernels[number](part, numParts, ...args);
      }
    } catch (error) {
      Atomics.store(state, NEXT_PART, numParts);
      this.#waitForOthers();
      throw error;
    }
    if (this.#waitForOthers()) throw new Error(`A thread failed in the kernel ${name}.`);
  }

  /** Calls after this one run on the caller's thread alone. */
  close(): void {
    this.#isClosed = true;
    for (const thread of this.#threads) thread.terminate();
  }

  /** Lets nobody join any more and waits for those who have. Tells if one of them failed. */
  #waitForOthers(): boolean {
    const state = this.#state;
    Atomics.store(state, OPEN, 0);
    let spins = 0;
    for (let left = Atomics.load(state, ACTIVE); left > 0; left = Atomics.load(state, ACTIVE)) {
      if (++spins > SPINS && this.#mayWait) Atomics.wait(state, ACTIVE, left);
    }
    return Atomics.exchange(state, FAILED, 0) === 1;
  }
}
