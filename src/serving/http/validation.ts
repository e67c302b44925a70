// Checks requests against their shapes. What comes by the URL is text and becomes numbers and booleans first, by strict rules:
// "5.5" is no whole number and "" is none at all. Bodies are JSON and are taken as they are. Defaults are filled in. No text may
// hold what no name can hold: NUL, or half of a surrogate pair, which no database takes.

import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import type { TSchema } from './typebox.ts';
import { Compile } from './typebox.ts';

interface Property {
  readonly type?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
}

interface ObjectShape {
  readonly properties?: Fields;
}

/** The fields of an object, by name. */
export type Fields = Readonly<Record<string, Property>>;

const NUMBER = /^-?\d+(\.\d+)?(e[-+]?\d{1,3})?$/i;

export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  // when it is first asked: compiling all shapes would take a tenth of every start
  let compiled: ReturnType<typeof Compile> | undefined;
  const properties = Object.entries((schema as ObjectShape).properties ?? {});
  return (given: unknown): { value: unknown } | { error: FastifySchemaValidationError[] } => {
    const value = filled(given, properties, httpPart === 'body' ? asItIs : fromText);
    compiled ??= Compile(schema);
    const check = compiled;
    if (!check.Check(value)) {
      const errors = check.Errors(value)[1] as FastifySchemaValidationError[];
      return { error: closest(errors).map((error) => withShape(error, schema)) };
    }
    const bad = badText(value);
    return bad === undefined ? { value } : { error: [{ keyword: 'text', schemaPath: '', params: {}, ...bad }] };
  };
};

/** Where a value fits none of several shapes: what keeps it from the one of its type, or the types it may have. */
function closest(errors: readonly FastifySchemaValidationError[]): FastifySchemaValidationError[] {
  const union = errors.find(({ keyword }) => keyword === 'anyOf');
  if (union === undefined) return [...errors];
  const isInside = ({ schemaPath }: FastifySchemaValidationError) =>
    schemaPath.startsWith(`${union.schemaPath}/anyOf/`);
  const isOfType = ({ keyword, instancePath }: FastifySchemaValidationError) =>
    keyword === 'type' && instancePath === union.instancePath;
  const inside = errors.filter(isInside);
  const near = inside.filter((error) => !isOfType(error));
  const types = inside.filter(isOfType).map(({ params }) => params.type);
  const reasons = near.length > 0 ? near : [{ ...union, message: `must be ${types.join(' or ')}` }];
  return [...reasons, ...errors.filter((error) => error !== union && !isInside(error))];
}

/** An error about fields, with those that the shape around them has. */
function withShape(error: FastifySchemaValidationError, schema: unknown): FastifySchemaValidationError {
  if (error.keyword !== 'additionalProperties' && error.keyword !== 'required') return error;
  const steps = error.schemaPath.split('/').slice(1);
  const shape = steps.reduce<unknown>((part, step) => (part as Record<string, unknown> | undefined)?.[step], schema);
  return { ...error, params: { ...error.params, fields: (shape as ObjectShape | undefined)?.properties ?? {} } };
}

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

type BadText = Required<Pick<FastifySchemaValidationError, 'instancePath' | 'message'>>;

/** What is wrong with the texts in a value, and where. Its shape has been checked, so it is not deep. */
function badText(value: unknown, instancePath = ''): BadText | undefined {
  if (typeof value === 'string') {
    if (value.includes('\0')) return { instancePath, message: 'must not hold the character NUL' };
    return isWellFormed(value) ? undefined : { instancePath, message: 'must not hold half of a surrogate pair' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, part] of Object.entries(value)) {
    const bad = badText(part, `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    if (bad !== undefined) return bad;
  }
  return undefined;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}
