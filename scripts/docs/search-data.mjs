// What the search of the documentation looks through: every section of every page, as text.
// @ts-check

/** @typedef {{ id: number, page: string, title: string, url: string, text: string }} Section */

/**
 * The sections of a page, cut at its headings.
 * @param {{ title: string, target: string, html: string }} page
 * @returns {Omit<Section, 'id'>[]}
 */
export function sectionsOf({ title, target, html }) {
  const parts = html.split(/(?=<h[1-4][ >])/);
  return parts.flatMap((part) => {
    const [, level, attributes = '', inner = ''] = /^<h([1-4])([^>]*)>(.*?)<\/h\1>/s.exec(part) ?? [];
    const text = textOf(part.replace(/^<h([1-4])[^>]*>.*?<\/h\1>/s, ''));
    const id = / id="([^"]+)"/.exec(attributes)?.[1]?.replace(/-title$/, '');
    if (text === '' && level === undefined) return [];
    return [
      {
        page: title,
        title: textOf(inner) || title,
        url: id === undefined || level === '1' ? target : `${target}#${id}`,
        text,
      },
    ];
  });
}

/** @param {string} html */
export function textOf(html) {
  const entities = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
  return html
    .replaceAll(/<svg[\s\S]*?<\/svg>|<!--[\s\S]*?-->/g, ' ')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => /** @type {Record<string, string>} */ (entities)[entity])
    .replaceAll(/\s+/g, ' ')
    .trim();
}
