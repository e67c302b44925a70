// Each shape of a catalogue, broken in the ways people break it: a defined answer for every one.

import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ColumnChoice } from '../../../src/data/catalogue/columns.ts';
import { understoodText } from '../../../src/data/catalogue/understood.ts';
import { load, loadCatalogue } from '../../../src/data/data-set.ts';
import type { KnowledgeGraph } from '../../../src/data/knowledge-graph.ts';
import { InputError } from '../../../src/errors.ts';
import { tempFolder } from '../../temp-folder.ts';

async function read(contents: string | Uint8Array, choice: ColumnChoice = {}, name = 'products.csv') {
  const warnings: string[] = [];
  const file = new File([contents as Uint8Array<ArrayBuffer>], name);
  const loaded = await loadCatalogue([file], { ...choice, warn: (message) => warnings.push(message) });
  return { ...loaded, warnings };
}

const refusal = (contents: string | Uint8Array, choice?: ColumnChoice, name?: string) =>
  read(contents, choice, name).then(
    () => expect.fail('it was read'),
    (error) => {
      expect(error).toBeInstanceOf(InputError);
      return String(error.message);
    },
  );

const tagsOf = (graph: KnowledgeGraph, object: string) =>
  Array.from(graph.tagged.row(graph.objects.idOf(object)), (tag) => graph.tags.name(tag));

const ROWS = Array.from({ length: 20 }, (_, i) => `p${i},Thing ${i},about thing number ${i},tag${i % 4};tag${i % 3}`);
const CSV = `id,title,description,tags\n${ROWS.join('\n')}\n`;

describe('a catalogue of nested JSON', () => {
  it('gives an object its only text, or its name', async () => {
    const rows = ROWS.map((_, i) => ({
      id: i,
      title: { rendered: `Thing ${i}` },
      content: { rendered: `About the thing number ${i}`, protected: false },
      author: { name: `Ann ${i}`, link: 'x' },
      price: { amount: i, currency: 'EUR', unit: 'piece' },
      tags: ['a', `t${i % 3}`],
    }));
    const { graph, understood } = await read(JSON.stringify(rows), {}, 'posts.json');
    expect(understood.columns.filter(({ role }) => role !== undefined).map(({ name, role }) => [name, role])).toEqual([
      ['id', 'id'],
      ['title', 'title'],
      ['content', 'text'],
      ['author', 'text'],
      ['tags', 'tags'],
    ]);
    expect(graph.titles.at(graph.objects.idOf('3'))).toBe('Thing 3');
  });
});

