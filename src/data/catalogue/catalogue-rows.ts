// A catalogue file, opened: how it is written, the names of its columns, a sample of its cells, and all its rows in order. The file
// is read once, from front to back, so that a pipe will do: its beginning is kept until the columns are understood. Rows that are
// no rows (another number of fields, JSON that is none) are left out and counted; where most are, the file is not what it seems.

import { basename } from '#platform';
import { type Listener, makeBreather } from '../../listener.ts';
import { readParquetRows } from '../table/parquet.ts';
import { joined, nameOf, readChunks, type Source } from '../table/source.ts';
import { type Cell, textOf } from './column-look.ts';
import { DelimitedRows } from './delimited-rows.ts';
import { type Dialect, type DialectHints, detectDialect } from './dialect.ts';
import { Utf8Converter } from './encoding.ts';
import { JsonRows } from './json-rows.ts';
import type { CatalogueRow, RowCutter } from './row-cutter.ts';
import { cellOf } from './value-cells.ts';

export interface OpenCatalogue {
  readonly dialect: Dialect;
  readonly names: readonly string[];
  /** By column, the cells of the first rows. */
  readonly sample: readonly (readonly Cell[])[];
  /** Calls back for each row; how many there are, those left out included. */
  read(onRow: (row: CatalogueRow) => void): Promise<number>;
  /** For whoever does not read it. */
  close(): Promise<unknown>;
}

export interface OpenOptions extends Listener, Pick<DialectHints, 'columns' | 'format'> {}

const MIN_SAMPLE_BYTES = 1 << 21;
const MAX_SAMPLE_BYTES = 1 << 26;
const MIN_SAMPLE_ROWS = 20;
const MAX_SAMPLE_ROWS = 2000;

/** Opens a catalogue: a path, "-" for standard input, or a file that a person gave to a page. */
export async function openCatalogue(source: Source, options: OpenOptions = {}): Promise<OpenCatalogue> {
  const path = source === '-' ? 'standard input' : nameOf(source);
  let gzipped = false;
  const chunks = readChunks(source, {
    ...options,
    mayBePipe: true,
    onOpen: (about) => {
      gzipped = about.gzipped;
    },
  });
  const head: Uint8Array[] = [];
  for (let wanted = MIN_SAMPLE_BYTES; ; wanted *= 4) {
    const isWhole = await fill(head, chunks, wanted);
    const bytes = joined(head);
    const dialect = detectDialect(bytes, path, { ...options, gzipped });
    if (dialect.kind === 'parquet') return openParquet(path, dialect, await rest(head, chunks), options);
    const { names, rows } = sampleOf(path, dialect, bytes, isWhole);
    if (rows.length < MIN_SAMPLE_ROWS && !isWhole && wanted < MAX_SAMPLE_BYTES) continue;
    const read = (onRow: (row: CatalogueRow) => void) =>
      readText(path, dialect, names, { head, chunks }, onRow, options);
    const sample = names.map((_, c) => rows.map((row) => row[c] ?? ''));
    return { dialect, names, sample, read, close: () => chunks.return(undefined) };
  }
}

/** Reads until there are so many bytes; whether that is the whole file. */
async function fill(head: Uint8Array[], chunks: AsyncGenerator<Uint8Array>, wanted: number): Promise<boolean> {
  let size = head.reduce((sum, { length }) => sum + length, 0);
  while (size < wanted) {
    const next = await chunks.next();
    if (next.done) return true;
    head.push(next.value);
    size += next.value.length;
  }
  return false;
}

async function rest(head: Uint8Array[], chunks: AsyncGenerator<Uint8Array>): Promise<Uint8Array> {
  for await (const chunk of chunks) head.push(chunk);
  return joined(head.splice(0));
}

function sampleOf(path: string, dialect: Dialect, bytes: Uint8Array, isWhole: boolean) {
  const rows: Cell[][] = [];
  const cutter = cutterOf(path, dialect);
  const onRow = (row: CatalogueRow) => {
    if (rows.length < MAX_SAMPLE_ROWS) rows.push(cutter.names.map((_, c) => row.cell(c)));
  };
  const converter = new Utf8Converter(dialect.encoding);
  cutter.push(converter.convert(bytes), onRow);
  if (isWhole) cutter.push(converter.finish(), onRow);
  cutter.finish(onRow, isWhole);
  return { names: cutter.names, rows };
}

interface Text {
  /** What was read already; empties itself. */
  readonly head: Uint8Array[];
  readonly chunks: AsyncGenerator<Uint8Array>;
}

async function readText(
  path: string,
  dialect: Dialect,
  names: readonly string[],
  { head, chunks }: Text,
  onRow: (row: CatalogueRow) => void,
  options: Listener,
): Promise<number> {
  const converter = new Utf8Converter(dialect.encoding);
  const cutter = cutterOf(path, dialect, names);
  const breathe = makeBreather(options);
  for (const chunk of head.splice(0)) {
    await breathe();
    cutter.push(converter.convert(chunk), onRow);
  }
  for await (const chunk of chunks) {
    await breathe();
    cutter.push(converter.convert(chunk), onRow);
  }
  cutter.push(converter.finish(), onRow);
  cutter.finish(onRow, true);
  cutter.report(options);
  const bad = converter.numBadLines;
  if (bad > 0) {
    const lines = bad === 1 ? '1 line that is' : `${bad.toLocaleString('en')} lines that are`;
    options.warn?.(`${basename(path)}: read ${lines} not UTF-8 as Windows-1252 (Latin-1).`);
  }
  return cutter.numRows;
}

function cutterOf(path: string, dialect: Dialect, names: readonly string[] = []): RowCutter {
  return dialect.kind === 'delimited' ? new DelimitedRows(path, dialect) : new JsonRows(path, dialect, names);
}

async function openParquet(
  path: string,
  dialect: Dialect,
  bytes: Uint8Array,
  options: Listener,
): Promise<OpenCatalogue> {
  const table = await readParquetRows(path, bytes, options);
  const first = await table.read(0, Math.min(table.numRows, MAX_SAMPLE_ROWS));
  const sample = first.map((column) => Array.from(column, cellOf));
  return {
    dialect,
    names: table.names,
    sample,
    close: async () => {},
    read: async (onRow) => {
      const breathe = makeBreather(options);
      for (const [start, end] of table.batches) {
        const columns = await table.read(start, end);
        for (let r = 0; r < end - start; r++) {
          if (r % 1024 === 0) await breathe();
          const cell = (column: number) => cellOf(columns[column][r]);
          const putText: CatalogueRow['putText'] = (column, store, object) =>
            store.put(object, textOf(cell(column)).trim(), 'first');
          onRow({ number: start + r + 1, cell, putText });
        }
        options.progress?.(`reading ${basename(path)}`, end, table.numRows);
      }
      return table.numRows;
    },
  };
}
