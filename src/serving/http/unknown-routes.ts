// What is asked of paths, or by methods, that there are no routes for: 404 with the path that may be meant, 405 with the methods
// the path takes, and OPTIONS.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../html.ts';
import { similarNames } from '../recommend/name-finder.ts';
import type { Api } from './api.ts';
import { htmlDocument } from './html-document.ts';
import { ProblemError, problemOf } from './problem.ts';

interface Route {
  readonly url: string;
  readonly methods: readonly string[];
}

const CURE = 'See /docs for all routes, or /openapi.json.';

/** Before any route is added, since it hears of them as they come. */
export function addUnknownRoutes(app: Api): void {
  const routes: Route[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ url, methods: [method].flat() });
  });
  app.setNotFoundHandler((request, reply) => {
    const [path] = request.url.split('?', 1);
    const allow = methodsOf(path, routes);
    if (allow.length > 0) answerMethod(request, reply, allow);
    else if (isForPeople(request, path)) sendLostPage(reply, path);
    else throw notFound(request, path, routes);
  });
}

/** A browser that goes to an address, as opposed to a program. */
function isForPeople({ method, headers: { accept = '' } }: FastifyRequest, path: string): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && accept.includes('text/html') && !/^\/v\d+(\/|$)/.test(path);
}

const SCREENS = [
  'object',
  'tag',
  'suggest',
  'map',
  'reviews',
  'about',
  'people',
  'log',
  'train',
  'docs',
  'openapi.json',
];
const WITH_NAME = new Set(['object', 'tag']);

function sendLostPage(reply: FastifyReply, path: string): void {
  const [, first, ...rest] = path.split('/');
  const [meant] = similarNames(first, SCREENS).filter((name) => WITH_NAME.has(name) === rest.length > 0);
  const target = meant === undefined ? undefined : `/${[meant, ...rest].join('/')}`;
  const hint = target === undefined ? undefined : html`<p>Did you mean <a href="${target}">${target}</a>?</p>`;
  const body = html`<main class="lost">
<h1>There is no page here</h1>
<p>Nothing is at <code>${path.slice(0, 200)}</code>.</p>
${hint}
<p><a href="/">Go to the suggestions to review</a>, or to the <a href="/docs">reference of the API</a>.</p>
</main>`;
  reply
    .code(404)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(htmlDocument('Not found: tagloom', body));
}

/** Those a path takes. The files of the page answer GET on any path, so that says nothing. */
function methodsOf(path: string, routes: readonly Route[]): string[] {
  const methods = new Set<string>();
  for (const route of routes) {
    if (route.url !== '*' && route.url !== '/*' && isPathOf(route.url, path))
      for (const one of route.methods) methods.add(one);
  }
  return methods.size === 0 ? [] : [...methods, 'OPTIONS'].sort();
}

function isPathOf(url: string, path: string): boolean {
  const [wanted, given] = [url.split('/'), path.split('/')];
  if (wanted.at(-1) === '*')
    return given.length >= wanted.length && isPathOf(url.slice(0, -2), given.slice(0, wanted.length - 1).join('/'));
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => part === given[i] || (part.startsWith(':') && given[i] !== ''))
  );
}

function answerMethod({ method }: FastifyRequest, reply: FastifyReply, methods: readonly string[]): void {
  const allow = methods.join(', ');
  if (method === 'OPTIONS') {
    reply.code(204).header('allow', allow).send();
    return;
  }
  const takes = methods.filter((one) => one !== 'OPTIONS' && one !== 'HEAD').join(' and ');
  throw new ProblemError(problemOf(405, `This path does not take ${method}, only ${takes}.`, CURE), { allow });
}

function notFound({ method, url }: FastifyRequest, path: string, routes: readonly Route[]): ProblemError {
  const [meant] = similarNames(path, new Set(routes.map((route) => route.url).filter((one) => !one.includes('*'))));
  const hint = meant === undefined ? '' : ` Did you mean ${meant.replaceAll(/:(\w+)/g, '{$1}')}?`;
  return new ProblemError(problemOf(404, `Nothing answers ${method} ${url.slice(0, 200)}.${hint}`, CURE));
}
