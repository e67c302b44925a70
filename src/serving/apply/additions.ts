// Which tags to add to the rows of a catalogue file: what the model suggests, and what curators accepted. A row whose id the model
// knows is its object, with the tags of the file counted as its own; any other row is suggested to from its title and texts.

import { plainName } from '../../data/catalogue/column-names.ts';
import type { FileRow } from '../../data/catalogue/rewrite.ts';
import { cleanName } from '../../data/name.ts';
import { type Listener, makeBreather } from '../../listener.ts';
import type { Amendment } from '../recommend/amendments.ts';
import type { NamedFacts, Recommender, Suggestion, SuggestOptions } from '../recommend/recommender.ts';
import type { TagRules } from '../recommend/tag-rules.ts';
import type { Review } from '../reviews/review-store.ts';

/** A tag to be added, and why. */
export interface Addition {
  readonly tag: string;
  /** Of a suggestion of a model that is calibrated. */
  readonly confidence?: number;
  /** Whether curators accepted it. */
  readonly isReviewed: boolean;
}

export interface AdditionOptions {
  /** Which suggestions to add; none where there are only reviews to count. */
  readonly suggest?: SuggestOptions | undefined;
  readonly reviews?: ReviewedPairs | undefined;
  /** By tag of the file, what the model or the vocabulary calls it ('': nothing). */
  readonly merged?: ReadonlyMap<string, string> | undefined;
  /** What is declared about tags. */
  readonly rules?: TagRules | undefined;
  /** The names of the file's text columns. */
  readonly textColumns: readonly string[];
  readonly listener?: Listener | undefined;
}

type Pair = Pick<Review, 'object' | 'tag'>;
type Pairs = AsyncIterable<Pair> | Iterable<Pair>;

/** What curators decided, by names. */
export class ReviewedPairs {
  readonly #byObject = new Map<string, { accepted: string[]; rejected: string[] }>();

  static async read(accepted: Pairs, rejected: Pairs): Promise<ReviewedPairs> {
    const pairs = new ReviewedPairs();
    for await (const { object, tag } of accepted) pairs.#of(object).accepted.push(tag);
    for await (const { object, tag } of rejected) pairs.#of(object).rejected.push(tag);
    return pairs;
  }

  acceptedOf(object: string): readonly string[] {
    return this.#byObject.get(object)?.accepted ?? [];
  }

  rejectedOf(object: string): readonly string[] {
    return this.#byObject.get(object)?.rejected ?? [];
  }

  #of(object: string): { accepted: string[]; rejected: string[] } {
    const found = this.#byObject.get(object) ?? { accepted: [], rejected: [] };
    this.#byObject.set(object, found);
    return found;
  }
}

export class Additions {
  readonly #recommender: Recommender;
  readonly #options: AdditionOptions;
  readonly #breathe: () => Promise<void> | undefined;
  readonly #columnOf: readonly (string | undefined)[]; // by text column of the file, that of the model
  #numKnown = 0;
  #numNew = 0;
  #numUnknown = 0;

