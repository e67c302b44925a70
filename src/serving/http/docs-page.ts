// /docs: the reference of the API for people, one page made from the OpenAPI document. It needs no script and nothing from
// elsewhere. Every operation, shape and problem has an anchor.

import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { Html, html } from '../../html.ts';
import { needs } from './access.ts';
import { type Api, type ApiContext, meaningOf } from './api.ts';
import {
  curlOf,
  exampleOf,
  type OpenApi,
  type Operation,
  type Parameter,
  type Response,
  type Shape,
} from './docs-examples.ts';
import { DOCS_STYLE } from './docs-style.ts';
import { htmlDocument, STYLE_PATH } from './html-document.ts';

const HIDDEN = { config: needs('open'), schema: { hide: true } as object };

export function addDocs(app: Api, { access }: Pick<ApiContext, 'access'>): void {
  let made = { base: '', isGuarded: false, page: '' }; // for the name it was last asked by
  app.get('/docs', HIDDEN, async (request, reply) => {
    const base = baseOf(request);
    const isGuarded = !access.isOpen;
    if (made.base !== base || made.isGuarded !== isGuarded)
      made = { base, isGuarded, page: docsPage(app.swagger() as unknown as OpenApi, base, isGuarded) };
    reply.type('text/html; charset=utf-8');
    return made.page as never;
  });
  app.get(STYLE_PATH, HIDDEN, async (_request, reply) => {
    reply.type('text/css; charset=utf-8');
    return DOCS_STYLE as never;
  });
}

/** Where clients ask. A name without a port, of a service that has another, is that of a proxy, most likely with TLS. */
function baseOf({ host, socket }: FastifyRequest): string {
  const isProxy = !/:\d+$/.test(host) && isIP(host) === 0 && socket.localPort !== 80;
  return `${isProxy ? 'https' : 'http'}://${host}`;
}

