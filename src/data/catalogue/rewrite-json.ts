// JSON Lines and JSON arrays with tags added: only the value that gains tags is written again, in the style around it, and
// everything else is copied, so the order of keys, numbers and indentation stay as they are.

import { isUtf8, utf8Text } from '#platform';
import { InputError } from '../../errors.ts';
import { joined } from '../table/source.ts';
import type { RowEdits } from './append-tags.ts';
import { Utf8Converter } from './encoding.ts';
import { editedObject } from './json-edits.ts';
import { elementsOf, membersOf, skipSpace, valueEnd } from './json-places.ts';
import { BLOCK_ROWS, decideRows, fileRow, type RowPlan, type TagAdder, type WaitingRow } from './rewrite.ts';
import { cellOf, isNested } from './value-cells.ts';

const [NEWLINE, OPEN_ARRAY, OPEN_OBJECT] = [0x0a, 0x5b, 0x7b];

/** Bytes to copy and the object behind them. */
interface RawObject {
  readonly before: Uint8Array;
  readonly bytes: Uint8Array; // of the object itself
  readonly waiting?: WaitingRow; // none where it is no object
}

/** One object a line. Nothing is held but the lines of one chunk. */
export async function* rewriteJsonLines(
  chunks: AsyncIterable<Uint8Array>,
  plan: RowPlan,
  adder: TagAdder,
): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array(0);
  let number = 0;
  const between = new TextEncoder().encode(plan.dialect.lineEnd);
  const rewritten = async (bytes: Uint8Array) => {
    const objects: RawObject[] = [];
    for (let at = 0; at < bytes.length; ) {
      const next = bytes.indexOf(NEWLINE, at) + 1 || bytes.length;
      const line = bytes.subarray(at, next);
      const start = skipSpace(line, 0);
      if (start < line.length) number++;
      const end = line[start] === OPEN_OBJECT ? valueEnd(line, start) : -1;
      const isObject = end >= 0 && skipSpace(line, end) === line.length;
      if (isObject) {
        objects.push(rawObject(plan, number, line.subarray(0, start), line.subarray(start, end)));
        objects.push({ before: line.subarray(end), bytes: new Uint8Array(0) });
      } else objects.push({ before: line, bytes: new Uint8Array(0) });
      at = next;
    }
    return rewriteObjects(objects, plan, adder, () => between);
  };
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : joined([rest, chunk]);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    rest = bytes.slice(end);
    if (end > 0) yield await rewritten(bytes.subarray(0, end));
  }
  if (rest.length > 0) yield await rewritten(rest);
}

/** The elements of one array. The bytes of the file are held, its objects some hundred at a time. */
export async function* rewriteJsonArray(
  chunks: AsyncIterable<Uint8Array>,
  plan: RowPlan,
  adder: TagAdder,
): AsyncGenerator<Uint8Array> {
  const held: Uint8Array[] = [];
  for await (const chunk of chunks) held.push(chunk);
  const bytes = joined(held);
  let objects: RawObject[] = [];
  let [at, number] = [0, 0];
  // what stands before an element: a comma and white space, or only white space before the first
  const separator = (before: Uint8Array) => {
    const text = utf8Text(before, 0, before.length);
    return new TextEncoder().encode(`,${/\s*$/.exec(text)?.[0] ?? ''}`);
  };
  for (const { start, end } of elementsOf(bytes, arrayStart(bytes, plan))) {
    if (end < 0) throw cutShort(plan.path);
    number++;
    objects.push(rawObject(plan, number, bytes.subarray(at, start), bytes.subarray(start, end)));
    at = end;
    if (objects.length < BLOCK_ROWS) continue;
    yield await rewriteObjects(objects, plan, adder, separator);
    objects = [];
  }
  yield await rewriteObjects(objects, plan, adder, separator);
  yield bytes.subarray(at);
}

function cutShort(file: string): InputError {
  const cure = 'The file was cut short, or a quote or bracket is not closed.';
  return new InputError({ file, got: 'JSON that ends inside its array', expected: 'a whole array', cure });
}

/** Where the array of rows begins. */
function arrayStart(bytes: Uint8Array, { dialect, path }: RowPlan): number {
  const first = skipSpace(bytes, 0);
  if (dialect.arrayName === '' && bytes[first] === OPEN_ARRAY) return first;
  if (bytes[first] === OPEN_OBJECT) {
    for (const { key, start } of membersOf(bytes, first)) {
      const isNamed = JSON.parse(utf8Text(bytes, key.start, key.end)) === dialect.arrayName;
      if (isNamed && bytes[start] === OPEN_ARRAY) return start;
    }
  }
  const cure = 'Write an array of objects, or one object a line.';
  throw new InputError({ file: path, got: 'JSON of another shape', expected: 'an array of objects', cure });
}

function rawObject(plan: RowPlan, number: number, before: Uint8Array, bytes: Uint8Array): RawObject {
  const value = parsed(bytes);
  if (value === undefined) return { before, bytes };
  const names = plan.roles.columns.map(({ name }) => name);
  const valueAt = (column: number) => (Object.hasOwn(value, names[column]) ? value[names[column]] : undefined);
  const cellAt = (column: number) => cellOf(valueAt(column));
  const isFixed = (column: number) => isNested(valueAt(column));
  return { before, bytes, waiting: { row: fileRow(plan, number, cellAt), cellAt, isFixed } };
}

/** The properties of an object; undefined where it is none. */
function parsed(bytes: Uint8Array): Record<string, unknown> | undefined {
  const text = isUtf8(bytes) ? bytes : new Utf8Converter('windows-1252').convert(bytes);
  try {
    const value: unknown = JSON.parse(utf8Text(text, 0, text.length));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined; // whoever reads the file says what is wrong with it
  }
}

async function rewriteObjects(
  objects: readonly RawObject[],
  plan: RowPlan,
  adder: TagAdder,
  separator: (before: Uint8Array) => Uint8Array,
): Promise<Uint8Array> {
  const rows = objects.flatMap(({ waiting }) => (waiting === undefined ? [] : [waiting]));
  const edits = await decideRows(plan, rows, adder);
  const byRow = new Map(rows.map((row, i) => [row, edits[i]]));
  return joined(
    objects.flatMap(({ before, bytes, waiting }) => {
      const edit = waiting && byRow.get(waiting);
      if (edit === undefined || edit.added.length === 0) return [before, bytes];
      return [before, ...edited(bytes, edit, plan, separator(before))];
    }),
  );
}

/** The object with its changed values, and objects of their own for tags that need them. */
function edited(bytes: Uint8Array, { edits, newRows }: RowEdits, plan: RowPlan, separator: Uint8Array): Uint8Array[] {
  const { columns, tags } = plan.roles;
  const isLegacy = plan.dialect.encoding === 'windows-1252';
  const own = edits.map(({ column, ...change }) => ({ name: columns[column].name, ...change }));
  const [{ column, style }] = tags;
  const repeated = newRows.map((tag) => {
    const text = style.hash ? `#${tag}` : tag;
    return [separator, editedObject(bytes, [{ name: columns[column].name, text }], isLegacy)];
  });
  return [editedObject(bytes, own, isLegacy), ...repeated.flat()];
}
