// Delimited text with tags added: every byte that is no part of a changed cell is copied, so quoting, line breaks, blank lines and
// what is wrong with other cells stay as they are. A changed cell has quotes where it had them or needs them now.

import { isUtf8 } from '#platform';
import { joined } from '../table/source.ts';
import type { CellAt, RowEdits } from './append-tags.ts';
import { encodeText, Utf8Converter } from './encoding.ts';
import { formatField, RecordScanner } from './records.ts';
import { decideRows, fileRow, type RowPlan, type TagAdder, type WaitingRow } from './rewrite.ts';

const QUOTE = 0x22;

/** A record as it stands in the file, with the bounds of its fields in it. */
interface RawRecord {
  readonly bytes: Uint8Array;
  readonly fieldStart: Int32Array;
  readonly fieldEnd: Int32Array;
  readonly waiting?: WaitingRow; // of a row of data
}

/** The text with tags added. Nothing is held but the rows of one chunk. */
export async function* rewriteDelimited(
  chunks: AsyncIterable<Uint8Array>,
  plan: RowPlan,
  adder: TagAdder,
): AsyncGenerator<Uint8Array> {
  for await (const records of recordsOf(chunks, plan)) {
    const rows = records.flatMap(({ waiting }) => (waiting === undefined ? [] : [waiting]));
    const edits = await decideRows(plan, rows, adder);
    const byRow = new Map(rows.map((row, i) => [row, edits[i]]));
    const pieces = records.flatMap((record) => {
      const edit = record.waiting && byRow.get(record.waiting);
      return edit === undefined || edit.added.length === 0 ? [record.bytes] : edited(record, edit, plan);
    });
    yield joined(pieces);
  }
}

/** Everything in the file as records, those of a chunk at a time; what is no row of data is passed on as it is. */
async function* recordsOf(chunks: AsyncIterable<Uint8Array>, plan: RowPlan): AsyncGenerator<RawRecord[]> {
  const { dialect, path, roles } = plan;
  const scanner = new RecordScanner(path, dialect);
  let records: RawRecord[] = [];
  let [number, numPushed, numTaken] = [dialect.hasHeader ? -1 : 0, 0, 0];
  let header: Uint8Array | undefined;
  const take = () => {
    // finish() adds a line break that the file does not have
    const end = Math.min(scanner.next, scanner.start + numPushed - numTaken);
    numTaken += scanner.next - scanner.start;
    return scanner.bytes.slice(scanner.start, end);
  };
  scanner.onBlank = () => records.push(passedOn(take()));
  const onRecord = () => {
    number++;
    if (number === 0) header = scanner.bytes.slice(scanner.start, scanner.end);
    const isHeader = header !== undefined && scanner.isSame(header);
    if (isHeader || !isRow(scanner, roles.columns.length)) {
      records.push(passedOn(take()));
      return;
    }
    const bounds = (places: Int32Array) => places.slice(0, scanner.numFields).map((place) => place - scanner.start);
    const [fieldStart, fieldEnd] = [bounds(scanner.fieldStart), bounds(scanner.fieldEnd)];
    const cellAt = cellsOf(scanner, plan);
    const waiting = { row: fileRow(plan, number, cellAt), cellAt };
    records.push({ bytes: take(), fieldStart, fieldEnd, waiting });
  };
  for await (const chunk of chunks) {
    numPushed += chunk.length;
    scanner.push(chunk, onRecord);
    yield records;
    records = [];
  }
  scanner.finish(onRecord);
  yield records;
}

/** As whoever reads the file sees it: delimiters at the end, with nothing between, do not count. */
function isRow({ numFields, fieldStart, fieldEnd }: RecordScanner, numColumns: number): boolean {
  for (let field = numColumns; field < numFields; field++) if (fieldEnd[field] > fieldStart[field]) return false;
  return numFields >= numColumns;
}

function passedOn(bytes: Uint8Array): RawRecord {
  return { bytes, fieldStart: new Int32Array(0), fieldEnd: new Int32Array(0) };
}

/** The wanted cells of the current record, as texts. */
function cellsOf(scanner: RecordScanner, { roles, path, dialect }: RowPlan): CellAt {
  const wanted = [roles.id, roles.title, ...roles.texts, ...roles.tags.map(({ column }) => column)];
  const texts = new Map<number, string>();
  const read = (source: RecordScanner) => {
    for (const column of wanted) if (column >= 0) texts.set(column, source.fieldText(column));
  };
  const record = scanner.bytes.subarray(scanner.start, scanner.next);
  const isAscii = dialect.encoding === 'windows-1252' && !record.some((byte) => byte >= 0x80);
  if (isAscii || (dialect.encoding !== 'windows-1252' && isUtf8(record))) read(scanner);
  else {
    const converted = new RecordScanner(path, dialect);
    converted.push(new Utf8Converter('windows-1252').convert(record), () => read(converted));
  }
  return (column) => texts.get(column) ?? '';
}

/** The record with its changed cells, and rows of their own for tags that need them. */
function edited(record: RawRecord, { edits, newRows }: RowEdits, { dialect, roles }: RowPlan): Uint8Array[] {
  const encoding = dialect.encoding === 'windows-1252' ? 'windows-1252' : 'utf-8';
  const changed = (texts: ReadonlyMap<number, string>) => {
    const pieces: Uint8Array[] = [];
    let at = 0;
    for (let column = 0; column < record.fieldStart.length; column++) {
      const text = texts.get(column);
      if (text === undefined) continue;
      const [start, end] = [record.fieldStart[column], record.fieldEnd[column]];
      const isQuoted = dialect.quotes && end > start && record.bytes[start] === QUOTE;
      pieces.push(record.bytes.subarray(at, start), encodeText(formatField(text, dialect, isQuoted), encoding));
      at = end;
    }
    return [...pieces, record.bytes.subarray(at)];
  };
  const own = changed(new Map(edits.map(({ column, text = '' }) => [column, text])));
  if (newRows.length === 0) return own;
  const hasEnd = record.bytes.length > record.fieldEnd[record.fieldEnd.length - 1];
  const lineEnd = new TextEncoder().encode(hasEnd ? '' : dialect.lineEnd);
  const [{ column, style }] = roles.tags;
  const rows = newRows.map((tag) => changed(new Map([[column, style.hash ? `#${tag}` : tag]])));
  return [...own, ...rows.flatMap((row) => [lineEnd, ...row])];
}
