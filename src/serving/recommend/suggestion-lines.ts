// Suggestions as a document, a tab-separated table or JSON, written an object at a time: a large one never lies in memory as a
// whole.

import type { ObjectSuggestions, Suggestion } from './recommender.ts';

/** A document is its opening, its items with a separator between them, and its closing. */
export interface SuggestionFormat {
  readonly opening: string;
  readonly separator: string;
  item(found: ObjectSuggestions): string;
  closing(isEmpty: boolean): string;
}

export const SUGGESTION_FORMATS = {
  /** A line for each suggestion; none for an object without any. */
  tsv: {
    opening: 'object\ttag\trank\tscore\tconfidence\n',
    separator: '',
    item: ({ object, suggestions }) =>
      suggestions
        .map(({ tag, score, confidence }, i) => {
          const sure = confidence === undefined ? '' : shortest(confidence);
          return `${object}\t${tag}\t${i + 1}\t${shortest(score)}\t${sure}\n`;
        })
        .join(''),
    closing: () => '',
  },
  /** A list with one line for each object. */
  json: {
    opening: '[\n',
    separator: ',\n',
    item: ({ object, suggestions }) => `  ${JSON.stringify({ object, suggestions: suggestions.map(rounded) })}`,
    closing: (isEmpty) => (isEmpty ? ']\n' : '\n]\n'),
  },
} as const satisfies Record<string, SuggestionFormat>;

export type FormatName = keyof typeof SUGGESTION_FORMATS;

/** Nothing is written before the first answer: there may be an error instead. */
export async function* documentOf(
  { opening, separator, item, closing }: SuggestionFormat,
  found: AsyncIterable<ObjectSuggestions>,
): AsyncGenerator<string> {
  let isEmpty = true;
  for await (const one of found) {
    yield `${isEmpty ? opening : separator}${item(one)}`;
    isEmpty = false;
  }
  yield `${isEmpty ? opening : ''}${closing(isEmpty)}`;
}

export function tsvLines(found: AsyncIterable<ObjectSuggestions>): AsyncGenerator<string> {
  return documentOf(SUGGESTION_FORMATS.tsv, found);
}

/** With no more digits than its numbers have. */
export function rounded({ tag, score, confidence }: Suggestion): Suggestion {
  return {
    tag,
    score: Number(shortest(score)),
    ...(confidence !== undefined && { confidence: Number(shortest(confidence)) }),
  };
}

/** Seven digits are all a float32 has. */
export function shortest(score: number): string {
  return String(Number(score.toPrecision(7)));
}
