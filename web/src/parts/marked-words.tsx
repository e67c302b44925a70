// A text with the words marked that count for a suggestion, the stronger the more they count.

import type { Mark } from '../../../src/serving/recommend/marks.ts';
import { plainPieces, readablePieces } from './readable-text.ts';

interface MarkedWordsProps {
  readonly text: string;
  readonly marks: readonly Mark[];
  /** The amount of the strongest mark, where it stands elsewhere. */
  readonly most?: number | undefined;
  /** Whether it is a name, of which nothing is mark-up. */
  readonly isName?: boolean;
}

export function MarkedWords({ text, marks, most, isName = false }: MarkedWordsProps) {
  const pieces = isName ? plainPieces(text, marks, most) : readablePieces(text, marks, most);
  return (
    <>
      {pieces.map(({ text: piece, strength }, i) =>
        strength === undefined ? (
          piece
        ) : (
          <mark key={i} class={`word ${lookOf(strength)}`}>
            {piece}
          </mark>
        ),
      )}
    </>
  );
}

export function lookOf(strength: number): string {
  return strength > 0.6 ? 'strong' : strength > 0.25 ? 'middle' : 'weak';
}
