// What is declared about tags, by ids, as suggestions ask for it: which tags are read as one, what carries what by implication,
// what is never suggested, and what does not go together. A tag keeps its column of scores; names that no column has come behind.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import { closureOf, type Declarations } from '../vocabulary/declarations.ts';
import type { Amendments } from './amendments.ts';
import { type KnownTags, knownTags, type TaggedData } from './known-tags.ts';

/** The best tags of a row that are not hidden, the best first. */
type PickBest = (keys: Float32Array, hidden: Int32Array, limit: number) => number[];

type Ids = ReadonlyMap<number, ReadonlySet<number>>;

const NONE: ReadonlySet<number> = new Set();

export class TagRules {
  readonly declarations: Declarations;
  readonly #graph: Pick<KnowledgeGraph, 'objects' | 'tags'>;
  readonly #columns: Int32Array; // by tag, the one it is read as
  readonly #members = new Map<number, number[]>(); // of tags that others are read as, itself among them
  readonly #columnByName = new Map<string, number>(); // of names that no tag of the model has
  readonly #names = new Map<number, string>(); // of columns that are called something else by now
  readonly #isOut: Uint8Array; // by tag, whether it is never suggested
  readonly #takenOff = new Set<number>();
  readonly #parts = new Map<number, ReadonlySet<number>>(); // of tags that are split
  readonly #allParts = new Set<number>();
  readonly #assigned = new Map<number, Map<number, number>>(); // by object, by split tag
  readonly #up: Ids; // all that a tag implies
  readonly #down: Ids; // all that imply a tag
  readonly #excluded: Ids;
  readonly #conflicts = new Map<number, ReadonlySet<number>>();
  #size: number; // of ids: tags of the model, then names it does not know

