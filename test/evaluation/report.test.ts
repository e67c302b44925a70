import { beforeAll, describe, expect, it } from 'vitest';
import { STYLE } from '../../src/evaluation/report/style.ts';
import { type Report, renderReport } from '../../src/evaluation/report.ts';
import { NASTY_TAG, sampleReport } from './sample-report.ts';

describe('renderReport(report)', () => {
  let report: Report;
  let page: string;

  beforeAll(async () => {
    report = await sampleReport();
    page = renderReport(report);
  }, 60_000);

  const headings = (text: string) => [...text.matchAll(/<h2 id="([a-z]+)"/g)].map((match) => match[1]);

  it('is one file that may load and run nothing', () => {
    expect(page).toMatch(
      /<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-/,
    );
    expect(page).not.toMatch(/<script|<link(?! rel="icon" href="data:,")|@import|url\(|https?:|\sstyle=|\son\w+="/);
    expect(page).not.toMatch(/undefined|NaN|\[object/);
  });

  it('says when, what and how it was made', () => {
    expect(page).toContain('tagloom 1.2.3, 2026-01-02 03:04 UTC');
    expect(page).toContain('<span>tagloom compare steam mine</span> <span>--report out.html</span>');
    expect(page).toContain('epochs = 3, hidden = 8, output = 4, batchSize = 64');
  });

  it('gives the same bytes for the same results', () => {
    expect(renderReport(structuredClone(report))).toBe(page);
  });

  it('escapes what is in the data', () => {
    expect(page).not.toContain(NASTY_TAG);
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(page).toContain('&quot;Fish&quot;, &amp; &lt;b&gt;chips&lt;/b&gt; #1 100%');
  });

  it('says nothing of users where no data set has any', () => {
    const withoutUsers = report.dataSets.map((one) => ({ ...one, facts: { ...one.facts, numUsers: 0 } }));
    const plain = renderReport({ ...report, dataSets: withoutUsers, published: undefined });
    expect(page).toMatch(/\d users?\. Test tags/);
    expect(plain).toContain('Test tags');
    expect(plain).not.toMatch(/users?\b|Interact/);
  });

  it('leaves the facts of users blank for a data set without any, beside one that has them', () => {
    const [first, second] = report.dataSets;
    const dataSets = [first, { ...second, facts: { ...second.facts, numUsers: 0, numInteract: 0 } }];
    const mixed = renderReport({ ...report, dataSets, published: undefined });
    expect(mixed).toMatch(/<th scope="row">users<\/th><td>[\d,]+<\/td><td><\/td>/);
    expect(mixed).toMatch(/<th scope="row">Interact \(user, object\)<\/th><td>[\d,]+<\/td><td><\/td>/);
  });

  it('puts published figures beside the data sets they are about, and only there', () => {
    const table = (id: string) => page.slice(page.indexOf(`<caption id="${id}"`)).split('</table>')[0];
    expect(table('results-steam')).toContain('<td class="paper">0.4139</td>');
    expect(table('results-mine')).not.toContain('class="paper"');
    expect(table('data-sets')).toContain('<td class="paper">101,654</td>');
    expect(table('variants-steam')).toContain('<td class="paper">−21.5 %</td>');
    const plain = renderReport({ ...report, published: undefined });
    expect(plain).not.toMatch(/class="paper"|in the paper/);
  });

  it('marks the best and says how far the others are from it', () => {
    const row = (model: string) =>
      page
        .slice(page.indexOf('<caption id="results-mine"'))
        .match(new RegExp(`<tr><th scope="row">${model}</th>.*?</tr>`))?.[0];
    const best = report.summaries.find((one) => one.data === 'mine' && one.trainFraction === 0.3 && !one.againstBest);
    expect(row(best?.model as string)).toMatch(/<td><strong>0\.\d{4}<\/strong> <small>± 0\.\d{4}<\/small><\/td>/);
    expect(row(best?.model as string)).toContain('<td>best</td>');
    expect(row('so-ge')).toMatch(
      /<td>−0\.\d{4} <small>\[−0\.\d{4}, [−+]0\.\d{4}\]<\/small><\/td><td>(< |&lt; )?0\.\d{3}<\/td>/,
    );
  });

  it('stars cold objects and marks right tags', () => {
    expect(page).toMatch(/<span class="title">[^<]*\*<\/span> <span class="facts">\d+ users?\. Test tags: /);
    expect(page).toMatch(/<strong class="right">✓\u00a0/);
  });

  it('has a table or figure only where its data is there', () => {
    const of = (models: string[], trainFractions: number[]) => {
      const isIn = (one: { model: string; trainFraction: number }) =>
        models.includes(one.model) && trainFractions.includes(one.trainFraction);
      const [cells, summaries] = [report.cells.filter(isIn), report.summaries.filter(isIn)];
      return headings(renderReport({ ...report, trainFractions, cells, summaries }));
    };
    expect(headings(page)).toEqual([
      'reading',
      'data',
      'results',
      'fractions',
      'groups',
      'variants',
      'examples',
      'maps',
    ]);
    expect(of(['popularity', 'dge'], [0.3])).toEqual(['reading', 'data', 'results', 'groups', 'examples', 'maps']);
    expect(of(['popularity', 'itemknn'], [0.3])).toEqual(['reading', 'data', 'results', 'groups', 'examples']);
    expect(of(['dge', 'so-ge'], [0.05])).toEqual(['reading', 'data', 'results', 'groups', 'variants']); // no glimpses
  });

  it('gives every table a caption and scopes, and every plot a name', () => {
    expect(page.match(/<table><caption id=/g)).toHaveLength(page.match(/<table/g)?.length as number);
    expect(page).not.toMatch(/<th(?! scope=|ead)/);
    expect(page.match(/<svg [^>]*role="img" aria-label="[^"]+"/g)).toHaveLength(page.match(/<svg/g)?.length as number);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('the colours of a report', () => {
  const [light, dark] = STYLE.split('@media (prefers-color-scheme: dark)').map(
    (part) => new Map([...part.matchAll(/--([a-z\d-]+): (#[\da-f]{6})\b/g)].map((match) => [match[1], match[2]])),
  );

  it.each([
    ['light', light],
    ['dark', dark],
  ])('can be read on what they stand on: %s', (_, colours) => {
    const models = Array.from({ length: 10 }, (_unused, i) => `c${i}`);
    for (const front of ['ink', 'soft', 'link', 'right', ...models]) {
      for (const back of ['surface', ...(models.includes(front) ? [] : ['page', 'head'])]) {
        const ratio = contrast(colours.get(front) as string, colours.get(back) as string);
        expect(ratio, `${front} on ${back}`).toBeGreaterThanOrEqual(4.5); // WCAG AA for text
      }
    }
    expect(contrast(colours.get('right') as string, colours.get('right-back') as string)).toBeGreaterThanOrEqual(4.5);
  });
});

/** WCAG 2: from 1 to 21. */
function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  const [r, g, b] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
