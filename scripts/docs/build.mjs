// npm run docs [-- FOLDER]: builds the documentation from docs/ and RESULTS.md into dist-docs: plain files, all links relative, nothing
// from elsewhere. Copy the folder to any host, below any path, or open its index.html.
// @ts-check

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLinePart } from './command-line.mjs';
import { headingsOf, httpApiPart } from './http-api.mjs';
import { libraryPart } from './library.mjs';
import { render } from './markdown.mjs';
import { PAGES } from './navigation.mjs';
import { framed } from './page.mjs';
import { sectionsOf } from './search-data.mjs';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
const OUT = process.argv[2] ?? 'dist-docs';
const SITE = 'scripts/docs/site';
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** What stands at `<!-- generated: NAME -->` in a page. */
const GENERATED = { 'command line': commandLinePart, library: libraryPart, 'HTTP API': httpApiPart };

rmSync(OUT, { recursive: true, force: true });
const sections = [];
for (const { title, source, target } of PAGES) {
  const { html, headings, assets } = render(await completed(readFileSync(source, 'utf8')), source, target);
  const shown = source === 'docs/http-api.md' ? [...headings.slice(0, 1), ...headingsOf(html)] : headings;
  write(target, framed({ title: headings[0]?.title ?? title, target, html, headings: shown, version }));
  for (const asset of assets) cpSync(asset, join(OUT, asset.replace(/^docs\//, '')));
  sections.push(...sectionsOf({ title, target, html }));
}
cpSync('web/public/mark.svg', join(OUT, 'mark.svg'));
cpSync(join(SITE, 'site.css'), join(OUT, 'site.css'));
const search = readFileSync('node_modules/minisearch/dist/umd/index.js', 'utf8').replace(
  /\n\/\/# sourceMappingURL=.*/,
  '',
);
cpSync(join(SITE, 'site.js'), join(OUT, 'site.js'));
write(
  'search.js',
  `${search}\nwindow.TAGLOOM_SECTIONS = ${JSON.stringify(sections.map((one, id) => ({ id, ...one })))};\n`,
);
process.stderr.write(`tagloom: ${PAGES.length} pages in ${OUT}; open ${join(OUT, 'index.html')}\n`);

/** @param {string} text */
async function completed(text) {
  let whole = text;
  for (const [name, make] of Object.entries(GENERATED)) {
    const place = `<!-- generated: ${name} -->`;
    if (whole.includes(place)) {
      const part = await make();
      whole = whole.replace(place, () => part);
    }
  }
  return whole;
}

/**
 * @param {string} path
 * @param {string} text
 */
function write(path, text) {
  mkdirSync(dirname(join(OUT, path)), { recursive: true });
  writeFileSync(join(OUT, path), text);
}
