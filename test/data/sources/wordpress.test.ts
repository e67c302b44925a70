import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readWordPress, type WordPressOptions } from '../../../src/data/sources/wordpress.ts';
import { factsOf, listening, makeRelease, problemOf } from '../../fixtures/sources/release.ts';

const NAMESPACES =
  'xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/"';
const wxr = (...items: string[]) => `<?xml version="1.0" encoding="UTF-8" ?>
<!-- generator="WordPress" -->
<rss version="2.0" ${NAMESPACES}><channel>
<title>A blog</title><link>https://blog.example</link>
<wp:author><wp:author_id>2</wp:author_id><wp:author_login><![CDATA[mia]]></wp:author_login></wp:author>
<wp:tag><wp:term_id>7</wp:term_id><wp:tag_slug>tea</wp:tag_slug><wp:tag_name><![CDATA[Tea]]></wp:tag_name></wp:tag>
${items.join('\n')}
</channel></rss>`;

const item = (
  id: number,
  status: string,
  more = '',
  type = 'post',
) => `<item><title><![CDATA[Post ${id} &amp; more]]></title>
<link>https://blog.example/?p=${id}</link><dc:creator><![CDATA[leo]]></dc:creator><wp:post_id>${id}</wp:post_id>
<wp:status><![CDATA[${status}]]></wp:status><wp:post_type><![CDATA[${type}]]></wp:post_type>${more}</item>`;

const category = (domain: string, name: string) =>
  `<category domain="${domain}" nicename="x"><![CDATA[${name}]]></category>`;
const comment = (account: number, approved = 1) =>
  `<wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_author><![CDATA[x]]></wp:comment_author><wp:comment_approved>${approved}</wp:comment_approved><wp:comment_user_id>${account}</wp:comment_user_id><wp:commentmeta><wp:meta_key>k</wp:meta_key></wp:commentmeta></wp:comment>`;

const BLOG = wxr(
  item(
    1,
    'publish',
    `<content:encoded><![CDATA[<!-- wp:paragraph --><p>Green <em>tea</em>.</p>[gallery ids="1,2"]<p>Two]]]]><![CDATA[></p>]]></content:encoded>
    <excerpt:encoded><![CDATA[]]></excerpt:encoded>${category('post_tag', 'Green &amp; White')}${category('category', 'Drinks')}${category('category', 'Uncategorized')}
    ${category('nav_menu', 'Menu')}<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value><![CDATA[9]]></wp:meta_value></wp:postmeta>${comment(2)}${comment(5)}${comment(0)}${comment(6, 0)}`,
  ),
  item(2, 'draft', category('post_tag', 'Tea')),
  item(3, 'publish', category('post_tag', 'About'), 'page'),
  item(9, 'inherit', '<wp:attachment_url>https://blog.example/tea.jpg</wp:attachment_url>', 'attachment'),
);

async function read(contents: string, options: WordPressOptions = {}) {
  return readWordPress(join(await makeRelease({ 'b.xml': contents }), 'b.xml'), options);
}

describe('readWordPress', () => {
  it('takes published posts, tags and categories, text without markup, the picture and who took part', async () => {
    const { warnings, options } = listening();
    const graph = await read(BLOG, options);
    expect(factsOf(graph)).toEqual({
      interact: ['account 5\t1', 'leo\t1', 'mia\t1'],
      tagged: ['1\tDrinks', '1\tGreen & White'],
      titles: ['1\tPost 1 & more'],
    });
    expect(graph.texts.map(({ name, texts }) => [name, texts.at(0)])).toEqual([['content', 'Green tea.\nTwo]]>']]);
    expect(graph.links?.at(0)).toBe('https://blog.example/?p=1');
    expect(graph.images?.at(0)).toBe('https://blog.example/tea.jpg');
    expect(warnings).toEqual(['b.xml: left out 1 post whose status is draft.']);
  });

  it('takes drafts, other types and no categories where asked to', async () => {
    const tagsOf = async (options: WordPressOptions) => (await read(BLOG, options)).tags.names.toArray();
    expect(await tagsOf({ drafts: true })).toEqual(['Drinks', 'Green & White', 'Tea']);
    expect(await tagsOf({ types: ['post', 'page'] })).toEqual(['About', 'Drinks', 'Green & White']);
    expect(await tagsOf({ categories: false })).toEqual(['Green & White']);
  });

  it('refuses what is no such export, or has nothing to learn from', async () => {
    const folder = await makeRelease({
      'feed.xml': '<feed/>',
      'none.xml': wxr(item(1, 'publish')),
      'cut.xml': BLOG.slice(0, 1500),
    });
    const refusal = (file: string, options = {}) => problemOf(readWordPress(join(folder, file), options), folder);
    expect(await refusal('feed.xml')).toBe(
      'feed.xml, line 1: got an XML file that begins with <feed>, expected <rss>. Export it in WordPress: Tools, Export, All content. The file is called NAME.WordPress.DATE.xml.',
    );
    expect(await refusal('none.xml')).toContain('got no tags, expected at least one of the posts with a tag.');
    expect(await refusal('none.xml', { types: ['product'] })).toContain(
      'got no posts, expected at least one. Read were items of the type product;',
    );
    expect(await refusal('cut.xml')).toMatch(
      /cut\.xml, line \d+: got a file that ends inside <.*>, expected <\/rss> at its end\./,
    );
  });
});
