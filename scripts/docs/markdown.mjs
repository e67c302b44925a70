// Markdown to HTML as the documentation needs it: headings with the anchors GitHub gives them, links between pages of the site,
// tables and code that scroll inside themselves, images of known size.
// @ts-check

import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import MarkdownIt from 'markdown-it';
import { highlighted } from './highlight.mjs';
import { PAGES } from './navigation.mjs';

/** @typedef {{ level: number, title: string, id: string }} Heading */
/** @typedef {{ html: string, headings: Heading[], assets: string[] }} Rendered */

/**
 * The anchor that GitHub gives a heading.
 * @param {string} title
 */
export function slugOf(title) {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/**
 * @param {string} text
 * @param {string} source its path in the repository
 * @param {string} target its path in the site
 * @returns {Rendered}
 */
export function render(text, source, target) {
  const markdown = new MarkdownIt({
    html: true,
    typographer: false,
    highlight: (code, language) => highlighted(code, language),
  });
  const tokens = markdown.parse(text, {});
  const headings = withAnchors(tokens);
  withoutEmptyHeaders(tokens);
  /** @type {string[]} */
  const assets = [];
  for (const token of tokens) {
    for (const [i, child] of (token.children ?? []).entries()) {
      if (child.type === 'image') sized(child, source, target, assets);
      if (child.type !== 'link_open') continue;
      const file = linkTo(child, source, target);
      if (file?.startsWith('docs/')) assets.push(file);
      else if (file !== undefined) asText(child, /** @type {any[]} */ (token.children).slice(i), file);
    }
  }
  markdown.renderer.rules.table_open = () => '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>';
  markdown.renderer.rules.table_close = () => '</table></div>\n';
  const html = markdown.renderer.render(tokens, markdown.options, {});
  return { html: html.replaceAll(/<(pre|figure)>/g, '<$1 tabindex="0">'), headings, assets };
}

/**
 * @param {any[]} tokens
 * @returns {Heading[]}
 */
function withAnchors(tokens) {
  const seen = new Map();
  /** @type {Heading[]} */
  const headings = [];
  for (const [i, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const title = plain(tokens[i + 1]);
    const slug = slugOf(title);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    const id = count === 0 ? slug : `${slug}-${count}`;
    token.attrSet('id', id);
    headings.push({ level: Number(token.tag.slice(1)), title, id });
  }
  return headings;
}

/**
 * The corner of a table is no header: screen readers would announce one without a name.
 * @param {any[]} tokens
 */
function withoutEmptyHeaders(tokens) {
  for (const [i, token] of tokens.entries()) {
    if (token.type === 'th_open' && tokens[i + 1].content === '') token.tag = tokens[i + 2].tag = 'td';
  }
}

/** @param {any} inline */
function plain(inline) {
  return inline.children
    .filter((/** @type {any} */ { type }) => type === 'text' || type === 'code_inline')
    .map((/** @type {any} */ { content }) => content)
    .join('');
}

/**
 * Links to Markdown files of the site become links to its pages, relative to the page.
 * @param {any} token
 * @param {string} source
 * @param {string} target
 * @returns {string | undefined} the file of the repository that it leads to, if that is no page
 */
function linkTo(token, source, target) {
  const href = /** @type {string} */ (token.attrGet('href'));
  const [path, anchor] = href.split('#');
  if (/^[a-z]+:/.test(href) || path === '') return undefined;
  const file = posix.join(posix.dirname(source), decodeURI(path));
  const page = PAGES.find((one) => one.source === file);
  const place = page?.target ?? file.replace(/^docs\//, '');
  const relative = posix.relative(posix.dirname(target), place);
  token.attrSet('href', anchor === undefined ? relative : `${relative}#${anchor}`);
  return page === undefined ? file : undefined;
}

/**
 * A link to a file that is in the repository and not in the site: its name, and where it is.
 * @param {any} open
 * @param {any[]} rest
 * @param {string} file
 */
function asText(open, rest, file) {
  open.tag = 'span';
  open.attrs = [
    ['class', 'file'],
    ['title', `${file} in the repository`],
  ];
  rest.find(({ type }) => type === 'link_close').tag = 'span';
}

/**
 * @param {any} token
 * @param {string} source
 * @param {string} target
 * @param {string[]} assets
 */
function sized(token, source, target, assets) {
  const file = join(dirname(source), token.attrGet('src'));
  const asset = file.replace(/^docs\//, '');
  assets.push(file);
  token.attrSet('src', posix.relative(posix.dirname(target), asset));
  token.attrSet('loading', 'lazy');
  if (file.endsWith('.png')) {
    const bytes = readFileSync(file);
    token.attrSet('width', String(bytes.readUInt32BE(16)));
    token.attrSet('height', String(bytes.readUInt32BE(20)));
  }
}
