// Exports that are tables: Zotero, Calibre and Shopify; and the bibliographies that Zotero writes, too.

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBibTex } from '../../../src/data/sources/bibtex.ts';
import { readCalibre } from '../../../src/data/sources/calibre.ts';
import { readShopify, type ShopifyOptions } from '../../../src/data/sources/shopify.ts';
import { readZotero, type ZoteroOptions } from '../../../src/data/sources/zotero.ts';
import { factsOf, latin1, listening, makeRelease, problemOf } from '../../fixtures/sources/release.ts';

const inFolder = async (name: string, contents: string | Uint8Array) =>
  join(await makeRelease({ [name]: contents }), name);
const textsOf = (graph: Awaited<ReturnType<typeof readZotero>>) =>
  Object.fromEntries(graph.texts.map(({ name, texts }) => [name, texts.toArray()]));

describe('readZotero', () => {
  const CSV = `\ufeff"Key","Item Type","Author","Title","Publication Title","DOI","Url","Abstract Note","Manual Tags","Automatic Tags"
"AB12","journalArticle","Doe, Ann; Roe, Bo","Graphs <i>and</i> words","J. Graphs","10.1000/1","","One.
Two, ""three"".","graphs; words, long","Computer science"
"CD34","book","","Trees","","","https://trees.example","","trees, tall",""
"EF56","attachment","","a.pdf","","","","","pdf",""
`;

  it('takes CSV with manual and automatic tags, which may hold commas', async () => {
    const path = await inFolder('lib.csv', CSV);
    const { warnings, options } = listening();
    const graph = await readZotero(path, options);
    expect(factsOf(graph)).toEqual({
      interact: [],
      tagged: ['AB12\tComputer science', 'AB12\tgraphs', 'AB12\twords, long', 'CD34\ttrees, tall'],
      titles: ['AB12\tGraphs and words', 'CD34\tTrees'],
    });
    expect(textsOf(graph)).toEqual({
      abstract: ['One.\nTwo, "three".', ''],
      authors: ['Doe, Ann; Roe, Bo', ''],
      venue: ['J. Graphs', ''],
    });
    expect(graph.links?.toArray()).toEqual(['https://doi.org/10.1000/1', 'https://trees.example']);
    expect(warnings).toEqual(['lib.csv: left out 1 entry of the type attachment.']);
    expect((await readZotero(path, { automaticTags: false } as ZoteroOptions)).tagged.size).toBe(3);
  });

  it('takes CSL JSON with keywords, says what to do where it has none, and takes .bib', async () => {
    const entry = {
      id: 'x',
      type: 'book',
      title: 'T',
      author: [{ family: 'Doe', given: 'Ann' }, { literal: 'ACM' }],
      DOI: '10.1000/2',
    };
    const graph = await readZotero(await inFolder('l.json', JSON.stringify([{ ...entry, keyword: 'a, b' }])));
    expect(factsOf(graph).tagged).toEqual(['x\ta', 'x\tb']);
    expect(textsOf(graph).authors).toEqual(['Ann Doe; ACM']);
    expect(await problemOf(readZotero(await inFolder('l.json', JSON.stringify([entry]))))).toContain(
      'got no tags, expected at least one of the entries with a tag. Export the library as CSV: Zotero writes no tags into CSL JSON.',
    );
    const bib = await readZotero(await inFolder('l.bib', '@book{k, title = {T}, keywords = {a; b, c}}'));
    expect(factsOf(bib).tagged).toEqual(['k\ta', 'k\tb, c']);
    expect(await problemOf(readZotero(await inFolder('l.csv', 'a,b\n1,2\n')))).toMatch(
      /l\.csv, line 1: got the columns "a", "b", expected a column called Key or id or .*\. Export it in Zotero: File, Export Library, format CSV\./,
    );
  });
});

