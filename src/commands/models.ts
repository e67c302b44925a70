// tagloom models [NAME]: which models there are, and what can be set in each.

import type { Command } from 'commander';
import { findModel, MODELS } from '../models/catalogue.ts';
import type { Setting } from '../settings.ts';
import { type Terminal, textTable } from './terminal.ts';

export function addModels(program: Command, terminal: Terminal): void {
  program
    .command('models')
    .description('list the models, or the settings of one')
    .argument('[name]', 'one of them')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExamples:\n  $ tagloom models\n  $ tagloom models dge\n')
    .action((name: string | undefined, options: { json?: true }) => {
      if (name === undefined) {
        const models = Object.entries(MODELS).map(([model, { summary }]) => ({ model, summary }));
        if (options.json) terminal.printJson(models);
        else terminal.print(modelsTable());
        return;
      }
      const { summary, settings } = findModel(name);
      if (options.json) terminal.printJson({ model: name, summary, settings });
      else terminal.print(`${name}: ${summary}\n\n${settingsTable(Object.entries(settings))}`);
    });
}

export function modelsTable(): string {
  return textTable(
    undefined,
    Object.entries(MODELS).map(([model, { summary }]) => [model, summary]),
  );
}

function settingsTable(settings: readonly (readonly [string, Setting])[]): string {
  if (settings.length === 0) return 'It has no settings.';
  const rows = settings.map(([name, setting]) => [
    name,
    `${setting.default}`,
    'choices' in setting ? setting.choices.join(', ') : `${setting.min} to ${setting.max}`,
    setting.help,
  ]);
  return textTable(['setting', 'default', 'may be', ''], rows);
}
