// What a tag and an object are called: free text as people typed it, brought to one form, so that "Sci-Fi", "sci-fi "
// and "Sci&#45;Fi" are one tag. HTML entities are undone once: "&amp;lt;" is the text "&lt;".

import { WINDOWS_1252 } from '../catalogue/encoding.ts';
import { cleanName } from '../name.ts';

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const MAX_CODE_POINT = 0x10ffff;

/** Entities undone, lower-cased, white space collapsed. Blank text gives ''. */
export function tagText(text: string): string {
  return titleText(undoEntities(text).toLowerCase());
}

/** White space collapsed; case and everything else as it was. */
export function titleText(text: string): string {
  return cleanName(text.replace(/\s+/g, ' '));
}

/** What is no entity, such as the "&" in "R&B;" or "&#xD800;", stays as it is. */
export function undoEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,4}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(NAMED, name) ? NAMED[name] : whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return isCharacter(code) ? characterOf(code) : whole;
  });
}

function isCharacter(code: number): boolean {
  return code > 0 && code <= MAX_CODE_POINT && !(code >= 0xd800 && code <= 0xdfff);
}

/** HTML reads 128 to 159 as Windows-1252, since that is what people mean by "&#146;". */
function characterOf(code: number): string {
  return code >= 0x80 && code <= 0x9f ? WINDOWS_1252[code - 0x80] : String.fromCodePoint(code);
}
