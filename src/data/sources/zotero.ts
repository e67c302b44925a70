// A library of Zotero, in one of the forms it exports: CSV (which has all tags), BibTeX or BibLaTeX, or CSL JSON (which has tags only
// where an add-on writes them as keywords).

import type { Listener } from '../../listener.ts';
import type { KnowledgeGraph } from '../knowledge-graph.ts';
import { readBibTex } from './bibtex.ts';
import { doiAddress, keywordsIn } from './bibtex-fields.ts';
import { ExportedObjects } from './exported-objects.ts';
import { type ExportedRow, type ExportKind, openExport, partsOf } from './exported-rows.ts';
import { loadHtmlText } from './html-text.ts';

export interface ZoteroOptions extends Listener {
  /** Whether tags count that came with an entry instead of from you; true by default. CSV tells them apart. */
  readonly automaticTags?: boolean;
}

type Column = 'key' | 'kind' | 'title' | 'abstract' | 'authors' | 'venue' | 'url' | 'doi' | 'tags' | 'automatic';

const EXPORT: ExportKind<Column> = {
  columns: {
    key: ['Key', 'id', 'citationKey', 'itemKey'],
    kind: ['Item Type', 'type', 'itemType'],
    title: ['Title'],
    abstract: ['Abstract Note', 'abstract'],
    authors: ['Author'],
    venue: ['Publication Title', 'container-title'],
    url: ['Url'],
    doi: ['DOI'],
    tags: ['Manual Tags', 'keyword', 'tags'],
    automatic: ['Automatic Tags'],
  },
  required: ['key', 'title'],
  cure: 'Export it in Zotero: File, Export Library, format CSV.',
};
const NO_TAGS = 'Export the library as CSV: Zotero writes no tags into CSL JSON.';
const CHILDREN = ['attachment', 'note', 'annotation']; // parts of other entries

export async function readZotero(path: string, options: ZoteroOptions = {}): Promise<KnowledgeGraph> {
  if (/\.bib(tex)?(\.gz)?$/i.test(path)) return readBibTex(path, options);
  const [toText, opened] = [await loadHtmlText(), await openExport(path, EXPORT, options)];
  const objects = new ExportedObjects(path, options);
  await opened.readRows((row) => {
    const kind = row.text('kind').toLowerCase();
    if (CHILDREN.includes(kind)) {
      objects.leaveOut(`of the type ${kind}`);
      return;
    }
    objects.add({
      id: row.text('key'),
      title: toText(row.text('title')), // <i>, <sub> and the like
      texts: { abstract: toText(row.text('abstract')), authors: authorsIn(row), venue: row.text('venue') },
      tags: [...tagsIn(row, 'tags'), ...(options.automaticTags === false ? [] : tagsIn(row, 'automatic'))],
      url: row.text('url') || doiAddress(row.text('doi')),
    });
  });
  return objects.finish(
    { one: '1 entry', many: 'entries' },
    opened.dialect.kind === 'delimited' ? 'Tag some entries in Zotero first.' : NO_TAGS,
  );
}

/** CSV separates tags by "; ", so that they may hold commas. */
function tagsIn(row: ExportedRow<Column>, column: Column): string[] {
  const cell = row.cell(column);
  return typeof cell === 'string' && column === 'tags' && !cell.includes(';')
    ? keywordsOf(cell, row)
    : partsOf(cell, ';');
}

/** One tag of a CSV file may hold a comma; a keyword of CSL JSON is a list with commas. */
function keywordsOf(cell: string, row: ExportedRow<Column>): string[] {
  return row.isTable ? [cell] : keywordsIn(cell);
}

/** CSL JSON has authors as objects with the parts of their names. */
function authorsIn(row: ExportedRow<Column>): string {
  const cell = row.cell('authors');
  if (typeof cell === 'string') return cell;
  return cell
    .map((author) => {
      const { given = '', family = '', literal = '' } = (author ?? {}) as Record<string, unknown>;
      return [given, family, literal].filter((part) => typeof part === 'string' && part !== '').join(' ');
    })
    .filter((name) => name !== '')
    .join('; ');
}
