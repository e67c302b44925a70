// A data set in its three tables, whatever they lie in: `interact` (user, object), `tagged` (object, tag) and, optionally, `objects`
// (object, title). Which file is which is told by their names.

import { InputError } from '../errors.ts';
import type { Listener } from '../listener.ts';
import { GraphBuilder, type KnowledgeGraph } from './knowledge-graph.ts';
import { requirePairs } from './pairs-check.ts';
import { nameOf, type Source } from './source.ts';
import { EXTENSIONS, readTable } from './table.ts';
import { fieldText } from './table-row.ts';
import { warnTitleConflicts } from './title-conflicts.ts';

export interface Tables {
  readonly interact: Source;
  readonly tagged: Source;
  readonly objects: Source | undefined;
}

/** Where tables are looked for. */
export interface Place {
  /** What it is, as it follows "got": of nothing, and of some names. */
  readonly called: { readonly none: string; readonly some: string };
  /** What errors say it is about. */
  readonly file?: string;
  readonly names: readonly string[];
  open(name: string): Source;
}

/** Files that a person gave to a page. */
export function placeOf(files: readonly File[]): Place {
  const names = files.map(({ name }) => name);
  const open = (name: string) => files[names.indexOf(name)];
  return { called: { none: 'no files', some: 'the files' }, names, open };
}

/** The tables among other files; refuses where one is missing or there twice. */
export function findTables(place: Place): Tables {
  return {
    interact: requireTable(place, 'interact'),
    tagged: requireTable(place, 'tagged'),
    objects: findTable(place, 'objects'),
  };
}

export async function readTables(tables: Tables, options: Listener): Promise<KnowledgeGraph> {
  const builder = new GraphBuilder();
  await readTable(tables.interact, ['user', 'object'], options, ({ bytes, start, end }) => {
    builder.interact.add(
      builder.users.addBytes(bytes, start[0], end[0]),
      builder.objects.addBytes(bytes, start[1], end[1]),
    );
  });
  await readTable(tables.tagged, ['object', 'tag'], options, ({ bytes, start, end }) => {
    builder.tagged.add(
      builder.objects.addBytes(bytes, start[0], end[0]),
      builder.tags.addBytes(bytes, start[1], end[1]),
    );
  });
  const [interact, tagged] = [nameOf(tables.interact), nameOf(tables.tagged)];
  requirePairs(
    builder,
    { file: interact, cure: 'Add rows with a user and an object: there is nothing to learn from without them.' },
    { file: tagged, cure: 'Add rows with an object and a tag: there is nothing to learn from without them.' },
  );
  if (tables.objects !== undefined) await readTitles(tables.objects, builder, options);
  return builder.finish();
}

async function readTitles(source: Source, builder: GraphBuilder, options: Listener): Promise<void> {
  await readTable(source, ['object', 'title'], { ...options, mayBeBlank: ['title'] }, (row) => {
    const object = builder.objects.addBytes(row.bytes, row.start[0], row.end[0]);
    if (row.end[1] > row.start[1]) builder.setTitle(object, fieldText(row, 1));
  });
  warnTitleConflicts(nameOf(source), builder, options);
}

function requireTable(place: Place, name: string): Source {
  const found = findTable(place, name);
  if (found !== undefined) return found;
  const { names, called } = place;
  const got = names.length === 0 ? called.none : `${called.some} ${[...names].sort().slice(0, 6).join(', ')}`;
  const cure = `Add ${name}.tsv (or .csv, .parquet, each optionally .gz), or make the folder with "tagloom import".`;
  throw new InputError({ ...whereOf(place), got, expected: `a table called ${name}`, cure });
}

/** The one table called `name`, whatever its kind; undefined where there is none. */
function findTable(place: Place, name: string): Source | undefined {
  const found = place.names.filter((file) =>
    EXTENSIONS.some((extension) => file === name + extension || file === `${name}${extension}.gz`),
  );
  if (found.length > 1) {
    const got = found.sort().join(' and ');
    throw new InputError({
      ...whereOf(place),
      got,
      expected: `one ${name} table`,
      cure: 'Remove or rename all but one.',
    });
  }
  return found.length === 1 ? place.open(found[0]) : undefined;
}

function whereOf({ file }: Place): { file?: string } {
  return file === undefined ? {} : { file };
}
