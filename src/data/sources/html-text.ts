// What a person reads of a piece of HTML: text without tags, scripts and styles, entities as characters, a line for each block. The
// tokenizer of htmlparser2 reads it from front to back without a tree, so that nesting costs nothing.

import { optional } from '../../optional.ts';

export type ToText = (html: string) => string;

/** Longer HTML is cut here: a description has thousands of characters, not millions. */
const MAX_CHARACTERS = 1 << 20;
const BLOCKS = new Set(
  `address article aside blockquote br center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr
    li main nav ol option p pre section summary table tbody td tfoot th thead tr ul`.split(/\s+/),
);
const UNREAD = new Set(['script', 'style']);

/** Loads the tokenizer; what it gives turns HTML into text. */
export async function loadHtmlText(): Promise<ToText> {
  const { Tokenizer } = await optional('reading HTML', ['htmlparser2'], () => import('htmlparser2'));
  return (html) => (/[<&]/.test(html) ? tidy(stripped(html.slice(0, MAX_CHARACTERS), Tokenizer)) : tidy(html));
}

function stripped(html: string, Tokenizer: typeof import('htmlparser2').Tokenizer): string {
  let text = '';
  let unread = ''; // the element whose contents are left out
  const nameAt = (start: number, end: number) => html.slice(start, end).toLowerCase();
  const onTag = (name: string) => {
    if (BLOCKS.has(name)) text += '\n';
  };
  const nothing = () => {};
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (start, end) => {
        if (unread === '') text += html.slice(start, end);
      },
      ontextentity: (code) => {
        if (unread === '') text += String.fromCodePoint(code);
      },
      onopentagname: (start, end) => {
        const name = nameAt(start, end);
        if (UNREAD.has(name)) unread = name;
        onTag(name);
      },
      onclosetag: (start, end) => {
        const name = nameAt(start, end);
        if (name === unread) unread = '';
        onTag(name);
      },
      onattribdata: nothing,
      onattribentity: nothing,
      onattribend: nothing,
      onattribname: nothing,
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onopentagend: nothing,
      onprocessinginstruction: nothing,
      onselfclosingtag: nothing,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return text;
}

/** One space between words, no blank lines. */
function tidy(text: string): string {
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim();
}
