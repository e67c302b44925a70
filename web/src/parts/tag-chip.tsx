// A tag as a small label that leads to its screen.

import type { ComponentChildren } from 'preact';
import { Link } from '../navigation/link.tsx';
import { reviewsPath, tagPath } from '../navigation/route.ts';

interface TagChipProps {
  readonly tag: string;
  /** A tag that a review gave. */
  readonly isNew?: boolean;
  /** Added by hand: the model may not know it, so that it leads to its reviews. */
  readonly isUnknown?: boolean;
  /** By other tags: said beside it. */
  readonly impliedBy?: readonly string[] | undefined;
  readonly children?: ComponentChildren;
}

export function TagChip({ tag, isNew = false, isUnknown = false, children }: TagChipProps) {
  return (
    <span class={isNew ? 'chip new' : 'chip'}>
      <Link to={isUnknown ? reviewsPath({ tag }) : tagPath(tag)}>{tag}</Link>
      {children}
    </span>
  );
}
