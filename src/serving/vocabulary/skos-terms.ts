// The names that SKOS documents use, and ours for what SKOS has no word for.

export const SKOS = 'http://www.w3.org/2004/02/skos/core#';
const SKOS_XL = 'http://www.w3.org/2008/05/skos-xl#';
const ISO_THES = 'http://purl.org/iso25964/skos-thes#';

export const TERMS = {
  type: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type',
  concept: `${SKOS}Concept`,
  prefLabel: `${SKOS}prefLabel`,
  altLabel: `${SKOS}altLabel`,
  hiddenLabel: `${SKOS}hiddenLabel`,
  broader: `${SKOS}broader`,
  narrower: `${SKOS}narrower`,
  broaderGeneric: `${ISO_THES}broaderGeneric`,
  broaderPartitive: `${ISO_THES}broaderPartitive`,
  deprecated: 'http://www.w3.org/2002/07/owl#deprecated',
} as const;

/** Labels that are resources of their own, by what they say in plain SKOS. */
export const XL_LABELS = {
  [`${SKOS_XL}prefLabel`]: TERMS.prefLabel,
  [`${SKOS_XL}altLabel`]: TERMS.altLabel,
  [`${SKOS_XL}hiddenLabel`]: TERMS.hiddenLabel,
} as const;
export const XL_FORM = `${SKOS_XL}literalForm`;

export const OWN_SPACE = 'urn:tagloom:vocabulary:';

export const OWN = {
  excludes: `${OWN_SPACE}excludes`,
  differsFrom: `${OWN_SPACE}differsFrom`,
  takenOff: `${OWN_SPACE}takenOff`,
  splitInto: `${OWN_SPACE}splitInto`,
  /** A JSON list of an object and the part it gets. */
  assigned: `${OWN_SPACE}assigned`,
} as const;
