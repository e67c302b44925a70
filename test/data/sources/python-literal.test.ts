import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PythonValue, parsePythonLiteral, readPythonLines } from '../../../src/data/sources/python-literal.ts';
import { codePoint } from '../../arbitraries.ts';
import { makeRelease, problemOf } from '../../fixtures/sources/release.ts';

const parse = (text: string) => parsePythonLiteral({ text, number: 1 });
const problem = (text: string) =>
  problemOf(Promise.resolve().then(() => parsePythonLiteral({ text, number: 4 }, 'f.json')));

describe('values', () => {
  test.each<[string, PythonValue]>([
    ['True', true],
    ['False', false],
    ['None', null],
    ['0', 0],
    ['-12', -12],
    ['+3', 3],
    ['12L', 12],
    ['4.49', 4.49],
    ['.5', 0.5],
    ['1.', 1],
    ['1e-05', 0.00001],
    ['-2.5E+3', -2500],
    ['76561197970982479', 76561197970982479n],
    ['-76561197970982479L', -76561197970982479n],
    ['9007199254740991', 9007199254740991],
    ['[]', []],
    ['[ 1 ,2, ]', [1, 2]],
    ['{}', new Map()],
    [
      "{u'a': [1, {'b': None}], 2: \"c\",}",
      new Map<string | number, PythonValue>([
        ['a', [1, new Map([['b', null]])]],
        [2, 'c'],
      ]),
    ],
    ['  \t[True]  ', [true]],
  ])('parses %s', (text, value) => {
    expect(parse(text)).toEqual(value);
  });

  test.each([
    ["'it\\'s'", "it's"],
    ['"it\'s"', "it's"],
    ['\'say "hi"\'', 'say "hi"'],
    ["u'caf\\xe9 \\u00e9 \\U0001f600'", 'café é 😀'],
    ["U'x'", 'x'],
    ["'\\n\\t\\r\\a\\b\\f\\v\\\\'", '\n\t\r\x07\b\f\v\\'],
    ["'\\101\\0\\18'", 'A\0\x018'],
    ["'\\d \\/'", '\\d \\/'],
    ["''", ''],
    ["'é…'", 'é…'],
    ["'\\ud83d\\ude00'", '😀'],
  ])('parses %s', (text, value) => {
    expect(parse(text)).toBe(value);
  });

  test('a later value of the same key wins, and "__proto__" is a key like any other', () => {
    expect(parse("{'a': 1, 'a': 2, '__proto__': 3}")).toEqual(
      new Map([
        ['a', 2],
        ['__proto__', 3],
      ]),
    );
  });
});

