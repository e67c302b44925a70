import { dot } from '@observablehq/plot';
import { describe, expect, it } from 'vitest';
import { colour, draw } from '../../../src/evaluation/report/svg.ts';

describe('draw(label, options)', () => {
  it('makes SVG that a reader who does not see it is told of, without styles and with short numbers', () => {
    const points = [1, 2, 3].map((x) => ({ x, y: x / 7 }));
    const { text } = draw('a <plot>', { width: 100, height: 100, marks: [dot(points, { x: 'x', y: 'y' })] });
    expect(text).toMatch(/^<svg class="plot"[^>]* role="img" aria-label="a (<|&lt;)plot(>|&gt;)"/);
    expect(text).not.toMatch(/<style|font-family/);
    expect(text).not.toMatch(/ (x|y|cx|cy|r|d|transform)="[^"]*\d\.\d{3}/);
    expect(text.match(/<circle/g)).toHaveLength(3);
  });

  it('gives colours by number, again after the last', () => {
    expect([colour(0), colour(9), colour(10)]).toEqual(['var(--c0)', 'var(--c9)', 'var(--c0)']);
  });
});
