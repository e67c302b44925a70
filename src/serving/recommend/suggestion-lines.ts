// Suggestions as a tab-separated table, a line each.

import type { ObjectSuggestions } from './recommender.ts';

export async function* tsvLines(found: AsyncIterable<ObjectSuggestions>): AsyncGenerator<string> {
  yield 'object\ttag\trank\tscore\tconfidence\n';
  for await (const { object, suggestions } of found) {
    const lines = suggestions.map(({ tag, score, confidence }, i) => {
      const sure = confidence === undefined ? '' : shortest(confidence);
      return `${object}\t${tag}\t${i + 1}\t${shortest(score)}\t${sure}\n`;
    });
    yield lines.join('');
  }
}

/** Seven digits are all a float32 has. */
export function shortest(score: number): string {
  return String(Number(score.toPrecision(7)));
}
