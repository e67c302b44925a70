// Requests drawn from the OpenAPI document: what it allows, and what it does not.

import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import Value from 'typebox/value';
import { expect } from 'vitest';
import type { Service } from '../../../src/serving/http/service.ts';
import { ask, DIFFICULT, graph } from './service-under-test.ts';

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

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema: Schema }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

export interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export const documentOf = async (service: Service) => (await ask(service, '/openapi.json')).json as Document;

const known = (size: number, name: (id: number) => string) => fc.nat(size - 1).map(name);
const text = fc.oneof(
  { weight: 4, arbitrary: known(graph.objects.size, (id) => graph.objects.name(id)) },
  { weight: 4, arbitrary: known(graph.tags.size, (id) => graph.tags.name(id)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...DIFFICULT,
      '',
      '0',
      '-1',
      'null',
      'true',
      '1e9',
      '\0',
      '\ud800',
      '\u202e',
      'x'.repeat(3000),
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
);
const junk = fc.oneof(
  text,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.constant([]),
  fc.constant({}),
  fc.jsonValue({ maxDepth: 2 }),
);

function drawnFrom(schema: Schema): fc.Arbitrary<unknown> {
  const {
    type,
    enum: words,
    minimum = -5,
    maximum = 1000,
    items = {},
    maxItems = 5,
    properties = {},
    required = [],
  } = schema;
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(drawnFrom));
  if (words !== undefined) return fc.constantFrom(...words);
  if (type === 'string') return text;
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum });
  if (type === 'number') return fc.double({ min: minimum, max: maximum, noNaN: true });
  if (type === 'boolean') return fc.boolean();
  if (type === 'array') return fc.array(orJunk(drawnFrom(items), 40), { maxLength: Math.min(maxItems, 6) });
  if (type === 'object') {
    const fields = Object.fromEntries(
      Object.entries(properties).map(([name, part]) => [name, orJunk(drawnFrom(part), 20)]),
    );
    return fc.record(fields, { requiredKeys: [...required] });
  }
  return junk;
}

function orJunk(arbitrary: fc.Arbitrary<unknown>, weight: number): fc.Arbitrary<unknown> {
  return fc.oneof({ weight, arbitrary }, { weight: 1, arbitrary: junk });
}

export interface Drawn {
  readonly operation: Operation;
  readonly options: InjectOptions & { url: string };
}

/** A request of any operation. */
export function requestOf({ paths }: Document): fc.Arbitrary<Drawn> {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => drawn(path, method, operation)),
  );
  return fc.oneof(...all);
}

function drawn(path: string, method: string, operation: Operation): fc.Arbitrary<Drawn> {
  const { parameters = [], requestBody } = operation;
  const part = (place: string) => parameters.filter((one) => one.in === place);
  const fields = (place: string) =>
    Object.fromEntries(
      part(place).map(({ name, schema }) => {
        const value = orJunk(drawnFrom(schema), 20);
        // hardly any text is a cursor: half of the requests come without
        return [name, name === 'cursor' ? fc.option(value, { nil: undefined, freq: 1 }) : value];
      }),
    );
  const optional = part('query').filter(({ required }) => !required);
  const query = fc.record(fields('query'), {
    requiredKeys: Object.keys(fields('query')).filter((name) => !optional.some((one) => one.name === name)),
  });
  const body = requestBody?.content?.['application/json']?.schema;
  return fc
    .record({
      inPath: fc.record(fields('path')),
      query,
      body: body === undefined ? fc.constant(undefined) : orJunk(drawnFrom(body), 20),
    })
    .map((asked) => {
      const search = Object.entries(asked.query)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `${name}=${encoded(value)}`)
        .join('&');
      const place = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
        encoded((asked.inPath as Record<string, unknown>)[name]),
      );
      return {
        operation,
        options: {
          method: method.toUpperCase() as 'GET',
          url: search === '' ? place : `${place}?${search}`,
          ...(asked.body !== undefined && {
            payload: JSON.stringify(asked.body),
            headers: { 'content-type': 'application/json' },
          }),
        },
      };
    });
}

/** As a careless client might: half of a surrogate pair is left out, since nothing can send it. */
function encoded(value: unknown): string {
  const plain = typeof value === 'string' ? value : String(JSON.stringify(value));
  return encodeURIComponent(plain.replaceAll(/\p{Surrogate}/gu, ''));
}

/** Asks, holds the answer against the document, and says what became of it. */
export async function holds(service: Service, document: Document, { operation, options }: Drawn): Promise<string> {
  const { status, headers, text: body, json } = await ask(service, options.url, options);
  const what = `${options.method} ${options.url} ${options.payload ?? ''}: ${status} ${body.slice(0, 500)}`;
  expect(status, what).not.toBe(500);
  expect(body, what).not.toMatch(/\bat .+\.[jt]s:\d+/);
  const response = operation.responses[status];
  if (response === undefined) {
    // a path that a client normalised or left a piece of out leads to another route, or to none
    expect(status, what).toBe(404);
    expect(json.detail).toMatch(/^(Nothing answers|There is no)/);
    return 'elsewhere';
  }
  const [[type, { schema }]] = Object.entries(response.content ?? {});
  expect(String(headers['content-type']), what).toContain(type);
  if (json !== undefined) expect(Value.Check(resolved(schema, document), json), what).toBe(true);
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
