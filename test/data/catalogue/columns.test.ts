// Headers and cells as they are met in the wild: exports of shops, blogs, libraries and APIs.

import { describe, expect, it } from 'vitest';
import type { Cell } from '../../../src/data/catalogue/column-look.ts';
import { understandColumns } from '../../../src/data/catalogue/columns.ts';

const WORDS = [
  'A warm coat for cold days',
  'Shoes to run in all year',
  'The cup that never breaks',
  'A lamp with three arms',
];
const cell: Record<string, (i: number) => Cell> = {
  id: (i) => String(1000 + i),
  slug: (i) => `thing-${i}`,
  name: (i) => `Thing no. ${i}`,
  long: (i) => `${WORDS[i % 4]}, number ${i}. ${WORDS[(i + 1) % 4]}.`,
  tags: (i) => `red, ${i % 2 ? 'blue' : 'green'}`,
  list: (i) => ['red', i % 2 ? 'blue' : 'green'],
  one: (i) => (i % 2 ? 'Coats' : 'Shoes'),
  url: (i) => `https://shop.example/p/${i}`,
  picture: (i) => `https://cdn.example/${i}.jpg?w=200`,
  price: (i) => `${i}.99`,
  date: (i) => `2024-01-${10 + i}`,
  flag: (i) => String(i % 2),
  user: (i) => String(i % 3),
  chinese: (i) => `新款外套${i}号`,
  chineseTags: (i) => (i % 2 ? '服装、冬装' : '服装、女装'),
  same: () => 'Apparel & Accessories',
  path: (i) => `Home > ${i % 2 ? 'Kitchen' : 'Garden'}`,
  half: (i) => (i % 2 ? `97${i}` : ''),
  platforms: (i) => (i % 3 ? 'windows;mac' : 'windows'),
  count: (i) => String(i % 4),
  shelves: (i) => `red (#${i})${i % 3 ? `, ${i % 2 ? 'blue' : 'green'} (#${i})` : ''}`,
};

/** The role of each column, by its name. */
function rolesOf(columns: Record<string, keyof typeof cell>): Record<string, string | undefined> {
  const names = Object.keys(columns);
  const cells = names.map((name) => Array.from({ length: 12 }, (_, i) => cell[columns[name]](i)));
  return Object.fromEntries(understandColumns('x', names, cells).columns.map(({ name, role }) => [name, role]));
}

describe('understandColumns', () => {
  it.each<[string, Record<string, keyof typeof cell>, Record<string, string>]>([
    [
      'a shop (Shopify)',
      {
        Handle: 'slug',
        Title: 'name',
        'Body (HTML)': 'long',
        Tags: 'tags',
        'Variant Price': 'price',
        'Image Src': 'picture',
      },
      { Handle: 'id', Title: 'title', 'Body (HTML)': 'text', Tags: 'tags', 'Image Src': 'image' },
    ],
    [
      'a blog (WordPress)',
      {
        ID: 'id',
        post_title: 'name',
        post_content: 'long',
        post_date: 'date',
        Categories: 'tags',
        permalink: 'url',
        author_id: 'user',
      },
      { ID: 'id', post_title: 'title', post_content: 'text', Categories: 'tags', permalink: 'url' },
    ],
    [
      'German',
      {
        Artikelnummer: 'id',
        Bezeichnung: 'name',
        Beschreibung: 'long',
        Schlagwörter: 'tags',
        Preis: 'price',
        Bild: 'picture',
      },
      { Artikelnummer: 'id', Bezeichnung: 'title', Beschreibung: 'text', Schlagwörter: 'tags', Bild: 'image' },
    ],
    [
      'Japanese',
      { 番号: 'id', タイトル: 'name', 説明: 'long', タグ: 'tags' },
      { 番号: 'id', タイトル: 'title', 説明: 'text', タグ: 'tags' },
    ],
    [
      'papers',
      { doi: 'slug', title: 'name', abstract: 'long', keywords: 'list', year: 'price' },
      { doi: 'id', title: 'title', abstract: 'text', keywords: 'tags' },
    ],
    [
      'tags before categories',
      { id: 'id', name: 'name', category: 'one', tags: 'tags' },
      { id: 'id', name: 'title', tags: 'tags' },
    ],
    ['a category alone', { id: 'id', name: 'name', category: 'one' }, { id: 'id', name: 'title', category: 'tags' }],
    [
      'packages',
      { name: 'slug', description: 'long', keywords: 'list' },
      { name: 'id', description: 'text', keywords: 'tags' },
    ],
    [
      'names that say nothing',
      { a: 'slug', b: 'name', c: 'long', d: 'tags', e: 'url', f: 'picture', g: 'flag' },
      { a: 'id', b: 'title', c: 'text', d: 'tags', e: 'url', f: 'image' },
    ],
    [
      'two texts',
      { id: 'id', title: 'name', summary: 'long', review_text: 'long', tags: 'tags' },
      { id: 'id', title: 'title', summary: 'text', review_text: 'text', tags: 'tags' },
    ],
    [
      'several columns of tags',
      { id: 'id', text: 'long', tag1: 'one', tag2: 'one' },
      { id: 'id', text: 'text', tag1: 'tags', tag2: 'tags' },
    ],
    ['no id', { title: 'name', tags: 'tags' }, { title: 'title', tags: 'tags' }],
    [
      'titles without spaces between words, which are no ids',
      { 商品编号: 'id', 商品名称: 'chinese', 标签: 'chineseTags' },
      { 商品编号: 'id', 商品名称: 'title', 标签: 'tags' },
    ],
    ['Chinese without ids', { 标题: 'chinese', 价格: 'price', 标签: 'chineseTags' }, { 标题: 'title', 标签: 'tags' }],
    [
      'games, whose tags are called so at the end of a name',
      { appid: 'id', name: 'name', platforms: 'platforms', genres: 'one', steamspy_tags: 'tags', num_tags: 'count' },
      { appid: 'id', name: 'title', steamspy_tags: 'tags' },
    ],
    [
      'an id that half of the rows have',
      { isbn: 'half', title: 'name', tags: 'tags' },
      { title: 'title', tags: 'tags' },
    ],
    [
      'a code that rows with different titles share',
      { code: 'user', title: 'name', tags: 'tags' },
      { title: 'title', tags: 'tags' },
    ],
    [
      'a text that repeats the tags',
      { id: 'id', title: 'name', Bookshelves: 'tags', 'Bookshelves with positions': 'shelves' },
      { id: 'id', title: 'title', Bookshelves: 'tags' },
    ],
    [
      'a category that is the same in every row',
      { id: 'id', title: 'name', product_type: 'path', google_product_category: 'same' },
      { id: 'id', title: 'title', product_type: 'tags' },
    ],
    ['such a category alone', { id: 'id', category: 'same' }, { id: 'id', category: 'tags' }],
    [
      'short German names',
      { 'Artikelnr.': 'id', Produktname: 'name', Produktbeschreibung: 'long', Kategorie: 'one' },
      { 'Artikelnr.': 'id', Produktname: 'title', Produktbeschreibung: 'text', Kategorie: 'tags' },
    ],
  ])('%s', (_, columns, wanted) => {
    const found = rolesOf(columns);
    expect(Object.fromEntries(Object.entries(found).filter(([, role]) => role !== undefined))).toEqual(wanted);
  });
});
