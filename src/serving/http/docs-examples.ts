// Examples for the reference: a value for any shape of the OpenAPI document, and the command that asks for an operation. Values
// are found by the name of the field, so that all examples tell of the same objects, and else by the type.

/** The part of an OpenAPI document that the reference shows. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Shape>> };
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly 'x-role'?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Shape }>> };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: Shape;
}

export interface Response {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: Shape }>>;
}

export interface Shape {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly patternProperties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
  readonly required?: readonly string[];
}

/** Values by name of the field; by "Shape.field" where a name has two meanings. */
const VALUES: Readonly<Record<string, unknown>> = {
  id: 'react-dom',
  'Review.id': '42',
  object: 'react-dom',
  objects: ['react-dom', 'vue'],
  title: 'react-dom',
  tag: 'ui',
  tags: ['react', 'ui'],
  users: ['ann'],
  reviewId: '42',
  'VocabularyChange.id': '7',
  summary: 'merge user-interface into ui',
  into: ['interface'],
  document: '# the text of thesaurus.ttl',
  curator: 'Eve',
  query: 'react',
  text: 'Renders React components to the DOM.',
  word: 'components',
  features: { size: 0.3 },
  texts: { description: 'Renders React components to the DOM.' },
  settings: { neighbours: 200 },
  metrics: { 'NDCG@10': 0.61 },
  name: 'loom',
  'Model.version': '0.1.0',
  'Model.numObjects': 9072,
  'Model.numTags': 2841,
  'Model.numUsers': 8825,
  'Model.numTagged': 45_310,
  'Model.numInteractions': 90_052,
  'Problem.type': 'urn:tagloom:not-found',
  'Problem.title': 'Not Found',
  'Problem.status': 404,
  detail: 'There is no object "raect-dom".',
  cure: 'Look for it: GET /v1/objects?query=raect-dom',
  fingerprint: '9f2c41d07be8a6530c1d9e4f8a7b6c52',
  link: 'https://www.npmjs.com/package/react-dom',
  image: 'https://example.org/react-dom.png',
  next: 'WyJvYmplY3RzIiwyMF0',
  column: 'description',
  note: 'Only the browser build.',
  since: '2025-11-03T00:00:00.000Z',
  decidedAt: '2025-11-03T09:30:00.000Z',
  loadedAt: '2025-11-03T09:00:00.000Z',
  confidence: 0.87,
  score: 3.412,
  similarity: 0.64,
  unknownTags: [],
  unknownUsers: [],
  unknownColumns: [],
  allow: ['ui', 'dom'],
  deny: ['deprecated'],
  textColumns: ['description'],
};
/** What "id" is in the paths of some groups of operations. */
const OWN_IDS: Readonly<Record<string, string>> = { reviews: 'Review.id', vocabulary: 'VocabularyChange.id' };
/** Left out of examples: they would only say what the default is, or need an answer first. */
const LEFT_OUT = new Set([
  ...['cursor', 'novelty', 'features', 'allow', 'deny', 'problem', 'users', 'after', 'without'],
  ...['takeOff', 'assigned'],
]);
const MAX_DEPTH = 6;

/** A value of a shape as an answer may have it. */
export function exampleOf(shape: Shape, document: OpenApi, field = '', depth = 0): unknown {
  const name = shape.$ref?.split('/').at(-1);
  if (name !== undefined) return exampleOf(document.components.schemas[name] ?? {}, document, name, depth);
  if (shape.examples !== undefined) return shape.examples[0];
  const known = VALUES[field] ?? VALUES[field.slice(field.indexOf('.') + 1)];
  if (known !== undefined && isFor(known, shape)) return known;
  if (shape.format === 'date-time') return VALUES.since;
  if (shape.default !== undefined) return shape.default;
  if (shape.enum !== undefined) return shape.enum[0];
  if (shape.anyOf !== undefined) return exampleOf(shape.anyOf[0], document, field, depth);
  if (shape.type === 'array') {
    return depth > MAX_DEPTH ? [] : [exampleOf(shape.items ?? {}, document, field.replace(/s$/, ''), depth + 1)];
  }
  if (shape.type === 'object') return objectOf(shape, document, field, depth);
  if (shape.type === 'integer') return 12;
  if (shape.type === 'number') return 0.42;
  if (shape.type === 'boolean') return true;
  return shape.type === 'string' ? 'text' : {};
}

function isFor(value: unknown, { type }: Shape): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer' || type === 'number') return typeof value === 'number';
  if (type === 'string') return typeof value === 'string';
  return type === undefined ? typeof value === 'string' : typeof value === 'object' && !Array.isArray(value);
}

function objectOf({ properties = {} }: Shape, document: OpenApi, owner: string, depth: number): unknown {
  const scope = /^[A-Z]\w*$/.test(owner) ? owner : '';
  const fields = Object.entries(properties).filter(([name]) => !LEFT_OUT.has(name));
  return Object.fromEntries(
    fields.map(([name, part]) => [
      name,
      exampleOf(part, document, scope === '' ? name : `${scope}.${name}`, depth + 1),
    ]),
  );
}

export interface Asked {
  readonly base: string;
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
  readonly isGuarded: boolean;
}

/** The command that asks for an operation. */
export function curlOf({ base, path, method, operation, isGuarded }: Asked, document: OpenApi): string {
  const { parameters = [], requestBody } = operation;
  const given = ({ name, schema, example }: Parameter) => {
    if (example !== undefined) return encodeURIComponent(String(example));
    const owner = name === 'id' ? (OWN_IDS[operation.tags?.[0] ?? ''] ?? name) : name;
    return encodeURIComponent(String(exampleOf(schema, document, owner)));
  };
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    return parameter === undefined ? name : given(parameter);
  });
  const query = parameters
    .filter((one) => one.in === 'query' && !LEFT_OUT.has(one.name))
    .map((one) => `${one.name}=${one.name === 'minConfidence' ? 0.5 : given(one)}`);
  const url = `${base}${place}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  const shape = requestBody?.content['application/json']?.schema;
  const parts = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'${url}'`,
    ...(isGuarded && (method !== 'get' || !['open', 'read'].includes(operation['x-role'] ?? 'open'))
      ? [`-H "Authorization: Bearer $TAGLOOM_TOKEN"`]
      : []),
    ...(shape === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(bodyOf(shape, document))}'`]),
  ];
  return parts.join(' \\\n  ');
}

/** What is asked for, without fields that are as their defaults say. */
function bodyOf(shape: Shape, document: OpenApi): unknown {
  const whole = exampleOf(shape, document) as Record<string, unknown>;
  const { properties = {} } = shape;
  const isPlain = (name: string) => properties[name]?.default === undefined && name !== 'minConfidence';
  return Object.fromEntries(Object.entries(whole).filter(([name]) => isPlain(name) || name === 'limit'));
}
