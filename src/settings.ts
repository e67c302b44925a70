// What a setting of a model is: its default, its bounds, what it does, and where a search for better values looks. Each model
// has its list beside its code, the only place a default is written; the command line's help and the model file are made from
// these lists. Defaults are the paper's where it names them (Table "Experimental Settings") and they hold up, else chosen on
// validation pairs.

import { InputError } from './errors.ts';

/** The value of a setting. */
export type SettingValue = number | string;
/** Values of settings by name, such as { neighbours: 30, solve: 'exact' }. */
export type Settings = Readonly<Record<string, SettingValue>>;

/** Numbers that tuning draws from: evenly, or on a log scale evenly over orders of magnitude. */
export interface TuningRange {
  readonly low: number;
  readonly high: number;
  readonly scale: 'log' | 'linear';
}

/** A setting that is a number. */
export interface NumberSetting {
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly help: string;
  readonly whole?: true;
  /** Where tuning looks. Without it, tuning leaves the setting alone. */
  readonly tune?: TuningRange;
}

/** A setting with a few values. */
export interface ChoiceSetting {
  readonly default: string;
  readonly choices: readonly string[];
  readonly help: string;
  /** The choices tuning draws from. Without it, tuning leaves the setting alone. */
  readonly tune?: readonly string[];
}

/** A setting of a model. */
export type Setting = NumberSetting | ChoiceSetting;
/** The settings of a model, by name. */
export type SettingList = Readonly<Record<string, Setting>>;

/** The values of a list of settings: numbers, or one of the choices. */
export type SettingsOf<List extends SettingList> = {
  readonly [Name in keyof List]: List[Name] extends { choices: readonly (infer Choice)[] } ? Choice : number;
};

/** A bound for settings that have no natural one. */
export const MANY = 1e6;

export function logScale(low: number, high: number): TuningRange {
  return { low, high, scale: 'log' };
}

export function linearScale(low: number, high: number): TuningRange {
  return { low, high, scale: 'linear' };
}

export const SEED = { default: 1, min: 0, max: 2 ** 53 - 1, whole: true, help: 'of everything random' } as const;

/** The defaults with the given settings over them; refuses names it does not know and values out of bounds. */
export function resolveSettings<List extends SettingList>(list: List, given: Settings = {}): SettingsOf<List> {
  const settings: Record<string, SettingValue> = {};
  for (const [name, setting] of Object.entries(list)) settings[name] = setting.default;
  for (const [name, value] of Object.entries(given)) {
    const setting: Setting | undefined = list[name];
    if (setting === undefined) {
      const expected = Object.keys(list).length === 0 ? 'none' : `one of ${Object.keys(list).join(', ')}`;
      throw new InputError({ got: `the setting ${name}`, expected, cure: 'Check its spelling and the model.' });
    }
    settings[name] = checked(name, setting, value);
  }
  return settings as SettingsOf<List>;
}

function checked(name: string, setting: Setting, value: SettingValue): SettingValue {
  const refuse = (expected: string) =>
    new InputError({ got: `${name} ${value}`, expected, cure: `It is: ${setting.help}.` });
  if ('choices' in setting) {
    if (!setting.choices.includes(String(value))) throw refuse(`one of ${setting.choices.join(', ')}`);
    return value;
  }
  const number = typeof value === 'number' ? value : Number(value);
  if (
    value === '' ||
    !(number >= setting.min && number <= setting.max) ||
    (setting.whole && !Number.isInteger(number))
  ) {
    throw refuse(`a ${setting.whole ? 'whole ' : ''}number from ${setting.min} to ${setting.max}`);
  }
  return number;
}
