// The formats of SKOS documents, by name and by the ending of a file.

import { InputError } from '../../errors.ts';

/** N-Triples are Turtle as well; the name says how to write. */
export const FORMATS = ['turtle', 'ntriples'] as const;
export type SkosFormat = (typeof FORMATS)[number];

export const CONTENT_TYPES: Readonly<Record<SkosFormat, string>> = {
  turtle: 'text/turtle',
  ntriples: 'application/n-triples',
};

export const ENDINGS: Readonly<Record<SkosFormat, string>> = { turtle: 'ttl', ntriples: 'nt' };

/** By the ending of a file's name. */
export function formatOfFile(path: string): SkosFormat {
  if (/\.(ttl|turtle)$/i.test(path)) return 'turtle';
  if (/\.(nt|ntriples)$/i.test(path)) return 'ntriples';
  const isXml = /\.(rdf|xml|owl)$/i.test(path);
  const cure = isXml
    ? 'Convert it first, for example with: riot --output=turtle FILE > vocabulary.ttl'
    : 'Name the file .ttl or .nt, or say --format turtle or ntriples.';
  throw new InputError({
    file: path,
    got: isXml ? 'RDF/XML' : 'another ending',
    expected: 'Turtle or N-Triples',
    cure,
  });
}
