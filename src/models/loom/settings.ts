// The settings of loom. Where `search` is on, the strengths and the penalty are where the rehearsal starts.

import { linearScale, logScale, MANY, SEED, type SettingList, type SettingsOf } from '../../settings.ts';

export const LOOM_SETTINGS = {
  ownPenalty: {
    default: 6,
    min: 1e-3,
    max: MANY,
    help: 'on weights of own tags; larger trusts them less',
    tune: logScale(0.5, 100),
  },
  countPenalty: {
    default: 0.1,
    min: 0,
    max: MANY,
    help: 'more of it for each object that carries the tag',
    tune: logScale(0.01, 1),
  },
  neighbours: {
    default: 30,
    min: 1,
    max: MANY,
    whole: true,
    help: 'objects with similar users that count for an object',
    tune: logScale(10, 150),
  },
  neighbourStrength: {
    default: 0.5,
    min: 1e-6,
    max: MANY,
    help: 'how much their tags may say',
    tune: logScale(0.1, 10),
  },
  wordCount: {
    default: 2,
    min: 0,
    max: MANY,
    whole: true,
    help: 'objects with a word in their names or texts for it to count; 0: no words',
  },
  gramCount: {
    default: 3,
    min: 0,
    max: MANY,
    whole: true,
    help: 'the same for groups of 3 to 5 letters; 0: none of them',
  },
  wordStrength: {
    default: 0.15,
    min: 1e-6,
    max: MANY,
    help: 'how much the words of a name may say',
    tune: logScale(0.01, 1),
  },
  gramStrength: {
    default: 0.15,
    min: 1e-6,
    max: MANY,
    help: 'how much the groups of letters in a name may say',
    tune: logScale(0.01, 1),
  },
  textStrength: {
    default: 1,
    min: 1e-6,
    max: MANY,
    help: 'how much the words of a text may say',
    tune: logScale(0.05, 10),
  },
  profileWidth: {
    default: 256,
    min: 0,
    max: 4096,
    whole: true,
    help: 'numbers that describe the users of an object',
    tune: logScale(32, 512),
  },
  profileStrength: { default: 1, min: 1e-6, max: MANY, help: 'how much they may say', tune: logScale(0.05, 10) },
  userDamping: {
    default: 0.25,
    min: 0,
    max: 2,
    help: 'how much less a user of many objects counts',
    tune: linearScale(0, 1),
  },
  contentWidth: {
    default: 128,
    min: 0,
    max: 4096,
    whole: true,
    help: 'numbers that describe the content features of an object, where it has any',
  },
  contentStrength: { default: 1, min: 1e-6, max: MANY, help: 'how much they may say', tune: logScale(0.05, 10) },
  rarity: {
    default: 0.04,
    min: 0,
    max: 1,
    help: 'the power of its count by which a common tag is held back',
    tune: linearScale(0, 0.15),
  },
  weightsPerTag: { default: 700, min: 1, max: MANY, help: 'largest weights kept, for each tag on average' },
  solve: {
    default: 'auto',
    choices: ['auto', 'exact', 'sparse'],
    help: 'sparse: for each tag by the features that go with it best',
  },
  search: { default: 'on', choices: ['on', 'off'], help: 'whether strengths are chosen on hidden pairs' },
  seed: SEED,
} as const satisfies SettingList;

export type LoomSettings = SettingsOf<typeof LOOM_SETTINGS>;
