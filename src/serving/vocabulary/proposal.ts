// From what somebody asks to declare to what is stored: names are read as the tags they stand for now, what is declared already is
// left out, and what cannot be is refused with the changes that stand in its way.

import { InputError } from '../../errors.ts';
import { checkCoherent } from './coherence.ts';
import { ConflictError, cleanDeclaration, type Declaration, inWords, type VocabularyChange } from './declaration.ts';
import { Declarations } from './declarations.ts';

/** Names that neither the model nor the vocabulary has. */
export class UnknownTagsError extends InputError {
  readonly names: readonly string[];

  constructor(names: readonly string[], near: readonly string[] = []) {
    const shown = names.slice(0, 3).map((name) => JSON.stringify(name));
    const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
    const got = `${names.length === 1 ? 'the tag' : 'the tags'} ${shown.join(', ')}${more}`;
    const meant = near.map((name) => JSON.stringify(name)).join(' or ');
    const cure = meant === '' ? 'Check the spelling.' : `Did you mean ${meant}?`;
    super({ got, expected: 'tags that an object carries or the vocabulary has', cure });
    this.names = names;
  }
}

export interface Proposal {
  /** What is new of it. */
  readonly declarations: readonly Declaration[];
  /** The change that said the same before, where nothing is new. */
  readonly same?: VocabularyChange;
}

export interface ProposalOptions {
  /** Whether somebody knows a tag beside the vocabulary; without it every name passes. */
  readonly knows?: ((name: string) => boolean) | undefined;
  /** Names of tags like one that nobody knows. */
  readonly near?: ((name: string) => readonly string[]) | undefined;
}

/** Throws an InputError, or a ConflictError where an earlier change stands in the way. */
export function proposalOf(
  changes: Iterable<VocabularyChange>,
  asked: readonly Declaration[],
  { knows, near }: ProposalOptions = {},
): Proposal {
  const now = Declarations.of(changes);
  const fresh: Declaration[] = [];
  let same: VocabularyChange | undefined;
  for (const given of asked) {
    const clean = cleanDeclaration(given);
    if (knows !== undefined) refuseUnknown(clean, now, knows, near);
    const read = READERS[clean.kind](clean, now, knows ?? (() => false));
    if ('same' in read) same = read.same;
    else {
      fresh.push(read.declaration);
      now.add(draftOf(read.declaration));
    }
  }
  if (fresh.length > 0) checkCoherent(now);
  return { declarations: fresh, ...(fresh.length === 0 && same !== undefined && { same }) };
}

type Read = { readonly declaration: Declaration } | { readonly same: VocabularyChange };
type Knows = (name: string) => boolean;
type Reader = (given: Declaration, now: Declarations, knows: Knows) => Read;

const READERS: Readonly<Record<Declaration['kind'], Reader>> = {
  merge: readAsOther,
  synonym: readAsOther,
  rename(given, now, knows) {
    const [[tag], [name]] = [given.tags, given.into];
    if (tag === name) throw itself(given, tag);
    const before = now.redirectOf(tag);
    if (before !== undefined) {
      if (now.tagOf(tag) === name) return { same: before };
      throw taken(tag, before, now);
    }
    if (knows(name) || now.tags().has(name) || now.redirectOf(name) !== undefined) {
      const cure = `Merge ${quoted(tag)} into it, or choose another name.`;
      const change = now.redirectOf(name);
      throw new ConflictError(
        { got: `the name ${quoted(name)}, which is taken`, expected: 'a name that no tag has', cure },
        change ? [change] : [],
      );
    }
    return { declaration: given };
  },
  retire(given, now) {
    for (const tag of given.tags) refuseLabel(tag, now);
    const fresh = given.tags.filter((tag) => now.retirementOf(tag)?.isTakenOff !== (given.takeOff ?? false));
    return readOrSame(given, fresh, now.retirementOf(given.tags[0])?.change);
  },
  parent(given, now) {
    const [tags, into] = [readAll(given.tags, now), readAll(given.into, now)];
    const self = tags.find((tag) => into.includes(tag));
    if (self !== undefined) throw itself(given, self);
    const fresh = tags.filter((tag) => into.some((parent) => !now.parentsOf(tag).has(parent)));
    return readOrSame({ ...given, into }, fresh, now.parentsOf(tags[0]).get(into[0]));
  },
  exclude(given, now) {
    const tags = readAll(given.tags, now);
    if (tags.length < 2) throw itself(given, tags[0]);
    const isKnown = tags.every((a, i) => tags.slice(i + 1).every((b) => now.exclusionOf(a, b) !== undefined));
    const same = now.exclusionOf(tags[0], tags[1]);
    return isKnown && same !== undefined ? { same } : { declaration: { ...given, tags } };
  },
  split(given, now) {
    const [tag] = given.tags;
    refuseLabel(tag, now);
    const into = readAll(given.into, now);
    if (partsBelow(into, now).has(tag)) throw itself(given, tag);
    for (const part of into) {
      const change = now.retirementOf(part)?.change;
      if (change !== undefined) throw conflict(`${quoted(part)}, which is retired`, 'a tag in use', [change]);
    }
    const before = now.splitOf(tag);
    const assigned = given.assigned?.map((one) => ({ ...one, tag: now.tagOf(one.tag) }));
    if (before === undefined) return { declaration: { ...given, into, ...(assigned && { assigned }) } };
    const known = new Set(before.assigned.map((one) => JSON.stringify([one.object, one.tag])));
    const isAssigned = (assigned ?? []).every((one) => known.has(JSON.stringify([one.object, one.tag])));
    if (isSameSet(before.parts, into) && isAssigned) return { same: before.change };
    throw conflict(`"${tag}", which is split already`, 'a tag that is not', [before.change]);
  },
  notSynonym(given, now) {
    const [tag, other] = [now.tagOf(given.tags[0]), now.tagOf(given.into[0])];
    if (tag === other) {
      const change = now.redirectOf(given.tags[0]) ?? now.redirectOf(given.into[0]);
      throw conflict(`${quoted(given.tags[0])} and ${quoted(given.into[0])}, one tag by now`, 'two tags', [change]);
    }
    const same = now.differenceOf(tag, other);
    return same ? { same } : { declaration: { ...given, tags: [tag], into: [other] } };
  },
};

