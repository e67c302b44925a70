import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadHtmlText, type ToText } from '../../../src/data/sources/html-text.ts';

let toText: ToText;
beforeAll(async () => {
  toText = await loadHtmlText();
});

describe('the text of HTML', () => {
  it.each([
    ['plain  text\n\n of two lines', 'plain text\nof two lines'],
    ['<p>One <b>bold</b> word.</p><p>Two</p>', 'One bold word.\nTwo'],
    ['<ul><li>a<li>b</ul>c<br/>d', 'a\nb\nc\nd'],
    ['x<script>if (a < b) alert("</p>")</script>y<style>p{}</style>z', 'xyz'],
    ['&lt;p&gt; &amp;amp; &eacute;&#233;&#xe9;&hellip;', '<p> &amp; ééé…'],
    ['a < b & c > d &unknown; 5 &lt 6', 'a < b & c > d &unknown; 5 < 6'],
    ['<a href="x>y" title=\'<b>\'>link</a><!-- <p>no</p> --> on', 'link on'],
    ['<TABLE><TR><TD>1</TD><TD>2</TABLE>', '1\n2'],
    ['cut <a href="', 'cut'],
  ])('of %j is %j', (html, text) => {
    expect(toText(html)).toBe(text);
  });

  it('takes time in proportion to what is written, however it is nested', () => {
    expect(toText(`${'<div><b>'.repeat(60_000)}x`)).toBe('x');
    expect(toText('<!--'.repeat(100_000))).toBe('');
    expect(toText(`${'</p>'.repeat(100_000)}y${'<'.repeat(100_000)}`)).toMatch(/^y<+$/);
    expect(toText(`<p>${'x'.repeat(2 << 20)}`)).toHaveLength((1 << 20) - 3);
  });

  it('has no tags in it, and leaves escaped text as it was', () => {
    const words = fc.string({ unit: 'grapheme-ascii', maxLength: 30 }).map((text) => text.replace(/\s+/g, ' ').trim());
    const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    fc.assert(
      fc.property(fc.array(words), (texts) => {
        const html = texts.map((text) => `<div class="x"><i>${escaped(text)}</i></div>`).join('');
        expect(toText(html)).toBe(texts.filter((text) => text !== '').join('\n'));
      }),
    );
  });
});
