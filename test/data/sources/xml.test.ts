import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readXml, type XmlOptions } from '../../../src/data/sources/xml.ts';
import { listening, makeRelease, problemOf } from '../../fixtures/sources/release.ts';

const OPTIONS: XmlOptions = { root: 'a', cure: 'Give the export.' };

/** What the reader hears, as lines. */
async function heard(contents: string | Uint8Array, options: Partial<XmlOptions> = {}): Promise<string[]> {
  const folder = await makeRelease({ 'x.xml': contents });
  const lines: string[] = [];
  const open = (name: string, attributes: object, { line, depth }: { line: number; depth: number }) =>
    void lines.push(`${line}/${depth} <${name} ${JSON.stringify(attributes)}>`);
  const close = (name: string, text: string, depth: number) =>
    void lines.push(`${depth} </${name}> ${JSON.stringify(text)}`);
  await readXml(join(folder, 'x.xml'), { open, close }, { ...OPTIONS, ...options });
  return lines;
}

async function refusal(contents: string | Uint8Array): Promise<string> {
  const folder = await makeRelease({ 'x.xml': contents });
  return problemOf(readXml(join(folder, 'x.xml'), {}, OPTIONS), folder);
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

describe('readXml', () => {
  it('calls back for elements below the root, with attributes, text and lines', async () => {
    expect(
      await heard(
        '<?xml version="1.0"?>\n<a>\n <b x="1 &amp; &quot;2&quot;&#xA;"/>\n <c>t<![CDATA[<i>&amp;]]>u<d>v</d>w</c></a>',
      ),
    ).toEqual([
      '3/1 <b {"x":"1 & \\"2\\"\\n"}>',
      '1 </b> ""',
      '4/1 <c {}>',
      '4/2 <d {}>',
      '2 </d> "v"',
      '1 </c> "t<i>&amp;uw"',
    ]);
  });

  it('reads UTF-8 with a mark, UTF-16, and Latin-1 that says so', async () => {
    const [plain, latin] = ['<a><b x="é€"/></a>', '<?xml version="1.0" encoding="ISO-8859-1"?><a><b x="é"/></a>'];
    const euro = ['1/1 <b {"x":"é€"}>', '1 </b> ""'];
    expect(await heard(`\ufeff${plain}`)).toEqual(euro);
    expect(await heard(utf16(plain))).toEqual(euro);
    expect(await heard(Buffer.from(latin, 'latin1'))).toEqual(['1/1 <b {"x":"é"}>', '1 </b> ""']);
  });

  it('reads what XML does not allow, but exports have, as spaces, with a warning', async () => {
    const { warnings, options } = listening();
    expect(await heard('<a><b x="1\x0b2&#x1f;3"/></a>', options)).toEqual(['1/1 <b {"x":"1 2&#x1f;3"}>', '1 </b> ""']);
    expect(warnings).toEqual(['x.xml: read 2 characters that XML does not allow as spaces.']);
  });

  it.each([
    [
      'another kind of XML',
      '<html><p/></html>',
      'x.xml, line 1: got an XML file that begins with <html>, expected <a>. Give the export.',
    ],
    ['what is no XML', 'id,title\n1,x\n', 'x.xml: got no XML, expected <a>. Give the export.'],
    ['nothing', '', 'x.xml: got no XML, expected <a>. Give the export.'],
    [
      'an archive',
      '7z\xbc\xaf',
      'x.xml: got an archive, expected an XML file, plain or .gz. Unpack it first (7z x FILE) and give what comes out.',
    ],
    [
      'a file cut off in an element',
      '<a>\n<b x="1">\n<c>',
      'x.xml, line 3: got a file that ends inside <c>, expected </a> at its end. The file was cut short: copy, unpack or export it again.',
    ],
    [
      'a file cut off in an attribute',
      '<a>\n<b x="1',
      'x.xml, line 2: got a file that ends inside <a>, expected </a> at its end. The file was cut short: copy, unpack or export it again.',
    ],
    [
      'crossed elements',
      '<a>\n<b></c></a>',
      'x.xml, line 2: got XML that is not well-formed (unexpected close tag), expected well-formed XML. Export it again; if it was edited by hand, correct this line.',
    ],
    [
      'an encoding that it does not read',
      '<?xml version="1.0" encoding="Shift_JIS"?><a/>',
      'x.xml, line 1: got the encoding Shift_JIS, expected UTF-8. Save the file as UTF-8 and change its first line.',
    ],
    [
      'bytes that are not what they are said to be',
      Buffer.concat([Buffer.from('<a>\n<b/>\n<b x="'), Buffer.from([0xe9]), Buffer.from('"/>\n</a>')]),
      'x.xml, line 3: got bytes that are not UTF-8, expected UTF-8 text. Save the file as UTF-8 (for a Latin-1 file: iconv -f latin1 -t utf-8).',
    ],
  ])('refuses %s', async (_, contents, problem) => {
    expect(await refusal(contents)).toBe(problem);
  });

  it('refuses entities of the file, which could grow without end', async () => {
    const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('\n');
    const bomb = `<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY l0 "lol">\n${laughs}]>\n<a><b>&l9;</b></a>`;
    expect(await refusal(bomb)).toContain('line 11: got a DOCTYPE with declarations, expected XML without one.');
    expect(await refusal('<a><b>&l9;</b></a>')).toContain('got XML that is not well-formed (undefined entity)');
  });

  it('refuses endless nesting, and text and attributes of more than 16 million characters', async () => {
    expect(await refusal(`<a>${'<b>'.repeat(200)}`)).toContain(
      'got an element inside 100 others, expected 100 at most',
    );
    const long = 'x'.repeat(17 << 20);
    for (const contents of [
      `<a><b x="${long}"/></a>`,
      `<a><b>${long}</b></a>`,
      `<a><!--${long}--></a>`,
      `<a><${long}/></a>`,
    ]) {
      expect(await refusal(contents)).toContain('got more than 16,777,216 characters in one element or attribute');
    }
    const sections = `<![CDATA[${'x'.repeat(1 << 20)}]]>`.repeat(17);
    const folder = await makeRelease({ 'x.xml': `<a><b>${sections}</b></a>` });
    const reading = readXml(join(folder, 'x.xml'), { close: () => {} }, OPTIONS);
    expect(await problemOf(reading, folder)).toContain('got more than 16,777,216 characters');
  });

  it('gives back any text, however it is escaped and wherever chunks end', async () => {
    const text = fc
      .string({ unit: 'grapheme', maxLength: 40 })
      .map((value) => value.replace(/[^\P{Cc}]|[\ufffe\uffff]/gu, ' '));
    await fc.assert(
      fc.asyncProperty(text, text, fc.integer({ min: 0, max: 40 }), async (attribute, content, pad) => {
        const escaped = (value: string) =>
          value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
        const filler = ' '.repeat((1 << 16) - 60 + pad); // the text is at the end of a slice
        const xml = `<a>${filler}<b x="${escaped(attribute)}">${escaped(content)}</b></a>`;
        expect(await heard(xml)).toEqual([
          `1/1 <b ${JSON.stringify({ x: attribute })}>`,
          `1 </b> ${JSON.stringify(content)}`,
        ]);
      }),
      { numRuns: 100 },
    );
  });
});
