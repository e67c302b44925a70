// A list of any length in a box that scrolls: only the rows in sight are in the document. All rows are of one height.

import type { ComponentChild, JSX } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface WindowListProps {
  readonly count: number;
  readonly rowHeight: number;
  /** Kept in sight and in the document. */
  readonly active?: number | undefined;
  readonly box?: JSX.IntrinsicElements['div'];
  /** Called when less than a page is left below. */
  readonly onNearEnd?: (() => void) | undefined;
  renderRow(index: number): ComponentChild;
}

const OVERSCAN = 6; // rows above and below, so that scrolling shows no gaps
const NEAR_END = 30;
const FIRST_GUESS = 20; // rows, before the box is measured

export function WindowList({ count, rowHeight, active, box = {}, onNearEnd, renderRow }: WindowListProps) {
  const element = useRef<HTMLDivElement>(null);
  const [{ first, last }, setRange] = useState({ first: 0, last: FIRST_GUESS });

  const measure = useCallback(() => {
    const { scrollTop = 0, clientHeight = 0 } = element.current ?? {};
    const top = Math.max(0, Math.floor(scrollTop / rowHeight) - OVERSCAN);
    const bottom = Math.ceil((scrollTop + clientHeight) / rowHeight) + OVERSCAN;
    setRange((range) => (range.first === top && range.last === bottom ? range : { first: top, last: bottom }));
  }, [rowHeight]);

  useLayoutEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(measure);
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [measure]);

  useLayoutEffect(() => {
    if (active === undefined || element.current === null) return;
    keepInSight(element.current, active, rowHeight);
    measure();
  }, [active, rowHeight, measure]);

  const isNearEnd = last > count - NEAR_END;
  useEffect(() => {
    if (isNearEnd) onNearEnd?.();
  }, [isNearEnd, onNearEnd]);

  const shown = indices(first, Math.min(last, count), active);
  return (
    <div {...box} ref={element} onScroll={measure}>
      <div class="window" role="presentation" style={{ height: `${count * rowHeight}px` }}>
        {shown.map((index) => (
          <div
            key={index}
            class="window-row"
            role="presentation"
            style={{ top: `${index * rowHeight}px`, height: `${rowHeight}px` }}
          >
            {renderRow(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** With a row to spare, so that one sees where a step leads. */
function keepInSight(box: HTMLElement, index: number, rowHeight: number): void {
  const [top, bottom] = [(index - 1) * rowHeight, (index + 2) * rowHeight];
  if (top < box.scrollTop) box.scrollTop = Math.max(0, top);
  else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
}

function indices(first: number, end: number, active: number | undefined): number[] {
  const all = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
  if (active === undefined || (active >= first && active < end)) return all;
  return active < first ? [active, ...all] : [...all, active];
}