describe('a catalogue that is broken', () => {
  it('with ragged rows, leaves them out and says how many, and where the first is', async () => {
    const { graph, warnings, understood } = await read(`${CSV}x,Red, green and blue,a text,tag1\ny,Short\n`);
    expect([graph.objects.size, understood.numRows]).toEqual([20, 22]);
    expect(warnings).toEqual([
      'products.csv: left out 2 of 22 rows that did not have 4 fields, as the first row has; the first has 5 on line 22. Put fields that contain commas or a line break in quotes.',
    ]);
  });

  it.each(['My products\n\n', '# exported\n# by hand\n', 'Products, all of them\n'])(
    'with %j above its header, is an error that says where the header is',
    async (above) => {
      const line = above.split('\n').length;
      for (const text of [CSV, CSV.replaceAll(';', ' ').replaceAll(',', ';')])
        expect(await refusal(above + text)).toMatch(
          new RegExp(`The header seems to be on line ${line}: remove the lines above it.$`),
        );
    },
  );

  it('of one column of tags, is read where it is named', async () => {
    const { graph } = await read('labels\na;b\nb;c\nc;a\na\n', { tags: ['labels'] });
    expect([graph.objects.size, graph.tags.size]).toEqual([4, 3]);
  });

  it('without a header, keeps its first row', async () => {
    const { graph, warnings } = await read(CSV.replace(/^.*\n/, ''));
    expect([graph.objects.size, tagsOf(graph, 'p0')]).toEqual([20, ['tag0']]);
    expect(warnings.join()).toMatch(/the first row looks like data/);
  });

  it('put together from two, leaves out the second header', async () => {
    const { graph, warnings } = await read(CSV + CSV.replaceAll(/^p/gm, 'q'));
    expect([graph.objects.size, graph.tags.idOf('tags')]).toEqual([40, -1]);
    expect(warnings).toEqual(['products.csv: left out 1 row that repeats the header.']);
  });

  it('put together from two that separate tags differently, reads both', async () => {
    const { graph, warnings } = await read(CSV + ROWS.map((row) => `q${row.replace(';', '|')}\n`).join(''));
    expect([graph.tags.size, tagsOf(graph, 'qp1')]).toEqual([4, ['tag1']]);
    expect(tagsOf(graph, 'qp3')).toEqual(['tag0', 'tag3']);
    expect(warnings.join()).toMatch(/^products.csv: the tags of \d+ rows are written in another way/);
  });

  it('with several columns of one name that hold tags, reads all', async () => {
    const rows = ROWS.map((row, i) => `${row.replace(/,[^,]*$/, '')},bug,${i % 2 ? 'ui' : ''}`);
    const { graph } = await read(`id,title,description,Labels,Labels\n${rows.join('\n')}\n`);
    expect([tagsOf(graph, 'p0'), tagsOf(graph, 'p1')]).toEqual([['bug'], ['bug', 'ui']]);
  });

  it('of binary data, is refused as such', async () => {
    const junk = Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919 * (i + 3)) % 256);
    for (const bytes of [junk, new Uint8Array(5000)])
      expect(await refusal(bytes)).toMatch(/^products.csv: got a binary file, expected CSV/);
  });

  it('of JSON with something behind its array, is an error', async () => {
    const array = JSON.stringify([{ id: 1, title: 'One', tags: ['a'] }]);
    expect(await refusal(`${array}\n${array}`, {}, 'two.json')).toBe(
      'two.json, line 2: got something behind the end of the array, expected one array. Write all objects into one array: of several arrays in one file, jq -s add makes one.',
    );
    expect((await read(`${array}\n \n`, {}, 'one.json')).graph.objects.size).toBe(1);
  });

  it('of what Python takes for JSON, is an error that says so', async () => {
    const lines = (line: string) => Array.from({ length: 5 }, () => line).join('\n');
    expect(await refusal(lines('{"id": 1, "score": NaN, "tags": ["a"]}'), {}, 'x.jsonl')).toMatch(/no NaN/);
    expect(await refusal(lines("{'id': 1, 'tags': ['a']}"), {}, 'x.jsonl')).toMatch(/Python dicts/);
  });

  it('with nothing but delimiters at the end of rows, is read', async () => {
    const { graph, warnings } = await read(CSV.replaceAll(/(p\d+,.*)/g, '$1,,'));
    expect([graph.objects.size, warnings]).toEqual([20, []]);
  });

  it('with mostly ragged rows, is an error that names the likely cause', async () => {
    const commas = ROWS.map((row) => row.replace('about', 'big, red, about'));
    expect(await refusal(`id,title,description,tags\n${commas.join('\n')}\n`)).toBe(
      'products.csv: got 20 of 20 rows with another number of fields (6 on line 2), expected 4 fields, as the first row has. Put fields that contain commas in quotes, or check that commas separate the fields.',
    );
  });

  it('with one column, is an error that says which delimiters were tried', async () => {
    expect(await refusal('id:title:tags\n1:Alien:space\n2:Heat:crime\n')).toBe(
      'products.csv: got one column, "id:title:tags", expected several, separated by commas, tabs, semicolons or |. Check the delimiter: none of these separates the first row. A catalogue needs a column of tags and one of text.',
    );
  });

  it('without a column of tags, is an error that says what the columns look like and how to choose', async () => {
    expect(await refusal('id,title,price,seen\n1,Alien,12.5,2020-01-01\n2,Heat,9,2021-02-03\n')).toBe(
      'products.csv: got the columns id (numbers), title (text of 5 characters on average, all different), price (numbers), seen (dates), expected a column of tags. Name it with --tags NAME.',
    );
  });

  it('with a column that is not there, is an error that lists the columns', async () => {
    expect(await refusal(CSV, { tags: ['genre'] })).toBe(
      'products.csv: got no column "genre" (--tags), expected one of "id", "title", "description", "tags". Name a column of the file as it is written there.',
    );
  });

  it('with tags that are all blank, says so', async () => {
    expect(await refusal('id,title,tags\n1,Alien,\n2,Heat,\n', { tags: ['tags'] })).toMatch(
      /got no tags, expected at least one object with a tag\. The column "tags" is blank in every row/,
    );
  });

  it('with tags in two formats, reads each in its own and says how many differ', async () => {
    const { graph, warnings } = await read(`${CSV}j,J,json here,"[""tag1"", ""a;b""]"\n`);
    expect(tagsOf(graph, 'j')).toEqual(['a;b', 'tag1']);
    expect(tagsOf(graph, 'p1')).toEqual(['tag1']);
    expect(warnings).toEqual([
      'products.csv: the tags of 1 row are written in another way than the others (separated by ;) and read in their own.',
    ]);
  });

  it('with a cell of 5 MB, cuts it and says so, and reads the rest', async () => {
    const huge = `huge,Huge,"${'many words '.repeat(500_000)}",tag1\n`;
    const { graph, warnings } = await read(`id,title,description,tags\n${huge}${ROWS.join('\n')}\n`);
    expect(graph.objects.size).toBe(21);
    expect(graph.texts[0].texts.at(graph.objects.idOf('huge')).length).toBeGreaterThan(1_000_000);
    expect(warnings).toEqual(['products.csv: 1 cell was longer than 1,048,576 bytes; the rest was left out.']);
    const json = await read(JSON.stringify([{ id: 'a', text: 'x'.repeat(5_000_000), tags: ['t'] }]), {}, 'x.json');
    expect(json.graph.texts[0].texts.at(0).length).toBe(1 << 20);
    expect(json.warnings).toEqual(['x.json: 1 cell was longer than 1,048,576 bytes; the rest was left out.']);
  });

  it('with HTML in descriptions, keeps it as it is', async () => {
    const html = '<p>Hello, <b>you</b> &amp; me</p>';
    const { graph } = await read(`${CSV}h,H,"${html}",tag1\n`);
    expect(graph.texts[0].texts.at(graph.objects.idOf('h'))).toBe(html);
  });

  it('with duplicate ids, adds their tags up, keeps the first title and text, and says so once', async () => {
    const { graph, warnings } = await read(`${CSV}p1,Other,another text,new\np2,Thing 2,,new\n`);
    expect(tagsOf(graph, 'p1')).toEqual(['new', 'tag1']);
    expect(graph.titles.at(graph.objects.idOf('p1'))).toBe('Thing 1');
    expect(graph.texts[0].texts.at(graph.objects.idOf('p2'))).toBe('about thing number 2');
    expect(warnings).toEqual([
      'products.csv: 2 rows repeat the id of another; their tags are added up.',
      'products.csv: 2 cells give an object another title or text than a row before; the first is kept.',
    ]);
  });

  it('with one tag a row, adds them up without a word', async () => {
    const rows = ROWS.flatMap((_, i) => [`p${i},tag${i % 3}`, `p${i},tag${i % 5}`, `p${i},all`]);
    const { graph, warnings } = await read(`id,tag\n${rows.join('\n')}\n`);
    expect([graph.objects.size, tagsOf(graph, 'p4')]).toEqual([20, ['all', 'tag1', 'tag4']]);
    expect(warnings).toEqual([
      'products.csv: no column of titles or texts was found; only tags are learned from. Name one with --text.',
    ]);
  });

  it('with empty texts and blank ids, keeps the one and leaves out the other', async () => {
    const { graph, warnings } = await read(`${CSV}e,,,tag1\n,No id,text,tag2\n`);
    expect(graph.titles.at(graph.objects.idOf('e'))).toBe('e');
    expect(graph.texts[0].texts.at(graph.objects.idOf('e'))).toBe('');
    expect(warnings).toEqual([
      'products.csv: left out 1 row without an id. Fill the column of ids, or pass another with --id.',
    ]);
  });

  it('with an open quote, is an error that says where', async () => {
    expect(await refusal(`${CSV}q,"never closed,text,tag1\nr,R,text,tag1\n`)).toBe(
      'products.csv, line 22: got a quoted field that does not end, expected a closing quote. Close the quote, or double a quote that is part of the text.',
    );
  });

  it.each<[string, Uint8Array | string, RegExp]>([
    ['an empty file', '', /got an empty file, expected CSV, TSV, JSON Lines, a JSON array or Parquet/],
    ['a header alone', 'id,title,tags\n', /got a file without rows/],
    ['a workbook', Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0, 6, 0), /got an Excel workbook or a ZIP archive.*as CSV/],
    ['a web page', '<!DOCTYPE html><html><body>Log in</body></html>', /got a web page \(HTML\).*Download it again/],
    ['gzip twice', gzipSync(gzipSync(CSV)), /got a gzip file inside a gzip file/],
    ['JSON cut short', '[{"id":1,"tags":["a"]},{"id":2,"ta', /got JSON that ends inside its array/],
    ['JSON without rows', '{"a":1,\n"b":2}', /rows that are no JSON objects \(the first on line 1\)/],
  ])('%s is refused by what it is', async (_, contents, message) => {
    expect(await refusal(contents)).toMatch(message);
  });

  it('with lines that are no JSON, leaves them out', async () => {
    const rows = Array.from({ length: 9 }, (_, i) => JSON.stringify({ id: `o${i}`, text: 'a text', tags: ['x'] }));
    const { graph, warnings } = await read(`${rows.join('\n')}\n{"id": broken}\n`, {}, 'x.jsonl');
    expect(graph.objects.size).toBe(9);
    expect(warnings).toEqual(['x.jsonl: left out 1 of 10 rows that are no JSON objects (the first on line 10).']);
  });

  it('in Latin-1, or with one line of it, is read and said so', async () => {
    const latin1 = CSV.replaceAll('Thing', 'Größe');
    const { graph, warnings } = await read(Buffer.from(latin1, 'latin1'));
    expect(graph.titles.at(0)).toBe('Größe 0');
    expect(warnings).toEqual([
      'products.csv: not UTF-8, read as Windows-1252 (Latin-1). If letters look wrong, save the file as UTF-8.',
    ]);
    const bytes = Buffer.concat([Buffer.from(latin1), Buffer.from('l,Café,text,tag1\n', 'latin1')]);
    const mixed = await read(bytes);
    expect(mixed.graph.titles.at(mixed.graph.objects.idOf('l'))).toBe('Café');
    expect(mixed.warnings).toEqual(['products.csv: read 1 line that is not UTF-8 as Windows-1252 (Latin-1).']);
  });

  it('with tags that were not split, says that most occur once', async () => {
    const rows = ROWS.map((_, i) => `p${i},text of ${i},a${i}+b${i}`);
    const { warnings } = await read(`id,text,tags\n${rows.join('\n')}\n`);
    expect(warnings).toEqual([
      'products.csv: most tags occur once (20 of 20). Check that tags are separated as they should be (--separator).',
    ]);
  });
});

