// The few strongest reasons for a suggestion, each in a few words: what a person reads beside it.

import type { Reasons } from './reasons.ts';

export interface ShortReason {
  readonly text: string;
  readonly amount: number;
}

const NUM_REASONS = 3;

/** What speaks for it, the loudest first. Of models without parts, the strongest paths of the data. */
export function shortReasons({ parts, throughUsers, throughTags }: Reasons): ShortReason[] {
  const voices =
    parts === undefined
      ? [
          ...throughUsers.map(({ title, weight }) => ({ text: `like ${title}`, amount: weight })),
          ...throughTags.map(({ tag, weight }) => ({ text: `has ${tag}`, amount: weight })),
        ]
      : [
          { text: 'common everywhere', amount: parts.base },
          { text: 'its users', amount: parts.profile },
          { text: 'its content', amount: parts.content ?? 0 },
          ...parts.ownTags.map(({ tag, amount }) => ({ text: `has ${tag}`, amount })),
          ...parts.words.map(({ word, amount }) => ({ text: `“${word}” in its name`, amount })),
          ...parts.neighbours.map(({ title, amount }) => ({ text: `like ${title}`, amount })),
        ];
  return voices
    .filter(({ amount }) => amount > 0)
    .sort((a, b) => b.amount - a.amount)
    .slice(0, NUM_REASONS);
}
