// What curators declare about tags: the kinds of declarations, their shape, and changes, which are declarations somebody made at
// some time. Everything here is names; what they mean together is in declarations.ts.

import { cleanName } from '../../data/name.ts';
import { InputError } from '../../errors.ts';

/**
 * - `merge`: `tags` are read as the one tag of `into`.
 * - `rename`: the tag is called `into` from now on, a name that no tag has yet.
 * - `synonym`: `tags` are other labels of the tag `into`, whether an object carries them or not.
 * - `notSynonym`: `tags` and `into` are different tags, so nobody proposes it again.
 * - `retire`: `tags` stay where they are and are not suggested any more; with `takeOff` no object carries them.
 * - `parent`: who carries one of `tags` carries all of `into`, too.
 * - `exclude`: of `tags` and `into` together, no object carries two.
 * - `split`: the tag is retired; an object carries it until it carries one of `into`.
 */
export const KINDS = ['merge', 'rename', 'synonym', 'notSynonym', 'retire', 'parent', 'exclude', 'split'] as const;
export type DeclarationKind = (typeof KINDS)[number];

/** An object of a tag that is split, and the part it gets. */
export interface Assignment {
  readonly object: string;
  readonly tag: string;
}

/** A statement about tags, by names. */
export interface Declaration {
  readonly kind: DeclarationKind;
  readonly tags: readonly string[];
  readonly into: readonly string[];
  /** Of `retire`: objects lose the tag as well. */
  readonly takeOff?: boolean;
  /** Of `split`: what is decided already. */
  readonly assigned?: readonly Assignment[];
}

/** A change of the vocabulary as it is stored: one declaration or, of an import, many that are undone together. */
export interface VocabularyChange {
  readonly id: string;
  readonly kind: DeclarationKind | 'import';
  readonly declarations: readonly Declaration[];
  readonly curator: string;
  readonly note: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly undoneAt?: string;
  readonly undoneBy?: string;
  /** A whole number as text, higher than that of any change before. */
  readonly revision: string;
}

/** Something that was declared before stands in the way. */
export class ConflictError extends InputError {
  /** The changes it collides with. */
  readonly changes: readonly VocabularyChange[];

  constructor(problem: InputError['problem'], changes: readonly VocabularyChange[] = []) {
    super(problem);
    this.changes = changes;
  }
}

interface Size {
  readonly least: number;
  readonly most: number;
}

const NONE: Size = { least: 0, most: 0 };
const ONE: Size = { least: 1, most: 1 };
const SOME: Size = { least: 1, most: Number.POSITIVE_INFINITY };

/** How many names each kind takes. */
const SIZES: Readonly<Record<DeclarationKind, { readonly tags: Size; readonly into: Size }>> = {
  merge: { tags: SOME, into: ONE },
  rename: { tags: ONE, into: ONE },
  synonym: { tags: SOME, into: ONE },
  notSynonym: { tags: ONE, into: ONE },
  retire: { tags: SOME, into: NONE },
  parent: { tags: SOME, into: SOME },
  exclude: { tags: { ...SOME, least: 2 }, into: NONE },
  split: { tags: ONE, into: SOME },
};

/** With clean names, each once; throws where a name is blank, or there are too many or too few. */
export function cleanDeclaration(given: Declaration): Declaration {
  const { kind, takeOff, assigned = [] } = given;
  const [tags, into] = [cleanNames(given.tags), cleanNames(given.into)];
  refuseSize(kind, 'tags', tags, SIZES[kind].tags);
  refuseSize(kind, 'into', into, SIZES[kind].into);
  const parts = assigned.map(({ object, tag }) => ({ object: cleanNamed(object), tag: cleanNamed(tag) }));
  const stray = parts.find(({ tag }) => kind !== 'split' || !into.includes(tag));
  if (stray !== undefined) {
    const cure = 'Assign objects to the parts of a split only.';
    throw new InputError({ got: `"${stray.object}" assigned to "${stray.tag}"`, expected: 'one of the parts', cure });
  }
  return {
    ...{ kind, tags, into },
    ...(takeOff && kind === 'retire' && { takeOff }),
    ...(parts.length > 0 && { assigned: parts }),
  };
}

function cleanNames(names: readonly string[]): string[] {
  return [...new Set(names.map(cleanNamed))];
}

function cleanNamed(name: string): string {
  const clean = name.includes('\0') ? '' : cleanName(name);
  if (clean !== '') return clean;
  throw new InputError({ got: 'a blank name, or one that holds a NUL', expected: 'a tag', cure: 'Name the tag.' });
}

function refuseSize(kind: DeclarationKind, field: string, names: readonly string[], { least, most }: Size): void {
  const { length } = names;
  if (length >= least && length <= most) return;
  const expected = most === 0 ? 'none' : least === most ? `${least}` : `${least} or more`;
  const got = `${length} different ${length === 1 ? 'name' : 'names'} in "${field}" of "${kind}"`;
  throw new InputError({ got, expected, cure: 'Give as many names as this kind of change takes.' });
}

/** In a few words: "merge lib, libs into library". */
export function inWords({ kind, declarations }: Pick<VocabularyChange, 'kind' | 'declarations'>): string {
  const [first] = declarations;
  if (kind === 'import' || first === undefined) return `import of ${declarations.length} declarations`;
  const [tags, into] = [first.tags.join(', '), first.into.join(', ')];
  switch (first.kind) {
    case 'merge':
      return `merge ${tags} into ${into}`;
    case 'rename':
      return `rename ${tags} to ${into}`;
    case 'synonym':
      return `read ${tags} as ${into}`;
    case 'notSynonym':
      return `keep ${tags} and ${into} apart`;
    case 'retire':
      return `retire ${tags}${first.takeOff ? ' and take it off all objects' : ''}`;
    case 'parent':
      return `let ${tags} imply ${into}`;
    case 'exclude':
      return `let ${tags} exclude each other`;
    case 'split':
      return `split ${tags} into ${into}`;
    default:
      return first.kind satisfies never;
  }
}

/** All names in it. */
export function namesOf({ tags, into }: Declaration): string[] {
  return [...tags, ...into];
}
