// Every setting of training, with its default, its bounds and what it does: the only place a default is written. The
// defaults are the paper's where it names them (Table "Experimental Settings"), else chosen on validation pairs.

export interface Setting {
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly help: string;
}

export const DGE_SETTINGS = {
  hidden: { default: 64, min: 1, max: 4096, help: 'width of the hidden layer' },
  output: { default: 64, min: 1, max: 4096, help: 'width of the embeddings' },
  objectShift: { default: 5, min: 1e-6, max: 1e6, help: 'k of SPPMI in the object graph; smaller is denser' },
  tagShift: { default: 1, min: 1e-6, max: 1e6, help: 'k of SPPMI in the tag graph' },
  neighbours: { default: 100, min: 0, max: 1e6, help: 'strongest neighbours kept for each node; 0 keeps all' },
  minCount: { default: 1, min: 1, max: 1e6, help: 'paths two nodes must share to be neighbours' },
  maxPerMiddle: {
    default: 5000,
    min: 2,
    max: 1e9,
    help: 'objects of one user (tags of one object) that count for paths',
  },
  noisePerPair: { default: 15, min: 1, max: 1000, help: 'noise tags drawn for each pair' },
  batchSize: { default: 8192, min: 1, max: 1e7, help: 'pairs of one step' },
  learningRate: { default: 0.01, min: 1e-9, max: 10, help: 'of Adam' },
  epochs: { default: 100, min: 1, max: 1e6, help: 'passes over the training pairs, at most' },
  patience: { default: 3, min: 1, max: 1e6, help: 'evaluations without a better validation Recall@3 before it stops' },
  evaluateEvery: { default: 5, min: 1, max: 1e6, help: 'epochs between two evaluations on validation pairs' },
  seed: { default: 1, min: 0, max: 2 ** 53 - 1, help: 'of everything random' },
} as const satisfies Record<string, Setting>;

export type DgeSettings = { readonly [Name in keyof typeof DGE_SETTINGS]: number };

/** The defaults with the given settings over them; refuses names it does not know and numbers out of bounds. */
export function dgeSettings(given: Partial<DgeSettings> = {}): DgeSettings {
  const settings: Record<string, number> = {};
  for (const [name, setting] of Object.entries(DGE_SETTINGS)) settings[name] = setting.default;
  for (const [name, value] of Object.entries(given)) {
    const setting: Setting | undefined = DGE_SETTINGS[name as keyof typeof DGE_SETTINGS];
    if (setting === undefined) {
      throw new RangeError(`Got the setting ${name} when expected one of ${Object.keys(DGE_SETTINGS).join(', ')}.`);
    }
    if (!(value >= setting.min && value <= setting.max)) {
      throw new RangeError(`Got ${name} ${value} when expected ${setting.min} to ${setting.max}.`);
    }
    settings[name] = value;
  }
  return settings as DgeSettings;
}