describe('readBibTex', () => {
  it('takes keywords, title, abstract, authors and address, with LaTeX as Unicode', async () => {
    const { warnings, options } = listening();
    const bib = `@string{jg = "J. of G{\\"o}del"}
@article{a, title = {The {P{\\'o}lya} urn}, author = "Erd{\\H o}s, P. and Doe, Ann", journal = jg,
  keywords = {Graph Theory, {urns, large}, R\\&D}, abstract = "One
  two.", doi = {https://doi.org/10.1000/x\\_1}}
@book{b, title = {B}, keyword = {urns; small, red}, url = {https://b.example/\\~{}me/a\\_b}}
@book{a, title = {Another}, keywords = {more}}
@book{broken, title = {x} oops
@misc{c, title = {C}}`;
    const graph = await readBibTex(await inFolder('r.bib', bib), options);
    expect(factsOf(graph)).toEqual({
      interact: [],
      tagged: ['a\tGraph Theory', 'a\tR&D', 'a\tmore', 'a\turns, large', 'b\tsmall, red', 'b\turns'],
      titles: ['a\tThe Pólya urn', 'b\tB', 'c\tC'],
    });
    expect(textsOf(graph)).toEqual({
      abstract: ['One two.', '', ''],
      authors: ['Erdős, P.; Doe, Ann', '', ''],
      venue: ['J. of Gödel', '', ''],
    });
    expect(graph.links?.toArray()).toEqual(['https://doi.org/10.1000/x_1', 'https://b.example/~me/a_b', '']);
    expect(warnings).toEqual([
      'r.bib: left out 1 entry that is not well-formed; the first begins on line 7 (got "oops", expected a comma or } behind the field title).',
      'r.bib: the id of another object is repeated once; their tags are added up.',
    ]);
  });

  it('reads Latin-1 with a warning, and says what is wrong with other files', async () => {
    const { warnings, options } = listening();
    const graph = await readBibTex(await inFolder('r.bib', latin1('@a{k, title = {Müller}, keywords = {é}}')), options);
    expect(factsOf(graph)).toEqual({ interact: [], tagged: ['k\té'], titles: ['k\tMüller'] });
    expect(warnings).toEqual([
      'r.bib: not UTF-8, read as Windows-1252 (Latin-1). If letters look wrong, save it as UTF-8.',
    ]);
    const refusal = async (text: string) =>
      (await problemOf(readBibTex(await inFolder('r.bib', text)))).replace(/^.*r\.bib/, 'r.bib');
    expect(await refusal('title,keywords\n')).toContain('r.bib: got a file without entries, expected BibTeX.');
    expect(await refusal('@a{k, title = {T}}')).toContain(
      'Write the tags into the field keywords, with commas between them.',
    );
    expect(await refusal('\n@a{k, title = {T')).toBe(
      'r.bib, line 2: got the end of the file, expected }. Correct the entry that begins on this line.',
    );
  });
});

describe('readCalibre', () => {
  it('takes the JSON of calibredb list and the CSV of calibredb catalog', async () => {
    const books = [
      {
        id: 7,
        title: 'Dune',
        authors: 'Frank Herbert',
        tags: ['Science fiction', 'Desert'],
        comments: '<p>A <b>desert</b> planet.</p>',
        identifiers: { isbn: '97', url: 'https://dune.example/a' },
        cover: '/home/me/cover.jpg',
      },
      { id: 8, title: 'Heidi', authors: 'Johanna Spyri', tags: [], comments: '' },
    ];
    const graph = await readCalibre(await inFolder('b.json', JSON.stringify(books)));
    expect(factsOf(graph)).toEqual({
      interact: [],
      tagged: ['7\tDesert', '7\tScience fiction'],
      titles: ['7\tDune', '8\tHeidi'],
    });
    expect(textsOf(graph)).toEqual({ comments: ['A desert planet.', ''], authors: ['Frank Herbert', 'Johanna Spyri'] });
    expect(graph.images).toBeUndefined();
    const csv =
      '\ufeffauthors,comments,id,identifiers,tags,title\n"Herbert","A planet, dry",7,"isbn:97,url:https://dune.example","Science fiction, Desert",Dune\n';
    const other = await readCalibre(await inFolder('b.csv', csv));
    expect(factsOf(other)).toEqual({ interact: [], tagged: ['7\tDesert', '7\tScience fiction'], titles: ['7\tDune'] });
    expect(other.links?.at(0)).toBe('https://dune.example');
  });

  it('names the command to run where it gets the database, its folder or another file', async () => {
    const command =
      'calibredb list --for-machine --fields title,authors,series,publisher,tags,comments,identifiers > books.json';
    const folder = await makeRelease({ 'metadata.db': 'SQLite format 3\0', 'x.csv': 'a,b\n1,2\n' });
    for (const path of [folder, join(folder, 'metadata.db')]) {
      const problem = await problemOf(readCalibre(path), folder);
      expect(problem).toContain(
        "got Calibre's database (metadata.db), expected what calibredb writes, as JSON or CSV.",
      );
      expect(problem).toContain(command);
    }
    expect(await problemOf(readCalibre(join(folder, 'x.csv')), folder)).toContain(command);
    expect(await problemOf(readCalibre(await makeRelease({})))).toContain('got a folder');
  });
});

