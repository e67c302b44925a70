// Errors as answers: application/problem+json (RFC 9457) with a cure. The only place that turns an error into a status. What a
// person can mend is said; a bug is logged and answered with nothing of its inside.

import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { InputError } from '../../errors.ts';
import { similarNames } from '../recommend/name-finder.ts';
import { UnavailableError } from '../reviews/database.ts';
import { ConflictError, inWords } from '../vocabulary/declaration.ts';
import { UnknownTagsError } from '../vocabulary/proposal.ts';
import { StandingError } from '../vocabulary/vocabulary-store.ts';
import type { Problem as ProblemShape } from './schemas.ts';
import type { Static } from './typebox.ts';
import type { Fields } from './validation.ts';

export type Problem = Static<typeof ProblemShape>;

export const PROBLEM_TYPE = 'application/problem+json';
const RETRY_SECONDS = 2; // until a database that went away is asked again

/** Answered as it is. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;

  constructor(problem: Problem, headers: Readonly<Record<string, string>> = {}) {
    super(problem.detail);
    this.problem = problem;
    this.headers = headers;
  }
}

export function problemOf(
  status: number,
  detail: string,
  cure: string,
  more: Pick<Problem, 'review' | 'changes' | 'decisions'> = {},
): Problem {
  const title = STATUS_CODES[status] ?? 'Error';
  return {
    type: `urn:tagloom:${title.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`,
    title,
    status,
    detail,
    cure,
    ...more,
  };
}

/** Throws what is answered with this status. */
export function refuse(status: number, detail: string, cure: string, headers?: Record<string, string>): never {
  throw new ProblemError(problemOf(status, detail, cure), headers);
}

/** The problem an error of a request is, and the headers that go with it. */
export function describeError(
  error: unknown,
  request?: FastifyRequest,
): { problem: Problem; headers: Readonly<Record<string, string>> } {
  if (error instanceof ProblemError) return error;
  const plain = (problem: Problem) => ({ problem, headers: {} });
  if (error instanceof ConflictError) return plain(conflictOf(error));
  if (error instanceof InputError) {
    const { got, expected, cure } = error.problem;
    const status = error instanceof UnknownTagsError ? 404 : 400;
    return plain(problemOf(status, `Got ${got}, expected ${expected}.`, cure));
  }
  if (error instanceof UnavailableError) {
    const problem = problemOf(503, 'The store of reviews does not answer.', 'Try again in a few seconds.');
    return { problem, headers: { 'retry-after': String(RETRY_SECONDS) } };
  }
  const { validation, validationContext, statusCode = 500, message } = error as FastifyError;
  if (validation !== undefined) return plain(invalid(validation, validationContext ?? 'request', pointerTo(request)));
  if (statusCode >= 400 && statusCode < 500)
    return plain(problemOf(statusCode, withStop(message), cureOf(statusCode, pointerTo(request))));
  return plain(
    problemOf(500, 'Something went wrong inside the service.', 'Please report it, with what you asked for.'),
  );
}

/** Earlier changes of the vocabulary, and decisions, that are in the way. */
function conflictOf(error: ConflictError): Problem {
  const { got, expected, cure } = error.problem;
  const changes = error.changes.map((change) => ({
    id: change.id,
    summary: inWords(change),
    curator: change.curator,
  }));
  const decisions = error instanceof StandingError ? [...error.decisions] : [];
  return problemOf(409, `Got ${got}, expected ${expected}.`, cure, {
    changes,
    ...(decisions.length > 0 && { decisions }),
  });
}

export function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { problem, headers } = describeError(error, request);
  if (problem.status >= 500) tell(request, error, problem);
  reply
    .code(problem.status)
    .headers({ 'cache-control': 'no-store', ...headers })
    .type(PROBLEM_TYPE)
    .send(JSON.stringify(problem));
}

/** A bug with its stack; that a database is away without its address. */
function tell(request: FastifyRequest, error: unknown, { status, detail }: Problem): void {
  const { url: route } = request.routeOptions;
  if (status === 503) request.log.warn({ route }, detail);
  else request.log.error({ route, stack: (error as Error).stack ?? String(error) }, detail);
}

type Validation = NonNullable<FastifyError['validation']>;

const PARTS: Record<string, string> = { querystring: 'query', params: 'path', body: 'body', headers: 'headers' };

function invalid(validation: Validation, context: string, cure: string): Problem {
  const unknown = validation.find(({ keyword }) => keyword === 'additionalProperties');
  const [first] = validation;
  const choice = validation.find((one) => one.keyword === 'enum' && one.instancePath === first?.instancePath);
  const detail = unknown === undefined ? faultOf(choice ?? first) : unknownFields(unknown);
  return problemOf(400, `In the ${PARTS[context] ?? context}: ${detail}`, cure);
}

type Fault = Validation[number];

function faultOf(fault: Fault | undefined): string {
  if (fault === undefined) return 'it is not what it must be.';
  const { keyword, params, instancePath, message = 'is not what it must be' } = fault;
  if (keyword === 'required') return missingFields(fault);
  const where = fieldAt(instancePath);
  const what = keyword === 'enum' ? `must be one of ${(params.allowedValues as string[]).join(', ')}` : message;
  return `${where === '' ? 'it' : where} ${what}.`;
}

function missingFields({ params, instancePath }: Fault): string {
  const names = params.requiredProperties as string[];
  const where = fieldAt(instancePath);
  const of = where === '' ? '' : ` of ${where}`;
  const words = names.length === 1 ? (params.fields as Fields)[names[0]]?.enum : undefined;
  const hint = words === undefined ? '' : ` It is one of ${words.join(', ')}.`;
  return `${the('field', names)}${of} ${names.length === 1 ? 'is' : 'are'} missing.${hint}`;
}

function unknownFields({ params, instancePath }: Fault): string {
  const names = params.additionalProperties as string[];
  const known = Object.keys(params.fields as Fields);
  const [meant] = similarNames(names[0], known);
  const hint = meant === undefined ? `Known are ${known.join(', ')}.` : `Did you mean ${JSON.stringify(meant)}?`;
  const where = fieldAt(instancePath);
  return `unknown ${the('field', names).slice(4)}${where === '' ? '' : ` in ${where}`}. ${known.length === 0 ? '' : hint}`.trim();
}

function the(noun: string, names: readonly string[]): string {
  return `the ${noun}${names.length === 1 ? '' : 's'} ${names.map((name) => JSON.stringify(name)).join(', ')}`;
}

/** A JSON pointer as people write it. */
function fieldAt(pointer: string): string {
  return pointer
    .slice(1)
    .replaceAll(/(?:^|\/)(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}

function cureOf(status: number, usual: string): string {
  if (status === 413) return 'Send less than a megabyte at a time.';
  if (status === 415) return 'Send JSON, with the content type application/json.';
  return usual;
}

/** Where an operation is described. */
function pointerTo(request: FastifyRequest | undefined): string {
  const { operationId } = (request?.routeOptions.schema ?? {}) as { operationId?: string };
  return operationId === undefined ? 'See /docs for what may be asked.' : `See /docs#${operationId} for what it takes.`;
}

function withStop(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
