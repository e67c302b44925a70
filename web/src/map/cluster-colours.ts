// The colours of clusters, from the style sheet, so that light and dark share one drawing.

/** From this cluster on colours repeat, as rings. */
export const FIRST_RING = 10;

/** Red, green, blue from 0 to 1. */
export type Colour = readonly [number, number, number];

export function clusterColours(): Colour[] {
  return Array.from({ length: FIRST_RING }, (_, i) => parse(cssText(`--c${i}`)));
}

/** Of the page: text, its background, the accent. */
export function pageColours() {
  return { ink: cssText('--ink'), surface: cssText('--surface'), accent: cssText('--accent'), soft: cssText('--soft') };
}

function cssText(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** "#rrggbb", as the style sheet has it. */
function parse(text: string): Colour {
  const value = Number.parseInt(text.slice(1), 16);
  return [((value >> 16) & 255) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}
