// Threads that run WebAssembly kernels side by side on one shared memory. A call is written into a small control block
// and cut into parts, the threads are woken, all (the caller too) take part after part until none is left, and meet
// again before `run` returns. Who takes which part does not change a byte. A thread that has nothing to do spins for a
// while, since the next call usually follows at once, and then sleeps.

const [EPOCH, KERNEL, NUM_ARGUMENTS, REMAINING, FAILED, NEXT_PART, NUM_PARTS] = [0, 1, 2, 3, 4, 5, 6]; // places in the control block's int32s
const ARGUMENTS = 64; // byte where the arguments begin, as float64s
const CONTROL_BYTES = 64 + 8 * 32;
const SPINS = 4000; // some microseconds; longer spinning did not pay

/** What a thread runs. It is text because Node and browsers start workers from different kinds of files. */
const WORKER = `
const isNode = typeof require === 'function';
const port = isNode ? require('node:worker_threads').parentPort : self;
const start = ({ memory, module, control }) => {
  const { exports } = new WebAssembly.Instance(module, { env: { memory, abort() { throw new Error('abort'); } } });
  const kernels = WebAssembly.Module.exports(module).map(({ name }) => exports[name]);
  const state = new Int32Array(control);
  const values = new Float64Array(control, ${ARGUMENTS});
  port.postMessage('ready');
  for (let epoch = 0; ; epoch++) {
    let spins = 0;
    while (Atomics.load(state, ${EPOCH}) === epoch) if (++spins > ${SPINS}) Atomics.wait(state, ${EPOCH}, epoch);
    const kernel = state[${KERNEL}];
    if (kernel < 0) return port.close ? port.close() : close();
    try {
      const args = values.subarray(0, state[${NUM_ARGUMENTS}]);
      const numParts = state[${NUM_PARTS}];
      for (let part = Atomics.add(state, ${NEXT_PART}, 1); part < numParts; part = Atomics.add(state, ${NEXT_PART}, 1)) {
        kernels[kernel](part, numParts, ...args);
      }
    } catch {
      Atomics.store(state, ${FAILED}, 1);
    }
    if (Atomics.sub(state, ${REMAINING}, 1) === 1) Atomics.notify(state, ${REMAINING});
  }
};
if (isNode) port.once('message', start); else port.onmessage = ({ data }) => start(data);
`;

/** The part of a worker that Node's and the browsers' have in common. */
interface WorkerLike {
  postMessage(message: unknown): void;
  terminate(): unknown;
}

export class Threads {
  readonly numThreads: number;
  readonly #names = new Map<string, number>(); // kernel → its number
  readonly #kernels: ((...args: number[]) => unknown)[];
  readonly #state: Int32Array;
  readonly #values: Float64Array;
  readonly #workers: readonly WorkerLike[];
  readonly #mayWait: boolean; // a browser's main thread may not

  private constructor(
    module: WebAssembly.Module,
    instance: WebAssembly.Instance,
    control: SharedArrayBuffer,
    workers: readonly WorkerLike[],
  ) {
    const names = WebAssembly.Module.exports(module).map(({ name }) => name);
    for (const [number, name] of names.entries()) this.#names.set(name, number);
    this.#kernels = names.map((name) => instance.exports[name] as (...args: number[]) => unknown);
    this.#state = new Int32Array(control);
    this.#values = new Float64Array(control, ARGUMENTS);
    this.#workers = workers;
    this.numThreads = workers.length + 1;
    this.#mayWait = typeof document === 'undefined';
  }

  static async start(
    module: WebAssembly.Module,
    instance: WebAssembly.Instance,
    memory: WebAssembly.Memory,
    numThreads: number,
  ): Promise<Threads> {
    const control = new SharedArrayBuffer(CONTROL_BYTES);
    const workers = Array.from({ length: numThreads - 1 }, () => startWorker({ memory, module, control }));
    return new Threads(module, instance, control, await Promise.all(workers));
  }

  /** Runs a kernel in `numParts` parts on all threads and returns when all are done. */
  run(name: string, numParts: number, args: readonly number[]): void {
    const state = this.#state;
    const number = this.#names.get(name) as number;
    state[KERNEL] = number;
    state[NUM_ARGUMENTS] = args.length;
    state[NUM_PARTS] = numParts;
    this.#values.set(args);
    Atomics.store(state, NEXT_PART, 0);
    Atomics.store(state, REMAINING, this.#workers.length);
    Atomics.add(state, EPOCH, 1);
    Atomics.notify(state, EPOCH);
    for (let part = Atomics.add(state, NEXT_PART, 1); part < numParts; part = Atomics.add(state, NEXT_PART, 1)) {
      this.#kernels[number](part, numParts, ...args);
    }
    for (let spins = 0, left = this.#workers.length; left > 0; left = Atomics.load(state, REMAINING)) {
      if (++spins > SPINS && this.#mayWait) Atomics.wait(state, REMAINING, left);
    }
    if (Atomics.load(state, FAILED) !== 0) throw new Error(`A thread failed in the kernel ${name}.`);
  }

  close(): void {
    this.#state[KERNEL] = -1;
    Atomics.add(this.#state, EPOCH, 1);
    Atomics.notify(this.#state, EPOCH);
    for (const worker of this.#workers) worker.terminate();
  }
}

async function startWorker(setup: Record<string, unknown>): Promise<WorkerLike> {
  const node = await importNode<typeof import('node:worker_threads')>('node:worker_threads');
  if (node !== undefined) {
    const worker = new node.Worker(WORKER, { eval: true });
    worker.unref(); // a program may end while threads sleep
    await new Promise((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
      worker.postMessage(setup);
    });
    return worker;
  }
  const worker = new Worker(URL.createObjectURL(new Blob([WORKER], { type: 'text/javascript' })));
  await new Promise((resolve, reject) => {
    worker.onmessage = resolve;
    worker.onerror = reject;
    worker.postMessage(setup);
  });
  return worker;
}

/** A module of Node's own, or undefined elsewhere. The name is a variable so that bundlers leave it alone. */
export async function importNode<Module>(name: string): Promise<Module | undefined> {
  if (typeof process === 'undefined' || process.versions?.node === undefined) return undefined;
  return import(/* @vite-ignore */ name);
}