interface Listed {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

export function docsPage(document: OpenApi, base: string, isGuarded: boolean): string {
  const { info, paths, components } = document;
  const all: Listed[] = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const groups = grouped(all);
  const statuses = new Set(all.flatMap(({ operation }) => Object.keys(operation.responses)));
  const body = html`<div class="docs">
<nav aria-label="Operations">
<a href="/">tagloom</a>
${[...groups].map(([group, listed]) => html`<h2>${group}</h2><ul>${listed.map(entry)}</ul>`)}
<h2>Reference</h2><ul><li><a href="#problems">Problems</a></li><li><a href="#shapes">Shapes</a></li></ul>
</nav>
<main>
<h1>${info.title} API ${info.version}</h1>
<p>${prose(info.description ?? '')}</p>
<p>The same for programs: <a href="/openapi.json">openapi.json</a>.</p>
${[...groups].map(
  ([group, listed]) =>
    html`<h2 id="${group}">${group}</h2>${listed.map((one) => operationPart(one, document, base, isGuarded))}`,
)}
<h2 id="problems">Problems</h2>
${problemsPart(
  [...statuses].map(Number).filter((status) => status >= 400),
  document,
)}
<h2 id="shapes">Shapes</h2>
${Object.entries(components.schemas).map(([name, shape]) => shapePart(name, shape))}
</main>
</div>`;
  return htmlDocument(`${info.title} API`, body);
}

function grouped(all: readonly Listed[]): Map<string, Listed[]> {
  const groups = new Map<string, Listed[]>();
  for (const one of all) {
    const [group = 'other'] = one.operation.tags ?? [];
    groups.set(group, [...(groups.get(group) ?? []), one]);
  }
  return groups;
}

function entry({ path, method, operation }: Listed): Html {
  return html`<li><a href="#${operation.operationId}">${method.toUpperCase()} ${path}</a></li>`;
}

function operationPart({ path, method, operation }: Listed, document: OpenApi, base: string, isGuarded: boolean): Html {
  const { operationId, summary, parameters = [], requestBody, responses, deprecated } = operation;
  const body = requestBody?.content['application/json']?.schema;
  const asked = { base, path, method, operation, isGuarded };
  return html`<section class="operation" id="${operationId}" aria-labelledby="${operationId}-title">
<h3 id="${operationId}-title"><code class="method">${method.toUpperCase()}</code><code>${path}</code></h3>
<p>${prose(summary)}.${deprecated ? html` <span class="fault">Deprecated.</span>` : undefined}
<span class="soft">${operation.description}</span></p>
${parameters.length === 0 ? undefined : html`<h4>Parameters</h4>${table(parameters.map(parameterRow))}`}
${body === undefined ? undefined : html`<h4>Body, as JSON</h4>${table(fieldRows(body))}`}
<h4>Example</h4>
${code(curlOf(asked, document))}
${Object.entries(responses)
  .filter(([status]) => Number(status) < 400)
  .map(([status, one]) => answerPart(status, one, document))}
<h4>Problems</h4>
<p>${Object.keys(responses)
    .filter((status) => Number(status) >= 400)
    .map((status) => html`<a href="#problem-${status}">${status}</a> `)}</p>
</section>
`;
}

function answerPart(status: string, { description, content = {} }: Response, document: OpenApi): Html {
  const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(content);
  const name = schema.$ref?.split('/').at(-1);
  const shape = name === undefined ? undefined : html`: <a href="#shape-${name}">${name}</a>`;
  const sample = type.includes('json') ? JSON.stringify(exampleOf(schema, document), null, 2) : SAMPLES[type];
  return html`<h4>Answer ${status}${shape ?? ''}</h4>
${name === undefined && !type.includes('json') ? html`<p>${description} (<code>${type}</code>)</p>` : undefined}
${sample === undefined ? undefined : code(sample)}
`;
}

const SAMPLES: Readonly<Record<string, string>> = {
  'text/tab-separated-values': 'object\ttag\nreact-dom\tui\nvue\tframework',
  'text/plain': 'tagloom_suggestions_total 1042',
};

function problemsPart(statuses: readonly number[], document: OpenApi): Html {
  const example = exampleOf({ $ref: '#/components/schemas/Problem' }, document) as { review?: unknown };
  const { review: _, ...plain } = example;
  const rows = [...statuses, 405]
    .sort((a, b) => a - b)
    .map(
      (status) => html`<tr id="problem-${status}"><td><code>${status}</code></td><td>${meaningOf(status)}</td></tr>`,
    );
  return html`<p>Every error is <code>application/problem+json</code> (RFC 9457) and says in <code>cure</code> what to do.</p>
${code(JSON.stringify(plain, null, 2))}
<div class="wide" tabindex="0" role="group" aria-label="Problems">
<table><thead><tr><th>Status</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>
`;
}

function shapePart(name: string, shape: Shape): Html {
  return html`<section class="shape" id="shape-${name}" aria-labelledby="shape-${name}-title">
<h3 id="shape-${name}-title">${name}</h3>
${shape.description === undefined ? undefined : html`<p>${prose(shape.description)}</p>`}
${table(fieldRows(shape))}
</section>
`;
}

// tables of fields

function table(rows: readonly Html[]): Html {
  return html`<div class="wide" tabindex="0" role="group" aria-label="Fields">
<table><thead><tr><th>Name</th><th>Type</th><th>Allowed</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function parameterRow({ name, in: place, required = false, description, schema }: Parameter): Html {
  return row(name, schema, required, description ?? schema.description, place === 'path' ? ' in the path' : '');
}

/** The fields of an object, those of objects inside it below them. */
function fieldRows({ properties = {}, required = [] }: Shape, before = ''): Html[] {
  return Object.entries(properties).flatMap(([name, part]) => {
    const isNeeded = required.includes(name) && part.default === undefined;
    const inner = part.type === 'array' ? part.items : part;
    const path = `${before}${name}${part.type === 'array' ? '[]' : ''}`;
    return [row(path, part, isNeeded, part.description), ...(inner === undefined ? [] : fieldRows(inner, `${path}.`))];
  });
}

function row(name: string, shape: Shape, isRequired: boolean, description = '', place = ''): Html {
  const needed = isRequired ? html` <span class="required">required</span>` : undefined;
  return html`<tr><td><code>${name}</code>${needed}<span class="soft">${place}</span></td><td>${typeOf(shape)}</td>
<td>${allowedIn(shape)}</td><td>${prose(description)}</td></tr>
`;
}

function typeOf(shape: Shape): Html {
  const { $ref, type, format, anyOf, items, patternProperties = {} } = shape;
  const name = $ref?.split('/').at(-1);
  if (name !== undefined) return html`<a href="#shape-${name}">${name}</a>`;
  if (anyOf !== undefined) return html`${anyOf.flatMap((one, i) => [i === 0 ? html`` : html` or `, typeOf(one)])}`;
  if (type === 'array') return html`list of ${typeOf(items ?? {})}`;
  const [inner] = Object.values(patternProperties);
  if (inner !== undefined) return html`object: ${typeOf(inner)} by name`;
  return html`${format === 'date-time' ? 'time, ISO 8601' : (type ?? 'anything')}`;
}

function allowedIn(shape: Shape): string {
  const { enum: words, minimum, maximum, maxLength, maxItems, maxProperties, default: usual } = shape;
  const count = (most: number, noun: string) => `up to ${most.toLocaleString('en')} ${noun}`;
  const parts = [
    words?.join(', '),
    minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}` : undefined,
    minimum !== undefined && maximum === undefined ? `${minimum} or more` : undefined,
    maxLength === undefined ? undefined : count(maxLength, 'characters'),
    maxItems === undefined ? undefined : count(maxItems, 'entries'),
    maxProperties === undefined ? undefined : count(maxProperties, 'names'),
    usual === undefined ? undefined : `default ${usual}`,
  ];
  return parts.filter((part) => part !== undefined).join('; ');
}

function code(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}

/** Text with \`code\` in it. */
function prose(text: string): Html {
  return new Html(
    text
      .split('`')
      .map((part, i) => (i % 2 === 0 ? html`${part}` : html`<code>${part}</code>`).text)
      .join(''),
  );
}
