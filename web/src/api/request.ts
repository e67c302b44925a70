// One request to the API: the token where there is one, JSON both ways, problems thrown, patience where the service asks for it.

import { ApiProblem, asProblem, problemOf, wasCancelled } from './problem.ts';

interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Whether it is sent even where the page is being closed. */
  readonly outlivesPage?: boolean;
}

type Value = string | number | boolean | undefined;

const TOO_MANY = 429;
const MOST_TRIES = 4;
const LONGEST_PAUSE = 5; // seconds
const DOTS = /\/\.\.?(\/|\?|$)/; // a name that every browser takes for a step up
const UNREACHABLE = {
  status: 0,
  detail: 'Something called "." or ".." has no address of its own.',
  cure: 'Give it another name in the data.',
};

let currentToken = () => '';

/** Where each request takes its token from; an empty one is not sent. */
export function takeTokenFrom(token: () => string): void {
  currentToken = token;
}

/** What a download of a file needs to be let in; empty where there is no token. */
export function authorization(): Record<string, string> {
  const token = currentToken();
  return token === '' ? {} : { Authorization: `Bearer ${token}` };
}

/** `path` from strings and names: names are encoded, so that they may hold anything. */
export function path(parts: TemplateStringsArray, ...names: string[]): string {
  return String.raw({ raw: parts }, ...names.map(encodeURIComponent));
}

/** Leaves out what is undefined or empty. */
export function withQuery(base: string, query: Readonly<Record<string, Value>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return text === '' ? base : `${base}?${text}`;
}

export async function request<Answer>(address: string, options: RequestOptions = {}): Promise<Answer> {
  if (DOTS.test(address)) throw new ApiProblem(UNREACHABLE);
  try {
    const response = await send(address, options);
    if (!response.ok) throw await problemOf(response);
    return await answerOf<Answer>(response);
  } catch (error) {
    if (wasCancelled(error)) throw error;
    throw asProblem(error);
  }
}

/** What came too fast was not done, so that it may be sent again after the pause that was asked for. */
async function send(
  address: string,
  { method = 'GET', body, signal, outlivesPage = false }: RequestOptions,
): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json', ...authorization() };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const init = {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
    ...(outlivesPage && { keepalive: true }),
  };
  for (let tries = 1; ; tries++) {
    const response = await fetch(address, init);
    if (response.status !== TOO_MANY || tries === MOST_TRIES) return response;
    const seconds = Math.min(LONGEST_PAUSE, Number(response.headers.get('retry-after')) || 1);
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
    signal?.throwIfAborted();
  }
}

async function answerOf<Answer>(response: Response): Promise<Answer> {
  try {
    return (await response.json()) as Answer;
  } catch (error) {
    if (wasCancelled(error)) throw error;
    const cure = 'Check that the page and the service are of the same version.';
    throw new ApiProblem({
      status: response.status,
      detail: 'The service answered with something else than JSON.',
      cure,
    });
  }
}
