// What all declarations that were not undone mean together, by names: a fold over them in their order. It asks nothing of a model
// or a database, so the same changes give the same answers everywhere.

import type { Assignment, Declaration, VocabularyChange } from './declaration.ts';

/** A tag that is being split. */
export interface Split {
  readonly parts: readonly string[];
  readonly assigned: readonly Assignment[];
  readonly change: VocabularyChange;
}

/** A pair of tags that no object carries both of. */
interface Exclusion {
  readonly tags: readonly [string, string];
  readonly change: VocabularyChange;
}

type Changes = Map<string, VocabularyChange>; // by name
type Links = Map<string, Changes>; // from a name to others, and who linked them

const SEPARATOR = '\0'; // no name holds it

export class Declarations {
  readonly #redirects = new Map<string, { readonly to: string; readonly change: VocabularyChange }>();
  readonly #retired = new Map<string, { readonly isTakenOff: boolean; readonly change: VocabularyChange }>();
  readonly #splits = new Map<string, Split>();
  readonly #parents: Links = new Map();
  readonly #exclusions: Links = new Map(); // both ways
  readonly #different: Links = new Map(); // no synonyms, both ways
  readonly #tags = new Set<string>(); // as they were declared
  #upward: Links | undefined;
  #apart: Links | undefined; // different ones, by their names now
  #excluded: Map<string, Exclusion> | undefined; // by the key of a pair

  /** In the order of the changes; undone ones count for nothing. */
  static of(changes: Iterable<VocabularyChange>): Declarations {
    const all = new Declarations();
    for (const change of changes) if (change.undoneAt === undefined) all.add(change);
    return all;
  }

  add(change: VocabularyChange): void {
    for (const declaration of change.declarations) this.#add(declaration, change);
  }

  /** Whether anything is declared that counts for suggestions. */
  get isEmpty(): boolean {
    return (
      this.#redirects.size + this.#retired.size + this.#splits.size + this.#parents.size + this.#exclusions.size === 0
    );
  }

