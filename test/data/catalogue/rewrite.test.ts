// Files of every dialect with tags added: adding nothing gives the same bytes, adding tags gives the old and the new ones when the
// file is read again, and nothing else changes.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ColumnRoles, TagColumn } from '../../../src/data/catalogue/columns.ts';
import type { Dialect } from '../../../src/data/catalogue/dialect.ts';
import { type Encoding, encodeText } from '../../../src/data/catalogue/encoding.ts';
import { formatField } from '../../../src/data/catalogue/records.ts';
import { RepeatedRowsBuilder } from '../../../src/data/catalogue/repeated-rows.ts';
import type { FileRow, RowPlan, TagAdder } from '../../../src/data/catalogue/rewrite.ts';
import { rewriteText } from '../../../src/data/catalogue/rewrite-text.ts';
import { formatTags, type TagStyle } from '../../../src/data/catalogue/tag-lists.ts';
import { InputError } from '../../../src/errors.ts';

const NAMES = ['id', 'title', 'tags', 'text'];

interface Row {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
}

const CSV: Dialect = {
  kind: 'delimited',
  encoding: 'utf-8',
  hasBom: false,
  delimiter: ',',
  quotes: true,
  escape: '"',
  lineEnd: '\n',
  gzipped: false,
  hasHeader: true,
  preamble: '',
  arrayName: '',
};
const SEMICOLONS: TagStyle = { form: 'separated', separator: ';', hash: false };

function rolesWith(tags: readonly TagColumn[], names = NAMES): ColumnRoles {
  const columns = names.map((name) => ({ name, why: '' }));
  return { id: 0, title: 1, texts: [3], url: -1, image: -1, tags, columns };
}

function planOf(dialect: Partial<Dialect>, style: TagStyle = SEMICOLONS): RowPlan {
  return { path: 'items.csv', dialect: { ...CSV, ...dialect }, roles: rolesWith([{ column: 2, style }]) };
}

/** In pieces of a few bytes, so that every boundary is met. */
async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

async function rewritten(bytes: Uint8Array, plan: RowPlan, adder: TagAdder, size = 1 << 20): Promise<Buffer> {
  const out: Uint8Array[] = [];
  for await (const chunk of rewriteText(pieces(bytes, size), plan, adder)) out.push(chunk);
  return Buffer.concat(out);
}

/** Adds the same to each row, and hears what became of it. */
class Adding implements TagAdder {
  readonly rows: FileRow[] = [];
  readonly leftOut: string[] = [];
  readonly #tags: (row: FileRow) => readonly string[];

  constructor(tags: (row: FileRow) => readonly string[] = () => []) {
    this.#tags = tags;
  }

  async decide(rows: readonly FileRow[]): Promise<readonly (readonly string[])[]> {
    this.rows.push(...rows);
    return rows.map(this.#tags);
  }

  placed(_: FileRow, __: readonly string[], leftOut: readonly string[]): void {
    this.leftOut.push(...leftOut);
  }
}

async function added(text: string, plan: RowPlan, tags: readonly string[]): Promise<string> {
  return (await rewritten(Buffer.from(text), plan, new Adding(() => tags))).toString();
}

// any text, with what tables make hard in most of them; ids and tags are clean names
const words = fc.array(fc.constantFrom('a', 'ß', '"', ',', ';', '\t', '\n', '\r\n', "'", '\\', ' ', 'é', '[', '{'), {
  maxLength: 6,
});
const cell = words.map((parts) => parts.join(''));
const tag = fc.stringMatching(/^[a-zé][a-z-]{0,3} ?[a-z]{1,2}$/);
const rows = fc.uniqueArray(
  fc.record({
    id: fc.stringMatching(/^[a-z0-9]{1,4}$/),
    title: cell,
    text: cell,
    tags: fc.uniqueArray(tag, { maxLength: 3 }),
  }),
  { selector: ({ id }) => id, minLength: 1, maxLength: 6 },
);
const style: fc.Arbitrary<TagStyle> = fc.constantFrom(
  SEMICOLONS,
  { form: 'separated', separator: ', ', hash: false },
  { form: 'separated', separator: '|', hash: true },
  { form: 'json', separator: ', ', hash: false },
  { form: 'python', separator: ', ', hash: false },
  { form: 'braces', separator: ',', hash: false },
  { form: 'angles', separator: '', hash: false },
);
const dialect = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  lineEnd: fc.constantFrom<Dialect['lineEnd']>('\n', '\r\n'),
  escape: fc.constantFrom<Dialect['escape']>('"', '\\'),
  encoding: fc.constantFrom<Encoding>('utf-8', 'utf-16le', 'utf-16be', 'windows-1252'),
  bom: fc.boolean(),
  preamble: fc.boolean(),
});

