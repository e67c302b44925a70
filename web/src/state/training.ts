// Training the model again, as the service tells of it: asked for now and then, more often while one runs. When another model serves
// than before, whoever put it in use, what was known of the old one is forgotten; what a curator works on stays where it is.

import { useEffect } from 'preact/hooks';
import { getTraining, postRestore, postUse, startTraining, stopTraining } from '../api/calls.ts';
import { asProblem } from '../api/problem.ts';
import { forgetAllObjects } from '../api/recall.ts';
import type { Training } from '../api/shapes.ts';
import { Store, useStore } from '../store.ts';
import { forgetModel } from './model-facts.ts';
import { say, tell, tellFault } from './notices.ts';
import { readText, write } from './preferences.ts';
import { outdateQueue } from './queue-state.ts';

interface TrainingView {
  /** Undefined until the service has answered. */
  readonly facts: Training | undefined;
  /** Whether something was asked for that the service has not answered. */
  readonly isBusy: boolean;
  /** How many decisions there were when the offer was put off. */
  readonly putOffAt: number;
}

const RUNNING_MS = 1000;
const RESTING_MS = 20_000;
const PUT_OFF = 'tagloom.training';
const [SUBJECT, FAULT] = ['model', 'training']; // one notice of each at a time

export const training = new Store<TrainingView>({
  facts: undefined,
  isBusy: false,
  putOffAt: Number(readText(() => localStorage, PUT_OFF)) || 0,
});

let numWatching = 0;
let numAsked = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Asks for as long as somebody looks. `afterMs`: a screen with more important things to load asks later. */
export function useTraining(afterMs = 0): TrainingView {
  useEffect(() => {
    numWatching++;
    if (numWatching === 1) askIn(afterMs);
    return () => {
      numWatching--;
      if (numWatching === 0) clearTimeout(timer);
    };
  }, []);
  return useStore(training, (all) => all);
}

export function isRunning({ state }: Training): boolean {
  return state === 'training' || state === 'comparing';
}

/** Once put off, it is offered again after as many decisions as it took the first time. */
export function isOffered({ facts, putOffAt }: TrainingView): boolean {
  if (facts === undefined || !facts.isOffered) return false;
  return putOffAt === 0 || facts.numDecisions < putOffAt || facts.numDecisions >= putOffAt + facts.offeredFrom;
}

export function putOff(): void {
  const putOffAt = training.get().facts?.numDecisions ?? 0;
  training.change({ putOffAt });
  write(() => localStorage, PUT_OFF, String(putOffAt));
}

export function trainAgain(useIfBetter = false): void {
  void ask(() => startTraining(useIfBetter), 'The training did not begin.');
  say('Training begins.');
}

export function stop(): void {
  void ask(stopTraining, 'The training could not be stopped.');
}

/** Of a new model that is not wanted, and of a failure that was read. */
export function forget(): void {
  void ask(stopTraining, 'That did not work.');
}

export function takeNewModel(): void {
  void ask(postUse, 'The new model could not be put in use.');
}

export function goBack(): void {
  void ask(postRestore, 'The model before could not be put back.');
}

async function ask(work: () => Promise<Training>, fault: string): Promise<void> {
  if (training.get().isBusy) return;
  training.change({ isBusy: true });
  clearTimeout(timer);
  const mine = ++numAsked;
  try {
    const facts = await work();
    if (mine === numAsked) hear(facts);
    askIn(isRunningNow() ? RUNNING_MS : RESTING_MS);
  } catch (error) {
    const problem = asProblem(error);
    tellFault(problem, { text: `${fault} ${problem.detail}`, subject: FAULT });
    askIn(0); // what is shown may have been overtaken
  } finally {
    training.change({ isBusy: false });
  }
}

/** An answer that was overtaken by a newer wish counts no more. */
async function look(): Promise<void> {
  const mine = ++numAsked;
  const facts = await getTraining().catch(() => undefined); // a service that is away is asked again
  if (mine !== numAsked) return;
  if (facts !== undefined) hear(facts);
  askIn(isRunningNow() ? RUNNING_MS : RESTING_MS);
}

function askIn(ms: number): void {
  clearTimeout(timer);
  if (numWatching > 0) timer = setTimeout(() => void look(), ms);
}

function isRunningNow(): boolean {
  const { facts } = training.get();
  return facts !== undefined && isRunning(facts);
}

function hear(facts: Training): void {
  const before = training.get().facts;
  training.change({ facts });
  if (before === undefined) return;
  if (before.fingerprint !== facts.fingerprint) hearOfModel(facts);
  else if (isRunning(before) && facts.state === 'ready') say(facts.trained?.comparison.statement ?? '');
  else if (isRunning(before) && facts.state === 'failed') say(facts.problem?.detail ?? '');
}

function hearOfModel({ canRestore, trained }: Training): void {
  forgetModel();
  forgetAllObjects();
  outdateQueue();
  training.change({ putOffAt: 0 });
  write(() => localStorage, PUT_OFF, '');
  const text = trained === undefined ? 'The new model is in use.' : 'The model before is in use again.';
  tell({ text, subject: SUBJECT, ...(canRestore && { action: { label: 'Go back', run: goBack } }) });
  say(text);
}
