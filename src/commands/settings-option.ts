// Settings of models on the command line: --set name=value, or model.name=value where several models are at work, and
// --config FILE with a JSON object of them.

import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, Option } from 'commander';
import { InputError } from '../errors.ts';
import type { Settings, SettingValue } from '../models/model.ts';

/** By name; a name may begin with a model's and a dot. */
type Given = Readonly<Record<string, SettingValue>>;

export interface SettingsOptions {
  readonly set: Given;
  readonly config?: string;
}

export const settingsOptions = () => [
  new Option('--set <name=value>', 'a setting of the model; may be repeated')
    .argParser(collect)
    .default({}, 'see "tagloom models NAME"'),
  new Option('--config <file>', 'a JSON object of settings; --set goes over it'),
];

/** The settings given for one model. */
export async function settingsFor(model: string, options: SettingsOptions): Promise<Settings> {
  const given = { ...(options.config === undefined ? {} : await readConfig(options.config)), ...options.set };
  const own: Record<string, SettingValue> = {};
  for (const [name, value] of Object.entries(given)) {
    const dot = name.indexOf('.');
    if (dot < 0) own[name] = value;
  }
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith(`${model}.`)) own[name.slice(model.length + 1)] = value;
  }
  return own;
}

function collect(text: string, before: Given): Given {
  const at = text.indexOf('=');
  if (at <= 0) throw new InvalidArgumentError('Expected name=value.');
  const [name, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (value === '') throw new InvalidArgumentError('Expected name=value.');
  return { ...before, [name]: Number.isNaN(Number(value)) ? value : Number(value) };
}

async function readConfig(path: string): Promise<Given> {
  const refuse = (got: string) =>
    new InputError({
      file: path,
      got,
      expected: 'a JSON object of settings',
      cure: 'Write {"epochs": 50}, for instance.',
    });
  const text = await readFile(path, 'utf8').catch(() => {
    throw refuse('nothing that can be read');
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse('no JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse('something else');
  for (const one of Object.values(value)) {
    if (typeof one !== 'number' && typeof one !== 'string') throw refuse(`the value ${JSON.stringify(one)}`);
  }
  return value as Given;
}
