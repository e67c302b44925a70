// The page of the command line: the help of every command, as the program itself prints it.
// @ts-check

import { readFileSync } from 'node:fs';
import { Command } from 'commander';

const WIDTH = 96;

/**
 * The program with all commands, as src/cli.ts puts it together.
 * @returns {Promise<Command>}
 */
export async function wholeProgram() {
  const cli = readFileSync(new URL('../../dist/cli.js', import.meta.url), 'utf8');
  const found = [...cli.matchAll(/await import\("\.\/commands\/([\w-]+)\.js"\)\)\.(\w+)/g)];
  if (found.length === 0)
    throw new Error('found no commands in dist/cli.js, expected lines like import("./commands/train.js")');
  const program = new Command('tagloom').description('Finds the tags your objects are missing.').exitOverride();
  for (const [, file, add] of found)
    (await import(`../../dist/commands/${file}.js`))[add](program, { program: 'tagloom' });
  return program;
}

/**
 * Markdown with a section for each command.
 * @returns {Promise<string>}
 */
export async function commandLinePart() {
  const program = await wholeProgram();
  return program.commands.map((command) => section(command, 2)).join('\n');
}

/**
 * @param {Command} command
 * @param {number} level
 * @param {string} before
 * @returns {string}
 */
function section(command, level, before = 'tagloom') {
  const name = `${before} ${command.name()}`;
  const own = `${'#'.repeat(level)} ${name}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\`\n`;
  return [own, ...command.commands.map((one) => section(one, level + 1, name))].join('\n');
}

/** @param {Command} command */
function helpOf(command) {
  let text = '';
  command.configureOutput({ getOutHelpWidth: () => WIDTH, writeOut: (part) => (text += part) });
  command.outputHelp();
  return text.trim();
}
