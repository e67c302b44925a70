// The settings of loom.

import type { SettingList, SettingsOf } from './config.ts';

const MANY = 1e6;

export const LOOM = {
  ownPenalty: { default: 6, min: 1e-3, max: MANY, help: 'on weights of own tags; larger trusts them less' },
  countPenalty: { default: 0.1, min: 0, max: MANY, help: 'more of it for each object that carries the tag' },
  neighbours: { default: 30, min: 1, max: MANY, whole: true, help: 'objects alike by users that count for an object' },
  neighbourStrength: { default: 1, min: 1e-6, max: MANY, help: 'how much their tags may say' },
  profileWidth: { default: 256, min: 0, max: 4096, whole: true, help: 'numbers that describe the users of an object' },
  profileStrength: { default: 0.5, min: 1e-6, max: MANY, help: 'how much they may say' },
  userDamping: { default: 0.25, min: 0, max: 2, help: 'how much less a user of many objects counts' },
  weightsPerTag: { default: 250, min: 1, max: MANY, help: 'strongest weights kept, for each tag on average' },
  seed: { default: 1, min: 0, max: 2 ** 53 - 1, whole: true, help: 'of everything random' },
} as const satisfies SettingList;

export type LoomSettings = SettingsOf<typeof LOOM>;