describe('what is understood of a catalogue', () => {
  it('is told in a few lines', async () => {
    const { understood } = await read(
      'sku;name;long_description;keywords;price;url\nA1;Red shirt;A shirt that is red;red, cotton;12,50;https://x.org/1\nA2;Blue shirt;A shirt that is blue;blue, cotton;13;https://x.org/2\n',
    );
    expect(understoodText(understood)).toBe(
      [
        'products.csv: CSV with semicolons, UTF-8, 2 rows',
        '  id        sku',
        '  title     name',
        '  text      long_description',
        '  tags      keywords (separated by ,), 3 different',
        '  link      url',
        '  left out  price (numbers)',
      ].join('\n'),
    );
  });

  it('without ids, takes the numbers of rows, those left out included', async () => {
    const { graph, understood } = await read('title,tags\nAlien,a;b\nx\nHeat it up,b;c\nSolaris,a;c\n');
    expect(understood.hasRowNumbers).toBe(true);
    expect(graph.objects.names.toArray()).toEqual(['1', '3', '4']);
  });

  it('takes columns as they are given, several of tags, and 0 and 1 as tags', async () => {
    const text = 'nr,what,comedy,space,more\n7,Alien,0,1,a/b\n8,Airplane,1,0,b\n';
    const given = { id: 'nr', title: 'what', text: ['what'], tags: ['comedy', 'space', 'more'], separator: '/' };
    const { graph } = await read(text, given);
    expect([tagsOf(graph, '7'), tagsOf(graph, '8')]).toEqual([
      ['a', 'b', 'space'],
      ['b', 'comedy'],
    ]);
    const numbered = await read('id,text,tag1,tag2\n1,a text,x,y\n2,more text,y,\n');
    expect(tagsOf(numbered.graph, '1')).toEqual(['x', 'y']);
  });

  it('reads a file by its path, whatever it is called', async () => {
    const folder = await tempFolder({ 'data.txt': CSV, 'x.csv.gz': gzipSync(CSV) });
    expect((await load(`${folder}/data.txt`)).objects.size).toBe(20);
    expect((await loadCatalogue(`${folder}/x.csv.gz`)).understood.format).toBe('CSV with commas, gzipped');
  });
});
