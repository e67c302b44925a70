// A library of Calibre, as its own tools write it: the JSON of `calibredb list --for-machine` or the CSV of `calibredb catalog`. The
// database itself (metadata.db) is SQLite, which Node 20 cannot read.

import { kindOfPath } from '#platform';
import { InputError } from '../../errors.ts';
import { listFolder } from '../../files.ts';
import type { Listener } from '../../listener.ts';
import type { KnowledgeGraph } from '../knowledge-graph.ts';
import { readChunks } from '../table/source.ts';
import { ExportedObjects } from './exported-objects.ts';
import { type ExportedRow, type ExportKind, openExport, partsOf } from './exported-rows.ts';
import { loadHtmlText } from './html-text.ts';

type Column = 'id' | 'title' | 'authors' | 'series' | 'publisher' | 'tags' | 'comments' | 'identifiers' | 'cover';

const COMMAND = 'calibredb list --for-machine --fields title,authors,series,publisher,tags,comments,identifiers';
const CURE = `Write the list with ${COMMAND} > books.json, or the catalogue with calibredb catalog books.csv.`;
const EXPORT: ExportKind<Column> = {
  columns: {
    id: ['id', 'uuid'],
    title: ['title'],
    authors: ['authors'],
    series: ['series'],
    publisher: ['publisher'],
    tags: ['tags'],
    comments: ['comments'],
    identifiers: ['identifiers'],
    cover: ['cover'],
  },
  required: ['title', 'tags'],
  cure: CURE,
};

export async function readCalibre(path: string, options: Listener = {}): Promise<KnowledgeGraph> {
  await refuseDatabase(path);
  const [toText, opened] = [await loadHtmlText(), await openExport(path, EXPORT, options)];
  const objects = new ExportedObjects(path, options);
  await opened.readRows((row) => {
    const cover = row.text('cover');
    objects.add({
      id: row.text('id') || row.text('title'),
      title: row.text('title'),
      texts: {
        comments: toText(row.text('comments')),
        authors: row.text('authors'),
        series: row.text('series'),
        publisher: row.text('publisher'),
      },
      tags: partsOf(row.cell('tags'), ','),
      url: addressOf(row),
      image: /^https?:/i.test(cover) ? cover : '', // a path on the computer of whoever has the library
    });
  });
  return objects.finish({ one: '1 book', many: 'books' }, `The books need tags. ${CURE}`);
}

/** Of the identifiers "isbn:9780…,url:https://…", the address. */
function addressOf(row: ExportedRow<Column>): string {
  return /\b(?:uri|url):(https?:\S+?)(?:,\w+:|$)/i.exec(row.text('identifiers'))?.[1] ?? '';
}

async function refuseDatabase(path: string): Promise<void> {
  const isFolder = (await kindOfPath(path)) === 'folder';
  const database = isFolder ? (await listFolder(path)).includes('metadata.db') : await beginsAsDatabase(path);
  if (!database && !isFolder) return;
  const got = database ? "Calibre's database (metadata.db)" : 'a folder';
  throw new InputError({ file: path, got, expected: 'what calibredb writes, as JSON or CSV', cure: CURE });
}

async function beginsAsDatabase(path: string): Promise<boolean> {
  for await (const chunk of readChunks(path)) return String.fromCharCode(...chunk.subarray(0, 6)) === 'SQLite';
  return false;
}
