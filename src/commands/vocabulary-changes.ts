// tagloom vocabulary merge, rename, …: makes a change in a store, or shows what it would do.

import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import type { Relation } from '../data/relation.ts';
import { readTable } from '../data/table/read-table.ts';
import { fieldText } from '../data/table/row.ts';
import { InputError } from '../errors.ts';
import { makeBreather } from '../listener.ts';
import { loadModel } from '../models/model-file.ts';
import { type Decisions, readDecisions } from '../serving/curation/decisions.ts';
import { DeclaredTags } from '../serving/curation/declared-tags.ts';
import { effectOf, type VocabularyEffect } from '../serving/curation/vocabulary-preview.ts';
import { similarNames } from '../serving/recommend/name-finder.ts';
import { InUseError } from '../serving/reviews/embedded-database.ts';
import type { ReviewStore } from '../serving/reviews/review-store.ts';
import { readServiceAddress } from '../serving/reviews/service-address.ts';
import { type Assignment, type Declaration, inWords } from '../serving/vocabulary/declaration.ts';
import { draftOf, proposalOf } from '../serving/vocabulary/proposal.ts';
import { type Terminal, textTable, withThousands } from './terminal.ts';
import { withReviews } from './with-reviews.ts';

export interface ChangeOptions {
  readonly curator?: string;
  readonly note?: string;
  readonly model?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

/** A store, and what a model knows where one is given. */
export interface OpenVocabulary {
  readonly store: ReviewStore;
  readonly decisions?: Decisions | undefined;
  /** Of the model, with the objects of each of its tags. */
  readonly effectOf?: ((declarations: readonly Declaration[]) => Promise<VocabularyEffect>) | undefined;
  readonly knows?: ((name: string) => boolean) | undefined;
  readonly near?: ((name: string) => readonly string[]) | undefined;
  /** How many objects carry a tag, by implication as well. */
  readonly numObjectsOf?: ((tag: string) => number) | undefined;
  /** All tags of the model. */
  readonly tags: readonly string[];
}

/** Like withReviews; of a folder in use it says how to ask the service. */
export async function withVocabulary<Result>(
  where: string,
  model: string | undefined,
  terminal: Terminal,
  use: (open: OpenVocabulary) => Promise<Result>,
): Promise<Result> {
  const graph =
    model === undefined ? undefined : (await terminal.during((listening) => loadModel(model, listening))).graph;
  const opened = withReviews(where, async (store) => {
    if (graph === undefined) return use({ store, tags: [] });
    const decisions = await readDecisions(graph, store);
    const accepted = new Set<string>();
    for await (const { tag } of store.all('accept')) accepted.add(tag);
    const { reviewed, vocabulary: now } = decisions;
    const objectsOf = graph.tagged.reversed();
    return use({
      ...{ store, decisions, tags: graph.tags.names.toArray() },
      effectOf: (declarations) => effectOf(declarations, { graph, objectsOf, reviewed, now }, makeBreather({})),
      numObjectsOf: numObjectsIn(graph, objectsOf, decisions),
      near: (name) => similarNames(name, graph.tags.names.toArray()),
      knows: (name) => graph.tags.idOf(name) >= 0 || accepted.has(name),
    });
  });
  return opened.catch(async (error) => {
    if (!(error instanceof InUseError)) throw error;
    const url = (await readServiceAddress(where)) ?? 'http://ADDRESS';
    const cure = `A service uses the folder: change the vocabulary on its page, ${url}/vocabulary, or by ${url}/docs#changeVocabulary`;
    throw new InputError({ ...error.problem, cure }, { cause: error });
  });
}

function numObjectsIn(
  graph: KnowledgeGraph,
  objectsOf: Relation,
  { reviewed, vocabulary, rules }: Decisions,
): (tag: string) => number {
  const declared = new DeclaredTags(graph, reviewed, vocabulary);
  return (tag) => {
    const id = rules?.anyIdOf(tag) ?? graph.tags.idOf(tag);
    if (id < 0) return 0;
    const inData = id < graph.tags.size ? objectsOf.row(id) : new Int32Array(0);
    return (declared.objectsWith(id, objectsOf) ?? declared.plainObjectsWith(id, inData)).length;
  };
}

export async function change(
  where: string,
  asked: Declaration,
  options: ChangeOptions,
  terminal: Terminal,
): Promise<void> {
  const { curator, note, dryRun, json } = options;
  await withVocabulary(where, options.model, terminal, async ({ store, effectOf: effect, knows, near }) => {
    const { declarations, same } = proposalOf(await store.vocabulary.all(), [asked], { knows, near });
    const effects = await effect?.(declarations);
    if (dryRun) {
      const summary = inWords(draftOf(asked));
      if (json) return terminal.printJson({ summary, isNew: declarations.length > 0, ...effects });
      const isKnown = declarations.length === 0 && same !== undefined;
      return terminal.print(`${isKnown ? 'Declared before: ' : ''}${summary}\n${effects ? effectText(effects) : ''}`);
    }
    const { change: made, isNew } = await store.vocabulary.declare([asked], { curator, note, knows, near });
    if (json) return terminal.printJson({ ...made, isNew, ...effects });
    terminal.print(`${isNew ? '' : 'Declared before: '}${inWords(made)} (change ${made.id})\n`);
    if (isNew && effects) terminal.print(effectText(effects));
  });
}

export async function undo(where: string, id: string, options: ChangeOptions, terminal: Terminal): Promise<void> {
  await withVocabulary(where, undefined, terminal, async ({ store }) => {
    const undone = await store.vocabulary.undo(id, options.curator);
    if (undone === undefined) {
      const cure = `List them: tagloom vocabulary log ${where.includes('://') ? 'STORE' : where}`;
      throw new InputError({ got: `change ${id}`, expected: 'one that was made and not undone', cure });
    }
    if (options.json) return terminal.printJson(undone);
    terminal.print(`Undone: ${inWords(undone)} (change ${undone.id})\n`);
  });
}

/** What is decided of a tag that is split. */
export async function assignedIn(path: string): Promise<Assignment[]> {
  const assigned: Assignment[] = [];
  await readTable(path, ['object', 'tag'], {}, (row) => {
    assigned.push({ object: fieldText(row, 0), tag: fieldText(row, 1) });
  });
  return assigned;
}

export function effectText({ numGain, numLose, numKeep, numConflicts, examples, conflicts }: VocabularyEffect): string {
  const rows = [
    ['gain a tag', `${withThousands(numGain)} objects`],
    ['lose a tag', `${withThousands(numLose)} objects`],
    ['stay as they are', `${withThousands(numKeep)} objects with these tags`],
    ...(numConflicts === 0 ? [] : [['carry both', `${withThousands(numConflicts)} objects: review them`]]),
  ];
  const changed = examples.map(({ object, gains, loses }) =>
    [`  ${object}:`, ...loses.map((tag) => `− ${tag}`), ...gains.map((tag) => `+ ${tag}`)].join(' '),
  );
  const both = conflicts.map(({ object, tags }) => `  ${object}: ${tags.join(' and ')}`);
  const lines = [...changed, ...both];
  return `${textTable(undefined, rows)}${lines.length === 0 ? '' : `${lines.join('\n')}\n`}`;
}
