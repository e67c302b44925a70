// What the page knows, and what may be done on it: give files, train, stop, ask, take away.

import type { ColumnChoice } from '../../../src/data/catalogue/columns.ts';
import type { SettingList } from '../../../src/settings.ts';
import { Store } from '../store.ts';
import { EndedError, FaultError, TabWorker } from './tab-worker.ts';
import type {
  AppliedFile,
  DataFacts,
  Fault,
  Happening,
  ModelName,
  MostConfident,
  Order,
  Pair,
  TrainedFacts,
} from './worker/messages.ts';

export interface Step {
  readonly name: string;
  readonly done: number;
  readonly total: number;
}

export type DataState =
  | { readonly state: 'none' }
  | { readonly state: 'reading'; readonly step: Step | undefined }
  /** `choice`: what a person said of the columns of one file. */
  | { readonly state: 'read'; readonly facts: DataFacts; readonly choice: ColumnChoice }
  | { readonly state: 'failed'; readonly fault: Fault; readonly columns?: UnknownColumns };

/** Columns of one file that could not be read: a person may say what they are. */
export interface UnknownColumns {
  readonly names: readonly string[];
  /** What was said of them so far. */
  readonly choice: ColumnChoice;
}

export type RunState =
  | { readonly state: 'none' }
  | { readonly state: 'running'; readonly step: Step | undefined }
  | { readonly state: 'cancelled' }
  | { readonly state: 'failed'; readonly fault: Fault }
  | { readonly state: 'done'; readonly facts: TrainedFacts };

/** What has become known of a run. */
export interface Curve {
  readonly model: ModelName;
  readonly engine: string | undefined;
  /** Epochs, at most; of a model that learns in epochs. */
  readonly numEpochs: number | undefined;
  readonly popularity: number | undefined;
  readonly losses: readonly Point[];
  /** Recall@3 on hidden pairs, by epoch or by attempt. */
  readonly recalls: readonly Point[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface TrainState {
  readonly settings: Readonly<Record<ModelName, SettingList>> | undefined;
  readonly data: DataState;
  readonly dataWarnings: readonly string[];
  /** Why the last run was not begun. */
  readonly refusal: Fault | undefined;
  readonly run: RunState;
  readonly runWarnings: readonly string[];
  readonly curve: Curve | undefined;
  /** The best suggestions of all objects; undefined until all were scored. */
  readonly mostConfident: MostConfident | undefined;
  /** The object looked at. */
  readonly object: string | undefined;
}

const LINK_MS = 60_000; // how long a download's address is valid: a browser has begun by then
const EMBEDDED = ['interact', 'tagged', 'objects'];

export const trainState = new Store<TrainState>({
  settings: undefined,
  data: { state: 'none' },
  dataWarnings: [],
  refusal: undefined,
  run: { state: 'none' },
  runWarnings: [],
  curve: undefined,
  mostConfident: undefined,
  object: undefined,
});

let worker = new TabWorker();
let given: readonly File[] = [];
let givenChoice: ColumnChoice = {}; // what its columns are, where a person said so
let numWishes = 0; // for data: the last one counts

/** What the model is asked and what it gives; only once there is one. */
export const ask: TabWorker['call'] = (...call) => worker.call(...call);

export async function start(): Promise<void> {
  await reported(
    async () => trainState.change({ settings: await worker.call('settings', []) }),
    (fault) => trainState.change({ data: { state: 'failed', fault } }),
  );
}

/** `choice`: what the columns of one file are, where a person says so. */
export async function giveFiles(files: readonly File[], choice: ColumnChoice = {}): Promise<void> {
  if (files.length === 0) return; // something else was dropped
  numWishes++;
  const { data, run } = trainState.get();
  // what it is at is wanted no more
  if (data.state === 'reading' || run.state === 'running' || worker.hasFailed) renewWorker();
  trainState.change({
    run: { state: 'none' },
    refusal: undefined,
    curve: undefined,
    mostConfident: undefined,
    object: undefined,
  });
  await read(files, choice);
}

/** The same file again, with columns as a person says. */
export async function readAs(choice: ColumnChoice): Promise<void> {
  await giveFiles(given, choice);
}

/** The set that lies beside the page. Some hosts unpack .gz on the way: what it is, its first bytes tell. */
export async function giveEmbedded(): Promise<void> {
  const wish = ++numWishes;
  if (trainState.get().data.state === 'reading') renewWorker(); // what was being read is wanted no more
  trainState.change({ data: { state: 'reading', step: undefined } });
  const load = async (name: string) => {
    const response = await fetch(`npm/${name}.tsv.gz`);
    if (!response.ok) throw new Error(`status ${response.status}`);
    return new File([await response.blob()], `${name}.tsv`);
  };
  const files = await Promise.all(EMBEDDED.map(load)).catch((error) => {
    const text = `The npm packages could not be loaded (${error.message}).`;
    const cure = 'Check that the folder "npm" lies beside this page, then try again.';
    if (wish === numWishes) trainState.change({ data: { state: 'failed', fault: { text, cure, isBug: false } } });
    return undefined;
  });
  if (files !== undefined && wish === numWishes) await giveFiles(files);
}

async function read(files: readonly File[], choice: ColumnChoice): Promise<void> {
  [given, givenChoice] = [files, choice];
  trainState.change({ data: { state: 'reading', step: undefined }, dataWarnings: [] });
  const hear = (happening: Happening) => {
    if (happening.kind === 'progress') trainState.change({ data: { state: 'reading', step: stepOf(happening) } });
    if (happening.kind === 'warning')
      trainState.change({ dataWarnings: [...trainState.get().dataWarnings, happening.text] });
  };
  await reported(
    async () => {
      const facts = await worker.call('read', [files, choice], hear);
      trainState.change({ data: { state: 'read', facts, choice } });
    },
    (fault) => void fail(fault, files, choice),
  );
}

/** Says what is wrong with the data and, of one file that can be opened, which columns it has. */
async function fail(fault: Fault, files: readonly File[], choice: ColumnChoice): Promise<void> {
  const failed = { state: 'failed', fault } as const;
  trainState.change({ data: failed });
  if (files.length !== 1 || fault.isBug) return;
  await reported(
    async () => {
      const names = await worker.call('columns', [files[0]]);
      if (trainState.get().data === failed && names.length > 1)
        trainState.change({ data: { ...failed, columns: { names, choice } } });
    },
    () => {},
  );
}

let isChecking = false;

/** Begins a run, unless its settings are refused: then the model that is there stays. */
export async function train(order: Order): Promise<void> {
  if (isChecking) return;
  isChecking = true;
  const wish = numWishes;
  await reported(
    async () => {
      await worker.call('check', [order]);
      if (wish === numWishes) void run(order); // else there is other data now
    },
    (refusal) => trainState.change({ refusal }),
  );
  isChecking = false;
}

async function run(order: Order): Promise<void> {
  const { model, settings } = order;
  const numEpochs = settings.epochs === undefined ? undefined : Number(settings.epochs);
  trainState.change({
    refusal: undefined,
    run: { state: 'running', step: undefined },
    runWarnings: [],
    curve: { model, engine: undefined, numEpochs, popularity: undefined, losses: [], recalls: [] },
    mostConfident: undefined,
    object: undefined,
  });
  await reported(
    async () => {
      const facts = await worker.call('train', [order], (happening) =>
        trainState.change(changeBy(happening, trainState.get())),
      );
      const run = { state: 'done', facts } as const;
      trainState.change({ run });
      const mostConfident = await worker.call('mostConfident', []);
      const now = trainState.get();
      if (now.run === run)
        trainState.change({ mostConfident, object: now.object ?? mostConfident.suggestions[0]?.object });
    },
    (fault) => trainState.change({ run: { state: 'failed', fault } }),
  );
}

/** Hands a file to the person at the page. */
export async function take(call: 'modelFile' | 'suggestionsFile', name: string): Promise<void> {
  await reported(
    async () => download(await worker.call(call, []), name),
    (fault) => trainState.change({ run: { state: 'failed', fault } }),
  );
}

/** Hands out the file that was read, with what was accepted, or tells why not; undefined where the worker was ended. */
export async function takeApplied(accepted: readonly Pair[], name: string): Promise<AppliedFile | Fault | undefined> {
  let outcome: AppliedFile | Fault | undefined;
  await reported(
    async () => {
      const applied = await worker.call('appliedFile', [accepted]);
      download(applied.file, name);
      outcome = applied;
    },
    (fault) => {
      outcome = fault;
    },
  );
  return outcome;
}

export function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), LINK_MS);
}