  constructor(recommender: Recommender, options: AdditionOptions) {
    this.#recommender = recommender;
    this.#options = options;
    this.#breathe = makeBreather(options.listener ?? {});
    this.#columnOf = matchedColumns(
      options.textColumns,
      recommender.model.graph.texts.map(({ name }) => name),
    );
  }

  /** Rows that are objects of the model; counted where suggestions are asked for, like those below. */
  get numKnown(): number {
    return this.#numKnown;
  }

  get numNew(): number {
    return this.#numNew;
  }

  /** Rows that are not in a model which only knows its own objects. */
  get numUnknown(): number {
    return this.#numUnknown;
  }

  /** What to add to each row: what was accepted first, then suggestions, the best first. */
  async decide(rows: readonly FileRow[]): Promise<Addition[][]> {
    const suggested = this.#options.suggest === undefined ? rows.map(() => []) : await this.#suggest(rows);
    return rows.map((row, i) => {
      const name = nameOf(row);
      const accepted = (this.#options.reviews?.acceptedOf(name) ?? [])
        .map((tag) => this.#nameNow(tag))
        .filter((tag) => !this.#options.rules?.declarations.retirementOf(tag)?.isTakenOff);
      const rejected = new Set(this.#options.reviews?.rejectedOf(name).map((tag) => this.#nameNow(tag)));
      const seen = new Set([...row.tags, ...this.#ownTags(row)].map(folded));
      const isNew = ({ tag }: Addition) => {
        if (rejected.has(tag) || seen.has(folded(tag))) return false;
        seen.add(folded(tag));
        return true;
      };
      const suggestions = suggested[i].map(({ tag, confidence }) => ({
        tag,
        ...(confidence !== undefined && { confidence }),
        isReviewed: false,
      }));
      return [...accepted.map((tag) => ({ tag, isReviewed: true })), ...suggestions].filter(isNew);
    });
  }

  async #suggest(rows: readonly FileRow[]): Promise<(readonly Suggestion[])[]> {
    const { tags } = this.#recommender.model.graph;
    const { rules } = this.#options;
    const objects = rows.map((row) => this.#objectOf(row));
    const numKnown = objects.filter((object) => object >= 0).length;
    this.#numKnown += numKnown;
    this.#numNew += rows.length - numKnown;
    const known = Int32Array.from(new Set(objects.filter((object) => object >= 0)));
    const amendments = await this.#withoutOwn(this.#amendments(rows, objects));
    const found =
      known.length === 0 ? [] : await this.#recommender.suggestMany(known, this.#suggestOptions, amendments);
    const byObject = new Map(Array.from(known, (object, i) => [object, found[i]]));
    const answers: (readonly Suggestion[])[] = [];
    for (const [i, row] of rows.entries()) {
      await this.#breathe();
      const own = byObject.get(objects[i]);
      answers.push(
        own
          ? own.map((one) => ({ ...one, tag: rules?.nameOf(one.tag) ?? tags.name(one.tag) }))
          : await this.#suggestUnseen(row),
      );
    }
    return answers;
  }

  get #suggestOptions(): SuggestOptions {
    return { ...this.#options.suggest, rules: this.#options.rules };
  }

  /** A tag by the name it has now. */
  #nameNow(tag: string): string {
    return this.#options.rules?.declarations.tagOf(tag) ?? tag;
  }

  /** The model's object; −1 where it has none. Row numbers name the same object only where the row says the same. */
  #objectOf(row: FileRow): number {
    const { objects, titles, texts } = this.#recommender.model.graph;
    const object = objects.idOf(nameOf(row));
    if (row.id !== undefined || object < 0) return row.id === '' ? -1 : object;
    const title = cleanName(row.title);
    if (title !== '' && titles.at(object) !== title) return -1;
    const isSame = row.texts.every((text, i) => {
      const column = texts.find(({ name }) => name === this.#columnOf[i]);
      return column === undefined || column.texts.at(object) === text.trim();
    });
    return isSame ? object : -1;
  }

  /** The tags of a row, as the model calls them. */
  #ownTags({ tags }: FileRow): string[] {
    const { merged } = this.#options;
    return merged === undefined ? [...tags] : tags.map((tag) => merged.get(tag) ?? tag).filter((tag) => tag !== '');
  }

  #amendments(rows: readonly FileRow[], objects: readonly number[]): Map<number, Amendment> {
    const { tags, tagged } = this.#recommender.model.graph;
    const { rules } = this.#options;
    const idsOf = (names: readonly string[]) => names.map((name) => (rules ?? tags).idOf(name)).filter((id) => id >= 0);
    const declared = new Map<number, Amendment['declared']>();
    const declaredIds = (names: readonly string[]) =>
      rules === undefined ? [] : names.map((name) => rules.anyIdOf(name)).filter((id) => id >= tags.size);
    const added = new Map<number, Set<number>>();
    const rejected = new Map<number, number[]>();
    for (const [i, row] of rows.entries()) {
      const object = objects[i];
      if (object < 0) continue;
      const own = added.get(object) ?? new Set();
      added.set(object, own);
      for (const tag of idsOf(this.#ownTags(row))) if (!tagged.has(object, tag)) own.add(tag);
      const out = this.#options.reviews?.rejectedOf(nameOf(row)) ?? [];
      rejected.set(object, idsOf(out));
      const before = declared.get(object)?.added ?? []; // an object may have several rows
      const beyond = { added: [...before, ...declaredIds(this.#ownTags(row))], rejected: declaredIds(out) };
      if (beyond.added.length + beyond.rejected.length > 0) declared.set(object, beyond);
    }
    return new Map(
      Array.from(added, ([object, own]) => [
        object,
        {
          ...{ added: Int32Array.from(own).sort(), rejected: Int32Array.from(rejected.get(object) ?? []).sort() },
          declared: declared.get(object),
        },
      ]),
    );
  }

  /**
   * Tags that the model suggests by itself are no news to it: counted as given, what one run added would let the next one add more.
   */
  async #withoutOwn(amendments: ReadonlyMap<number, Amendment>): Promise<Map<number, Amendment>> {
    const changed = new Map(amendments);
    const objects = Int32Array.from(
      [...amendments].flatMap(([object, { added }]) => (added.length > 0 ? [object] : [])),
    );
    if (objects.length === 0) return changed;
    const bare = new Map(Array.from(amendments, ([object, one]) => [object, { ...one, added: new Int32Array(0) }]));
    const found = await this.#recommender.suggestMany(objects, this.#suggestOptions, bare);
    for (const [i, object] of objects.entries()) {
      const known = amendments.get(object) as Amendment;
      const own = new Set(found[i].map(({ tag }) => tag));
      changed.set(object, { ...known, added: known.added.filter((tag) => !own.has(tag)) });
    }
    return changed;
  }

  /** From what the row says; nothing where it says nothing. Its tags count if they are news, as above. */
  async #suggestUnseen(row: FileRow): Promise<Suggestion[]> {
    const tags = this.#ownTags(row);
    const text = this.#textOf(row);
    if (tags.length === 0 && row.title === '' && Object.values(text).every((one) => one.trim() === '')) return [];
    if (!this.#recommender.foldsIn) {
      this.#numUnknown++;
      return [];
    }
    // as in training: an object without a title is called by its id
    const facts: NamedFacts = { title: row.title === '' ? row.id : row.title, text };
    const rejected = this.#options.reviews?.rejectedOf(nameOf(row)) ?? [];
    const options = this.#suggestOptions;
    const deny = rejected.length === 0 ? options.deny : new Set([...(options.deny ?? []), ...rejected]);
    const asked = { ...options, ...(deny !== undefined && { deny }) };
    const own = await this.#recommender.suggestFor(facts, asked);
    if (tags.length === 0) return own;
    const names = new Set(own.map(({ tag }) => tag));
    return this.#recommender.suggestFor({ ...facts, tags: tags.filter((tag) => !names.has(tag)) }, asked);
  }

  /** By column of the model. */
  #textOf({ texts }: FileRow): Record<string, string> {
    const found: Record<string, string> = {};
    for (const [i, text] of texts.entries()) {
      const column = this.#columnOf[i] ?? this.#columnOf[0] ?? 'text';
      found[column] = found[column] === undefined ? text : `${found[column]}\n${text}`;
    }
    return found;
  }
}

/** The name of a row's object. */
export function nameOf({ id, number }: FileRow): string {
  return id ?? String(number);
}

/** Columns of the same name belong together; what is left is matched in its order, and what is too much goes to the first. */
export function matchedColumns(own: readonly string[], others: readonly string[]): (string | undefined)[] {
  const found = own.map((name) => others.find((other) => plainName(other) === plainName(name)));
  const free = others.filter((name) => !found.includes(name));
  return found.map((name) => name ?? free.shift() ?? others.at(0));
}

/** Tags that differ in case or form only are one tag to whoever reads the file. */
function folded(tag: string): string {
  return tag.normalize('NFKC').toLowerCase();
}
