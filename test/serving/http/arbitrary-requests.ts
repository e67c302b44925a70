// Requests drawn from the OpenAPI document: what it allows, and what it does not.

import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import Value from 'typebox/value';
import { expect } from 'vitest';
import type { KnowledgeGraph } from '../../../src/data/knowledge-graph.ts';
import type { Service } from '../../../src/serving/http/service.ts';
import { codePoint } from '../../arbitraries.ts';
import { type Answer, ask, DIFFICULT, graph } from './service-under-test.ts';

/** The part of JSON Schema that the document uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

export interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export const documentOf = async (service: Service) => (await ask(service, '/openapi.json')).json as Document;

/** Drawn less often: each starts a thread, takes no parameters, and makes maps be drawn again. */
const SLOW = ['reloadModel'];

const ODD = ['', '0', '-1', 'null', 'true', '1e9', '\0', '\ud800', '\u202e', 'x'.repeat(3000)];

export interface Drawn {
  readonly operation: Operation;
  readonly options: InjectOptions & { url: string };
}

interface DrawOptions {
  /** The data of the model that is asked. */
  readonly of?: Pick<KnowledgeGraph, 'objects' | 'tags'>;
  /** Operations left out. */
  readonly without?: readonly string[];
  /** Headers that some of the requests have. */
  readonly headers?: readonly Readonly<Record<string, string>>[];
}

/** A request of any operation. */
export function requestOf(
  { paths }: Document,
  { of = graph, without = [], headers = [] }: DrawOptions = {},
): fc.Arbitrary<Drawn> {
  const drawing = new Drawing(of, headers);
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => !without.includes(operationId))
      .map(([method, operation]) => ({
        weight: SLOW.includes(operation.operationId) ? 1 : 8,
        arbitrary: drawing.request(path, method, operation),
      })),
  );
  return fc.oneof(...all);
}

/** What is drawn from the names of one model. */
class Drawing {
  readonly #text: fc.Arbitrary<string>;
  readonly #junk: fc.Arbitrary<unknown>;
  readonly #headers: fc.Arbitrary<Readonly<Record<string, string>>>;

