// What a comparison of two models comes to, in a sentence or two for people. It says no more than the figures do.

import type { ComparisonVerdict, ModelComparison } from '../serving/training/training-messages.ts';

const BEGINNINGS: Readonly<Record<Exclude<ComparisonVerdict, 'tooFew'>, string>> = {
  better: 'The new model is better',
  worse: 'The new model is worse',
  mixed: 'The new model is better at one thing and worse at the other',
  noDifference: 'No difference can be seen',
};

export function statementOf({ verdict, accepted, rejected, separation }: Omit<ModelComparison, 'statement'>): string {
  const numPairs = accepted.numPairs + rejected.numPairs;
  const on = `${counted(numPairs, 'decision')} that ${numPairs === 1 ? 'was' : 'were'} held back`;
  if (verdict === 'tooFew') {
    return `Too few decisions to compare the models: of ${on}, ${accepted.numPairs} accepted a tag, and 20 are needed.`;
  }
  const { numFound } = accepted;
  const found = `It has ${numFound.new} of ${counted(accepted.numPairs, 'accepted tag')} among its first 3 suggestions, the old one ${numFound.old}.`;
  const beginning = `${BEGINNINGS[verdict]} on ${on}.`;
  const sure = separation === undefined ? '' : ` ${separationText(separation)}`;
  const end = rejected.numPairs === 0 ? '' : ` ${rejectedText(rejected)}${sure}`;
  return `${beginning} ${verdict === 'noDifference' ? found.replace(/^It/, 'The new model') : found}${end}`;
}

function rejectedText({ numPairs, numSuggested }: ModelComparison['rejected']): string {
  return `Of ${counted(numPairs, 'rejected tag')} it still suggests ${numSuggested.new}, the old one ${numSuggested.old}.`;
}

function separationText({ share }: NonNullable<ModelComparison['separation']>): string {
  const percent = (one: number) => `${(100 * one).toFixed(1)} %`;
  return `Of an accepted and a rejected tag, it is surer of the accepted one in ${percent(share.new)} of cases, the old one in ${percent(share.old)}.`;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
