// How much each of loom's views may say: a view's features are multiplied by the root of its strength, so that a strong view
// explains much at a small penalty.

import type { LoomSettings } from './settings.ts';
import { type TextPart, TextSpace } from './text-space.ts';

/** Of a matrix to invert: a gigabyte, and some minutes on two cores. */
export const MAX_SIZE = 16_000;

export interface Strengths {
  /** On weights of own tags; undefined: own tags do not count, as for objects without any. */
  readonly ownPenalty: number | undefined;
  readonly neighbours: number;
  readonly profile: number;
  readonly content: number;
  /** By part of the text. */
  readonly parts: readonly number[];
  /** Of the products of two words, by part of the text. */
  readonly squares: readonly number[];
  /** What is expected of a tag whose own words all stand in the text. */
  readonly mention: number;
}

/** What the settings say: where a rehearsal starts. */
export function givenStrengths(settings: LoomSettings, { parts }: TextSpace, own: boolean): Strengths {
  return {
    ownPenalty: own ? settings.ownPenalty : undefined,
    neighbours: settings.neighbourStrength,
    profile: settings.profileStrength,
    content: settings.contentStrength,
    parts: parts.map((part) => givenStrength(settings, part)),
    squares: parts.map(() => 0),
    mention: 0,
  };
}

function givenStrength({ wordStrength, gramStrength, textStrength }: LoomSettings, { kind, column }: TextPart): number {
  if (kind === 'grams') return column < 0 ? gramStrength : gramStrength * (textStrength / wordStrength);
  return kind === 'words' && column < 0 ? wordStrength : textStrength;
}

/** A strength that may be tried at other values. */
export interface Step {
  readonly name: string;
  /** Times this at a time. */
  readonly factor: number;
  /** The first value to try where it is 0; a smaller one if that does not pay. */
  readonly first?: number;
  /** Whether it gains with the number of objects learnt from: any gain from a part of them pays. */
  readonly needsMany?: boolean;
  /** Whether it may be left out: where it does not pay to have it, or only where it pays to be without. */
  readonly goes?: 'unless it pays' | 'if that pays';
  valueIn(strengths: Strengths): number;
  with(strengths: Strengths, value: number): Strengths;
}

/** The strengths of both sides, and the texts without the parts that neither of them hears. */
export function withoutSilentParts<Sides extends Record<'tagged' | 'untagged', Strengths>>(
  { parts, features }: TextSpace,
  sides: Sides,
): { readonly space: TextSpace; readonly sides: Sides } {
  const { tagged, untagged } = sides;
  const isHeard = (p: number) => [tagged, untagged].some((one) => one.parts[p] > 0 || one.squares[p] > 0);
  const heard = <Value>(values: readonly Value[]) => values.filter((_, p) => isHeard(p));
  const kept = heard(parts);
  const heardBy = (one: Strengths): Strengths => ({ ...one, parts: heard(one.parts), squares: heard(one.squares) });
  return {
    space: new TextSpace({
      parts: kept,
      features: kept.some(({ kind }) => kind === 'features') ? features : undefined,
    }),
    sides: { ...sides, tagged: heardBy(tagged), untagged: heardBy(untagged) },
  };
}
