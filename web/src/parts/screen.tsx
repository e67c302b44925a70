// The frame of a screen: its title in the tab, its heading, which takes the focus when a link led here.

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { place } from '../navigation/history.ts';

interface ScreenProps {
  readonly title: string;
  readonly heading: ComponentChildren;
  /** Beside or below the heading. */
  readonly facts?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Screen({ title, heading, facts, class: className = '', children }: ScreenProps) {
  const element = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} · tagloom`;
  }, [title]);
  useLayoutEffect(() => {
    if (place.get().isFollowed) element.current?.focus({ preventScroll: true });
  }, []);
  return (
    <main id="main" class={className} tabIndex={-1}>
      <div class="screen-head">
        <h1 ref={element} tabIndex={-1}>
          {heading}
        </h1>
        {facts}
      </div>
      {children}
    </main>
  );
}
