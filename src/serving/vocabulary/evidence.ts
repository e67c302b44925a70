// The reasons for a proposal in words for people, with the numbers behind them.

import type { PairFacts } from './measures.ts';

export interface Evidence {
  /** Which: a shape of names (word-shapes.ts), company, users, words, together; opposite or versions, which speak against it. */
  readonly kind: string;
  readonly text: string;
  /** From 0 to 1. */
  readonly amount: number;
}

const WORTH_SAYING = 0.2; // cosines below say nothing

/** What speaks for a pair, names first; then what speaks against it. */
export function evidenceOf(
  { hints, against, company, users, words }: PairFacts,
  { numTogether, numObjects }: { readonly numTogether: number; readonly numObjects: number },
): Evidence[] {
  const cosine = (kind: string, text: string, amount: number): Evidence[] =>
    amount < WORTH_SAYING ? [] : [{ kind, text: `${text} (cosine ${amount.toFixed(2)})`, amount: rounded(amount) }];
  // a word with an ending begins with the word without it: that is said once
  const shown = hints.length > 1 ? hints.filter(({ shape }) => shape !== 'beginning') : hints;
  const objects = numObjects === 1 ? '1 object' : `${numObjects} objects`;
  return [
    ...shown.map(({ shape, text, amount }) => ({ kind: shape, text, amount: rounded(amount) })),
    ...cosine('company', 'carried by objects with the same other tags', company),
    ...cosine('users', 'used by the same users', users),
    ...cosine('words', 'the same words in titles and texts', words),
    {
      kind: 'together',
      text: numTogether === 0 ? 'never on the same object' : `together on ${numTogether} of ${objects}`,
      amount: rounded(numTogether / Math.max(1, numObjects)),
    },
    ...(against.areOpposite
      ? [{ kind: 'opposite', text: 'but the names say the opposite of each other', amount: 1 }]
      : []),
    ...(against.areVersions ? [{ kind: 'versions', text: 'but the names differ in a number', amount: 1 }] : []),
  ];
}

function rounded(amount: number): number {
  return Math.round(amount * 1e4) / 1e4;
}
