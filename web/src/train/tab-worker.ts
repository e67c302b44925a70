// The page's end of its worker: calls become promises, and what happens meanwhile is told to whoever called.

import type { Answer, CallName, Calls, Fault, Happening } from './worker/messages.ts';

/** The worker could not do what it was asked. */
export class FaultError extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.text);
    this.fault = fault;
  }
}

/** The worker was ended, or was given something newer to do, before it answered: nothing is wrong. */
export class EndedError extends Error {}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
  tell(happening: Happening): void;
}

export class TabWorker {
  readonly #worker = new Worker(new URL('./worker/train-worker.ts', import.meta.url), { type: 'module' });
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #failure: FaultError | undefined; // after which it answers no more

  constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#hear(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      const text = event.message ?? 'The part of the page that computes could not be loaded.';
      this.#failure = new FaultError({ text, cure: 'Load the page again.', isBug: true });
      this.#rejectAll(this.#failure);
    };
  }

  call<Name extends CallName>(
    name: Name,
    args: Parameters<Calls[Name]>,
    tell: (happening: Happening) => void = () => {},
  ): Promise<ReturnType<Calls[Name]>> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, tell });
      this.#worker.postMessage({ id, name, args });
    });
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** At once, whatever it is doing. */
  end(): void {
    this.#worker.terminate();
    this.#rejectAll(new EndedError());
  }

  #hear(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    if (waiting === undefined) return;
    if ('happening' in answer) {
      waiting.tell(answer.happening);
      return;
    }
    this.#waiting.delete(answer.id);
    if ('isEnded' in answer) waiting.reject(new EndedError());
    else if ('fault' in answer) waiting.reject(new FaultError(answer.fault));
    else waiting.resolve(answer.value);
  }

  #rejectAll(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
