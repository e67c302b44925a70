// The table of changes of the vocabulary in a database.

import { type NewLogEntry, record } from '../people/log-store.ts';
import type { Queries } from '../reviews/database.ts';
import { type Declaration, inWords, type VocabularyChange } from './declaration.ts';

/** A change to be stored. */
export type NewChange = Pick<VocabularyChange, 'kind' | 'declarations' | 'curator' | 'note'>;

/** A decision about a tag, as those that stand in the way of an undo are told. */
export interface TagDecision {
  readonly object: string;
  readonly tag: string;
  readonly decision: string;
  readonly curator: string;
}

/** Where changes are kept: a table of a database or, for tests, a list. */
export interface Changes {
  /** All of them, undone ones as well, in their order. */
  all(): Promise<VocabularyChange[]>;
  /** Made or undone after a revision, as they are now, in the order of their revisions. */
  since(revision: string): Promise<VocabularyChange[]>;
  insert(change: NewChange): Promise<VocabularyChange>;
  markUndone(id: string, curator: string): Promise<VocabularyChange>;
  /** Some decisions about tags of these names that were made after a change. */
  decisionsAbout(tags: readonly string[], after: VocabularyChange, limit: number): Promise<TagDecision[]>;
}

interface Row {
  readonly id: string;
  readonly kind: VocabularyChange['kind'];
  readonly declarations: readonly Declaration[];
  readonly curator: string;
  readonly note: string;
  readonly at: Date;
  readonly undone_at: Date | null;
  readonly undone_by: string;
  readonly revision: string;
}

const COLUMNS = 'id::text, kind, declarations, curator, note, at, undone_at, undone_by, revision::text';

export class ChangeTable implements Changes {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async all(): Promise<VocabularyChange[]> {
    const sql = `select ${COLUMNS} from tagloom.vocabulary_changes order by vocabulary_changes.id`;
    return (await this.#queries.query<Row>(sql)).map(toChange);
  }

  async since(revision: string): Promise<VocabularyChange[]> {
    const sql = `select ${COLUMNS} from tagloom.vocabulary_changes
      where revision > $1 order by vocabulary_changes.revision`;
    return (await this.#queries.query<Row>(sql, [revision])).map(toChange);
  }

  async insert({ kind, declarations, curator, note }: NewChange): Promise<VocabularyChange> {
    const [row] = await this.#queries.query<Row>(
      `insert into tagloom.vocabulary_changes (kind, declarations, curator, note)
      values ($1, $2::jsonb, $3, $4) returning ${COLUMNS}`,
      [kind, JSON.stringify(declarations), curator, note],
    );
    const change = toChange(row);
    await record(this.#queries, [entryOf(change, `vocabulary.${kind}`, curator)]);
    return change;
  }

  async markUndone(id: string, curator: string): Promise<VocabularyChange> {
    const [row] = await this.#queries.query<Row>(
      `update tagloom.vocabulary_changes
      set undone_at = clock_timestamp(), undone_by = $2, revision = nextval('tagloom.revisions')
      where id = $1 returning ${COLUMNS}`,
      [id, curator],
    );
    const change = toChange(row);
    await record(this.#queries, [entryOf(change, 'vocabulary.undo', curator)]);
    return change;
  }

  decisionsAbout(tags: readonly string[], { id }: VocabularyChange, limit: number): Promise<TagDecision[]> {
    return this.#queries.query<TagDecision>(
      `select object, tag, decision, curator from tagloom.reviews
      where undone_at is null and tag = any($1::text[])
        and decided_at > (select at from tagloom.vocabulary_changes where id = $2)
      order by reviews.id limit $3`,
      [tags, id, limit],
    );
  }
}

function entryOf(change: VocabularyChange, action: string, who: string): NewLogEntry {
  const { id, declarations } = change;
  return { who, action, tag: declarations[0]?.tags[0], detail: { change: id, summary: inWords(change) } };
}

function toChange(row: Row): VocabularyChange {
  const { id, kind, declarations, curator, note, at, undone_at, undone_by, revision } = row;
  const undone = undone_at === null ? {} : { undoneAt: undone_at.toISOString(), undoneBy: undone_by };
  return { id, kind, declarations, curator, note, at: at.toISOString(), ...undone, revision };
}