/** A file as a program would write it; `always`: quotes around everything. */
function fileOf(list: readonly Row[], { dialect: format, roles }: RowPlan, always: boolean, ending: string): Buffer {
  const [{ style: tagStyle }] = roles.tags;
  const lines = list.map(({ id, title, text, tags }) =>
    [id, title, tags.length === 0 ? '' : formatTags(tags, tagStyle), text]
      .map((one) => formatField(one, format, always))
      .join(format.delimiter),
  );
  const text = `${format.preamble}${[NAMES.join(format.delimiter), ...lines].join(format.lineEnd)}${ending}`;
  return Buffer.from(encodeText(`${format.hasBom ? '\ufeff' : ''}${text}`, format.encoding));
}

describe('rewriteText of delimited text', () => {
  const given = fc.record({
    list: rows,
    dialect,
    style,
    always: fc.boolean(),
    ending: fc.constantFrom('', '\n', '\r\n', '\n\n \n'),
    size: fc.constantFrom(1, 7, 1000),
  });
  const planFor = ({
    dialect: { bom, preamble, ...format },
    style: tagStyle,
  }: {
    dialect: { bom: boolean; preamble: boolean; delimiter: string; lineEnd: Dialect['lineEnd']; encoding: Encoding };
    style: TagStyle;
  }) =>
    planOf(
      {
        ...format,
        hasBom: format.encoding.startsWith('utf-16') || (bom && format.encoding === 'utf-8'),
        preamble: preamble ? `sep=${format.delimiter}${format.lineEnd}` : '',
      },
      tagStyle,
    );

  it('gives the same bytes where nothing is added, and sees each row', async () => {
    await fc.assert(
      fc.asyncProperty(given, async (one) => {
        const plan = planFor(one);
        const bytes = fileOf(one.list, plan, one.always, one.ending);
        const adding = new Adding();
        expect(await rewritten(bytes, plan, adding, one.size)).toEqual(bytes);
        expect(adding.rows.map(({ id, tags, texts }) => ({ id, tags, text: texts[0] }))).toEqual(
          one.list.map(({ id, tags, text }) => ({ id, tags, text })),
        );
        expect(adding.rows.map(({ number }) => number)).toEqual(one.list.map((_, i) => i + 1));
      }),
      { numRuns: 80 },
    );
  });

  it('adds tags so that reading gives the old and the new ones, and leaves all other cells as they were', async () => {
    await fc.assert(
      fc.asyncProperty(given, fc.uniqueArray(tag, { minLength: 1, maxLength: 3 }), async (one, more) => {
        const plan = planFor(one);
        const wanted = (row: { tags: readonly string[] }) => more.filter((tag) => !row.tags.includes(tag));
        const adding = new Adding(wanted);
        const out = await rewritten(fileOf(one.list, plan, one.always, one.ending), plan, adding, one.size);
        const after = new Adding();
        await rewritten(out, plan, after);
        expect(adding.leftOut).toEqual([]);
        expect(after.rows).toEqual(adding.rows.map((row) => ({ ...row, tags: [...row.tags, ...wanted(row)] })));
        // the same as if the program had written all tags in the first place
        const list = one.list.map((row) => ({ ...row, tags: [...row.tags, ...wanted(row)] }));
        if (one.style.form !== 'braces') expect(out).toEqual(fileOf(list, plan, one.always, one.ending));
      }),
      { numRuns: 80 },
    );
  });

  it('copies what it does not understand: ragged rows, stray quotes, bytes that are not UTF-8', async () => {
    const bytes = Buffer.concat([
      Buffer.from('id,title,tags,text\n1,a "b" c,x,t\n2,too,few\n3,one,too,many,cells\n\n4,'),
      Buffer.from([0xe9]),
      Buffer.from(',y,é\n"5"x,"",,'),
    ]);
    expect(await rewritten(bytes, planOf({}), new Adding())).toEqual(bytes);
    const adding = new Adding(() => ['new']);
    const out = (await rewritten(bytes, planOf({}), adding)).toString('latin1');
    expect(adding.rows.map(({ id, title }) => [id, title])).toEqual([
      ['1', 'a "b" c'],
      ['4', 'é'],
      ['5x', ''],
    ]);
    expect(out).toBe(
      bytes
        .toString('latin1')
        .replace('c,x,', 'c,x;new,')
        .replace('é,y,'.slice(1), ',y;new,')
        .replace('"",,', '"",new,'),
    );
  });

  it.each([
    ['a;b', 'a;b;new'],
    ['a; b', 'a; b; new'],
    ['a ;b ', '"a ;b ;new "'],
    ['a;', 'a;new;'],
    ['"a"', '"a;new"'],
    ['[]', '"[""new""]"'],
    ['"[""a"",""b""]"', '"[""a"",""b"",""new""]"'],
    ['"[ ""a"", ""b"" ]"', '"[ ""a"", ""b"", ""new"" ]"'],
    ["['a']", "\"['a', 'new']\""],
    ['<a><b>', '<a><b><new>'],
  ])('writes a tag as the cell %j has them', async (before, after) => {
    const style = /^<|^"?\[/.test(before)
      ? ({
          form: before.startsWith('<') ? 'angles' : before.includes("'") ? 'python' : 'json',
          separator: before.includes('","') ? ',' : ', ',
          hash: false,
        } as const)
      : SEMICOLONS;
    const out = await added(`id,title,tags,text\n1,t,${before},x\n`, planOf({}, style), ['new']);
    expect(out).toBe(`id,title,tags,text\n1,t,${after},x\n`);
  });

  it('leaves out a tag that the style, or the encoding, cannot hold', async () => {
    const adding = new Adding(() => ['a;b', 'ok']);
    const out = await rewritten(Buffer.from('id,title,tags,text\n1,t,x,y'), planOf({}), adding);
    expect([out.toString(), adding.leftOut]).toEqual(['id,title,tags,text\n1,t,x;ok,y', ['a;b']]);
    const legacy = new Adding(() => ['日本', 'café']);
    const bytes = await rewritten(
      Buffer.from('id,title,tags,text\n1,t,\xe9,y', 'latin1'),
      planOf({ encoding: 'windows-1252' }),
      legacy,
    );
    expect([bytes.toString('latin1'), legacy.leftOut]).toEqual(['id,title,tags,text\n1,t,\xe9;caf\xe9,y', ['日本']]);
  });

  it('refuses UTF-16 that it could not write back', async () => {
    const plan = planOf({ encoding: 'utf-16le', hasBom: true });
    const bytes = Buffer.concat([
      Buffer.from('\ufeffid,title,tags,text\n1,', 'utf16le'),
      Buffer.from([0x00, 0xd8, 0x2c, 0x00]),
    ]);
    await expect(rewritten(bytes, plan, new Adding())).rejects.toThrow(
      new InputError({
        file: 'items.csv',
        got: 'bytes that are not UTF-16',
        expected: 'UTF-16 text',
        cure: 'Save the file as UTF-8.',
      }),
    );
  });
});

