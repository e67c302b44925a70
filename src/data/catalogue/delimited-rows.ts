// Delimited text as rows. Rows with another number of fields are left out and counted; where most are, the file is not what it seems.

import { basename } from '#platform';
import { InputError } from '../../errors.ts';
import type { Listener } from '../../listener.ts';
import type { TextStore } from '../text-store.ts';
import { isKnownName } from './column-names.ts';
import { DELIMITER_NAMES, type Dialect } from './dialect.ts';
import { RecordScanner } from './records.ts';
import { type CatalogueRow, type RowCutter, warnCut } from './row-cutter.ts';

export class DelimitedRows implements RowCutter, CatalogueRow {
  names: readonly string[] = [];
  number = 0;
  readonly #path: string;
  readonly #dialect: Dialect;
  readonly #scanner: RecordScanner;
  #preamble: number; // bytes of it that are still to come
  #isFirst = true;
  #header: Uint8Array | undefined;
  #numHeaders = 0; // below the first one, where files were put together
  #numRagged = 0;
  #firstRagged = '';
  #laterHeader = 0; // the line of the first ragged row, where it has names that columns have

  constructor(path: string, dialect: Dialect) {
    this.#path = path;
    this.#dialect = dialect;
    this.#scanner = new RecordScanner(path, dialect);
    this.#preamble = dialect.preamble.length;
    if (this.#preamble > 0) this.#scanner.line++;
  }

  get numRows(): number {
    return this.number;
  }

  cell(column: number): string {
    return column < this.#scanner.numFields ? this.#scanner.fieldText(column) : '';
  }

  /** Without making a string of it, where the file has it as it is. */
  putText(column: number, store: TextStore, object: number): void {
    const scanner = this.#scanner;
    const { bytes } = scanner;
    if (column >= scanner.numFields) return;
    const isCopied = scanner.hasPlainBytes(column);
    let [start, end] = [scanner.spanStart, scanner.spanEnd];
    while (start < end && isSpace(bytes[start])) start++;
    while (end > start && isSpace(bytes[end - 1])) end--;
    // other white space of Unicode is for strings to find
    const isTrimmed = isCopied && (start === end || (bytes[start] < 0x80 && bytes[end - 1] < 0x80));
    if (isTrimmed) store.putBytes(object, bytes, start, end, 'first');
    else store.put(object, scanner.fieldText(column).trim(), 'first');
  }

  push(bytes: Uint8Array, onRow: (row: CatalogueRow) => void): void {
    const skipped = Math.min(this.#preamble, bytes.length);
    this.#preamble -= skipped;
    this.#scanner.push(skipped > 0 ? bytes.subarray(skipped) : bytes, () => this.#onRecord(onRow));
  }

  finish(onRow: (row: CatalogueRow) => void, isWhole: boolean): void {
    this.#scanner.finish(() => this.#onRecord(onRow), isWhole);
  }

  report(options: Listener): void {
    const { numCut } = this.#scanner;
    const [number, ragged] = [this.number.toLocaleString('en'), this.#numRagged.toLocaleString('en')];
    const expected = `${this.names.length === 1 ? '1 field' : `${this.names.length} fields`}, as the first row has`;
    const mark = DELIMITER_NAMES[this.#dialect.delimiter] ?? `"${this.#dialect.delimiter}"`;
    if (this.#numRagged > this.number / 2) {
      throw new InputError({
        file: this.#path,
        got: `${ragged} of ${number} rows with another number of fields (${this.#firstRagged})`,
        expected,
        cure:
          this.#laterHeader > 0
            ? `The header seems to be on line ${this.#laterHeader}: remove the lines above it.`
            : `Put fields that contain ${mark} in quotes, or check that ${mark} separate the fields.`,
      });
    }
    if (this.#numRagged > 0) {
      const rows = this.#numRagged === 1 ? '1 row' : `${ragged} of ${number} rows`;
      options.warn?.(
        `${basename(this.#path)}: left out ${rows} that did not have ${expected}; the first has ${this.#firstRagged}. Put fields that contain ${mark} or a line break in quotes.`,
      );
    }
    if (this.#numHeaders > 0) {
      const rows = this.#numHeaders === 1 ? '1 row that repeats' : `${this.#numHeaders} rows that repeat`;
      options.warn?.(`${basename(this.#path)}: left out ${rows} the header.`);
    }
    if (numCut > 0) warnCut(this.#path, numCut, options);
  }

  #onRecord(onRow: (row: CatalogueRow) => void): void {
    const scanner = this.#scanner;
    if (this.#isFirst) {
      this.#isFirst = false;
      this.names = columnNames(scanner.fieldTexts(), this.#dialect.hasHeader);
      if (this.#dialect.hasHeader) {
        this.#header = scanner.bytes.slice(scanner.start, scanner.end);
        return;
      }
    }
    this.number++;
    if (this.#header !== undefined && scanner.isSame(this.#header)) this.#numHeaders++;
    else if (scanner.numFields === this.names.length || this.#hasBlankRest()) onRow(this);
    else if (this.#numRagged++ === 0) {
      this.#firstRagged = `${scanner.numFields} on line ${scanner.line}`;
      if (scanner.fieldTexts().some(isKnownName)) this.#laterHeader = scanner.line;
    }
  }

  /** Delimiters at the end of a row, with nothing between. */
  #hasBlankRest(): boolean {
    const scanner = this.#scanner;
    if (scanner.numFields < this.names.length) return false;
    for (let f = this.names.length; f < scanner.numFields; f++) {
      if (scanner.fieldEnd[f] > scanner.fieldStart[f]) return false;
    }
    return true;
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/** Names that are not blank and not the same twice. */
function columnNames(header: readonly string[], isHeader: boolean): string[] {
  const names: string[] = [];
  for (const [c, cell] of header.entries()) {
    const name = (isHeader && cell.trim()) || `column ${c + 1}`;
    let own = name;
    for (let n = 2; names.includes(own); n++) own = `${name} (${n})`;
    names.push(own);
  }
  return names;
}
