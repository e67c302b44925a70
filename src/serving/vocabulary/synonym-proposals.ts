// The proposals of one model: computed when they are first asked for, in a thread of their own, so that other requests are answered
// meanwhile, and kept in memory for as long as the model serves.

import { Worker } from 'node:worker_threads';
import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { packForThread } from '../../models/model-transfer.ts';
import type { Proposal } from './proposals.ts';

/** Proposals below this are not kept: most of them are wrong. */
export const LEAST_SCORE = 0.3;

/** The steps of proposals.ts in their order, with the shares of the time that they take. */
const STEPS: readonly (readonly [step: string, share: number])[] = [
  ['reading the company of tags', 0.2],
  ['finding similar tags', 0.2],
  ['comparing tags', 0.6],
];
// run from its source, as tests do, the thread is the compiled one: it cannot read TypeScript
const PLACE = import.meta.url.endsWith('.ts') ? '../../../dist/serving/vocabulary/' : './';
const THREAD = new URL(`${PLACE}proposals-thread.js`, import.meta.url);

/** All of them, the likeliest first, or the share that is done. */
export type ProposalsState = { readonly proposals: readonly Proposal[] } | { readonly done: number };

/** How much of all the work is done. */
export function shareDone(step: string, count: number, total: number): number {
  const at = STEPS.findIndex(([name]) => name === step);
  const before = STEPS.slice(0, Math.max(0, at)).reduce((sum, [, share]) => sum + share, 0);
  return before + ((STEPS[at]?.[1] ?? 0) * count) / Math.max(1, total);
}

interface News {
  readonly done?: number;
  readonly proposals?: readonly Proposal[];
}

export class SynonymProposals {
  readonly #graph: KnowledgeGraph;
  readonly #program: URL;
  #thread: Worker | undefined;
  #state: ProposalsState | undefined;
  #error: unknown;
  #isClosed = false;

  /** `thread`: the program to run (proposals-thread.ts) where it does not lie beside this one. */
  constructor(graph: KnowledgeGraph, { thread = THREAD }: { readonly thread?: URL | undefined } = {}) {
    this.#graph = graph;
    this.#program = thread;
  }

  /** Begins where nobody has asked before; throws once where the work before failed, and then begins again. */
  get(): ProposalsState {
    if (this.#error !== undefined) {
      const error = this.#error;
      this.#error = this.#state = undefined; // the next to ask tries again
      throw error;
    }
    if (this.#state === undefined) {
      this.#state = { done: 0 };
      if (!this.#isClosed) this.#begin();
    }
    return this.#state;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.terminate();
  }

  #begin(): void {
    const { links: _links, images: _images, ...needed } = this.#graph;
    const { packed } = packForThread(needed); // copied, not handed over: the model goes on with its own
    const thread = new Worker(this.#program, { workerData: { packed } });
    this.#thread = thread;
    thread.unref(); // a program may end meanwhile
    thread.on('message', ({ done, proposals }: News) => {
      if (proposals !== undefined) this.#state = { proposals };
      else if (done !== undefined) this.#state = { done };
    });
    thread.on('error', (error) => (this.#error = error));
    thread.on('exit', () => {
      this.#thread = undefined;
      const isDone = this.#state !== undefined && 'proposals' in this.#state;
      if (!isDone && !this.#isClosed) this.#error ??= new Error('The thread that compares tags ended before its time.');
    });
  }
}
