// Where a popup goes so that all of it is in sight: below its field and flush with it where there is room, else moved sideways,
// lower, or above the field.

import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

export interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface PopupPlace {
  /** Pixels to the right of where it would be by itself; negative: to the left. */
  readonly shift: number;
  readonly isAbove: boolean;
  readonly maxHeight: number;
}

const MARGIN = 8; // pixels kept free at the edges of the window
const GAP = 4; // between the field and the popup
const TIGHT = 200; // with less room than this below, above is worth a look

/** `left` and `right` are those of the popup before it is moved. */
export function popupPlace(
  field: Edges,
  { left, right }: Pick<Edges, 'left' | 'right'>,
  window: { readonly width: number; readonly height: number },
): PopupPlace {
  const over = Math.max(0, right - (window.width - MARGIN));
  const shift = Math.max(MARGIN, left - over) - left;
  const [below, above] = [window.height - field.bottom, field.top].map((room) => room - GAP - MARGIN);
  const isAbove = below < TIGHT && above > below;
  return { shift, isAbove, maxHeight: Math.max(0, isAbove ? above : below) };
}

/** Keeps a popup in sight while it is shown; it is a child of its field. Looks again after every render. */
export function useWithinWindow(popup: RefObject<HTMLElement | null>, isShown: boolean): void {
  useLayoutEffect(() => {
    if (!isShown) return;
    const place = () => popup.current !== null && put(popup.current);
    place();
    addEventListener('resize', place);
    addEventListener('scroll', place, { passive: true });
    return () => {
      removeEventListener('resize', place);
      removeEventListener('scroll', place);
    };
  });
}

function put(popup: HTMLElement): void {
  const field = popup.parentElement?.getBoundingClientRect();
  if (field === undefined) return;
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  popup.style.setProperty('--shift', '0px');
  const { shift, isAbove, maxHeight } = popupPlace(field, popup.getBoundingClientRect(), { width, height });
  popup.style.setProperty('--shift', `${shift}px`);
  popup.style.setProperty('--room', `${maxHeight}px`);
  popup.classList.toggle('above', isAbove);
}
