// The vocabulary as it is kept: changes are made and undone under the lock of those who write, so that of two people who declare
// something at once the second sees what the first did.

import { cleanName } from '../../data/name.ts';
import { InputError } from '../../errors.ts';
import type { Changes, TagDecision } from './change-table.ts';
import { checkCoherent } from './coherence.ts';
import { ConflictError, type Declaration, inWords, type VocabularyChange } from './declaration.ts';
import { Declarations } from './declarations.ts';
import { type ProposalOptions, proposalOf } from './proposal.ts';
import { broughtBy, standingOn } from './standing-on.ts';

/** How the changes are reached. */
export interface ChangeAccess {
  read<Result>(work: (changes: Changes) => Promise<Result>): Promise<Result>;
  /** One after the other, over all instances; all of it or nothing. */
  write<Result>(work: (changes: Changes) => Promise<Result>): Promise<Result>;
}

/** Who declares something, and what they say about it. */
export interface Declared {
  readonly curator?: string | undefined;
  readonly note?: string | undefined;
}

export interface DeclareOptions extends Declared, ProposalOptions {
  /** Stored as one change, whatever it holds. */
  readonly isImport?: boolean;
}

export interface Made {
  readonly change: VocabularyChange;
  /** False: the very same was declared before, and this is that change. */
  readonly isNew: boolean;
}

const MAX_NOTE = 1000;
const MAX_NAME = 200;
const MOST_SHOWN = 20; // decisions in the way of an undo

export class VocabularyStore {
  readonly #access: ChangeAccess;

  constructor(access: ChangeAccess) {
    this.#access = access;
  }

  /** Made or undone after a revision, as they are now; all where it is '0'. */
  changedSince(revision: string): Promise<VocabularyChange[]> {
    return this.#access.read((changes) => changes.since(revision));
  }

  /** All, undone ones as well, in the order they were made. */
  all(): Promise<VocabularyChange[]> {
    return this.#access.read((changes) => changes.all());
  }

  /** Throws a ConflictError, with the changes in the way, where an earlier one forbids it. */
  async declare(asked: readonly Declaration[], options: DeclareOptions = {}): Promise<Made> {
    const { curator = '', note = '', isImport = false, knows, near } = options;
    const who = checked(curator, 'curator', MAX_NAME);
    const words = checked(note, 'note', MAX_NOTE);
    return this.#access.write(async (changes) => {
      const { declarations, same } = proposalOf(await changes.all(), asked, { knows, near });
      if (declarations.length === 0) {
        if (same !== undefined) return { change: same, isNew: false };
        const cure = 'Nothing is to be done.';
        throw new InputError({ got: 'nothing new to declare', expected: 'one declaration or more', cure });
      }
      const kind = isImport ? 'import' : declarations[0].kind;
      return { change: await changes.insert({ kind, declarations, curator: who, note: words }), isNew: true };
    });
  }

  /** What was undone; undefined where there is no such change, or not any more. */
  async undo(id: string, curator = ''): Promise<VocabularyChange | undefined> {
    const who = checked(curator, 'curator', MAX_NAME);
    return this.#access.write(async (changes) => {
      const all = await changes.all();
      const change = all.find((one) => one.id === id && one.undoneAt === undefined);
      if (change === undefined) return undefined;
      refuseStanding(change, all, await changes.decisionsAbout([...broughtBy(change)], change, MOST_SHOWN));
      checkCoherent(Declarations.of(all.filter((one) => one !== change)));
      return changes.markUndone(id, who);
    });
  }
}

/** Decisions, and later changes, that need what is to be undone. */
export class StandingError extends ConflictError {
  readonly decisions: readonly TagDecision[];

  constructor(change: VocabularyChange, later: readonly VocabularyChange[], decisions: readonly TagDecision[]) {
    const shown = [
      ...later.map((one) => `${inWords(one)} (change ${one.id})`),
      ...decisions.map(({ object, tag, decision }) => `${decision} ${tag} for ${object}`),
    ];
    const got = `"${inWords(change)}", which other decisions stand on: ${shown.slice(0, MOST_SHOWN).join('; ')}`;
    super(
      { got, expected: 'a change that nothing stands on', cure: 'Undo these first, the latest before the others.' },
      [...later],
    );
    this.decisions = decisions;
  }
}

function refuseStanding(
  change: VocabularyChange,
  all: readonly VocabularyChange[],
  decisions: readonly TagDecision[],
): void {
  const later = standingOn(change, all);
  if (later.length + decisions.length > 0) throw new StandingError(change, later, decisions);
}

function checked(text: string, what: string, most: number): string {
  const clean = cleanName(text.replaceAll('\0', ' '));
  if (clean.length <= most) return clean;
  const got = `a ${what} of ${clean.length} characters`;
  throw new InputError({ got, expected: `${most} or less`, cure: `Shorten the ${what}.` });
}