  constructor({ objects, tags }: Pick<KnowledgeGraph, 'objects' | 'tags'>, headers: DrawOptions['headers'] = []) {
    this.#text = fc.oneof(
      { weight: 4, arbitrary: fc.nat(objects.size - 1).map((id) => objects.name(id)) },
      { weight: 4, arbitrary: fc.nat(tags.size - 1).map((id) => tags.name(id)) },
      { weight: 2, arbitrary: fc.constantFrom(...DIFFICULT, ...ODD) },
      { weight: 1, arbitrary: fc.string({ unit: codePoint, maxLength: 20 }) },
    );
    this.#junk = fc.oneof(
      ...[this.#text, fc.integer(), fc.double(), fc.boolean()],
      ...[fc.constant(null), fc.constant([]), fc.constant({}), fc.jsonValue({ maxDepth: 2 })],
    );
    this.#headers = fc.oneof({ weight: 20, arbitrary: fc.constant({}) }, ...headers.map((one) => fc.constant(one)));
  }

  request(path: string, method: string, operation: Operation): fc.Arbitrary<Drawn> {
    const { parameters = [], requestBody } = operation;
    const fields = (place: string) =>
      Object.fromEntries(parameters.filter((one) => one.in === place).map((one) => [one.name, this.#parameter(one)]));
    const needed = parameters.filter((one) => one.in === 'query' && one.required).map(({ name }) => name);
    const body = requestBody?.content?.['application/json']?.schema;
    const drawn = fc.record({
      inPath: fc.record(fields('path')),
      query: fc.record(fields('query'), { requiredKeys: needed }),
      body: body === undefined ? fc.constant(undefined) : this.#orJunk(this.#from(body), 20),
      headers: this.#headers,
    });
    return drawn.map((asked) => ({ operation, options: optionsOf(path, method, asked) }));
  }

  /** Hardly any text is a cursor: half of the requests come without. */
  #parameter({ name, schema }: Parameter): fc.Arbitrary<unknown> {
    const value = this.#orJunk(this.#from(schema), 20);
    return name === 'cursor' ? fc.option(value, { nil: undefined, freq: 1 }) : value;
  }

  #from(schema: Schema): fc.Arbitrary<unknown> {
    const { type, enum: words, minimum = -5, maximum = 1000, items = {}, maxItems = 5 } = schema;
    if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => this.#from(one)));
    if (words !== undefined) return fc.constantFrom(...words);
    if (type === 'string') return this.#text;
    if (type === 'integer') return fc.integer({ min: minimum, max: maximum });
    if (type === 'number') return fc.double({ min: minimum, max: maximum, noNaN: true });
    if (type === 'boolean') return fc.boolean();
    if (type === 'array') return fc.array(this.#orJunk(this.#from(items), 40), { maxLength: Math.min(maxItems, 6) });
    return type === 'object' ? this.#object(schema) : this.#junk;
  }

  #object({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
    const fields: Record<string, fc.Arbitrary<unknown>> = {};
    for (const [name, part] of Object.entries(properties)) fields[name] = this.#orJunk(this.#from(part), 20);
    return fc.record(fields, { requiredKeys: [...required] });
  }

  #orJunk(arbitrary: fc.Arbitrary<unknown>, weight: number): fc.Arbitrary<unknown> {
    return fc.oneof({ weight, arbitrary }, { weight: 1, arbitrary: this.#junk });
  }
}

interface Asked {
  readonly inPath: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

function optionsOf(path: string, method: string, { inPath, query, body, headers }: Asked): Drawn['options'] {
  const search = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encoded(value)}`)
    .join('&');
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name) => encoded(inPath[name]));
  return {
    method: method.toUpperCase() as 'GET',
    url: search === '' ? place : `${place}?${search}`,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  };
}

/** As a careless client might: half of a surrogate pair is left out, since nothing can send it. */
function encoded(value: unknown): string {
  const plain = typeof value === 'string' ? value : String(JSON.stringify(value));
  return encodeURIComponent(plain.replaceAll(/\p{Surrogate}/gu, ''));
}

/** Asks, holds the answer against the document, and says what became of it. */
export async function holds(
  send: (options: Drawn['options']) => Promise<Answer>,
  document: Document,
  { operation, options }: Drawn,
): Promise<string> {
  const { status, headers, text: body, json } = await send(options);
  const what = `${options.method} ${options.url} ${options.payload ?? ''}: ${status} ${body.slice(0, 500)}`;
  expect(status, what).not.toBe(500);
  expect(body, what).not.toMatch(/\bat .+\.[jt]s:\d+/);
  expect(headers, what).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
  const response = operation.responses[status];
  if (response === undefined) {
    // a path that a client normalised or left a piece of out leads to another route, or to none
    expect([404, 405], what).toContain(status);
    if (json !== undefined) expect(json.detail).toMatch(/^(Nothing answers|There is no|This path does not take)/);
    return 'elsewhere';
  }
  const contents = Object.entries(response.content ?? {});
  const content = contents.find(([type]) => String(headers['content-type']).includes(type)) ?? contents[0];
  if (content === undefined) expect(body, what).toBe('');
  else {
    expect(String(headers['content-type']), what).toContain(content[0]);
    if (json !== undefined) expect(Value.Check(resolved(content[1].schema, document), json), what).toBe(true);
  }
  return `${operation.operationId} ${status}`;
}

/** Without references. */
function resolved(schema: Schema, document: Document): Schema {
  if (schema.$ref !== undefined)
    return resolved(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''], document);
  const { items, properties } = schema;
  return {
    ...schema,
    ...(items && { items: resolved(items, document) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [name, resolved(part, document)]),
      ),
    }),
  };
}
