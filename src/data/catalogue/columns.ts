// Which column of a catalogue is what: the id, the title, texts, tags, the address and the picture of an object. Names decide
// where they are known and the contents do not contradict them; where names say nothing, contents decide: how long cells are, how
// often they repeat, whether they are addresses, numbers or lists. Whatever is given by the user is taken as given. Every column
// gets a reason in words, since people must be able to see why something was left out.

import { InputError } from '../../errors.ts';
import { hasOneTitleEach, listScore, repeatsTags } from './column-contents.ts';
import { type Cell, describe, isText, isWords, type Look, lookOf } from './column-look.ts';
import { type ColumnRole, isKnownName, numberedTag, plainName, roleOfName } from './column-names.ts';
import { detectTagStyle, type TagStyle, tagsOfArray } from './tag-lists.ts';

/** What a user says about the columns. */
export interface ColumnChoice {
  /** The column that identifies an object. */
  readonly id?: string;
  readonly title?: string;
  /** The columns that describe an object in words. */
  readonly text?: readonly string[];
  /** The columns that hold tags. Columns of nothing but 0 and 1 are tags by themselves: 1 means that the object has it. */
  readonly tags?: readonly string[];
  /** What stands between two tags in a cell. */
  readonly separator?: string;
  /** The column that holds the address of an object. */
  readonly url?: string;
  /** The column that holds the address of a picture. */
  readonly image?: string;
  /** Columns that are not used. */
  readonly leaveOut?: readonly string[];
}

/** A column of a catalogue, what it was found to be, and why. */
export interface UnderstoodColumn {
  readonly name: string;
  /** undefined: the column is left out. */
  readonly role?: ColumnRole;
  /** The reason, as a clause. */
  readonly why: string;
}

/** A column that holds tags, and how. */
export interface TagColumn {
  readonly column: number;
  readonly style: TagStyle;
  /** A column of 0 and 1: what its objects are tagged with. */
  readonly indicates?: string;
}

const MIN_IDS = 0.9; // share of the rows: where more have none, row numbers lose less

/** Where everything stands; −1 where there is none. */
export interface ColumnRoles {
  readonly id: number;
  readonly title: number;
  readonly url: number;
  readonly image: number;
  readonly texts: readonly number[];
  readonly tags: readonly TagColumn[];
  readonly columns: readonly UnderstoodColumn[];
}

/** Finds out what each column is. `columns`: a sample of cells for each, in the same order of rows. */
export function understandColumns(
  file: string,
  names: readonly string[],
  columns: readonly (readonly Cell[])[],
  choice: ColumnChoice = {},
): ColumnRoles {
  const looks = names.map((name, c) => lookOf(name, columns[c]));
  const finder = new RoleFinder(file, names, looks, columns, choice.separator);
  finder.takeGiven(choice);
  if (choice.tags === undefined) finder.findTags();
  if (choice.id === undefined) finder.findId();
  finder.findAddresses(choice);
  if (choice.title === undefined) finder.findTitle();
  if (choice.text === undefined) finder.findTexts();
  return finder.roles();
}

class RoleFinder {
  readonly #file: string;
  readonly #names: readonly string[];
  readonly #looks: readonly Look[];
  readonly #cells: readonly (readonly Cell[])[];
  readonly #roles: (ColumnRole | undefined)[];
  readonly #why: string[];
  readonly #leftOut = new Set<number>();
  readonly #separator: string | undefined; // as given

  constructor(
    file: string,
    names: readonly string[],
    looks: readonly Look[],
    cells: readonly (readonly Cell[])[],
    separator: string | undefined,
  ) {
    this.#separator = separator;
    this.#file = file;
    this.#names = names;
    this.#looks = looks;
    this.#cells = cells;
    this.#roles = names.map(() => undefined);
    this.#why = names.map(() => '');
  }