  constructor(graph: Pick<KnowledgeGraph, 'objects' | 'tags'>, declarations: Declarations) {
    this.declarations = declarations;
    this.#graph = graph;
    this.#size = graph.tags.size;
    this.#columns = Int32Array.from({ length: graph.tags.size }, (_, tag) => tag);
    this.#isOut = new Uint8Array(graph.tags.size);
    this.#readLabels();
    for (const tag of declarations.tags()) this.#idOfDeclared(tag);
    const links = idsOf(declarations.upward, (tag) => this.#idOfDeclared(tag));
    this.#up = closureOf(links);
    this.#down = reversedOf(this.#up);
    this.#excluded = this.#readExclusions();
    this.#readEnded();
  }

  /** The column of a tag by any of its names; −1 where the model has none. */
  idOf(name: string): number {
    const id = this.anyIdOf(name);
    return id < this.#graph.tags.size ? id : -1;
  }

  /** The same, with ids behind the columns for names that are declared and no tag of the model has. */
  anyIdOf(name: string): number {
    const tag = this.declarations.tagOf(name);
    return this.#columnByName.get(tag) ?? this.columnOf(this.#graph.tags.idOf(tag));
  }

  nameOf(id: number): string {
    return this.#names.get(id) ?? this.#graph.tags.name(id);
  }

  /** The tag that one is read as; −1 stays. */
  columnOf(tag: number): number {
    return tag < 0 ? tag : (this.#columns[tag] ?? tag);
  }

  /** The tags of the model that are read as this one. */
  membersOf(id: number): readonly number[] {
    return this.#members.get(id) ?? (id >= 0 && id < this.#graph.tags.size ? [id] : []);
  }

  isOut(tag: number): boolean {
    return this.#isOut[tag] !== 0;
  }

  /** By tag of the model, whether anything is declared about it. */
  get marks(): Uint8Array {
    return this.#isOut.map((isOut, tag) => (isOut !== 0 || this.concerns(tag) ? 1 : 0));
  }

  /** Unmarks tags that are never suggested. */
  leaveOut(marks: Uint8Array): void {
    for (let tag = 0; tag < marks.length; tag++) if (this.isOut(tag)) marks[tag] = 0;
  }

  /** By object, the highest score of all tags that are read as one. */
  async highest(id: number, scoresOf: (tag: number) => Promise<Float32Array>): Promise<Float32Array> {
    const [first, ...rest] = this.membersOf(id);
    const scores = await scoresOf(first);
    if (rest.length === 0) return scores;
    const highest = scores.slice();
    for (const tag of rest) {
      const others = await scoresOf(tag);
      for (let object = 0; object < highest.length; object++)
        highest[object] = Math.max(highest[object], others[object]);
    }
    return highest;
  }

  /** Why a tag is suggested: of those that are read as it, the one with the highest score is explained. */
  explained<Found>(id: number, scores: Float32Array, of: { explain(tag: number): Found }): Found & { tag: string } {
    const best = this.membersOf(id).reduce((a, b) => (scores[b] > scores[a] ? b : a), id);
    return { ...of.explain(best), tag: this.nameOf(id) };
  }

  /** Whether anything is declared about a tag that changes who carries it or who may. */
  concerns(id: number): boolean {
    return (
      this.#members.has(id) ||
      this.#up.has(id) ||
      this.#down.has(id) ||
      this.#excluded.has(id) ||
      this.#takenOff.has(id) ||
      this.#parts.has(id) ||
      this.#allParts.has(id) ||
      id >= this.#graph.tags.size // only reviews say who carries it
    );
  }

  /** Objects that a split gave one of its parts. */
  assignedObjects(): Iterable<number> {
    return this.#assigned.keys();
  }

  /** All that a tag implies. */
  impliedBy(id: number): ReadonlySet<number> {
    return this.#up.get(id) ?? NONE;
  }

  /** All that imply a tag. */
  implying(id: number): ReadonlySet<number> {
    return this.#down.get(id) ?? NONE;
  }

  /** All that never go together with a tag, or with what it implies. */
  conflictsOf(id: number): ReadonlySet<number> {
    if (this.#excluded.size === 0) return NONE;
    const known = this.#conflicts.get(id);
    if (known !== undefined) return known;
    const found = new Set<number>();
    for (const tag of [id, ...this.impliedBy(id)]) {
      for (const other of this.#excluded.get(tag) ?? []) for (const one of this.#withBelow(other)) found.add(one);
    }
    this.#conflicts.set(id, found);
    return found;
  }

  /** What an object carries by what is said of it: tags as they are read now. */
  held({ object, own, rejected = [] }: KnownTags): Set<number> {
    const found = new Set<number>();
    for (let i = 0; i < own.length; i++) found.add(this.columnOf(own[i]));
    for (const tag of this.#takenOff) found.delete(tag);
    if (this.#parts.size === 0) return found;
    const out = new Set(Array.from(rejected, (tag) => this.columnOf(tag)));
    const assigned = this.#assigned.get(object);
    for (const [tag, parts] of this.#parts) {
      const isCarried = (one: number) => found.has(one) || (!out.has(one) && this.#isImpliedBy(found, one));
      if (!isCarried(tag)) continue;
      const part = assigned?.get(tag);
      if (part !== undefined) found.add(part);
      if ([...parts].some(isCarried)) found.delete(tag);
    }
    return found;
  }

  /** What those imply and the object does not hold, without what was rejected for it, taken off or gave way to a part. */
  implied(held: ReadonlySet<number>, rejected: ArrayLike<number> = []): Set<number> {
    const found = new Set<number>();
    for (const tag of held) for (const one of this.impliedBy(tag)) if (!held.has(one)) found.add(one);
    for (let i = 0; i < rejected.length; i++) found.delete(this.columnOf(rejected[i]));
    for (const tag of this.#takenOff) found.delete(tag);
    for (const [tag, parts] of this.#parts) {
      if (found.has(tag) && [...parts].some((part) => held.has(part) || found.has(part))) found.delete(tag);
    }
    return found;
  }

  /** The tags of the model never to be suggested to an object beside those that never are; ascending. */
  hidden(known: KnownTags): Int32Array {
    const held = this.held(known);
    const hidden = new Set(held);
    const add = (tags: Iterable<number>) => {
      for (const tag of tags) hidden.add(tag);
    };
    for (const tag of held) {
      add(this.impliedBy(tag));
      add(this.conflictsOf(tag));
    }
    const { rejected = [], unsure = [] } = known;
    for (let i = 0; i < rejected.length; i++) add(this.#withBelow(this.columnOf(rejected[i])));
    for (let i = 0; i < unsure.length; i++) hidden.add(this.columnOf(unsure[i]));
    const { size } = this.#graph.tags;
    return Int32Array.from([...hidden].filter((tag) => tag < size)).sort();
  }

  /** The same for an object of the data. */
  hiddenFor(data: TaggedData, object: number, amendments: Amendments): Int32Array {
    return this.hidden(knownTags(data, object, amendments));
  }

  /** Whether a tag is hidden for an object. For most, a look at their tags is enough: none has to do with it. */
  hiding(tag: number, data: TaggedData, amendments: Amendments): (object: number) => boolean {
    const { tagged } = data.graph;
    const marks = new Uint8Array(tagged.numTails);
    for (const one of [tag, ...this.implying(tag), ...this.conflictsOf(tag)]) {
      for (const member of this.membersOf(one)) marks[member] = 1;
    }
    return (object) => {
      const isNear = tagged.row(object).some((own) => marks[own] !== 0);
      const isReviewed = amendments.has(object) || (data.rejected?.rowLength(object) ?? 0) > 0;
      if (!isNear && !isReviewed && !this.#assigned.has(object)) return false;
      return this.hiddenFor(data, object, amendments).includes(tag);
    };
  }

  /** Of tags that were suggested to an object, from the best on, those that may still be. */
  stillSuggested(
    data: TaggedData,
    amendments: Amendments,
  ): (object: number, tags: readonly number[]) => readonly number[] {
    return (object, tags) => {
      const hidden = this.hiddenFor(data, object, amendments);
      return this.compatible(tags.filter((tag) => !this.isOut(tag) && !hidden.includes(tag)));
    };
  }

  /** Gives each tag the highest score of those that are read as it, in place. */
  fold(row: Float32Array): void {
    for (const [column, members] of this.#members) {
      if (column < row.length) for (const tag of members) row[column] = Math.max(row[column], row[tag]);
    }
  }

  /** Of tags from the best on, those that go together with all better ones. */
  compatible(ranked: readonly number[]): number[] {
    if (this.#excluded.size === 0) return [...ranked];
    const out = new Set<number>();
    return ranked.filter((tag) => {
      if (out.has(tag)) return false;
      for (const one of this.conflictsOf(tag)) out.add(one);
      return true;
    });
  }

  /** Tags that were found by their names in the data, and those found by other names, each once, as they are read now. */
  found(tags: ArrayLike<number>, query: string): number[] {
    const wanted = query.trim().normalize('NFC').toLowerCase();
    const columns = new Set<number>();
    if (wanted !== '') {
      const names = new Map([...this.#columnByName].map(([name]) => [name, name]));
      for (const [label, tag] of this.declarations.labels()) names.set(label, tag);
      for (const [name, tag] of names) {
        const id = this.idOf(tag);
        if (id >= 0 && name.normalize('NFC').toLowerCase().startsWith(wanted)) columns.add(id);
      }
    }
    for (let i = 0; i < tags.length; i++) columns.add(this.columnOf(tags[i]));
    return [...columns];
  }

  /** The most similar of tags, each once, as they are called now; without the tag itself and those never suggested. */
  similar<Found extends { readonly tag: string }>(tag: number, found: readonly Found[]): Found[] {
    const seen = new Set([tag]);
    return found.flatMap((one) => {
      const id = this.idOf(one.tag);
      if (id < 0 || seen.has(id) || this.isOut(id)) return [];
      seen.add(id);
      return [{ ...one, tag: this.nameOf(id) }];
    });
  }

  /** The best that go together: where one drops out, the next comes in. */
  picking(best: PickBest): PickBest {
    return (keys, hidden, limit) => {
      for (let most = limit; ; most *= 2) {
        const ranked = best(keys, hidden, most).filter((tag) => keys[tag] > Number.NEGATIVE_INFINITY);
        const found = this.compatible(ranked).slice(0, limit);
        if (found.length === limit || ranked.length < most) return found;
      }
    };
  }

  #readLabels(): void {
    const { tags } = this.#graph;
    const byTag = new Map<string, number[]>();
    for (const [label, tag] of this.declarations.labels()) {
      const id = tags.idOf(label);
      if (id >= 0) byTag.set(tag, [...(byTag.get(tag) ?? []), id]);
    }
    for (const [name, labels] of byTag) {
      const own = tags.idOf(name);
      const column = own >= 0 ? own : Math.min(...labels);
      if (own < 0) {
        this.#columnByName.set(name, column);
        this.#names.set(column, name);
      }
      const members = [...new Set([column, ...labels])].sort((a, b) => a - b);
      for (const tag of members) {
        this.#columns[tag] = column;
        if (tag !== column) this.#isOut[tag] = 1;
      }
      this.#members.set(column, members);
    }
  }

  /** Of a name that is declared: a new one gets an id behind all others. */
  #idOfDeclared(tag: string): number {
    const known = this.anyIdOf(tag);
    if (known >= 0) return known;
    const id = this.#size++;
    this.#columnByName.set(tag, id);
    this.#names.set(id, tag);
    return id;
  }

  #readExclusions(): Ids {
    const excluded = new Map<number, Set<number>>();
    for (const { tags } of this.declarations.exclusions()) {
      const [a, b] = tags.map((tag) => this.#idOfDeclared(tag));
      excluded.set(a, (excluded.get(a) ?? new Set()).add(b));
      excluded.set(b, (excluded.get(b) ?? new Set()).add(a));
    }
    return excluded;
  }

  #readEnded(): void {
    const { declarations } = this;
    for (const tag of declarations.retired()) {
      const id = this.#idOfDeclared(tag);
      if (id < this.#isOut.length) this.#isOut[id] = 1;
      if (declarations.retirementOf(tag)?.isTakenOff) this.#takenOff.add(id);
    }
    for (const tag of declarations.splits()) {
      const id = this.#idOfDeclared(tag);
      if (id < this.#isOut.length) this.#isOut[id] = 1;
      const { parts = [], assigned = [] } = declarations.splitOf(tag) ?? {};
      this.#parts.set(id, new Set(parts.map((part) => this.#idOfDeclared(part))));
      for (const part of this.#parts.get(id) ?? []) this.#allParts.add(part);
      for (const { object: name, tag: part } of assigned) {
        const object = this.#graph.objects.idOf(name);
        if (object < 0) continue;
        this.#assigned.set(object, (this.#assigned.get(object) ?? new Map()).set(id, this.#idOfDeclared(part)));
      }
    }
  }

  #isImpliedBy(held: ReadonlySet<number>, tag: number): boolean {
    for (const one of this.implying(tag)) if (held.has(one)) return true;
    return false;
  }

  #withBelow(id: number): Iterable<number> {
    return [id, ...this.implying(id)];
  }
}

function idsOf(
  links: ReadonlyMap<string, ReadonlyMap<string, unknown>>,
  idOf: (name: string) => number,
): Map<number, number[]> {
  return new Map(Array.from(links, ([from, others]) => [idOf(from), Array.from(others.keys(), idOf)]));
}

function reversedOf(links: Ids): Map<number, Set<number>> {
  const found = new Map<number, Set<number>>();
  for (const [from, others] of links) for (const to of others) found.set(to, (found.get(to) ?? new Set()).add(from));
  return found;
}
