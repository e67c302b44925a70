import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { latexText } from '../../../src/data/sources/latex-text.ts';

describe('latexText', () => {
  it.each([
    ['Erd{\\H o}s and G{\\"o}del', 'Erdős and Gödel'],
    ['\\\'{E}variste \\"{u}ber \\`a \\^{o} \\~n \\=a \\.z', 'Évariste über à ô ñ ā ż'],
    ['na\\"{\\i}ve \\\'\\i \\v{c} \\c c \\k{a} \\r{a} \\u g', 'naïve íč ç ą å ğ'],
    ["Stra{\\ss}e {\\O}rsted \\L{}\\'od\\'z \\ae{}on \\aa", 'Straße Ørsted Łódź æon å'],
    ['{The {TCP/IP}} \\emph{guide} \\textbf{now}', 'The TCP/IP guide now'],
    ['R\\&D 50\\% \\$5 a\\_b \\#1 \\{x\\}', 'R&D 50% $5 a_b #1 {x}'],
    ["``Quotes'' -- dashes --- and~ties", '“Quotes” – dashes — and ties'],
    ['$\\alpha$-synuclein, $\\Delta G \\leq 0$', 'α-synuclein, ΔG ≤0'],
    ["\\'{} x \\unknown{y} z\\\\w", 'x y z w'],
    ['already é, 漢字  and\n  lines', 'already é, 漢字 and lines'],
  ])('reads %j as %j', (latex, text) => {
    expect(latexText(latex)).toBe(text);
  });

  it('leaves text without LaTeX as it is, but for white space', () => {
    const plain = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\\{}$~'`-]/g, ''));
    fc.assert(fc.property(plain, (text) => void expect(latexText(text)).toBe(text.replace(/\s+/g, ' ').trim())));
  });

  it('takes every accent on every letter', () => {
    const accents = {
      "'": '\u0301',
      '`': '\u0300',
      '^': '\u0302',
      '"': '\u0308',
      '~': '\u0303',
      v: '\u030c',
      c: '\u0327',
    };
    for (const [command, mark] of Object.entries(accents)) {
      for (const letter of 'aeiounszcgAEIOUNSZCG') {
        expect(latexText(`\\${command}{${letter}}`)).toBe(`${letter}${mark}`.normalize('NFC'));
      }
    }
  });
});
