// A user's catalogue, to be written back with tags added: how it is written, where its tags are, and the bytes of the new file,
// not compressed. It needs nothing that only Node has; catalogue-file.ts is for files on disk.

import { tagsOfRow } from '../../data/catalogue/append-tags.ts';
import { openCatalogue } from '../../data/catalogue/catalogue-rows.ts';
import { type Cell, textOf } from '../../data/catalogue/column-look.ts';
import { roleOfName } from '../../data/catalogue/column-names.ts';
import { type ColumnChoice, noTagsColumn, type TagColumn, understandColumns } from '../../data/catalogue/columns.ts';
import type { Dialect } from '../../data/catalogue/dialect.ts';
import { RepeatedRowsBuilder } from '../../data/catalogue/repeated-rows.ts';
import type { RowPlan, TagAdder } from '../../data/catalogue/rewrite.ts';
import { rewriteParquet } from '../../data/catalogue/rewrite-parquet.ts';
import { rewriteText } from '../../data/catalogue/rewrite-text.ts';
import { cleanName } from '../../data/name.ts';
import { nameOf, readChunks, type Source } from '../../data/table/source.ts';
import { InputError } from '../../errors.ts';
import type { Listener } from '../../listener.ts';

/** What a command was told about the columns, and the text columns that the model knows. */
export interface FileChoice extends ColumnChoice {
  readonly modelTexts?: readonly string[];
}

/** Finds out how a file is written and where its tags are. A file in which objects have several rows is read once for that. */
export async function openFile(source: Source, choice: FileChoice, listener: Listener): Promise<RowPlan> {
  const path = nameOf(source);
  const { id, title, text = [], tags = [] } = choice;
  const columns = [id, title, ...text, ...tags].filter((name) => name !== undefined);
  const opened = await openCatalogue(source, { ...listener, columns });
  try {
    const { dialect, names, sample } = opened;
    if (names.length === 0 || sample[0].length === 0) {
      await opened.read(() => {}); // says what is wrong with the rows, where there are any
      const cure = 'Write a header row and the rows below it.';
      throw new InputError({ file: path, got: 'a file without rows', expected: 'a row for each object', cure });
    }
    const known = choice.modelTexts?.filter((name) => names.includes(name)) ?? [];
    const asked = { ...choice, ...(choice.text === undefined && known.length > 0 && { text: known }) };
    let roles = understandColumns(path, names, sample, asked);
    if (roles.tags.length === 0) {
      // a blank column is for tags where its name says so
      const named = names.find((name) => roleOfName(name)?.role === 'tags');
      if (named === undefined) throw noTagsColumn(path, names, sample);
      roles = understandColumns(path, names, sample, { ...asked, tags: [named] });
    }
    const isBlank = roles.tags.every(({ column }) => sample[column].every((cell) => cell.length === 0));
    const plan = {
      path,
      dialect,
      roles: { ...roles, tags: isBlank ? withStyle(roles.tags, dialect, choice) : roles.tags },
    };
    const [{ style, indicates }] = plan.roles.tags;
    const isSingle = plan.roles.tags.length === 1 && style.form === 'single' && indicates === undefined;
    if (roles.id < 0 || !(isSingle || hasRepeats(sample[roles.id]))) return plan;
    const builder = new RepeatedRowsBuilder();
    await opened.read((row) => {
      const name = cleanName(textOf(row.cell(roles.id)));
      if (name !== '')
        builder.add(
          name,
          row.number,
          tagsOfRow(plan.roles, (column) => row.cell(column)),
        );
    });
    return { ...plan, repeated: builder.finish(isSingle) };
  } finally {
    await opened.close();
  }
}

function hasRepeats(ids: readonly Cell[]): boolean {
  const names = ids.map((cell) => cleanName(textOf(cell))).filter((name) => name !== '');
  return new Set(names).size < names.length;
}

/** How to write tags where the file shows none yet. */
function withStyle(tags: readonly TagColumn[], dialect: Dialect, { separator }: ColumnChoice): readonly TagColumn[] {
  if (tags.length > 1) return tags;
  const usual = dialect.delimiter === ';' ? ', ' : ';';
  const isText = dialect.kind === 'delimited' || separator !== undefined;
  return tags.map(({ column }) => ({
    column,
    style: { form: isText ? 'separated' : 'array', separator: separator ?? usual, hash: false },
  }));
}

/** The bytes of the file with tags added, not compressed. */
export function rewritten(
  source: Source,
  plan: RowPlan,
  adder: TagAdder,
  listener: Listener,
): AsyncGenerator<Uint8Array> {
  const chunks = readChunks(source, listener);
  return plan.dialect.kind === 'parquet' ? rewriteParquet(chunks, plan, adder) : rewriteText(chunks, plan, adder);
}
