import { describe, expect, it } from 'vitest';
import {
  counted,
  downloadLink,
  duration,
  metricCell,
  percent,
  plain,
  pValue,
  shortPercent,
  signed,
  slug,
} from '../../../src/evaluation/report/html.ts';
import { html } from '../../../src/html.ts';

describe('html`…`', () => {
  it('escapes texts and leaves HTML as it is', () => {
    const name = html`<b>${'<script>&"\''}</b>`;
    expect(name.text).toBe('<b>&lt;script&gt;&amp;&quot;&#39;</b>');
    expect(html`<p>${name}${[name, name]}${undefined}${3}</p>`.text).toBe(`<p>${name.text.repeat(3)}3</p>`);
  });
});

describe('downloadLink(file, about, rows)', () => {
  it('carries rows as comma-separated values, with quotes where they are needed', () => {
    const { text } = downloadLink('data', 'all', [
      ['name', 'value'],
      ['a "b", c', undefined],
      ['日本 100%', 1.5],
    ]);
    const [, url] = /href="([^"]*)"/.exec(text) ?? [];
    const csv = decodeURIComponent(url.replace('data:text/csv;charset=utf-8,', ''));
    expect(csv).toBe('name,value\r\n"a ""b"", c",\r\n日本 100%,1.5\r\n');
    expect(text).toContain('download="data.csv"');
  });
});

describe('numbers', () => {
  it('have as many digits as say something', () => {
    expect([signed(-0.12345), signed(0.5)]).toEqual(['−0.1235', '+0.5000']);
    expect([pValue(0.0005), pValue(0.0214)]).toEqual(['< 0.001', '0.021']);
    expect([0.01, 5, 42.4, 900].map(duration)).toEqual(['< 0.1 s', '5.0 s', '42 s', '15 min']);
    expect([percent(0.0042), percent(0.42), shortPercent(0.8), shortPercent(0.125)]).toEqual([
      '0.4200 %',
      '42.00 %',
      '80 %',
      '12.5 %',
    ]);
    expect([counted(1, 'user'), counted(1234, 'user')]).toEqual(['1 user', '1,234 users']);
    expect([plain(0.1 + 0.2), plain(Number.NaN), plain(undefined)]).toEqual([0.3, undefined, undefined]);
    expect(metricCell({ mean: 0.5, deviation: 0 }, false).text).toBe('0.5000');
    expect(metricCell({ mean: 0.5, deviation: 0.01 }, true).text).toBe(
      '<strong>0.5000</strong> <small>± 0.0100</small>',
    );
    expect(slug('../My data')).toBe('..-My-data');
  });
});