describe('properties', () => {
  const value: fc.Arbitrary<PythonValue> = fc.letrec<{ value: PythonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: codePoint }),
      fc.integer(),
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }),
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((x) => !Object.is(x, -0)),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.tuple(fc.string(), tie('value')), { maxLength: 4 }).map((pairs) => new Map(pairs)),
    ),
  })).value;

  /** Python's repr, in both of its quotes and with as many escapes as `ascii` asks for. */
  const repr = (v: PythonValue, quote: string, ascii: boolean): string => {
    if (v === null) return 'None';
    if (typeof v === 'boolean') return v ? 'True' : 'False';
    if (typeof v === 'bigint') return String(v);
    // a float that is whole and huge has a point in Python, where an integer has none
    if (typeof v === 'number') return /^-?\d{16,}$/.test(String(v)) ? `${v}.0` : String(v);
    if (typeof v === 'string') return quoted(v, quote, ascii);
    if (v instanceof Map) {
      const pairs = Array.from(v, ([k, x]) => `${repr(k, quote, ascii)}: ${repr(x, quote, ascii)}`);
      return `{${pairs.join(', ')}}`;
    }
    return `[${(v as readonly PythonValue[]).map((x) => repr(x, quote, ascii)).join(', ')}]`;
  };
  const quoted = (text: string, quote: string, ascii: boolean) => {
    const body = Array.from(text, (character) => {
      const code = character.codePointAt(0) ?? 0;
      if (character === quote || character === '\\') return `\\${character}`;
      if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
      if (code < 0x80 || !ascii) return character;
      if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
      if (code <= 0xffff) return `\\u${code.toString(16).padStart(4, '0')}`;
      return `\\U${code.toString(16).padStart(8, '0')}`;
    });
    return `${ascii ? 'u' : ''}${quote}${body.join('')}${quote}`;
  };

  test('what repr writes is read back', () => {
    fc.assert(
      fc.property(value, fc.constantFrom("'", '"'), fc.boolean(), (v, quote, ascii) => {
        expect(parse(repr(v, quote, ascii))).toEqual(v);
      }),
    );
  });

  test('a literal that is cut short is an error that names the line, never a value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 3 }), fc.nat(), async (list, n) => {
        const text = repr(list, "'", true);
        expect(await problem(text.slice(0, n % text.length) || '[')).toMatch(/^f\.json, line 4: got .* at column \d+/);
      }),
    );
  });

  test('any text gives a value or an error for its reader, never a crash', async () => {
    const characters = fc.constantFrom(...'{}[]:,\'"\\ux0Ln1.-e TrueNoneFalse '.split(''));
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: characters }), async (text) => {
        try {
          parse(text);
        } catch (error) {
          expect((error as Error).name).toBe('InputError');
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('errors', () => {
  test.each([
    ["{'a' 1}", '"1}" at column 6, expected ":"'],
    ["{'a': }", '"}" at column 7, expected a value'],
    ["{'a': 1 'b': 2}", `"'b': 2}" at column 9, expected "," or "}"`],
    ['[1 2]', '"2]" at column 4, expected "," or "]"'],
    ['[1', 'the end of the line at column 3, expected "," or "]"'],
    ['[1,', 'the end of the line at column 4, expected a value'],
    ['[,]', '",]" at column 2, expected a value'],
    ['{[1]: 2}', '"[1]: 2}" at column 2, expected a key'],
    ["['abc", "a string that does not end at column 2, expected a closing '"],
    ["'\\x4'", `"\\\\x4'" at column 2, expected a whole escape`],
    ["'\\U00110000'", 'at column 2, expected a whole escape'],
    ["'\\N{BULLET}'", 'at column 2, expected a whole escape'],
    ["'a' 'b'", `"'b'" at column 5, expected the end of the line`],
    ['{"a": true}', '"true}" at column 7, expected a value'],
    ['nan', '"nan" at column 1, expected a value'],
    ["b'x'", `"b'x'" at column 1, expected a value`],
    ['(1, 2)', '"(1, 2)" at column 1, expected a value'],
    ['', 'the end of the line at column 1, expected a value'],
  ])('refuses %s', async (text, expected) => {
    expect(await problem(text)).toMatch(/^f\.json, line 4: got /);
    expect(await problem(text)).toContain(expected);
  });

  test('brackets nested without end are refused before the stack is', async () => {
    expect(await problem('['.repeat(100_000))).toContain('got more than 100 brackets inside one another at column 101');
    expect(parse('['.repeat(100) + ']'.repeat(100))).toBeInstanceOf(Array);
  });
});

describe('files', () => {
  test('each line is one literal; blank lines and carriage returns do not count', async () => {
    const folder = await makeRelease({ 'a.json.gz': "\ufeff{'a': 1}\r\n\r\n[2]\nNone" });
    const found: [PythonValue, number][] = [];
    await readPythonLines(join(folder, 'a.json.gz'), {}, (value, line) => found.push([value, line]));
    expect(found).toEqual([
      [new Map([['a', 1]]), 1],
      [[2], 3],
      [null, 4],
    ]);
  });

  test('lines are numbered across chunks of the file', async () => {
    const line = `['${'x'.repeat(70_000)}']\n`;
    const folder = await makeRelease({ 'a.json': `${line.repeat(40)}oops\n` });
    expect(
      await problemOf(
        readPythonLines(join(folder, 'a.json'), {}, () => {}),
        folder,
      ),
    ).toContain('a.json, line 41: got "oops"');
  });

  test('bytes that are not UTF-8 are refused with their line', async () => {
    const folder = await makeRelease({ 'a.json': Buffer.from("['a']\n['\xe9']\n", 'latin1') });
    expect(
      await problemOf(
        readPythonLines(join(folder, 'a.json'), {}, () => {}),
        folder,
      ),
    ).toContain('a.json, line 2: got bytes that are not UTF-8');
  });
});
