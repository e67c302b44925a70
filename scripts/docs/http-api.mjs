// The page of the HTTP API: what the service shows at /docs, from the same OpenAPI document by the same code.
// @ts-check

import { apiDocument } from '../../dist/serving/http/build-api.js';
import { docsPage } from '../../dist/serving/http/docs-page.js';

const BASE = 'http://127.0.0.1:8080';

/** @returns {Promise<string>} HTML, with a heading for each operation */
export async function httpApiPart() {
  const page = docsPage(/** @type {any} */ (await apiDocument()), BASE, false);
  const from = page.indexOf('<h2 id=');
  const to = page.indexOf('</main>');
  if (from < 0 || to < from)
    throw new Error('found no operations on the page of the API, expected <h2 id=…> in <main>');
  return page.slice(from, to).replaceAll(/\n{2,}/g, '\n');
}

/**
 * The headings inside, for the table of contents and the search.
 * @param {string} html
 */
export function headingsOf(html) {
  const found = html.matchAll(/<(h[23]) id="([^"]+)"[^>]*>(.*?)<\/\1>/gs);
  return [...found].map(([, tag, id, inner]) => ({
    level: Number(tag.slice(1)),
    title: inner
      .replaceAll('</code><code>', ' ')
      .replaceAll(/<[^>]+>/g, '')
      .trim(),
    id,
  }));
}
