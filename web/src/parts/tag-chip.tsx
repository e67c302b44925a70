// A tag as a small label that leads to its screen.

import type { ComponentChildren } from 'preact';
import { Link } from '../navigation/link.tsx';
import { tagPath } from '../navigation/route.ts';

interface TagChipProps {
  readonly tag: string;
  /** A tag that a review gave. */
  readonly isNew?: boolean;
  readonly children?: ComponentChildren;
}

export function TagChip({ tag, isNew = false, children }: TagChipProps) {
  return (
    <span class={isNew ? 'chip new' : 'chip'}>
      <Link to={tagPath(tag)}>{tag}</Link>
      {children}
    </span>
  );
}
