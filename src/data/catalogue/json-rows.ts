// JSON Lines and JSON arrays as rows. What is no object is left out and counted; where most are none, the file is not what it seems.

import { basename } from '#platform';
import { InputError } from '../../errors.ts';
import type { Listener } from '../../listener.ts';
import type { TextStore } from '../text-store.ts';
import { type Cell, textOf } from './column-look.ts';
import type { Dialect } from './dialect.ts';
import { JsonCutter } from './json-values.ts';
import { MAX_CELL_BYTES } from './records.ts';
import { type CatalogueRow, type RowCutter, warnCut } from './row-cutter.ts';
import { cellOf } from './value-cells.ts';

export class JsonRows implements RowCutter, CatalogueRow {
  names: string[];
  number = 0;
  readonly #path: string;
  readonly #cutter: JsonCutter;
  readonly #known: Set<string>;
  readonly #isSample: boolean;
  #value: Readonly<Record<string, unknown>> = {};
  #numBad = 0;
  #firstBad = 0;
  #cure = '';
  #numCut = 0;

  /** Without names, it collects them. */
  constructor(path: string, dialect: Dialect, names: readonly string[]) {
    this.#path = path;
    this.#cutter = new JsonCutter(path, dialect);
    this.names = [...names];
    this.#known = new Set(names);
    this.#isSample = names.length === 0;
  }

  get numRows(): number {
    return this.number;
  }

  cell(column: number): Cell {
    const cell = cellOf(this.#value[this.names[column]]);
    if (typeof cell !== 'string' || cell.length <= MAX_CELL_BYTES) return cell;
    this.#numCut++;
    return cell.slice(0, MAX_CELL_BYTES);
  }

  putText(column: number, store: TextStore, object: number): void {
    store.put(object, textOf(this.cell(column)).trim(), 'first');
  }

  push(bytes: Uint8Array, onRow: (row: CatalogueRow) => void): void {
    this.#cutter.push(bytes, (text, line) => this.#onValue(text, line, onRow));
  }

  finish(onRow: (row: CatalogueRow) => void, isWhole: boolean): void {
    this.#cutter.finish((text, line) => this.#onValue(text, line, onRow), isWhole);
  }

  report(options: Listener): void {
    const got = `${this.#numBad.toLocaleString('en')} of ${this.number.toLocaleString('en')} rows that are no JSON objects (the first on line ${this.#firstBad})`;
    if (this.#numBad > this.number / 2) {
      throw new InputError({ file: this.#path, got, expected: 'an object for each row', cure: this.#cure });
    }
    if (this.#numBad > 0) options.warn?.(`${basename(this.#path)}: left out ${got}.`);
    if (this.#numCut > 0) warnCut(this.#path, this.#numCut, options);
  }

  #onValue(text: string, line: number, onRow: (row: CatalogueRow) => void): void {
    this.number++;
    const value = parsed(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      if (this.#numBad++ === 0) {
        this.#firstBad = line;
        this.#cure = jsonCure(text);
      }
      return;
    }
    this.#value = value as Record<string, unknown>;
    if (this.#isSample) {
      for (const name of Object.keys(value)) {
        if (!this.#known.has(name)) this.names.push(name);
        this.#known.add(name);
      }
    }
    onRow(this);
  }
}

/** For a row that is no JSON object; Python writes some that look like one. */
function jsonCure(text: string): string {
  if (/[:,[]\s*(NaN|-?Infinity)\s*[,}\]]/.test(text))
    return 'JSON has no NaN and no Infinity: write null in their place.';
  if (/^\{\s*'/.test(text)) return 'These are Python dicts: write them with json.dumps.';
  return 'Write an array of objects, or one object a line (jq -c .).';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
