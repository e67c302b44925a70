// tagloom vocabulary: what helps to keep tags in order.

import type { Command } from 'commander';
import type { Terminal } from './terminal.ts';
import { addVocabularyProposals } from './vocabulary-proposals.ts';

export function addVocabulary(program: Command, terminal: Terminal): void {
  const vocabulary = program.command('vocabulary').description('keep the tags of a catalogue in order');
  addVocabularyProposals(vocabulary, terminal);
}
