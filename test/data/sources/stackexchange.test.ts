import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readStackExchange, type StackExchangeOptions, tagsIn } from '../../../src/data/sources/stackexchange.ts';
import { factsOf, listening, makeRelease, problemOf } from '../../fixtures/sources/release.ts';

const posts = (...rows: string[]) =>
  `<?xml version="1.0" encoding="utf-8"?>\n<posts>\n${rows.map((row) => `  <row ${row} />`).join('\n')}\n</posts>\n`;

const POSTS = posts(
  'Id="1" PostTypeId="1" Body="&lt;p&gt;How &lt;b&gt;long&lt;/b&gt;?&lt;/p&gt;&#xA;&lt;p&gt;A &amp;amp; B&lt;/p&gt;" OwnerUserId="8" Title="Boiling eggs" Tags="&lt;eggs&gt;&lt;boiling-water&gt;"',
  'Id="2" PostTypeId="2" ParentId="1" Body="Ten minutes." OwnerUserId="9"',
  'Id="3" PostTypeId="1" Body="" OwnerUserId="-1" OwnerDisplayName="gone" Title="Bread &amp; butter" Tags="|bread|butter|"',
  'Id="4" PostTypeId="2" ParentId="77" Body="lost" OwnerUserId="9"',
  'Id="5" PostTypeId="5" Body="the wiki of a tag"',
);
const COMMENTS =
  '<comments>\n<row Id="1" PostId="2" UserId="10"/>\n<row Id="2" PostId="3"/>\n<row Id="3" PostId="5" UserId="11"/></comments>';
const VOTES =
  '<votes>\n<row Id="1" PostId="3" VoteTypeId="2"/>\n<row Id="2" PostId="3" VoteTypeId="5" UserId="12"/></votes>';

async function read(files: Record<string, string>, path = '', options: StackExchangeOptions = {}) {
  return readStackExchange(join(await makeRelease(files), path), options);
}

describe('readStackExchange', () => {
  it('takes questions with tags in both notations, and who asked, answered, commented and bookmarked', async () => {
    const { warnings, options } = listening();
    const files = { 'Posts.xml': POSTS, 'Comments.xml': COMMENTS, 'Votes.xml': VOTES };
    const graph = await read(files, '', { ...options, site: 'cooking.stackexchange.com' });
    expect(factsOf(graph)).toEqual({
      interact: ['10\t1', '12\t3', '8\t1', '9\t1'],
      tagged: ['1\tboiling-water', '1\teggs', '3\tbread', '3\tbutter'],
      titles: ['1\tBoiling eggs', '3\tBread & butter'],
    });
    expect(graph.texts.map(({ name, texts }) => [name, texts.toArray()])).toEqual([['body', ['How long?\nA & B', '']]]);
    expect(graph.links?.toArray()).toEqual([
      'https://cooking.stackexchange.com/questions/1',
      'https://cooking.stackexchange.com/questions/3',
    ]);
    expect(warnings).toEqual(['Posts.xml: left out 1 answer whose question is not in the file.']);
  });

  it('takes Posts.xml alone, also gzipped, without bodies or with a part of them', async () => {
    const graph = await read({ 'Posts.xml.gz': POSTS }, 'Posts.xml.gz', { body: false });
    expect([graph.texts, graph.links, graph.interact.size]).toEqual([[], undefined, 2]);
    const short = await read({ 'Posts.xml': POSTS }, 'Posts.xml', { maxText: 3 });
    expect(short.texts[0].texts.at(0)).toBe('How');
    const emoji = posts('Id="1" PostTypeId="1" Title="t" Tags="|x|" Body="ab😀"');
    expect((await read({ 'Posts.xml': emoji }, '', { maxText: 3 })).texts[0].texts.at(0)).toBe('ab');
  });

  it.each([
    ['<a><b-c>', ['a', 'b-c']],
    ['|a|b-c|', ['a', 'b-c']],
    ['<c++><c#>', ['c++', 'c#']],
    ['', []],
  ])('%j are the tags %j', (cell, tags) => {
    expect(tagsIn(cell)).toEqual(tags);
  });

  it('says what is wrong with other input', async () => {
    const refusal = async (files: Record<string, string>, path = '', options: StackExchangeOptions = {}) => {
      const folder = await makeRelease(files);
      return problemOf(readStackExchange(join(folder, path), options), folder);
    };
    expect(await refusal({ 'a.stackexchange.com.7z': '7z' })).toContain(
      'got the archive a.stackexchange.com.7z, expected Posts.xml. Unpack it first (7z x a.stackexchange.com.7z)',
    );
    expect(await refusal({ 'a.7z': '7z\xbc\xaf\x27' }, 'a.7z')).toContain('got an archive, expected an XML file');
    expect(await refusal({ 'Users.xml': '<users/>' })).toContain('got a folder with Users.xml, expected Posts.xml');
    expect(await refusal({ 'Users.xml': '<users/>' }, 'Users.xml')).toContain('begins with <users>, expected <posts>');
    expect(await refusal({ 'Posts.xml': posts('PostTypeId="1"') })).toContain(
      'Posts.xml, line 3: got a row without Id, expected a whole number.',
    );
    expect(await refusal({ 'Posts.xml': posts('Id="9e9" PostTypeId="1"') })).toContain('got Id="9e9"');
    expect(await refusal({ 'Posts.xml': posts('Id="1" PostTypeId="2" ParentId="2"') })).toContain('got no questions');
    expect(await refusal({ 'Posts.xml': posts('Id="1" PostTypeId="1"') })).toContain(
      'got no tags, expected at least one',
    );
    expect(await refusal({ 'Posts.xml': POSTS }, '', { site: 'a b' })).toBe(
      'got the site "a b", expected the host of a site. Write it as --site cooking.stackexchange.com.',
    );
  });
});