describe('rewriteText of other layouts', () => {
  const single: TagStyle = { form: 'single', separator: '', hash: false };

  it('fills the next free of several columns, and leaves out what finds none', async () => {
    const roles = rolesWith(
      [1, 2, 4].map((column) => ({ column, style: single })),
      ['id', 'tag1', 'tag2', 'x', 'tag3'],
    );
    const plan: RowPlan = { ...planOf({}), roles: { ...roles, title: 3, texts: [] } };
    const adding = new Adding(() => ['m', 'n']);
    const out = await rewritten(Buffer.from('id,tag1,tag2,x,tag3\n1,a,,b,\n2,a,b,"c",""\n3,a,b,c,d'), plan, adding);
    expect(out.toString()).toBe('id,tag1,tag2,x,tag3\n1,a,m,b,n\n2,a,b,"c","m"\n3,a,b,c,d');
    expect(adding.leftOut).toEqual(['n', 'm', 'n']);
  });

  it('fills a blank cell of a column with one tag in each, and no other', async () => {
    const adding = new Adding(() => ['m', 'n']);
    const out = await rewritten(Buffer.from('id,title,tags,text\n1,t,,x\n2,t,a,x\n'), planOf({}, single), adding);
    expect(out.toString()).toBe('id,title,tags,text\n1,t,m,x\n2,t,a,x\n');
    expect(adding.leftOut).toEqual(['n', 'm', 'n']);
  });

  it('sets columns of 0 and 1 in the words they use', async () => {
    const flags = ['red', 'green', 'blue'].map((indicates, i) => ({ column: 2 + i, style: single, indicates }));
    const roles = { ...rolesWith(flags, ['id', 'title', 'red', 'green', 'blue']), texts: [] };
    const adding = new Adding(() => ['red', 'blue', 'black']);
    const text = 'id,title,red,green,blue\n1,t,0,1,\n2,t,False,True,no\n3,t,1,0,N';
    const out = await rewritten(Buffer.from(text), { ...planOf({}), roles }, adding);
    expect(out.toString()).toBe('id,title,red,green,blue\n1,t,1,1,1\n2,t,True,True,yes\n3,t,1,0,Y');
    expect(adding.rows.map(({ tags }) => tags)).toEqual([['green'], ['green'], ['red']]);
    expect(adding.leftOut).toEqual(['black', 'black', 'black']);
  });

  it.each(['\n', ''])(
    'puts a row behind the last one of an object that has a row for each tag (end %j)',
    async (ending) => {
      const text = `id,title,tags,text\r\n1,"One",a,"x"\r\n2,Two,,y\r\n1,"One",b,"x"\r\n3,Three,c,z${ending}`;
      const builder = new RepeatedRowsBuilder();
      for (const [i, [id, tags]] of (
        [
          ['1', ['a']],
          ['2', []],
          ['1', ['b']],
          ['3', ['c']],
        ] as const
      ).entries())
        builder.add(id, i + 1, tags);
      const repeated = builder.finish(true);
      const adding = new Adding(({ id }) => (id === '1' ? ['n'] : ['n', 'o']));
      const out = await rewritten(Buffer.from(text), { ...planOf({ lineEnd: '\r\n' }, single), repeated }, adding);
      expect(adding.rows.map(({ id, tags }) => [id, tags])).toEqual([
        ['2', []],
        ['1', ['a', 'b']],
        ['3', ['c']],
      ]);
      const more = ending === '' ? '\r\n3,Three,n,z\r\n3,Three,o,z' : '\n3,Three,n,z\n3,Three,o,z\n';
      expect(out.toString()).toBe(
        `id,title,tags,text\r\n1,"One",a,"x"\r\n2,Two,n,y\r\n2,Two,o,y\r\n1,"One",b,"x"\r\n1,"One",n,"x"\r\n3,Three,c,z${more}`,
      );
    },
  );

  it('adds to the row that has the tags where an object has a row for each variant', async () => {
    const text =
      'id,title,tags,text\ncoat,Coat,warm;wool,x\ncoat,,,\ncoat,,,\nhat,Hat,,\nhat,,wool,\n,None,,\n,Other,,\nmug,Mug,,\nmug,,,\n';
    const builder = new RepeatedRowsBuilder();
    for (const [i, [id, tags]] of (
      [
        ['coat', ['warm', 'wool']],
        ['coat', []],
        ['coat', []],
        ['hat', []],
        ['hat', ['wool']],
        ['', []],
        ['', []],
        ['mug', []],
        ['mug', []],
      ] as const
    ).entries())
      if (id !== '') builder.add(id, i + 1, tags);
    const adding = new Adding(() => ['n']);
    const out = await rewritten(Buffer.from(text), { ...planOf({}), repeated: builder.finish(false) }, adding);
    expect(adding.rows.map(({ id, tags }) => [id, tags])).toEqual([
      ['coat', ['warm', 'wool']],
      ['hat', ['wool']],
      ['', []],
      ['', []],
      ['mug', []],
    ]);
    expect(out.toString()).toBe(
      'id,title,tags,text\ncoat,Coat,warm;wool;n,x\ncoat,,,\ncoat,,,\nhat,Hat,,\nhat,,wool;n,\n,None,n,\n,Other,n,\nmug,Mug,n,\nmug,,,\n',
    );
  });

  it('takes blank cells of one tag for variants, not for rows of tags', () => {
    const builder = new RepeatedRowsBuilder();
    for (let row = 1; row <= 30; row++) builder.add(`o${row % 10}`, row, row <= 10 ? ['t'] : []);
    expect(builder.finish(true)?.hasRowPerTag).toBe(false);
  });

  it('knows a file with one row for each object', () => {
    const builder = new RepeatedRowsBuilder();
    for (let row = 1; row <= 3000; row++) builder.add(`o${row}`, row, ['t']);
    expect(builder.finish(true)).toBeUndefined();
  });
});

