// RecBole's atomic files: NAME.inter (who interacted with what) and NAME.item (what is known of the objects), both
// tab-separated with a header of name:type. A token_seq is a list of tokens with spaces between them.

import { basename, join } from 'node:path';
import { InputError } from '../../errors.ts';
import { listFolder } from '../../files.ts';
import type { Listener } from '../../listener.ts';
import { GraphBuilder, type KnowledgeGraph, requirePairs, warnTitleConflicts } from '../knowledge-graph.ts';
import { readDelimited, TSV } from '../table/delimited.ts';
import { fieldText } from '../table/row.ts';
import { readReleaseHeader, requireFile } from './release.ts';
import { tagText, titleText } from './tag-text.ts';

export interface RecBoleOptions extends Listener {
  /** The column that holds the tags; found by its name by default. */
  readonly tagsField?: string;
}

interface Column {
  readonly name: string;
  readonly type: string;
  /** As in the header: name:type. */
  readonly label: string;
}

interface AtomicFile {
  readonly path: string;
  readonly columns: readonly Column[];
}

const INTER = { called: 'NAME.inter', pattern: /\.inter$/ };
const TYPES = ['token', 'token_seq', 'float', 'float_seq'];
const TAG_NAMES = ['class', 'genre', 'genres', 'tags', 'tag', 'categories', 'category', 'keywords'];

export async function readRecBole(folder: string, options: RecBoleOptions = {}): Promise<KnowledgeGraph> {
  const inter = await openAtomic(await requireFile(folder, INTER));
  const objectsPath = await findObjects(folder, inter.path);
  const objects = objectsPath === undefined ? undefined : await openAtomic(objectsPath);
  const [user, object] = idColumns(inter, objects);
  const tags = pickTags(folder, inter, objects, options);
  const builder = new GraphBuilder();

  if (objects !== undefined) await readObjects(objects, { object, tags }, builder, options);
  const interTags = inter.columns.includes(tags) ? [tags.label] : [];
  const inOrder = [user.label, object.label, ...interTags];
  await readDelimited(inter.path, inOrder, { ...options, format: TSV, mayBeBlank: interTags }, (row) => {
    const { bytes, start, end } = row;
    const objectId = builder.objects.addBytes(bytes, start[1], end[1]);
    builder.interact.add(builder.users.addBytes(bytes, start[0], end[0]), objectId);
    if (interTags.length > 0) addTags(builder, objectId, fieldText(row, 2), tags);
  });

  const cure = 'Add rows, or choose another column of tags with --tags-field.';
  requirePairs(
    builder,
    { file: inter.path, cure },
    { file: interTags.length > 0 ? inter.path : (objectsPath ?? folder), cure },
  );
  return builder.finish();
}

async function readObjects(
  file: AtomicFile,
  { object, tags }: { object: Column; tags: Column },
  builder: GraphBuilder,
  options: Listener,
): Promise<void> {
  const id = file.columns.find((column) => column.name === object.name) ?? file.columns[0];
  const title = file.columns.find(({ name, type }) => type === 'token_seq' && /(title|name)$/i.test(name));
  const own = file.columns.includes(tags) ? tags : undefined;
  const more = [title, own].filter((column) => column !== undefined).map((column) => column.label);
  const format = { ...options, format: TSV, mayBeBlank: more };
  await readDelimited(file.path, [id.label, ...more], format, (row) => {
    const objectId = builder.objects.addBytes(row.bytes, row.start[0], row.end[0]);
    if (title !== undefined && row.end[1] > row.start[1]) builder.setTitle(objectId, titleText(fieldText(row, 1)));
    if (own !== undefined) addTags(builder, objectId, fieldText(row, more.indexOf(own.label) + 1), own);
  });
  warnTitleConflicts(file.path, builder, options);
}

function addTags(builder: GraphBuilder, object: number, text: string, column: Column): void {
  for (const token of column.type === 'token_seq' ? text.split(/\s+/) : [text]) {
    const tag = tagText(token);
    if (tag !== '') builder.tagged.add(object, builder.tags.add(tag));
  }
}

/** The .item file that belongs to the .inter file: the same name, plain or gzipped. */
async function findObjects(folder: string, interPath: string): Promise<string | undefined> {
  const name = basename(interPath).replace(/\.inter(\.gz)?$/, '.item');
  const found = (await listFolder(folder)).filter((file) => file === name || file === `${name}.gz`);
  if (found.length > 1) {
    const cure = 'Remove or rename one of them.';
    throw new InputError({ file: folder, got: found.sort().join(' and '), expected: `one ${name}`, cure });
  }
  return found.length === 1 ? join(folder, found[0]) : undefined;
}

async function openAtomic(path: string): Promise<AtomicFile> {
  const columns = (await readReleaseHeader(path)).map((label) => {
    const [name, type, ...rest] = label.split(':');
    if (name !== '' && TYPES.includes(type) && rest.length === 0) return { name, type, label };
    const expected = `name:type, with a type of ${TYPES.join(', ')}`;
    const cure = 'Write the header as RecBole does, such as user_id:token.';
    throw new InputError({ file: path, line: 1, got: `the column ${JSON.stringify(label)}`, expected, cure });
  });
  return { path, columns };
}

/** The user is called user_id, or comes first; the object is the id that .inter shares with .item, or comes next. */
function idColumns(inter: AtomicFile, objects: AtomicFile | undefined): [user: Column, object: Column] {
  const tokens = inter.columns.filter((column) => column.type === 'token');
  const user = tokens.find((column) => column.name === 'user_id') ?? tokens[0];
  const others = tokens.filter((column) => column !== user);
  const isShared = ({ name }: Column) => objects?.columns.some((column) => column.name === name) ?? true;
  const object = others.find(isShared);
  if (user !== undefined && object !== undefined) return [user, object];
  const shared = objects === undefined ? '' : ` that ${basename(objects.path)} has too`;
  throw new InputError({
    file: inter.path,
    line: 1,
    got: `the columns ${inter.columns.map((column) => column.label).join(', ')}`,
    expected: `a user (user_id:token) and an object (a token column${shared})`,
    cure: 'Name the columns as RecBole does: user_id:token and item_id:token.',
  });
}

function pickTags(folder: string, inter: AtomicFile, objects: AtomicFile | undefined, options: RecBoleOptions): Column {
  const columns = [...(objects?.columns ?? []), ...inter.columns];
  const sequences = columns.filter((column) => column.type === 'token_seq');
  const wanted = options.tagsField?.replace(/:token(_seq)?$/, '').toLowerCase();
  const found =
    wanted === undefined
      ? sequences.find((column) => TAG_NAMES.includes(column.name.toLowerCase()))
      : columns.find((column) => column.type.startsWith('token') && column.name.toLowerCase() === wanted);
  if (found !== undefined) return found;
  const names = sequences.map((column) => column.name).join(', ');
  throw new InputError({
    file: folder,
    got: names === '' ? 'no token_seq column' : `the token_seq columns ${names}`,
    expected:
      options.tagsField === undefined ? `one called ${TAG_NAMES.join(', ')}` : `one called ${options.tagsField}`,
    cure: 'Say which column holds the tags with --tags-field.',
  });
}
