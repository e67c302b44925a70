// Checks requests against their shapes. What comes by the URL is text and becomes numbers and booleans first, by strict rules:
// "5.5" is no whole number and "" is none at all. Bodies are JSON and are taken as they are. Defaults are filled in. No text may
// hold what no name can hold: NUL, or half of a surrogate pair, which no database takes.

import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import type { TSchema } from './typebox.ts';
import { Compile } from './typebox.ts';

interface Property {
  readonly type?: string;
  readonly default?: unknown;
}

const NUMBER = /^-?\d+(\.\d+)?(e[-+]?\d{1,3})?$/i;

export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const check = Compile(schema);
  const properties = Object.entries((schema as { properties?: Record<string, Property> }).properties ?? {});
  return (given: unknown): { value: unknown } | { error: FastifySchemaValidationError[] } => {
    const value = filled(given, properties, httpPart === 'body' ? asItIs : fromText);
    if (!check.Check(value)) return { error: check.Errors(value)[1] as FastifySchemaValidationError[] };
    const bad = badText(value);
    return bad === undefined
      ? { value }
      : { error: [{ keyword: 'text', schemaPath: '', instancePath: '', params: {}, message: bad }] };
  };
};

function filled(given: unknown, properties: [string, Property][], convert: typeof fromText): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const value: Record<string, unknown> = { ...given };
  for (const [name, property] of properties) {
    if (value[name] === undefined) {
      if (property.default !== undefined) value[name] = property.default;
    } else value[name] = convert(value[name], property.type);
  }
  return value;
}

function asItIs(value: unknown): unknown {
  return value;
}

function fromText(value: unknown, type: string | undefined): unknown {
  if ((type === 'integer' || type === 'number') && typeof value === 'string' && NUMBER.test(value))
    return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

/** What is wrong with the texts in a value. Its shape has been checked, so it is not deep. */
function badText(value: unknown): string | undefined {
  if (typeof value === 'string') {
    if (value.includes('\0')) return 'must not hold the character NUL';
    return isWellFormed(value) ? undefined : 'must not hold half of a surrogate pair';
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const part of Object.values(value)) {
    const bad = badText(part);
    if (bad !== undefined) return bad;
  }
  return undefined;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}
