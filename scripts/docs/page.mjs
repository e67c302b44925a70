// The frame of a page of the documentation: the bar with the search, the navigation, the text, what is on the page, what comes next.
// @ts-check

import { posix } from 'node:path';
import { escaped } from './highlight.mjs';
import { NAVIGATION, PAGES, targetOf } from './navigation.mjs';

/** @typedef {import('./markdown.mjs').Heading} Heading */

/**
 * @param {{ title: string, target: string, html: string, headings: readonly Heading[], version: string }} page
 * @returns {string}
 */
export function framed({ title, target, html, headings, version }) {
  const to = (/** @type {string} */ path) => posix.relative(posix.dirname(target), path);
  const root = target.includes('/') ? '../' : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · tagloom</title>
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${to('mark.svg')}">
<link rel="stylesheet" href="${to('site.css')}">
<script src="${to('site.js')}" data-root="${root}" defer></script>
</head>
<body>
<a class="skip" href="#site-text">Skip to the text</a>
<header>
<a class="name" href="${to('index.html')}">tagloom</a>
<form role="search"><input type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="site-found" aria-autocomplete="list"></form>
<div id="site-found" role="listbox" aria-label="Results" hidden></div>
</header>
<div class="page">
<details class="menu"><summary>Pages</summary>${navigation(target, to)}</details>
<nav class="pages" aria-label="Pages">${navigation(target, to)}</nav>
<main id="site-text" tabindex="-1">
${html}
${neighbours(target, to)}
<footer>tagloom ${escaped(version)}</footer>
</main>
${contents(headings)}
</div>
</body>
</html>
`;
}

/**
 * @param {string} target
 * @param {(path: string) => string} to
 */
function navigation(target, to) {
  return NAVIGATION.map(({ group, pages }) => {
    const links = pages.map(({ title, source }) => {
      const here = targetOf(source) === target ? ' aria-current="page"' : '';
      return `<li><a href="${to(targetOf(source))}"${here}>${escaped(title)}</a></li>`;
    });
    return `<h2>${group}</h2><ul>${links.join('')}</ul>`;
  }).join('\n');
}

/**
 * The page before this one and the page after it.
 * @param {string} target
 * @param {(path: string) => string} to
 */
function neighbours(target, to) {
  const at = PAGES.findIndex((one) => one.target === target);
  const link = (/** @type {number} */ i, /** @type {string} */ rel, /** @type {string} */ word) =>
    PAGES[i] === undefined
      ? ''
      : `<a rel="${rel}" href="${to(PAGES[i].target)}"><span>${word}</span> ${escaped(PAGES[i].title)}</a>`;
  return `<nav class="next" aria-label="Next pages">${link(at - 1, 'prev', 'Previous')}${link(at + 1, 'next', 'Next')}</nav>`;
}

/** @param {readonly Heading[]} headings */
function contents(headings) {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return '<div class="contents"></div>';
  const rows = shown.map(
    ({ level, title, id }) => `<li class="level${level}"><a href="#${id}">${escaped(title)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${rows.join('')}</ul></nav>`;
}