/** With the parts of those that are split themselves. */
function partsBelow(parts: readonly string[], now: Declarations): Set<string> {
  const found = new Set<string>();
  const open = [...parts];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (found.has(part)) continue;
    found.add(part);
    open.push(...(now.splitOf(part)?.parts ?? []));
  }
  return found;
}

/** Of merge and synonym: tags that become labels of another. */
function readAsOther(given: Declaration, now: Declarations): Read {
  const target = now.tagOf(given.into[0]);
  const fresh: string[] = [];
  let same: VocabularyChange | undefined;
  for (const tag of given.tags) {
    if (tag === target || tag === given.into[0]) throw itself(given, tag);
    const before = now.redirectOf(tag);
    if (before === undefined) fresh.push(tag);
    else if (now.tagOf(tag) === target) same = before;
    else throw taken(tag, before, now);
  }
  if (fresh.length > 0) refuseEnded(target, now);
  return readOrSame({ ...given, into: [target] }, fresh, same);
}

function readOrSame(given: Declaration, fresh: readonly string[], same: VocabularyChange | undefined): Read {
  return fresh.length === 0 && same !== undefined ? { same } : { declaration: { ...given, tags: fresh } };
}

function readAll(names: readonly string[], now: Declarations): string[] {
  return [...new Set(names.map((name) => now.tagOf(name)))];
}

/** New names are what a synonym, a rename, a split and a parent may bring. */
function refuseUnknown(
  { kind, tags, into }: Declaration,
  now: Declarations,
  knows: Knows,
  near: ProposalOptions['near'],
): void {
  const mayBeNew = kind === 'rename' || kind === 'split' || kind === 'parent' ? into : kind === 'synonym' ? tags : [];
  const declared = now.tags();
  const unknown = [...tags, ...into].filter(
    (name) => !mayBeNew.includes(name) && !knows(name) && !declared.has(name) && now.redirectOf(name) === undefined,
  );
  if (unknown.length > 0) throw new UnknownTagsError(unknown, near?.(unknown[0]));
}

/** A label is no tag: what is asked of it may be meant of the tag it stands for, or of what it was. */
function refuseLabel(tag: string, now: Declarations): void {
  const change = now.redirectOf(tag);
  if (change !== undefined) throw taken(tag, change, now);
}

function refuseEnded(tag: string, now: Declarations): void {
  const change = now.retirementOf(tag)?.change ?? now.splitOf(tag)?.change;
  if (change === undefined) return;
  throw conflict(`${quoted(tag)}, which is ${now.splitOf(tag) ? 'split' : 'retired'}`, 'a tag in use', [change]);
}

function taken(tag: string, change: VocabularyChange, now: Declarations): ConflictError {
  const by = change.curator === '' ? '' : ` (${change.curator}: ${inWords(change)})`;
  const target = quoted(now.tagOf(tag));
  const got = `${quoted(tag)}, which is read as ${target} by now${by}`;
  return new ConflictError(
    { got, expected: 'a tag of its own', cure: `Undo that change first, or say it of ${target}.` },
    [change],
  );
}

function conflict(got: string, expected: string, changes: readonly (VocabularyChange | undefined)[]): ConflictError {
  const known = changes.filter((one) => one !== undefined);
  return new ConflictError({ got, expected, cure: 'Undo the earlier change first.' }, known);
}

const ITSELF: Readonly<Record<Declaration['kind'], string>> = {
  merge: 'merged into itself',
  synonym: 'a synonym of itself',
  rename: 'renamed to what it is called',
  retire: 'retired',
  parent: 'implied by itself',
  exclude: 'excluded by itself',
  split: 'split into itself',
  notSynonym: 'different from itself',
};

function itself({ kind }: Declaration, tag: string): InputError {
  const cure = 'Name another tag: names that were merged count as one.';
  return new InputError({ got: `${quoted(tag)} ${ITSELF[kind]}`, expected: 'different tags', cure });
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one) => b.includes(one));
}

/** As a change that is not stored yet. */
export function draftOf(...declarations: Declaration[]): VocabularyChange {
  const { kind } = declarations[0];
  return { id: '', kind, declarations, curator: '', note: '', at: '', revision: '' };
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
