// What each measure of a pair of tags weighs in the odds that both mean the same: a logistic model with a ridge, learnt from half
// of the aliases listed for npm (397 pairs that mean the same, 27132 others) by node research/synonyms.mjs --learn, which writes
// this file.

import type { Measure } from './measures.ts';

export const BIAS = -4.971;
export const WEIGHTS: Readonly<Record<Measure, number>> = {
  spelling: 5.543,
  variant: 3.109,
  plural: 5.317,
  typo: 0.343,
  inflection: 3.965,
  derivation: 2.735,
  numeronym: 1.241,
  initials: 1.987,
  beginning: -0.718,
  letters: 0.416,
  affix: 2.56,
  word: -3.725,
  opposite: -2.0,
  versions: -2.0,
  otherWord: 1.383,
  company: -0.545,
  users: -0.739,
  words: 0.861,
  rank: 1.0,
  closeness: 0.848,
  apart: 2.313,
  inseparable: 0.868,
  lift: 2.41,
  overlap: 1.783,
  rarity: 0.336,
  balance: 0.951,
  shortCompany: -0.437,
  formCompany: 1.569,
  meaning: -4.483,
  meaningCompany: -2.438,
  meaningUsers: 1.551,
  meaningOverlap: 1.304,
};
