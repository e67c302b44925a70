// Objects described in JSON, a line each: what a line may hold, and the suggestions for one. A line that cannot be understood has
// an answer that says why, so that answers and lines stay in step.

import { cleanName } from '../../data/name.ts';
import type { Line } from '../../data/table/lines.ts';
import { InputError } from '../../errors.ts';
import { type Listener, makeBreather } from '../../listener.ts';
import { type Amendments, NO_AMENDMENTS } from '../recommend/amendments.ts';
import type { NamedFacts, Recommender, Suggestion, SuggestOptions } from '../recommend/recommender.ts';

/** What a line says about an object. */
export interface DescribedItem {
  /** As it was given. */
  readonly id?: string | number;
  readonly facts: NamedFacts;
  /** Whether it has a title or a text. */
  readonly isDescribed: boolean;
}

/** What became of a line. */
export interface ItemAnswer {
  readonly id?: string | number;
  /** From 1; of an object without an id, and of one with an error. */
  readonly line?: number;
  readonly suggestions?: readonly Suggestion[];
  /** Why there are no suggestions. */
  readonly error?: string;
}

/** One answer for each line, in their order, each as soon as its line was read. */
export async function* suggestToLines(
  recommender: Recommender,
  lines: AsyncIterable<Line>,
  options: SuggestOptions,
  listener: Listener = {},
  amendments = NO_AMENDMENTS,
): AsyncGenerator<ItemAnswer> {
  const breathe = makeBreather(listener);
  const columns = recommender.model.graph.texts.map(({ name }) => name);
  for await (const { text, number } of lines) {
    await breathe();
    let id: string | number | undefined;
    try {
      const value = parsed(text);
      id = idOf(value);
      const item = itemOf(value, columns);
      const name = id === undefined ? { line: number } : { id };
      yield { ...name, suggestions: await suggestToItem(recommender, item, options, amendments) };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      yield { ...(id !== undefined && { id }), line: number, error: error.message };
    }
  }
}

/** An object that the model knows by its id needs no words: then the model's own facts count, and the tags of the line too. */
async function suggestToItem(
  recommender: Recommender,
  { id, facts, isDescribed }: DescribedItem,
  options: SuggestOptions,
  amendments: Amendments,
): Promise<Suggestion[]> {
  const { objects, tags } = recommender.model.graph;
  const known = options.rules ?? tags;
  const object = id === undefined || isDescribed ? -1 : objects.idOf(cleanName(String(id)));
  if (object < 0) {
    if (isDescribed || facts.tags || facts.users || facts.features) return recommender.suggestFor(facts, options);
    const expected =
      id === undefined ? 'a title, a text or tags' : 'the id of an object of the model, or a title or a text';
    throw new InputError({ got: id === undefined ? 'none of them' : `only the id ${id}`, expected, cure: 'Add one.' });
  }
  const before = amendments.get(object) ?? { added: new Int32Array(0), rejected: new Int32Array(0) };
  const given = facts.tags?.map((tag) => known.idOf(tag)).filter((tag) => tag >= 0) ?? [];
  const added = Int32Array.from(new Set([...before.added, ...given])).sort();
  return recommender.suggest(object, options, new Map([[object, { ...before, added }]]));
}

type Fields = Readonly<Record<string, unknown>>;

function parsed(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const cure = 'Write {"title": "…", "text": "…"} on a line.';
    throw new InputError({ got: shown(text), expected: 'an object as JSON', cure });
  }
  if (isFields(value)) return value;
  const cure = 'Write {"title": "…", "text": "…"} on a line.';
  throw new InputError({ got: shown(text), expected: 'an object as JSON', cure });
}

/** What the fields of an object mean to a model with these text columns; fields of other names are passed over. */
export function itemOf(fields: Fields, columns: readonly string[]): DescribedItem {
  const id = idOf(fields);
  const title = textIn(fields, 'title');
  const texts = textsIn(fields, columns);
  const [tags, users] = [namesIn(fields, 'tags'), namesIn(fields, 'users')];
  const features = featuresIn(fields);
  return {
    ...(id !== undefined && { id }),
    // as in training: an object without a title is called by its id
    facts: {
      title: title ?? (id === undefined ? undefined : String(id)),
      text: texts,
      ...(tags && { tags }),
      ...(users && { users }),
      ...(features && { features }),
    },
    isDescribed: title !== undefined || texts !== undefined,
  };
}

function idOf({ id }: Fields): string | number | undefined {
  if (id === undefined || id === null || typeof id === 'string' || typeof id === 'number') return id ?? undefined;
  throw new InputError({ got: `the id ${shown(id)}`, expected: 'a text or a number', cure: 'Mend the line.' });
}

/** By column; `text` goes to the first column, and may itself be an object of columns. */
function textsIn(fields: Fields, columns: readonly string[]): Record<string, string> | undefined {
  const found: Record<string, string> = {};
  const { text } = fields;
  if (isFields(text)) {
    for (const name of Object.keys(text)) found[name] = textIn(text, name) ?? '';
  } else if (text !== undefined && !columns.includes('text')) {
    const first = textIn(fields, 'text');
    if (first !== undefined) found[columns.at(0) ?? 'text'] = first;
  }
  for (const name of columns) {
    const own = isFields(fields[name]) ? undefined : textIn(fields, name);
    if (own !== undefined) found[name] = own;
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

function textIn(fields: Fields, name: string): string | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw new InputError({ got: `the ${name} ${shown(value)}`, expected: 'a text', cure: 'Mend the line.' });
}

function namesIn(fields: Fields, name: string): string[] | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  const list = typeof value === 'string' ? value.split(',') : value;
  const isName = (one: unknown) => typeof one === 'string' || typeof one === 'number';
  if (Array.isArray(list) && list.every(isName)) {
    return list.map((one) => cleanName(String(one))).filter((one) => one !== '');
  }
  const cure = `Write "${name}": ["one", "two"].`;
  throw new InputError({ got: `the ${name} ${shown(value)}`, expected: 'a list of names', cure });
}

function featuresIn({ features }: Fields): Record<string, number> | undefined {
  if (features === undefined || features === null) return undefined;
  const isNumber = (one: unknown) => typeof one === 'number';
  if (isFields(features) && Object.values(features).every(isNumber)) return features as Record<string, number>;
  const cure = 'Write "features": {"length": 12}.';
  throw new InputError({ got: `the features ${shown(features)}`, expected: 'numbers by name', cure });
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