  /** The tag that a name is read as: itself where nothing else was declared. */
  tagOf(name: string): string {
    let tag = name;
    for (let next = this.#redirects.get(tag); next !== undefined; next = this.#redirects.get(tag)) tag = next.to;
    return tag;
  }

  /** Which change made a name a label of another tag. */
  redirectOf(name: string): VocabularyChange | undefined {
    return this.#redirects.get(name)?.change;
  }

  /** All names that are read as another tag, with that tag. */
  *labels(): Iterable<readonly [label: string, tag: string]> {
    for (const label of this.#redirects.keys()) yield [label, this.tagOf(label)];
  }

  labelsOf(tag: string): string[] {
    return [...this.labels()].flatMap(([label, target]) => (target === tag ? [label] : [])).sort();
  }

  /** Tags that are declared anything of, labels aside; those that something is said about, whether a model knows them or not. */
  tags(): Set<string> {
    return new Set(Array.from(this.#tags, (name) => this.tagOf(name)));
  }

  retirementOf(tag: string): { readonly isTakenOff: boolean; readonly change: VocabularyChange } | undefined {
    return this.#retired.get(tag);
  }

  splitOf(tag: string): Split | undefined {
    const split = this.#splits.get(tag);
    if (split === undefined) return undefined;
    const parts = [...new Set(split.parts.map((part) => this.tagOf(part)))];
    return { ...split, parts, assigned: split.assigned.map((one) => ({ ...one, tag: this.tagOf(one.tag) })) };
  }

  /** Tags that are split, by their name now. */
  splits(): string[] {
    return [...this.#splits.keys()];
  }

  /** Those that are not suggested any more. */
  retired(): string[] {
    return [...this.#retired.keys()];
  }

  /** What a tag implies by one step, and who declared it. */
  parentsOf(tag: string): ReadonlyMap<string, VocabularyChange> {
    return this.upward.get(tag) ?? new Map();
  }

  /** From each tag that implies others to those, by one step. */
  get upward(): Links {
    this.#upward ??= this.#readLinks(this.#parents);
    return this.#upward;
  }

  /** Pairs of tags that no object carries both of, each once. Two that became the same tag are in it as well. */
  exclusions(): Exclusion[] {
    return [...this.#allExcluded.values()];
  }

  /** Who said that no object carries both of two tags. */
  exclusionOf(a: string, b: string): VocabularyChange | undefined {
    return this.#allExcluded.get(pairOf(a, b).join(SEPARATOR))?.change;
  }

  exclusionsOf(tag: string): string[] {
    return this.exclusions()
      .flatMap(({ tags: [a, b] }) => (a === tag ? [b] : b === tag ? [a] : []))
      .sort();
  }

  /** Pairs of tags that were said to be different ones, each once. */
  differences(): [string, string][] {
    return [...this.#allApart].flatMap(([a, others]) =>
      [...others.keys()].flatMap((b): [string, string][] => (a < b ? [[a, b]] : [])),
    );
  }

  /** Who said that two tags are different ones. */
  differenceOf(a: string, b: string): VocabularyChange | undefined {
    return this.#allApart.get(a)?.get(b);
  }

  get #allApart(): Links {
    this.#apart ??= this.#readLinks(this.#different);
    return this.#apart;
  }

  get #allExcluded(): Map<string, Exclusion> {
    if (this.#excluded !== undefined) return this.#excluded;
    this.#excluded = new Map();
    for (const [from, others] of this.#exclusions) {
      for (const [to, change] of others) this.#readExclusion(from, to, change, this.#excluded);
    }
    return this.#excluded;
  }

  #readExclusion(from: string, to: string, change: VocabularyChange, found: Map<string, Exclusion>): void {
    const tags = pairOf(this.tagOf(from), this.tagOf(to));
    found.set(tags.join(SEPARATOR), { tags, change });
  }

  #add({ kind, tags, into, takeOff = false, assigned = [] }: Declaration, change: VocabularyChange): void {
    for (const name of [...tags, ...into]) this.#tags.add(name);
    for (const tag of tags) {
      if (kind === 'merge' || kind === 'rename' || kind === 'synonym') this.#redirect(tag, into[0], change);
      else if (kind === 'retire') this.#retired.set(tag, { isTakenOff: takeOff, change });
      else if (kind === 'split') this.#splits.set(tag, { parts: into, assigned, change });
      else if (kind === 'parent') {
        for (const parent of into) this.#addLink(this.#parents, this.#upward, [tag, parent], change);
      } else if (kind === 'exclude') {
        for (const other of tags) if (other !== tag) this.#exclude(tag, other, change);
      } else {
        this.#addLink(this.#different, this.#apart, [tag, into[0]], change);
        this.#addLink(this.#different, this.#apart, [into[0], tag], change);
      }
    }
  }

  #exclude(tag: string, other: string, change: VocabularyChange): void {
    link(this.#exclusions, tag, other, change);
    if (this.#excluded !== undefined) this.#readExclusion(tag, other, change, this.#excluded);
  }

  /** `read`: the same links by names now, where they were read already. */
  #addLink(links: Links, read: Links | undefined, [from, to]: [string, string], change: VocabularyChange): void {
    link(links, from, to, change);
    const [a, b] = [this.tagOf(from), this.tagOf(to)];
    if (read !== undefined && a !== b) link(read, a, b, change);
  }

  /** Never in a circle, whatever a database holds. A renamed tag takes its retirement and its division with it. */
  #redirect(label: string, to: string, change: VocabularyChange): void {
    if (this.tagOf(to) === label || this.#redirects.has(label)) return;
    this.#redirects.set(label, { to, change });
    this.#upward = undefined; // read again
    this.#excluded = undefined;
    this.#apart = undefined;
    for (const states of [this.#retired, this.#splits] as Map<string, unknown>[]) {
      const state = states.get(label);
      states.delete(label);
      if (state !== undefined && change.declarations.some(({ kind, tags }) => kind === 'rename' && tags[0] === label))
        states.set(to, state);
    }
  }

  /** By tags as they are read now; what came to lead to itself is left out. */
  #readLinks(links: Links): Links {
    const read: Links = new Map();
    for (const [from, others] of links) {
      for (const [to, change] of others) {
        const [a, b] = [this.tagOf(from), this.tagOf(to)];
        if (a !== b) link(read, a, b, change);
      }
    }
    return read;
  }
}

function pairOf(a: string, b: string): [string, string] {
  return a < b ? [a, b] : [b, a];
}

function link(links: Links, from: string, to: string, change: VocabularyChange): void {
  const others = links.get(from) ?? new Map();
  if (!others.has(to)) others.set(to, change);
  links.set(from, others);
}

/** All that can be reached from each name that leads anywhere, itself left out. */
export function closureOf<Name>(links: ReadonlyMap<Name, Iterable<Name>>): Map<Name, Set<Name>> {
  const closure = new Map<Name, Set<Name>>();
  for (const start of links.keys()) {
    const found = new Set<Name>();
    const open = [start];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      for (const next of links.get(name) ?? []) {
        if (found.has(next) || next === start) continue;
        found.add(next);
        open.push(next);
      }
    }
    closure.set(start, found);
  }
  return closure;
}
