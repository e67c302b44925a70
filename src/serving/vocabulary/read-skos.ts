// A SKOS document becomes declarations: preferred labels are tags, other labels synonyms, broader concepts implied tags. What a
// tag cannot be is left out and said; the document as a whole is refused only where it cannot be read.

import { cleanName } from '../../data/name.ts';
import { InputError } from '../../errors.ts';
import { optional } from '../../optional.ts';
import { cyclesIn, shownCycle } from './cycles.ts';
import type { Declaration } from './declaration.ts';
import { OWN, SKOS, TERMS, XL_FORM, XL_LABELS } from './skos-terms.ts';

export interface SkosOptions {
  /** The name of the document in errors. */
  readonly file?: string | undefined;
  /** Of the labels that count; by default those without one, then English, then any. */
  readonly language?: string | undefined;
}

export interface ReadVocabulary {
  readonly declarations: Declaration[];
  /** The tag of each concept. */
  readonly tags: string[];
  /** What was left out, and why. */
  readonly warnings: string[];
}

interface Term {
  readonly value: string;
  readonly language?: string;
}

interface Triple {
  readonly subject: Term;
  readonly predicate: Term;
  readonly object: Term;
}

interface Concept {
  readonly values: Map<string, Term[]>; // by predicate
}

const PACKAGE: string = 'n3'; // it comes without types

export async function readSkos(text: string, options: SkosOptions = {}): Promise<ReadVocabulary> {
  const concepts = conceptsOf(await triplesOf(text, options.file));
  return new SkosReading(concepts, options).read();
}

/** Turtle, of which N-Triples are a part. */
async function triplesOf(text: string, file: string | undefined): Promise<Triple[]> {
  const { Parser } = await optional('SKOS documents', [PACKAGE], () => import(PACKAGE));
  try {
    return new Parser({ baseIRI: 'urn:tagloom:document' }).parse(text);
  } catch (error) {
    const { message, context } = error as Error & { context?: { line?: number } };
    throw new InputError({
      ...(file !== undefined && { file }),
      ...(file !== undefined && context?.line !== undefined && { line: context.line }),
      got: `a document that cannot be read (${message.replace(/\.$/, '')})`,
      expected: 'SKOS as Turtle or N-Triples',
      cure: 'Correct that line, or convert the document again.',
    });
  }
}

function conceptsOf(triples: readonly Triple[]): Map<string, Concept> {
  const all = new Map<string, Concept>();
  const schemes = new Set<string>();
  for (const { subject, predicate, object } of triples) {
    const concept = all.get(subject.value) ?? { values: new Map() };
    add(concept.values, predicate.value, object);
    all.set(subject.value, concept);
    if (predicate.value === TERMS.type && object.value !== TERMS.concept) schemes.add(subject.value);
  }
  readLongLabels(all);
  for (const [name, { values }] of all) {
    const types = (values.get(TERMS.type) ?? []).map(({ value }) => value);
    const isConcept = types.includes(TERMS.concept) || (!schemes.has(name) && values.has(TERMS.prefLabel));
    if (!isConcept) all.delete(name);
  }
  return all;
}

/** SKOS-XL: labels count as plain ones do, where these do not say the same already. */
function readLongLabels(concepts: ReadonlyMap<string, Concept>): void {
  for (const { values } of concepts.values()) {
    for (const [long, plain] of Object.entries(XL_LABELS)) {
      const forms = (values.get(long) ?? []).flatMap(({ value }) => concepts.get(value)?.values.get(XL_FORM) ?? []);
      values.delete(long);
      const known = values.get(plain) ?? [];
      const keyOf = ({ value, language }: Term) => JSON.stringify([value, language]);
      const isKnown = new Set(known.map(keyOf));
      const fresh = forms.filter((form) => !isKnown.has(keyOf(form)));
      if (fresh.length > 0) values.set(plain, [...known, ...fresh]);
    }
  }
}

class SkosReading {
  readonly #concepts: ReadonlyMap<string, Concept>;
  readonly #language: string | undefined;
  readonly #tags = new Map<string, string>(); // by concept
  readonly #names = new Map<string, string[]>(); // other preferred labels of a concept in the same language
  readonly #languages = new Map<string, string>(); // that a concept's tag is in
  readonly #warnings: string[] = [];

