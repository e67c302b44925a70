// What went wrong between the page and the service, in words a curator can act on.

import type { Review } from './shapes.ts';

interface ProblemParts {
  readonly status: number;
  readonly detail: string;
  readonly cure: string;
  readonly review?: Review | undefined;
}

export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  /** 0 where no answer came. */
  readonly status: number;
  /** What happened: a sentence. */
  readonly detail: string;
  /** What to do about it: a sentence. */
  readonly cure: string;
  /** Of a conflict: the decision that was first. */
  readonly review: Review | undefined;

  constructor({ status, detail, cure, review }: ProblemParts) {
    super(detail);
    this.status = status;
    this.detail = sentence(detail);
    this.cure = sentence(cure);
    this.review = review;
  }
}

/** Where the service's own is for programs. */
const CURES: Readonly<Record<number, string>> = {
  401: 'Enter it on the screen About, then try again.',
  404: 'Search for it above.',
};

/** From an answer that is not what was asked for: its problem document, or the best that can be said without one. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const { status } = response;
  const told = await response.json().catch(() => undefined);
  const detail = textOf(told?.detail) || textOf(told?.title) || `The service answered with status ${status}`;
  const cure = CURES[status] ?? (textOf(told?.cure) || 'Try again');
  return new ApiProblem({ status, detail, cure, review: told?.review });
}

/** Anything thrown, as a problem; what a browser says of a lost connection differs by browser, so it is not shown. */
export function asProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  if (error instanceof TypeError) {
    const cure = 'Check that it still runs and that this machine is online, then try again.';
    return new ApiProblem({ status: 0, detail: 'The service does not answer.', cure });
  }
  return new ApiProblem({ status: 0, detail: String(error), cure: 'Load the page again.' });
}

/** A request given up because something newer is wanted: nothing to tell anyone. */
export function wasCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

function sentence(text: string): string {
  return text === '' || /[.!?]$/.test(text) ? text : `${text}.`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
