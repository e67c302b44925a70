// The OpenAPI document, made from the shapes that requests are checked against.

import { STATUS_CODES } from 'node:http';
import fastifySwagger from '@fastify/swagger';
import type { FastifySchema } from 'fastify';
import type { Need } from './access.ts';
import type { Api } from './api.ts';
import { VERSION } from './model.ts';

const DESCRIPTION = `Finds the tags objects are missing. Ids in paths are names as encodeURIComponent writes them. Long lists come in
pages: pass \`next\` as \`cursor\`. Errors are application/problem+json with a \`cure\`. Where the service has a token,
what writes needs it; where it has users, everything needs a token of one with the role that is named.
 Reads carry an ETag. Clients make something else of . and .. in paths: for objects so called, ask by
POST /v1/suggestions/batch.`;

export async function addDocument(app: Api): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'tagloom', version: VERSION, description: DESCRIPTION.replaceAll('\n', ' ') },
      servers: [{ url: '/' }],
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `shape-${i}`) },
    transform: ({ schema, url, route }) => {
      const { need = 'open' } = route.config ?? {};
      return { url, schema: { ...withDefaultsOptional(schema ?? {}), ...accessTo(need) } };
    },
    transformObject: (made) => ('openapiObject' in made ? withDescriptions(made.openapiObject) : made.swaggerObject),
  });
}

/** What a route needs, for people and for programs. */
function accessTo(need: Need): object {
  if (need === 'open') return { description: 'Anyone may ask.', 'x-role': need };
  const description = `Needs the role ${need}, where the service knows people.`;
  return { description, 'x-role': need, security: [{}, { token: [] }] };
}

/** Of answers that do not say what they are. */
function withDescriptions<Document extends { paths?: unknown }>(document: Document): Document {
  const filled = JSON.stringify(document.paths, (key, value) =>
    value?.description === 'Default Response' ? { ...value, description: STATUS_CODES[key] } : value,
  );
  return { ...document, paths: JSON.parse(filled) };
}

/** What has a default may be left out; it is filled in before requests are checked (validation.ts). */
function withDefaultsOptional(schema: FastifySchema): FastifySchema {
  const { querystring, body } = schema;
  return {
    ...schema,
    ...(isShape(querystring) && { querystring: optional(querystring) }),
    ...(isShape(body) && { body: optional(body) }),
  };
}

interface Shape {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, { readonly default?: unknown }>>;
}

function isShape(schema: unknown): schema is Shape {
  return typeof schema === 'object' && schema !== null && 'required' in schema && 'properties' in schema;
}

function optional(shape: Shape): Shape {
  return { ...shape, required: shape.required.filter((name) => shape.properties[name].default === undefined) };
}
