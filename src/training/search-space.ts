// The configurations that tuning tries. They come from the models' setting lists: a setting with a tuning range is drawn, all
// others stay as they are. A trial depends on the seed and its number alone, never on how others turned out.

import { InputError } from '../errors.ts';
import { Random } from '../random.ts';
import { resolveSettings, type Setting, type SettingList, type Settings, type SettingValue } from '../settings.ts';

export interface Trial {
  /** 0: the defaults. */
  readonly number: number;
  /** What was given and what is searched; the rest has its default. */
  readonly settings: Settings;
}

const MAX_REDRAWS = 100; // of a configuration that was there before: then, all there are have been drawn

/** The settings that tuning may change. */
export function tunable(list: SettingList, given: Settings = {}): string[] {
  return Object.keys(list).filter((name) => list[name].tune !== undefined && !Object.hasOwn(given, name));
}

/** The defaults first, then others drawn, no two the same; fewer than wanted where there are not as many. */
export function drawTrials(list: SettingList, given: Settings, numTrials: number, seed: number): Trial[] {
  const defaults: Settings = resolveSettings(list, given);
  const names = namesToTune(list, given);
  const take = (name: string): [string, SettingValue] => [name, defaults[name]];
  const fixed = Object.fromEntries(Object.keys(given).map(take));
  const trials: Trial[] = [{ number: 0, settings: { ...fixed, ...Object.fromEntries(names.map(take)) } }];
  const seen = new Set([JSON.stringify(trials[0].settings)]);
  for (let number = 1; number < numTrials; number++) {
    const random = new Random(seed, `trial ${number}`);
    let settings = trials[0].settings;
    for (let i = 0; i < MAX_REDRAWS && seen.has(JSON.stringify(settings)); i++) {
      settings = { ...fixed, ...Object.fromEntries(names.map((name) => [name, draw(list[name], random)])) };
    }
    const text = JSON.stringify(settings);
    if (seen.has(text)) break;
    seen.add(text);
    trials.push({ number, settings });
  }
  return trials;
}

function namesToTune(list: SettingList, given: Settings): string[] {
  const names = tunable(list, given);
  if (names.length > 0) return names;
  const all = tunable(list);
  throw new InputError(
    all.length === 0
      ? {
          got: 'a model without a setting to search',
          expected: 'one that has some',
          cure: 'Take it as it is, or another model.',
        }
      : {
          got: `a value for ${all.join(', ')}`,
          expected: 'one of them left to search',
          cure: 'Leave out one of them.',
        },
  );
}

function draw(setting: Setting, random: Random): SettingValue {
  if ('choices' in setting) {
    const { tune = setting.choices } = setting;
    return tune[random.below(tune.length)];
  }
  const { low, high, scale } = setting.tune ?? { low: setting.default, high: setting.default, scale: 'linear' };
  if (setting.whole && scale === 'linear') return low + random.below(high - low + 1);
  const at = random.float();
  const value = scale === 'log' ? low * (high / low) ** at : low + (high - low) * at;
  const rounded = setting.whole ? Math.round(value) : Number(value.toPrecision(3)); // as people write it
  return Math.min(high, Math.max(low, rounded));
}
