// A vocabulary as a SKOS document: read again, it declares the same.

import { InputError } from '../../errors.ts';
import type { Declarations } from './declarations.ts';
import type { SkosFormat } from './skos-format.ts';
import { OWN, OWN_SPACE, SKOS, TERMS } from './skos-terms.ts';

export interface WriteOptions {
  readonly format?: SkosFormat | undefined;
  /** Of the labels; none is said by default. */
  readonly language?: string | undefined;
}

const TAG = 'urn:tagloom:tag:';
const OWL = 'http://www.w3.org/2002/07/owl#';
const LANGUAGE = /^[a-z]+(-[a-z0-9]+)*$/i; // what Turtle takes
const PREFIXES = { skos: SKOS, owl: OWL, tagloom: OWN_SPACE };

/** `tags`: those to be concepts beside the declared ones. A concept at a time, by name. */
export function writeSkos(
  declarations: Declarations,
  tags: Iterable<string>,
  { format = 'turtle', language = '' }: WriteOptions = {},
): Generator<string> {
  if (language !== '' && !LANGUAGE.test(language)) {
    const got = `the language ${JSON.stringify(language)}`;
    throw new InputError({
      got,
      expected: 'a language tag, such as en or pt-BR',
      cure: 'Correct it, or leave it out.',
    });
  }
  return write(declarations, tags, format, language === '' ? '' : `@${language}`);
}

function* write(
  declarations: Declarations,
  tags: Iterable<string>,
  format: SkosFormat,
  language: string,
): Generator<string> {
  const facts = factsOf(declarations, language);
  const names = new Set(declarations.tags());
  for (const tag of tags) names.add(declarations.tagOf(tag));
  const order = [...names].sort();
  if (format === 'turtle') {
    for (const [prefix, space] of Object.entries(PREFIXES)) yield `@prefix ${prefix}: <${space}> .\n`;
  }
  for (const tag of order) {
    const pairs = [[TERMS.type, `<${TERMS.concept}>`] as const, ...facts(tag)];
    yield format === 'turtle' ? turtleOf(tag, pairs) : linesOf(tag, pairs);
  }
}

type Pair = readonly [predicate: string, object: string];

/** What is said about a tag, objects as they are written in N-Triples. */
function factsOf(declarations: Declarations, language: string): (tag: string) => Pair[] {
  const labels = grouped([...declarations.labels()].map(([label, tag]) => [tag, label]));
  const exclusions = grouped(declarations.exclusions().map(({ tags: [a, b] }) => [a, b]));
  const different = grouped(declarations.differences());
  const text = (value: string) => `${literal(value)}${language}`;
  return (tag) => {
    const retirement = declarations.retirementOf(tag);
    const split = declarations.splitOf(tag);
    const links = (predicate: string, others: Iterable<string>): Pair[] =>
      [...others].sort().map((other) => [predicate, iri(other)]);
    const truth = literal('true');
    return [
      [TERMS.prefLabel, text(tag)],
      ...(labels.get(tag) ?? []).sort().map((label): Pair => [TERMS.altLabel, text(label)]),
      ...links(TERMS.broader, declarations.parentsOf(tag).keys()),
      ...links(OWN.excludes, exclusions.get(tag) ?? []),
      ...links(OWN.differsFrom, different.get(tag) ?? []),
      ...(retirement === undefined ? [] : [[TERMS.deprecated, truth] as const]),
      ...(retirement?.isTakenOff ? [[OWN.takenOff, truth] as const] : []),
      ...links(OWN.splitInto, split?.parts ?? []),
      ...(split?.assigned ?? []).map((one): Pair => [OWN.assigned, literal(JSON.stringify([one.object, one.tag]))]),
    ];
  };
}

function grouped(pairs: Iterable<readonly [string, string]>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [key, value] of pairs) {
    const list = found.get(key);
    if (list === undefined) found.set(key, [value]);
    else list.push(value);
  }
  return found;
}

function turtleOf(tag: string, pairs: readonly Pair[]): string {
  const lines = pairs.map(
    ([predicate, object]) => `${predicate === TERMS.type ? 'a' : short(predicate)} ${shortObject(object)}`,
  );
  return `\n${iri(tag)}\n  ${lines.join(' ;\n  ')} .\n`;
}

function linesOf(tag: string, pairs: readonly Pair[]): string {
  return pairs.map(([predicate, object]) => `${iri(tag)} <${predicate}> ${object} .\n`).join('');
}

function short(name: string): string {
  for (const [prefix, space] of Object.entries(PREFIXES)) {
    if (name.startsWith(space)) return `${prefix}:${name.slice(space.length)}`;
  }
  return `<${name}>`;
}

function shortObject(object: string): string {
  return object === `<${TERMS.concept}>` ? short(TERMS.concept) : object;
}

function iri(tag: string): string {
  // names are well-formed; what encodeURIComponent leaves is allowed in an IRI
  return `<${TAG}${encodeURIComponent(tag)}>`;
}

function literal(value: string): string {
  const escaped = value.replaceAll(/["\\]|\p{Cc}/gu, (one) =>
    one === '"' || one === '\\' ? `\\${one}` : `\\u${one.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
  );
  return `"${escaped}"`;
}
