// Rewrites the relative links and pictures of a Markdown file to addresses on GitHub at a tag, for the page of a registry, which has no other
// files: `node scripts/absolute-links.mjs README.md v0.1.0`. It changes the file: run it in a checkout that is thrown away.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\((?!https?:|mailto:|#)([^)\s]+)\)/g;

/** `home`: https://github.com/OWNER/NAME. */
export function withAbsoluteLinks(markdown, home, tag) {
  const pictures = home.replace('https://github.com/', 'https://raw.githubusercontent.com/');
  const replace = (_, picture, text, path) => {
    const base = picture === '!' ? `${pictures}/${tag}` : `${home}/blob/${tag}`;
    return `${picture}[${text}](${base}/${path})`;
  };
  const parts = markdown.split(/(^```[\s\S]*?^```$)/m); // code at odd places stays as it is
  return parts.map((part, i) => (i % 2 === 1 ? part : part.replace(LINK, replace))).join('');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [path, tag] = process.argv.slice(2);
  const { repository } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const home = repository.url.replace(/^git\+|\.git$/g, '');
  writeFileSync(path, withAbsoluteLinks(readFileSync(path, 'utf8'), home, tag));
}
