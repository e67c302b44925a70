// What the page and its worker say to one another: calls, each with one answer, and what happens meanwhile.

import type { ColumnChoice } from '../../../../src/data/catalogue/columns.ts';
import type { Understood } from '../../../../src/data/catalogue/understood.ts';
import type { OpenSuggestion } from '../../../../src/serving/curation/open-suggestions.ts';
import type { Explanation } from '../../../../src/serving/recommend/explanation.ts';
import type { Suggestion } from '../../../../src/serving/recommend/recommender.ts';
import type { SettingList, Settings } from '../../../../src/settings.ts';
import type { EpochReport } from '../../../../src/training/trainer.ts';

export const MODEL_NAMES = ['loom', 'dge'] as const;
export type ModelName = (typeof MODEL_NAMES)[number];

/** The processor, a GPU, or a GPU if there is one. */
export type Engine = 'auto' | 'gpu' | 'cpu';

export interface DataFacts {
  /** Of the files that were read. */
  readonly names: readonly string[];
  /** What one file was found to hold; undefined for tables. */
  readonly understood: Understood | undefined;
  /** Undefined where the data has no users. */
  readonly numUsers: number | undefined;
  readonly numObjects: number;
  readonly numTags: number;
  readonly numInteractions: number | undefined;
  readonly numPairs: number;
  /** Columns of text. */
  readonly textColumns: readonly string[];
  readonly hasImages: boolean;
  /** The same for the same data: what decisions are kept under. */
  readonly fingerprint: string;
}

export interface Order {
  readonly model: ModelName;
  readonly settings: Settings;
  readonly engine: Engine;
}

export interface TrainedFacts {
  readonly model: ModelName;
  readonly metrics: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly fileBytes: number;
}

export interface FoundObject {
  readonly object: string;
  readonly title: string;
  readonly numTags: number;
}

export interface ObjectView {
  readonly object: string;
  readonly title: string;
  readonly texts?: Readonly<Record<string, string>>;
  readonly link?: string;
  readonly image?: string;
  readonly tags: readonly string[];
  readonly suggestions: readonly Suggestion[];
}

export interface MostConfident {
  /** The best suggestion of each object, the most confident first; not all of them. */
  readonly suggestions: readonly OpenSuggestion[];
  /** By tenths of confidence, for how many objects the best suggestion is that sure; of models that know. */
  readonly byConfidence: readonly number[] | undefined;
}

/** What there is to review, the most likely first; of models without confidence, the highest scores. */
export interface Reviewable {
  readonly suggestions: readonly OpenSuggestion[];
  /** With those that were too many to list. */
  readonly numOpen: number;
  readonly knowsConfidence: boolean;
}

export interface Pair {
  readonly object: string;
  readonly tag: string;
}

/** The file that was read, with tags added. */
export interface AppliedFile {
  readonly file: Blob;
  readonly numAdded: number;
  /** What the file has no place for. */
  readonly numLeftOut: number;
}

/** What the worker does; each is answered once. */
export interface Calls {
  /** The settings of the models, with their defaults. */
  settings(): Readonly<Record<ModelName, SettingList>>;
  /** `choice`: what the columns of one file are, where a person says so. */
  read(files: readonly File[], choice: ColumnChoice): DataFacts;
  /** The columns of one file that could not be read otherwise; none where they cannot be told. */
  columns(file: File): readonly string[];
  /** Refuses an order whose settings will not do. */
  check(order: Order): void;
  train(order: Order): TrainedFacts;
  search(query: string): readonly FoundObject[];
  view(object: string): ObjectView;
  explain(object: string, tag: string): Explanation;
  mostConfident(): MostConfident;
  /** Only once all objects are scored, which `mostConfident` does. */
  reviewable(minConfidence: number): Reviewable;
  /** Of one file that was read. */
  appliedFile(accepted: readonly Pair[]): AppliedFile;
  modelFile(): Blob;
  suggestionsFile(): Blob;
}

export type CallName = keyof Calls;

export interface Call {
  readonly id: number;
  readonly name: CallName;
  readonly args: readonly unknown[];
}

/** An error as it travels: of bad input with the cure apart. */
export interface Fault {
  readonly text: string;
  readonly cure: string;
  /** Not the input's: ours. */
  readonly isBug: boolean;
}

/** What happens while a call is at work. */
export type Happening =
  | { readonly kind: 'progress'; readonly step: string; readonly done: number; readonly total: number }
  | { readonly kind: 'warning'; readonly text: string }
  | { readonly kind: 'engine'; readonly name: string }
  | { readonly kind: 'popularity'; readonly recall: number }
  | { readonly kind: 'attempt'; readonly recall: number }
  | ({ readonly kind: 'epoch' } & EpochReport);

export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly fault: Fault }
  /** It was given up for something newer. */
  | { readonly id: number; readonly isEnded: true }
  | { readonly id: number; readonly happening: Happening };
