// A .bib file, of BibTeX or BibLaTeX: entries are objects, their keywords are tags, title, abstract, authors and venue what is written
// about them.

import { basename } from '#platform';
import { InputError } from '../../errors.ts';
import type { Listener } from '../../listener.ts';
import { detectEncoding, Utf8Converter } from '../catalogue/encoding.ts';
import type { KnowledgeGraph } from '../knowledge-graph.ts';
import { joined, readChunks } from '../table/source.ts';
import { type BibEntry, type BibFile, parseBibTex } from './bibtex-entries.ts';
import { doiAddress, keywordsIn } from './bibtex-fields.ts';
import { ExportedObjects } from './exported-objects.ts';
import { latexText } from './latex-text.ts';

const NO_KEYWORDS = 'Write the tags into the field keywords, with commas between them.';
const MAX_BYTES = 2 ** 28; // a hundred times the largest we know; Node's strings end at twice that

export async function readBibTex(path: string, options: Listener = {}): Promise<KnowledgeGraph> {
  const file = parseBibTex(await textOf(path, options));
  reportBroken(path, file, options);
  const objects = new ExportedObjects(path, options);
  for (const entry of file.entries) {
    const text = (...names: string[]) => latexText(firstOf(entry, names));
    const title = text('title');
    objects.add({
      id: entry.key || title,
      title,
      texts: {
        abstract: text('abstract'),
        authors: text('author', 'editor').replace(/ and /g, '; '),
        venue: text('journal', 'journaltitle', 'booktitle'),
      },
      tags: keywordsIn(firstOf(entry, ['keywords', 'keyword'])).map(latexText),
      url: addressOf(entry),
    });
  }
  return objects.finish({ one: '1 entry', many: 'entries' }, NO_KEYWORDS);
}

function firstOf({ fields }: BibEntry, names: readonly string[]): string {
  return names.map((name) => fields.get(name) ?? '').find((text) => text.trim() !== '') ?? '';
}

/** Addresses are written as they are, or escaped as text: "a\_b", "{\textasciitilde}me", "\url{…}". */
function addressOf(entry: BibEntry): string {
  const url = firstOf(entry, ['url', 'howpublished']).replace(/\\url/g, '');
  const plain = url.replace(/\{?\\textasciitilde\s*\}?|\\~(\{\})?/g, '~').replace(/\\([_%&#$~])/g, '$1');
  const address = plain.replace(/[{}\s]/g, '');
  if (/^https?:\/\//i.test(address)) return address;
  return doiAddress(
    firstOf(entry, ['doi'])
      .replace(/\\([_%&#])/g, '$1')
      .replace(/[{}]/g, ''),
  );
}

async function textOf(path: string, options: Listener): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readChunks(path, options)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BYTES) {
      const cure = 'Split it into several files and import each.';
      throw new InputError({ file: path, got: 'more than 256 MB', expected: 'a smaller .bib file', cure });
    }
  }
  const bytes = joined(chunks);
  const { encoding } = detectEncoding(bytes.subarray(0, 1 << 20));
  const converter = new Utf8Converter(encoding);
  const text = new TextDecoder().decode(joined([converter.convert(bytes), converter.finish()]));
  if (encoding === 'windows-1252' || converter.numBadLines > 0) {
    const what = encoding === 'windows-1252' ? 'not UTF-8' : `${converter.numBadLines} lines are not UTF-8`;
    options.warn?.(
      `${basename(path)}: ${what}, read as Windows-1252 (Latin-1). If letters look wrong, save it as UTF-8.`,
    );
  }
  return text;
}

/** Some broken entries are a warning; where most are, or nothing is there, the file is another one. */
function reportBroken(path: string, { entries, broken }: BibFile, options: Listener): void {
  const [first] = broken;
  if (entries.length === 0 && first === undefined) {
    const cure = 'Give a .bib file: entries such as @article{key, title = {…}, keywords = {…}}.';
    throw new InputError({ file: path, got: 'a file without entries', expected: 'BibTeX', cure });
  }
  if (first === undefined) return;
  if (broken.length > entries.length) {
    const cure = `Correct the entry that begins on this line${broken.length > 1 ? ` and ${broken.length - 1} others` : ''}.`;
    throw new InputError({ file: path, line: first.line, got: first.got, expected: first.expected, cure });
  }
  const count = broken.length === 1 ? '1 entry that is' : `${broken.length.toLocaleString('en')} entries that are`;
  options.warn?.(
    `${basename(path)}: left out ${count} not well-formed; the first begins on line ${first.line} (got ${first.got}, expected ${first.expected}).`,
  );
}