  constructor(concepts: ReadonlyMap<string, Concept>, { language }: SkosOptions) {
    this.#concepts = concepts;
    this.#language = language?.toLowerCase();
  }

  read(): ReadVocabulary {
    this.#readTags();
    const declarations = [
      ...this.#synonyms(),
      ...this.#parents(),
      ...this.#pairs(OWN.excludes, (a, b) => ({ kind: 'exclude', tags: [a, b], into: [] })),
      ...this.#pairs(OWN.differsFrom, (a, b) => ({ kind: 'notSynonym', tags: [a], into: [b] })),
      ...this.#splits(), // into parts that may be retired by now
      ...this.#retired(),
    ];
    this.#tellRest();
    return { declarations, tags: [...new Set(this.#tags.values())], warnings: this.#warnings };
  }

  #readTags(): void {
    const owners = new Map<string, string>();
    const without: string[] = [];
    for (const [concept, { values }] of this.#concepts) {
      const labels = this.#chosen(values.get(TERMS.prefLabel) ?? []);
      const [tag, ...others] = [...new Set(labels.map(({ value }) => cleanName(value)).filter((name) => name !== ''))];
      if (tag === undefined) {
        without.push(concept);
        continue;
      }
      this.#tags.set(concept, tag);
      this.#languages.set(concept, labels[0].language ?? '');
      if (others.length > 0) {
        this.#names.set(concept, others);
        this.#warn(
          `${concept} has ${others.length + 1} preferred labels: "${tag}" is the tag, the others are synonyms.`,
        );
      }
      const owner = owners.get(tag);
      if (owner !== undefined)
        this.#warn(`"${tag}" is the preferred label of ${owner} and ${concept}: they are one tag.`);
      else owners.set(tag, concept);
    }
    if (without.length > 0) {
      const language = this.#language === undefined ? '' : ` in the language "${this.#language}"`;
      this.#warn(
        `Left out ${counted(without.length, 'concept')} without a preferred label${language}: ${some(without)}.`,
      );
    }
  }

  /** Labels of the language asked for; else those without one, then English ones, then those of the first language. */
  #chosen(labels: readonly Term[]): readonly Term[] {
    const of = (language: string) =>
      labels.filter((one) => {
        const own = (one.language ?? '').toLowerCase();
        return own === language || (language !== '' && own.startsWith(`${language}-`));
      });
    if (this.#language !== undefined) return of(this.#language);
    const [plain, english] = [of(''), of('en')];
    if (plain.length > 0) return plain;
    if (english.length > 0) return english;
    const [first] = labels.map(({ language = '' }) => language.toLowerCase()).sort();
    return first === undefined ? [] : of(first);
  }