describe('readShopify', () => {
  const CSV = `Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Variant SKU,Image Src,Image Position,Status
blue-mug,Blue Mug,"<p>A mug, <strong>blue</strong>.</p>",Potters,Home > Mugs,Mug,"blue, ceramic",TRUE,1,,,active
blue-mug,,,,,,,,2,https://cdn.example/1.jpg,1,
blue-mug,,,,,,,,,https://cdn.example/2.jpg,2,
old-cup,Old Cup,,Potters,,Cup,ceramic,TRUE,3,,,archived
old-cup,,,,,,,,4,,,
tea,Tea,,Farm,,Drink,"green,Tea ",TRUE,5,,,active
`;
  const read = async (options: ShopifyOptions = {}) => readShopify(await inFolder('p.csv', CSV), options);

  it('takes the rows of a product together, and leaves out what is not on sale', async () => {
    const { warnings, options } = listening();
    const graph = await read({ ...options, shop: 'https://shop.example/' });
    expect(factsOf(graph)).toEqual({
      interact: [],
      tagged: ['blue-mug\tblue', 'blue-mug\tceramic', 'tea\tTea', 'tea\tgreen'],
      titles: ['blue-mug\tBlue Mug', 'tea\tTea'],
    });
    expect(textsOf(graph)).toEqual({
      description: ['A mug, blue.', ''],
      type: ['Mug', 'Drink'],
      category: ['Home > Mugs', ''],
      vendor: ['Potters', 'Farm'],
    });
    expect(graph.links?.toArray()).toEqual([
      'https://shop.example/products/blue-mug',
      'https://shop.example/products/tea',
    ]);
    expect(graph.images?.toArray()).toEqual(['https://cdn.example/1.jpg', '']);
    expect(warnings).toEqual(['p.csv: left out 1 product whose status is archived.']);
  });

  it('counts drafts, types and vendors where asked to', async () => {
    const tags = (await read({ drafts: true, typeTags: true, vendorTags: true })).tags.names.toArray();
    expect(tags).toEqual(['Cup', 'Drink', 'Farm', 'Mug', 'Potters', 'Tea', 'blue', 'ceramic', 'green']);
  });

  it('says what is wrong with other input', async () => {
    expect(await problemOf(read({ shop: 'shop' }))).toContain(
      'got the shop "shop", expected the address of its first page.',
    );
    expect(await problemOf(readShopify(await inFolder('o.csv', 'Name,Email\na,b\n')))).toContain(
      'expected a column called Handle or URL handle. Export it in Shopify:',
    );
    expect(await problemOf(readShopify(await inFolder('o.csv', 'Handle,Title,Tags\na,b,\n')))).toContain('got no tags');
    expect(await problemOf(readShopify(await inFolder('o.csv', 'Handle,Title,Tags\na,"b,\n')))).toContain(
      'line 2: got a quoted field that does not end',
    );
  });
});
