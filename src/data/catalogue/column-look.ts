// What the cells of a column look like in a sample: how long, how often the same, how many are numbers, dates, addresses or lists.
// From that comes whether a column is text, and what to tell a person about it.

import { tagsOfArray } from './tag-lists.ts';

/** A cell: text, or a list where the file has lists of its own (JSON, Parquet). */
export type Cell = string | readonly unknown[];

/** A cell as text. */
export function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : tagsOfArray(cell).join(', ');
}

/** What the cells of a column look like. */
export interface Look {
  readonly name: string;
  readonly numFilled: number;
  /** Share of the filled cells that are the only ones of their kind. */
  readonly distinct: number;
  readonly meanLength: number;
  readonly meanWords: number;
  /** Shares of the filled cells. */
  readonly lists: number;
  readonly spaced: number;
  /** In a script that puts no spaces between words. */
  readonly unspaced: number;
  readonly numbers: number;
  readonly dates: number;
  readonly addresses: number;
  readonly pictures: number;
  /** Nothing but 0, 1, true, false, yes, no. */
  readonly flags: number;
}

export const NUMBER = /^[-+]?[$€£]?\s?\d[\d\s.,]*\s?(%|[a-z]{1,3}|[$€£])?$/i;
const DATE = /^\d{4}-\d\d?-\d\d?([T ].*)?$|^\d\d?[./-]\d\d?[./-]\d{2,4}([ ,].*)?$/;
const ADDRESS = /^(https?:)?\/\/\S+$|^www\.\S+$/i;
const PICTURE = /^\S+\.(jpe?g|png|gif|webp|avif|svg|bmp|tiff?)([?#]\S*)?([,;|\s].*)?$|^data:image\//i;
const UNSPACED = /[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]/;
const FLAG = /^(0|1|true|false|yes|no|y|n|t|f)$/i;

/** What a column looks like in a sample of its cells. */
export function lookOf(name: string, cells: readonly Cell[]): Look {
  const filled = cells.filter((cell) => (typeof cell === 'string' ? cell.trim() !== '' : cell.length > 0));
  const texts = filled.filter((cell): cell is string => typeof cell === 'string').map((cell) => cell.trim());
  const share = (test: (text: string) => boolean) => texts.filter(test).length / Math.max(1, filled.length);
  const mean = (measure: (text: string) => number) =>
    texts.reduce((sum, text) => sum + measure(text), 0) / Math.max(1, texts.length);
  return {
    name,
    numFilled: filled.length,
    distinct: new Set(texts).size / Math.max(1, texts.length),
    meanLength: mean((text) => text.length),
    meanWords: mean((text) => wordCount(text)),
    lists: (filled.length - texts.length) / Math.max(1, filled.length),
    spaced: share((text) => /\S\s+\S/.test(text)),
    unspaced: share((text) => UNSPACED.test(text)),
    numbers: share((text) => NUMBER.test(text)),
    dates: share((text) => DATE.test(text)),
    addresses: share((text) => ADDRESS.test(text)),
    pictures: share((text) => PICTURE.test(text)),
    flags: share((text) => FLAG.test(text)),
  };
}

/** Words, or characters of scripts that do not separate words: two of them say about as much as one word. */
function wordCount(text: string): number {
  const cut = text.slice(0, 2000);
  const unspaced = cut.match(new RegExp(UNSPACED, 'g'))?.length ?? 0;
  return (cut.match(/\S+/g)?.length ?? 0) + unspaced / 2;
}

/** A column in a few words, for people who must choose: "text of 84 characters on average". */
export function describe(look: Look): string {
  if (look.numFilled === 0) return 'blank';
  if (look.lists > 0.5) return 'lists';
  if (look.pictures > 0.5) return 'addresses of pictures';
  if (look.addresses > 0.5) return 'addresses';
  if (look.flags > 0.9) return '0 or 1';
  if (look.dates > 0.8) return 'dates';
  if (look.numbers > 0.8) return 'numbers';
  const unique = look.distinct > 0.999 ? ', all different' : look.distinct < 0.05 ? ', few different' : '';
  const length = Math.max(1, Math.round(look.meanLength));
  return `text of ${length === 1 ? '1 character' : `${length} characters`} on average${unique}`;
}

/** Letters with spaces between, and no numbers, dates or addresses. */
export function isWords(look: Look): boolean {
  return look.lists === 0 && look.spaced >= 0.5 && look.numbers < 0.3 && look.dates < 0.3 && look.addresses < 0.3;
}

/** Text that says something about its object: words, and not the same few again and again. */
export function isText(look: Look, numRows: number): boolean {
  if (look.lists > 0 || look.numbers >= 0.3 || look.dates >= 0.3 || look.addresses >= 0.3 || look.flags >= 0.5)
    return false;
  const isFew = numRows >= 50 && look.distinct < 0.05;
  return !isFew && (look.spaced >= 0.5 ? look.meanWords >= 2 : look.meanWords >= 4 || look.meanLength >= 60);
}