  takeGiven({ id, title, text, tags, url, image, leaveOut = [] }: ColumnChoice): void {
    for (const name of leaveOut) {
      const at = this.#find(name, 'leave-out');
      this.#leftOut.add(at);
      this.#why[at] = 'as given';
    }
    const given: readonly [ColumnRole, readonly string[]][] = [
      ['id', id === undefined ? [] : [id]],
      ['title', title === undefined ? [] : [title]],
      ['tags', tags ?? []],
      ['text', text ?? []],
      ['url', url === undefined ? [] : [url]],
      ['image', image === undefined ? [] : [image]],
    ];
    for (const [role, wanted] of given) {
      for (const name of wanted) {
        const at = this.#find(name, role);
        // the title may be a text as well, and the id the title: the first role said stays
        if (this.#roles[at] === undefined) this.#give(at, role, 'as given');
      }
    }
  }

  /** The tags column with the clearest name, or columns numbered tag1, tag2, …; else the one that holds lists. */
  findTags(): void {
    const [named, constant] = this.#namedTags();
    for (const c of constant) this.#why[c] = 'the same in every row';
    const numbered = this.#free().filter((c) => numberedTag(this.#names[c]) !== undefined);
    if (named.length === 0 && numbered.length > 0) {
      const stem = numberedTag(this.#names[numbered[0]]);
      const isSame = (name: string) => numberedTag(name) === stem || plainName(name) === stem;
      for (const c of this.#free().filter((one) => isSame(this.#names[one]))) this.#give(c, 'tags', 'by its name');
      return;
    }
    if (named.length > 0) {
      const [best, ...others] = named;
      const isSame = (c: number) => numberedTag(this.#names[c]) === plainName(this.#names[best]);
      for (const c of [best, ...numbered.filter(isSame)]) this.#give(c, 'tags', 'by its name'); // "Labels" again and again
      const cure = `the tags are those of ${this.#names[best]}; add it with --tags`;
      for (const c of others.filter((one) => this.#roles[one] === undefined)) this.#why[c] = cure;
      return;
    }
    const scored = this.#free()
      .map((c) => ({ c, score: this.#listScore(c) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
    const [best, ...others] = scored;
    if (best === undefined) {
      for (const c of constant.slice(0, 1)) this.#give(c, 'tags', 'by its name');
      return;
    }
    this.#give(best.c, 'tags', 'its cells are lists with values that recur');
    // a text with many commas looks like a list, too
    for (const { c } of others.filter((one) => !isText(this.#looks[one.c], this.#numRows())))
      this.#why[c] = 'lists as well; if these are the tags, name it with --tags';
  }

  /** Those with different cells, and those that say the same in every row. Of a name that only ends in "tags", numbers are a count. */
  #namedTags(): [number[], number[]] {
    const fits = (look: Look) => look.numFilled > 0 && look.addresses < 0.5 && look.meanLength < 2000;
    const isCount = (look: Look) => !isKnownName(look.name) && look.numbers >= 0.5;
    const isConstant = (look: Look) => look.lists === 0 && look.numFilled > 1 && look.distinct * look.numFilled < 1.5;
    const named = this.#named('tags', (look) => fits(look) && !isCount(look));
    return [named.filter((c) => !isConstant(this.#looks[c])), named.filter((c) => isConstant(this.#looks[c]))];
  }

  findId(): void {
    const found = this.#namedId() ?? this.#slugId();
    if (found !== undefined) this.#give(found.column, 'id', found.why);
  }

  #namedId(): { column: number; why: string } | undefined {
    const named = this.#named('id', (look) => look.numFilled > 0 && look.lists === 0 && look.meanLength <= 200);
    for (const column of named) {
      if (this.#looks[column].numFilled < MIN_IDS * this.#numRows()) this.#why[column] = 'blank in many rows';
      else if (this.#isOwnId(column)) return { column, why: 'by its name' };
    }
    return undefined;
  }

  /** A name without spaces that is never the same twice, as packages and accounts have; or a first column of codes. */
  #slugId(): { column: number; why: string } | undefined {
    const isSlug = (c: number) => {
      const look = this.#looks[c];
      const isUnique = look.distinct === 1 && look.numFilled === this.#numRows() && look.numFilled > 1;
      return isUnique && look.spaced < 0.05 && look.unspaced < 0.05 && look.meanLength <= 100;
    };
    const title = this.#named('title', () => true).find(isSlug);
    if (title !== undefined) return { column: title, why: 'all its cells are different and have no spaces' };
    const [first, name] = [this.#looks[0], this.#names[0] ?? ''];
    const isBare = /^(column 1|index|#|no|nr|row|unnamed: 0)$/i.test(name);
    const isCode = first && first.dates < 0.5 && first.addresses < 0.5 && (first.numbers < 0.5 || isBare);
    const isFree = this.#free().includes(0) && roleOfName(name) === undefined;
    return isCode && isFree && isSlug(0) ? { column: 0, why: 'the first column, all different' } : undefined;
  }

  /** "id" may name several rows if they have one title; "author_id" is an id only where no two rows share it. */
  #isOwnId(c: number): boolean {
    if (this.#looks[c].distinct === 1) return true;
    if ((roleOfName(this.#names[c])?.rank ?? 0) >= 100) return false;
    const [title] = this.#named('title', (look) => look.numFilled > 0);
    if (title === undefined || hasOneTitleEach(this.#cells[c], this.#cells[title])) return true;
    this.#why[c] = 'rows with different titles share it';
    return false;
  }

  findAddresses({ url: ownUrl, image: ownImage }: ColumnChoice): void {
    const isPicture = (look: Look) => look.pictures >= 0.5;
    const isAddress = (look: Look) => look.addresses >= 0.5;
    const image =
      this.#named('image', (look) => isPicture(look) || isAddress(look))[0] ??
      this.#free().find((c) => isPicture(this.#looks[c]));
    if (image !== undefined && ownImage === undefined)
      this.#give(image, 'image', this.#reason(image, 'image', 'its cells are addresses of pictures'));
    const url =
      this.#named('url', isAddress)[0] ??
      this.#free().find((c) => isAddress(this.#looks[c]) && !isPicture(this.#looks[c]));
    if (url !== undefined && ownUrl === undefined)
      this.#give(url, 'url', this.#reason(url, 'url', 'its cells are addresses'));
  }

  findTitle(): void {
    const fits = (look: Look) =>
      look.numFilled > 0 && look.lists === 0 && look.addresses < 0.5 && look.meanLength < 1000;
    const named = this.#named('title', fits)[0];
    const isShort = (look: Look) =>
      isWords(look) && look.meanLength <= 120 && look.distinct >= 0.8 && roleOfName(look.name)?.role !== 'text';
    const title = named ?? this.#free().find((c) => isShort(this.#looks[c]));
    if (title !== undefined) this.#give(title, 'title', this.#reason(title, 'title', 'its cells are short and differ'));
  }

  /** Everything that is plainly text. */
  findTexts(): void {
    for (const c of this.#free()) {
      const look = this.#looks[c];
      if (this.#why[c] !== '' || look.numFilled === 0) continue;
      if (this.#repeatsTags(c)) {
        this.#why[c] = 'repeats the tags';
        continue;
      }
      const isNamed =
        roleOfName(look.name)?.role === 'text' && look.lists === 0 && look.numbers < 0.5 && look.addresses < 0.5;
      if (isNamed) this.#give(c, 'text', 'by its name');
      else if (isText(look, this.#numRows())) this.#give(c, 'text', 'its cells are text');
    }
  }

  #repeatsTags(c: number): boolean {
    return this.#roles.some(
      (role, t) => role === 'tags' && repeatsTags(this.#cells[c], this.#cells[t], this.#style(t)),
    );
  }

  roles(): ColumnRoles {
    const all = (role: ColumnRole) => this.#roles.flatMap((one, c) => (one === role ? [c] : []));
    const columns = this.#names.map((name, c) => {
      const role = this.#roles[c];
      return role === undefined
        ? { name, why: this.#why[c] || describe(this.#looks[c]) }
        : { name, role, why: this.#why[c] };
    });
    const [id = -1, title = -1, url = -1, image = -1] = (['id', 'title', 'url', 'image'] as const).map(
      (role) => all(role)[0],
    );
    const tags = all('tags').map((c) => this.#tagColumn(c));
    return { id, title, url, image, texts: all('text'), tags, columns };
  }

  #tagColumn(column: number): TagColumn {
    const isFlag = this.#looks[column].flags === 1 && this.#why[column] === 'as given';
    return { column, style: this.#style(column), ...(isFlag && { indicates: this.#names[column] }) };
  }

  #style(column: number): TagStyle {
    const cells = this.#cells[column];
    const texts = cells.filter((cell): cell is string => typeof cell === 'string');
    if (texts.length === cells.length) return detectTagStyle(texts, this.#separator);
    const tags = cells.flatMap((cell) => (typeof cell === 'string' ? [] : tagsOfArray(cell)));
    const hash = tags.length > 0 && tags.filter((tag) => /^#[^#\s]/.test(tag)).length >= 0.95 * tags.length;
    return { form: 'array', separator: ',', hash };
  }

  /** How much a column looks like lists of tags; 0: not at all. */
  #listScore(c: number): number {
    const role = roleOfName(this.#names[c])?.role;
    return role === 'text' || role === 'title' ? 0 : listScore(this.#looks[c], this.#cells[c], this.#style(c));
  }

  /** Free columns whose name says a role and whose look fits, the clearest name first. */
  #named(role: ColumnRole, fits: (look: Look) => boolean): number[] {
    return this.#free()
      .map((c) => ({ c, found: roleOfName(this.#names[c]) }))
      .filter(({ c, found }) => found?.role === role && fits(this.#looks[c]))
      .sort((a, b) => (a.found?.rank ?? 0) - (b.found?.rank ?? 0))
      .map(({ c }) => c);
  }

  #free(): number[] {
    return this.#roles.flatMap((role, c) => (role === undefined && !this.#leftOut.has(c) ? [c] : []));
  }

  #numRows(): number {
    return this.#cells[0]?.length ?? 0;
  }

  #give(column: number, role: ColumnRole, why: string): void {
    this.#roles[column] = role;
    this.#why[column] = why;
  }

  #reason(column: number, role: ColumnRole, otherwise: string): string {
    return roleOfName(this.#names[column])?.role === role ? 'by its name' : otherwise;
  }

  #find(name: string, role: ColumnRole | 'leave-out'): number {
    const exact = this.#names.indexOf(name);
    if (exact >= 0) return exact;
    const similar = this.#names.findIndex((one) => plainName(one) === plainName(name));
    if (similar >= 0) return similar;
    const shown = this.#names.slice(0, 20).map((one) => JSON.stringify(one.slice(0, 60)));
    throw new InputError({
      file: this.#file,
      got: `no column "${name}" (--${role})`,
      expected: `one of ${shown.join(', ')}${this.#names.length > 20 ? ', …' : ''}`,
      cure: 'Name a column of the file as it is written there.',
    });
  }
}

/** The error for a file in which no column looks like tags. */
export function noTagsColumn(
  file: string,
  names: readonly string[],
  columns: readonly (readonly Cell[])[],
): InputError {
  const shown = names.slice(0, 12).map((name, c) => `${name} (${describe(lookOf(name, columns[c]))})`);
  const rest = names.length > shown.length ? `, and ${names.length - shown.length} more` : '';
  return new InputError({
    file,
    got: `the columns ${shown.join(', ')}${rest}`,
    expected: 'a column of tags',
    cure: 'Name it with --tags NAME.',
  });
}

/** The name of the object in a row: its cell in the id column, or the number of the row where there is none. */
export function objectIdOf(cell: string | undefined, rowNumber: number): string {
  return cell ?? String(rowNumber);
}