describe('rewriteText of JSON', () => {
  const lists: TagStyle = { form: 'array', separator: ',', hash: false };
  const value = fc.oneof(
    cell,
    fc.integer(),
    fc.constant(null),
    fc.array(fc.oneof(cell, fc.record({ id: cell })), { maxLength: 2 }),
  );
  const object = fc.record({ title: value, text: value, other: value, tags: fc.uniqueArray(tag, { maxLength: 3 }) });
  const objects = fc.array(fc.tuple(object, fc.constantFrom(0, 1, 2, '\t')), { maxLength: 5 });

  it('adds to lists of an array, indented in any way, as if it had been written so', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(object, { maxLength: 4 }),
        fc.constantFrom(undefined, 1, 2, '\t'),
        tag,
        async (list, indent, more) => {
          const plan = planOf({ kind: 'json' }, lists);
          const text = (items: unknown) => `${JSON.stringify(items, null, indent)}\n`;
          expect(await added(text(list), plan, [])).toBe(text(list));
          const adding = new Adding(({ tags }) => (tags.includes(more) ? [] : [more]));
          const out = (await rewritten(Buffer.from(text(list)), plan, adding)).toString();
          const wanted = list.map((one) => ({ ...one, tags: [...new Set([...one.tags, more])] }));
          expect(JSON.parse(out)).toEqual(wanted);
          expect(out).toBe(text(wanted));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('leaves an object in the place of tags as it is', async () => {
    const text = '{"id":"1","tags":{"a":true}}\n{"id":"2","tags":{"name":"b"}}\n{"id":"3","tags":["c"]}\n';
    const adding = new Adding(() => ['n']);
    const out = await rewritten(Buffer.from(text), planOf({ kind: 'json-lines' }, lists), adding);
    expect(out.toString()).toBe(text.replace('["c"]', '["c","n"]'));
    expect(adding.leftOut).toEqual(['n', 'n']);
  });

  it('changes only lines of JSON Lines that gain something', async () => {
    await fc.assert(
      fc.asyncProperty(
        objects,
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom(1, 11, 1000),
        tag,
        async (list, lineEnd, size, more) => {
          const spaced = (one: unknown, indent: number | string) =>
            indent === 0 ? JSON.stringify(one) : JSON.stringify(one, null, 1).replace(/\n\s*/g, ' ');
          const lines = list.map(([one, indent]) => spaced(one, indent));
          const bytes = Buffer.from(`${lines.join(lineEnd)}${lineEnd}${lineEnd}{broken${lineEnd}[1]`);
          const plan = planOf({ kind: 'json-lines', lineEnd }, lists);
          expect(await rewritten(bytes, plan, new Adding(), size)).toEqual(bytes);
          const adding = new Adding(({ number }) => (number % 2 === 0 ? [more] : []));
          const out = (await rewritten(bytes, plan, adding, size)).toString().split(lineEnd);
          const wanted = list.map(([one], i) => (i % 2 === 1 ? { ...one, tags: [...one.tags, more] } : one));
          expect(out.slice(0, list.length).map((line) => JSON.parse(line))).toEqual(wanted);
          for (const [i, line] of lines.entries()) if (i % 2 === 0) expect(out[i]).toBe(line);
          expect(out.slice(list.length || 1)).toEqual(['', '{broken', '[1]']);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each([
    ['{"tags":["a","b"]}', '{"tags":["a","b","n","o"]}'],
    ['{"tags": ["a", "b" ], "x": 1.50}', '{"tags": ["a", "b", "n", "o" ], "x": 1.50}'],
    ['{"tags": ["a"]}', '{"tags": ["a", "n", "o"]}'],
    ['{"tags": [ ]}', '{"tags": ["n", "o"]}'],
    ['{"tags":null,"x":{}}', '{"tags":["n","o"],"x":{}}'],
    ['{"id":1}', '{"id":1,"tags":["n","o"]}'],
    ['{ "id": 1, "x": "\\u00e9" }', '{ "id": 1, "x": "\\u00e9", "tags": ["n", "o"] }'],
    ['{}', '{"tags": ["n", "o"]}'],
    ['{\n "id": [1],\n "tags": []\n}', '{\n "id": [1],\n "tags": ["n", "o"]\n}'],
    ['{\n\t"id": 1\n}', '{\n\t"id": 1,\n\t"tags": [\n\t\t"n",\n\t\t"o"\n\t]\n}'],
    ['{"tags":1,"tags":[]}', '{"tags":1,"tags":["n","o"]}'],
    ['{"tags": [{"name": "a", "id": 3}]}', '{"tags": [{"name": "a", "id": 3}, {"name": "n"}, {"name": "o"}]}'],
    ['{"a\\"b": "}", "tags": ["]"]}', '{"a\\"b": "}", "tags": ["]", "n", "o"]}'],
  ])('writes tags into %s', async (before, after) => {
    expect(await added(`[${before}]`, planOf({ kind: 'json' }, lists), ['n', 'o'])).toBe(`[${after}]`);
  });

  it('adds to texts with a separator, and to the array that an object holds', async () => {
    const plan = planOf({ kind: 'json', arrayName: 'items' }, SEMICOLONS);
    const text = '{"tags": [1], "items": [\n  {"tags": "a; b"},\n  {"tags": ""}\n], "n": 2}';
    expect(await added(text, plan, ['n'])).toBe(text.replace('"a; b"', '"a; b; n"').replace('""', '"n"'));
  });

  it('puts an object behind the last one of an object with a row for each tag', async () => {
    const single: TagStyle = { form: 'single', separator: '', hash: false };
    const builder = new RepeatedRowsBuilder();
    builder.add('1', 1, ['a']);
    builder.add('1', 2, ['b']);
    const repeated = builder.finish(true);
    const lines = '{"id":1,"tags":"a"}\n{"id":1,"tags":"b"}';
    expect(await added(lines, { ...planOf({ kind: 'json-lines' }, single), repeated }, ['n'])).toBe(
      `${lines}\n{"id":1,"tags":"n"}`,
    );
    const array = '[\n {"id":1,"tags":"a"},\n {"id":1,"tags":"b"}\n]';
    expect(await added(array, { ...planOf({ kind: 'json' }, single), repeated }, ['n'])).toBe(
      '[\n {"id":1,"tags":"a"},\n {"id":1,"tags":"b"},\n {"id":1,"tags":"n"}\n]',
    );
  });

  it('refuses an array that does not end, and JSON without one', async () => {
    const plan = planOf({ kind: 'json' }, lists);
    await expect(added('[{"id":1},{"id":', plan, [])).rejects.toThrow('items.csv: got JSON that ends inside its array');
    await expect(added('{"id":1}', plan, [])).rejects.toThrow('expected an array of objects');
  });
});
