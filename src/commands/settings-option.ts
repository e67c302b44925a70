// Settings of models on the command line: --set name=value, model.name=value where several models are at work, and
// data.model.name=value where several data sets are. --config FILE has a JSON object of them, in which {"dge": {"epochs": 50}}
// says the same as {"dge.epochs": 50}.

import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, Option } from 'commander';
import { InputError } from '../errors.ts';
import type { Settings, SettingValue } from '../models/model.ts';

/** By name, with the model and the data set before it where it is theirs alone. */
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

/** The settings given for one model on one data set: what is said of all goes first, the most particular last. */
export async function settingsFor(model: string, data: string, options: SettingsOptions): Promise<Settings> {
  const given = { ...(options.config === undefined ? {} : await readConfig(options.config)), ...options.set };
  const own: Record<string, SettingValue> = {};
  for (const scope of ['', `${model}.`, `${data}.${model}.`]) {
    for (const [name, value] of Object.entries(given)) {
      const last = name.lastIndexOf('.') + 1;
      if (name.slice(0, last) === scope) own[name.slice(last)] = value;
    }
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
  return Object.fromEntries(flattened(value, '', refuse));
}

/** Objects within objects become names with dots. */
function* flattened(value: unknown, scope: string, refuse: (got: string) => Error): Iterable<[string, SettingValue]> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refuse(scope === '' ? 'something else' : `the value ${JSON.stringify(value)}`);
  }
  for (const [name, one] of Object.entries(value)) {
    if (typeof one === 'number' || typeof one === 'string') yield [`${scope}${name}`, one];
    else yield* flattened(one, `${scope}${name}.`, refuse);
  }
}
