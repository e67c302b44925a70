// Plots become SVG text here, at writing time, so that the page needs no script: a plot is some kilobytes, the bundle
// that would draw it in the page half a megabyte, and without scripts its security policy can forbid everything.
// Observable Plot wants a DOM to build on; domino is a small one without dependencies.

import { type PlotOptions, plot } from '@observablehq/plot';
import { Html } from '../../html.ts';

const DOM: string = '@mixmark-io/domino'; // a string to the compiler: its type declarations name another module
const { createDocument } = (await import(DOM)).default as { createDocument(): Document };

/** Colours are CSS variables of the page (style.ts), so that light and dark share one drawing. */
export const NUM_COLOURS = 10;

export function colour(i: number): string {
  return `var(--c${i % NUM_COLOURS})`;
}

/** `label`: what a reader who does not see it is told. */
export function draw(label: string, options: PlotOptions): Html {
  const svg = plot({ ...options, className: 'plot', document: createDocument() });
  for (const style of Array.from(svg.querySelectorAll('style'))) style.remove(); // the page has the rules, once
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
  svg.removeAttribute('font-family');
  for (const element of Array.from(svg.querySelectorAll('*'))) roundNumbers(element);
  return new Html(svg.outerHTML);
}

const GEOMETRY = ['d', 'transform', 'x', 'y', 'x1', 'x2', 'y1', 'y2', 'cx', 'cy', 'r', 'width', 'height'];

/** A hundredth of a pixel is enough; sixteen digits would be most of the page. */
function roundNumbers(element: Element): void {
  for (const name of GEOMETRY) {
    const value = element.getAttribute(name);
    if (value?.includes('.')) {
      element.setAttribute(
        name,
        value.replace(/\d+\.\d+/g, (digits) => String(Number(Number(digits).toFixed(2)))),
      );
    }
  }
}
