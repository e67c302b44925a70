// tagloom vocabulary list, log, check, import and export: what a store declares, as tables and as SKOS documents.

import { InputError } from '../errors.ts';
import { readText, refuseExistingFile, writeFile } from '../files.ts';
import { inWords } from '../serving/vocabulary/declaration.ts';
import { Declarations } from '../serving/vocabulary/declarations.ts';
import { proposalOf } from '../serving/vocabulary/proposal.ts';
import { readSkos } from '../serving/vocabulary/read-skos.ts';
import { formatOfFile, type SkosFormat } from '../serving/vocabulary/skos-format.ts';
import { writeSkos } from '../serving/vocabulary/write-skos.ts';
import { type Terminal, textTable, withThousands } from './terminal.ts';
import { type ChangeOptions, effectText, withVocabulary } from './vocabulary-changes.ts';

export interface ImportOptions extends ChangeOptions {
  readonly format?: SkosFormat;
  readonly language?: string;
}

export interface ExportOptions extends Pick<ChangeOptions, 'model'> {
  readonly output?: string;
  readonly force?: true;
  readonly format?: SkosFormat;
  readonly language?: string;
}

export async function list(where: string, options: ChangeOptions, terminal: Terminal): Promise<void> {
  await withVocabulary(where, options.model, terminal, async ({ store, numObjectsOf }) => {
    const now = Declarations.of(await store.vocabulary.all());
    const rows = [...now.tags()].sort().map((tag) => ({
      tag,
      state: now.splitOf(tag) !== undefined ? 'split' : now.retirementOf(tag) !== undefined ? 'retired' : 'used',
      labels: now.labelsOf(tag),
      implies: [...now.parentsOf(tag).keys()].sort(),
      excludes: now.exclusionsOf(tag),
      ...(now.splitOf(tag) && { parts: now.splitOf(tag)?.parts }),
    }));
    const counts = numObjectsOf === undefined ? [] : rows.map(({ tag }) => numObjectsOf(tag));
    if (options.json) return terminal.printJson({ tags: rows.map((row, i) => ({ ...row, numObjects: counts[i] })) });
    if (rows.length === 0) return terminal.print('Nothing is declared.\n');
    const table = rows.map(({ tag, state, labels, implies, excludes, parts = [] }, i) => [
      tag,
      ...(counts.length === 0 ? [] : [withThousands(counts[i])]),
      [
        ...(state === 'used' ? [] : [parts.length === 0 ? state : `split into ${parts.join(', ')}`]),
        ...(labels.length === 0 ? [] : [`also ${labels.join(', ')}`]),
        ...(implies.length === 0 ? [] : [`implies ${implies.join(', ')}`]),
        ...(excludes.length === 0 ? [] : [`never with ${excludes.join(', ')}`]),
      ].join('; '),
    ]);
    terminal.print(textTable(undefined, table));
  });
}

export async function log(
  where: string,
  { limit, json }: { readonly limit: number; readonly json?: true },
  terminal: Terminal,
): Promise<void> {
  await withVocabulary(where, undefined, terminal, async ({ store }) => {
    const changes = (await store.vocabulary.all()).toReversed().slice(0, limit);
    if (json) return terminal.printJson({ changes });
    if (changes.length === 0) return terminal.print('No changes.\n');
    const rows = changes.map((one) => [
      one.id,
      one.at.slice(0, 16).replace('T', ' '),
      one.curator === '' ? '–' : one.curator,
      `${inWords(one)}${one.undoneAt === undefined ? '' : ' (undone)'}${one.note === '' ? '' : ` – ${one.note}`}`,
    ]);
    terminal.print(textTable(undefined, rows));
  });
}

/** Names the model does not know, and objects that carry tags which exclude each other. */
export async function check(
  where: string,
  options: ChangeOptions & { readonly model: string },
  terminal: Terminal,
): Promise<void> {
  await withVocabulary(where, options.model, terminal, async ({ store, effectOf, knows }) => {
    const now = Declarations.of(await store.vocabulary.all());
    const isUsed = (tag: string) => [tag, ...now.labelsOf(tag)].some((name) => knows?.(name));
    const unknown = [...now.tags()].filter((tag) => !isUsed(tag)).sort();
    const conflicts: { tags: readonly string[]; numObjects: number; examples: string[] }[] = [];
    for (const { tags } of now.exclusions()) {
      const effect = await effectOf?.([{ kind: 'exclude', tags, into: [] }]);
      if (effect === undefined || effect.numConflicts === 0) continue;
      conflicts.push({ tags, numObjects: effect.numConflicts, examples: effect.conflicts.map(({ object }) => object) });
    }
    if (options.json) return terminal.printJson({ unknown, conflicts });
    for (const { tags, numObjects, examples } of conflicts)
      terminal.print(
        `${tags.join(' and ')}: ${withThousands(numObjects)} objects carry both (${examples.join(', ')})\n`,
      );
    if (unknown.length > 0) terminal.print(`Not in the model: ${unknown.join(', ')}\n`);
    if (unknown.length + conflicts.length === 0) terminal.print('All of it goes together.\n');
  });
}

export async function importFrom(
  where: string,
  file: string,
  options: ImportOptions,
  terminal: Terminal,
): Promise<void> {
  const { language, curator, note, dryRun, json } = options;
  if (options.format === undefined) formatOfFile(file); // says what other formats need
  const text = await readText(file, 'a SKOS document', 'Check the path.');
  const read = await readSkos(text, { file, language });
  await withVocabulary(where, options.model, terminal, async ({ store, effectOf, knows }) => {
    for (const warning of read.warnings) terminal.note(`warning: ${warning}`);
    const all = await store.vocabulary.all();
    const { declarations } = proposalOf(all, read.declarations);
    const effects = await effectOf?.(declarations);
    const numUnknown = knows && read.tags.filter((tag) => !knows(tag)).length;
    const isDone = dryRun === undefined && declarations.length > 0;
    const made = isDone
      ? await store.vocabulary.declare(read.declarations, { isImport: true, curator, note })
      : undefined;
    const facts = { numConcepts: read.tags.length, numUnknown, numDeclarations: declarations.length };
    if (json) return terminal.printJson({ ...facts, warnings: read.warnings, id: made?.change.id, ...effects });
    terminal.print(
      textTable(undefined, [
        ['concepts', withThousands(facts.numConcepts)],
        ...(numUnknown === undefined ? [] : [['not in the model', withThousands(numUnknown)]]),
        [dryRun ? 'would be declared' : 'declared', withThousands(facts.numDeclarations)],
        ...(made === undefined ? [] : [['change', made.change.id]]),
      ]),
    );
    if (effects) terminal.print(effectText(effects));
  });
}

export async function exportTo(where: string, options: ExportOptions, terminal: Terminal): Promise<void> {
  const { output, language, force } = options;
  const format = options.format ?? (output === undefined ? 'turtle' : formatOfFile(output));
  if (output !== undefined) await refuseExistingFile(output, force ?? false);
  await withVocabulary(where, options.model, terminal, async ({ store, tags }) => {
    const now = Declarations.of(await store.vocabulary.all());
    if (now.isEmpty && tags.length === 0) {
      const cure = 'Declare something first, or give --model to write the tags of a model.';
      throw new InputError({ got: 'a vocabulary without declarations', expected: 'something to write', cure });
    }
    const written = writeSkos(now, tags, { format, language });
    if (output === undefined) await terminal.printChunks(chunks(written));
    else await writeFile(output, chunks(written));
  });
}

async function* chunks(texts: Iterable<string>): AsyncGenerator<string> {
  yield* texts;
}
