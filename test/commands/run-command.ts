// Runs one command in this process, with two strings in place of the streams.

import { Command } from 'commander';
import { Terminal } from '../../src/commands/terminal.ts';

export interface Outcome {
  out: string;
  err: string;
}

export async function runCommand(
  add: (program: Command, terminal: Terminal) => void,
  args: readonly string[],
  { now = (): number => 0, signal = new AbortController().signal, isTTY = false, input = [] as string[] } = {},
): Promise<Outcome> {
  const outcome: Outcome = { out: '', err: '' };
  const out = { write: (text: string) => (outcome.out += text) };
  const err = { write: (text: string) => (outcome.err += text), isTTY };
  const program = new Command('tagloom').exitOverride();
  program.configureOutput({ writeOut: out.write, writeErr: err.write });
  add(program, new Terminal({ out, err, input: chunksOf(input), signal, now }));
  await program.parseAsync(args, { from: 'user' });
  return outcome;
}

async function* chunksOf(texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}