  #synonyms(): Declaration[] {
    const preferred = new Set(this.#tags.values());
    const owners = new Map<string, Set<string>>(); // tags by label
    let numOther = 0;
    for (const [concept, tag] of this.#tags) {
      const { values } = this.#concepts.get(concept) as Concept;
      const labels = [...(values.get(TERMS.altLabel) ?? []), ...(values.get(TERMS.hiddenLabel) ?? [])];
      const language = (this.#languages.get(concept) ?? '').toLowerCase();
      const own = labels.filter((one) => (one.language ?? '').toLowerCase() === language);
      numOther += labels.length - own.length;
      for (const name of [...own.map(({ value }) => cleanName(value)), ...(this.#names.get(concept) ?? [])]) {
        if (name !== '' && name !== tag) owners.set(name, (owners.get(name) ?? new Set()).add(tag));
      }
    }
    if (numOther > 0) this.#warn(`Left alone ${counted(numOther, 'label')} in other languages.`);
    const labelsByTag = new Map<string, string[]>();
    for (const [label, tags] of owners) {
      const [tag] = tags;
      if (preferred.has(label)) this.#warn(`Left out the label "${label}" of "${tag}": it is a tag of its own.`);
      else if (tags.size > 1) this.#warn(`Left out the label "${label}": ${some([...tags])} share it.`);
      else add(labelsByTag, tag, label);
    }
    return Array.from(labelsByTag, ([tag, labels]) => ({ kind: 'synonym', tags: labels, into: [tag] }));
  }

  /** A step that closes a cycle is left out. */
  #parents(): Declaration[] {
    const parents = new Map<string, Set<string>>();
    const add = (child: string | undefined, parent: string | undefined) => {
      if (child === undefined || parent === undefined || child === parent) return;
      const known = parents.get(child);
      if (known === undefined) parents.set(child, new Set([parent]));
      else known.add(parent);
    };
    for (const [concept, tag] of this.#tags) {
      for (const name of [TERMS.broader, TERMS.broaderGeneric, TERMS.broaderPartitive])
        for (const other of this.#linked(concept, name)) add(tag, this.#tags.get(other));
      for (const other of this.#linked(concept, TERMS.narrower)) add(this.#tags.get(other), tag);
    }
    for (const { path, start } of cyclesIn(parents)) {
      const [child, parent] = [path[path.length - 1], path[start]];
      parents.get(child)?.delete(parent);
      this.#warn(`Left out that "${child}" is narrower than "${parent}": ${shownCycle(path, start)} is a cycle.`);
    }
    return Array.from(parents, ([tag, into]): Declaration => ({ kind: 'parent', tags: [tag], into: [...into] })).filter(
      ({ into }) => into.length > 0,
    );
  }

  #pairs(predicate: string, declare: (a: string, b: string) => Declaration): Declaration[] {
    const seen = new Set<string>();
    const found: Declaration[] = [];
    for (const [concept, tag] of this.#tags) {
      for (const other of this.#linked(concept, predicate)) {
        const second = this.#tags.get(other);
        const key = JSON.stringify([tag, second].sort());
        if (second === undefined || second === tag || seen.has(key)) continue;
        seen.add(key);
        found.push(declare(tag, second));
      }
    }
    return found;
  }

  #retired(): Declaration[] {
    return [...this.#tags].flatMap(([concept, tag]): Declaration[] => {
      const isTrue = (predicate: string) => this.#linked(concept, predicate).some((value) => /^(true|1)$/.test(value));
      if (!isTrue(TERMS.deprecated)) return [];
      return [{ kind: 'retire', tags: [tag], into: [], ...(isTrue(OWN.takenOff) && { takeOff: true }) }];
    });
  }

  #splits(): Declaration[] {
    return [...this.#tags].flatMap(([concept, tag]): Declaration[] => {
      const into = this.#linked(concept, OWN.splitInto).flatMap((other) => this.#tags.get(other) ?? []);
      if (into.length === 0) return [];
      const assigned = this.#linked(concept, OWN.assigned).flatMap((text) => {
        const [object, part] = pairIn(text);
        return into.includes(part) ? [{ object, tag: part }] : [];
      });
      return [{ kind: 'split', tags: [tag], into, ...(assigned.length > 0 && { assigned }) }];
    });
  }

  #linked(concept: string, predicate: string): string[] {
    return (this.#concepts.get(concept)?.values.get(predicate) ?? []).map(({ value }) => value);
  }

  #tellRest(): void {
    const counts = new Map<string, number>();
    const read = new Set<string>([...Object.values(TERMS), ...Object.values(OWN)]);
    for (const { values } of this.#concepts.values()) {
      for (const [predicate, all] of values)
        if (!read.has(predicate)) counts.set(predicate, (counts.get(predicate) ?? 0) + all.length);
    }
    const shown = [...counts].map(([name, count]) => `${count} × ${name.replace(SKOS, 'skos:')}`);
    if (shown.length > 0) this.#warn(`Left alone: ${some(shown)}.`);
  }

  #warn(text: string): void {
    this.#warnings.push(text);
  }
}

function add<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function pairIn(text: string): [string, string] {
  try {
    const [object, part] = JSON.parse(text) as unknown[];
    return [String(object), String(part)];
  } catch {
    return ['', ''];
  }
}

const MOST_SHOWN = 5;

function some(names: readonly string[]): string {
  const more = names.length > MOST_SHOWN ? ` and ${names.length - MOST_SHOWN} more` : '';
  return `${names.slice(0, MOST_SHOWN).join(', ')}${more}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