/** Ends the worker, since it may be deep in a computation; a new one reads the data again. */
export async function cancel(): Promise<void> {
  renewWorker();
  trainState.change({ run: { state: 'cancelled' } });
  await read(given, givenChoice);
}

export function lookAt(object: string): void {
  trainState.change({ object });
}

function renewWorker(): void {
  worker.end();
  worker = new TabWorker();
  if (trainState.get().settings === undefined) void start();
}

/** What something that happened in a run changes. */
export function changeBy(happening: Happening, { curve, runWarnings }: TrainState): Partial<TrainState> {
  if (curve === undefined) return {};
  const { recalls, losses } = curve;
  switch (happening.kind) {
    case 'progress':
      return { run: { state: 'running', step: stepOf(happening) } };
    case 'warning':
      return { runWarnings: [...runWarnings, happening.text] };
    case 'engine':
      return { curve: { ...curve, engine: happening.name } };
    case 'popularity':
      return { curve: { ...curve, popularity: happening.recall } };
    case 'attempt':
      return { curve: { ...curve, recalls: [...recalls, { x: recalls.length + 1, y: happening.recall }] } };
    case 'epoch': {
      const { epoch, loss, validation } = happening;
      const measured = validation === undefined ? recalls : [...recalls, { x: epoch, y: validation }];
      return { curve: { ...curve, recalls: measured, losses: [...losses, { x: epoch, y: loss }] } };
    }
    default:
      return happening satisfies never;
  }
}

function stepOf({ step, done, total }: { step: string; done: number; total: number }): Step {
  return { name: step, done, total };
}

/** Does it, or says why not; a worker that was ended says nothing. */
async function reported(work: () => Promise<void>, fail: (fault: Fault) => void): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof EndedError) return;
    if (!(error instanceof FaultError)) throw error;
    fail(error.fault);
  }
}
