// What a search has measured, on disk beside its result: a line of JSON for each evaluation, after one that says what they
// belong to. The file is replaced whole after each, so that a stop at any moment leaves it in order. An evaluation is
// found by all it depends on, so a search that goes on with more time or more trials takes what is there.

import { readFile } from 'node:fs/promises';
import { InputError } from '../errors.ts';
import { writeFile } from '../files.ts';
import type { Settings } from '../settings.ts';
import type { Measured } from './tune.ts';

/** What the evaluations belong to. */
export interface SearchIdentity {
  readonly model: string;
  /** Given ones, which are not searched. */
  readonly settings: Settings;
  readonly seed: number;
  /** Fingerprint of the graph. */
  readonly data: string;
}

const FORMAT = 'tagloom trials, version 1';

export class TrialStore {
  readonly #path: string;
  readonly #lines: string[];
  readonly #found = new Map<string, Measured>();

  private constructor(path: string, lines: string[]) {
    this.#path = path;
    this.#lines = lines;
    for (const line of lines.slice(1)) this.#remember(JSON.parse(line));
  }

  /** Without `resume`, what is there is forgotten. */
  static async open(path: string, identity: SearchIdentity, resume: boolean): Promise<TrialStore> {
    if (resume) {
      const lines = await linesOf(path);
      requireSame(path, JSON.parse(lines[0]), identity);
      return new TrialStore(path, lines);
    }
    const store = new TrialStore(path, [JSON.stringify({ format: FORMAT, ...identity })]);
    await store.#write();
    return store;
  }

  find(settings: Settings, share: number): Measured | undefined {
    return this.#found.get(keyOf(settings, share));
  }

  async add(measured: Measured): Promise<void> {
    this.#remember(measured);
    this.#lines.push(JSON.stringify(measured));
    await this.#write();
  }

  #remember(measured: Measured): void {
    this.#found.set(keyOf(measured.settings, measured.share), measured);
  }

  async #write(): Promise<void> {
    await writeFile(this.#path, `${this.#lines.join('\n')}\n`);
  }
}

function keyOf(settings: Settings, share: number): string {
  return `${share} ${JSON.stringify(sorted(settings))}`;
}

function sorted(settings: Settings): [string, unknown][] {
  return Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1));
}

async function linesOf(path: string): Promise<string[]> {
  const cure = 'Give the file of a search, or --force instead of --resume to start over.';
  const refuse = () => new InputError({ file: path, got: 'a file of another kind', expected: 'trials', cure });
  const text = await readFile(path, 'utf8').catch(() => {
    throw refuse();
  });
  const lines = text.trimEnd().split('\n');
  try {
    if (lines.map((line) => JSON.parse(line))[0].format !== FORMAT) throw refuse();
  } catch {
    throw refuse();
  }
  return lines;
}

function requireSame(path: string, saved: SearchIdentity, wanted: SearchIdentity): void {
  const told = ({ model, settings, seed, data }: SearchIdentity) => [
    `model ${model}`,
    `seed ${seed}`,
    `data ${data}`,
    sorted(settings)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ') || 'no setting given',
  ];
  const [had, has] = [told(saved), told(wanted)];
  const differing = had.map((_, i) => i).filter((i) => had[i] !== has[i]);
  if (differing.length === 0) return;
  const of = (facts: readonly string[]) => `a search with ${differing.map((i) => facts[i]).join(', ')}`;
  const cure = 'Give the same data and settings, or --force instead of --resume to start over.';
  throw new InputError({ file: path, got: of(had), expected: of(has), cure });
}
