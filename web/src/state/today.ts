// How much was decided since midnight, as the service counts it: by the curator whose name is set, otherwise by everyone. So two
// browsers show the same. What is on its way counts at once, and the service is asked again when it has arrived.

import { getReviewCounts } from '../api/calls.ts';
import type { Decision, ReviewCounts } from '../api/shapes.ts';
import { Store } from '../store.ts';
import { myName } from './me.ts';

const REST_MS = 300; // without a change before the service is asked
const COUNT_OF = { accept: 'accepted', reject: 'rejected', unsure: 'unsure' } as const satisfies Record<
  Decision,
  keyof ReviewCounts
>;

/** Undefined until the service has answered. */
export const today = new Store<ReviewCounts | undefined>(undefined);

let numWriting = 0;
let numChanges = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

export function countToday(decision: Decision, by: number): void {
  numChanges++;
  const counts = today.get();
  const name = COUNT_OF[decision];
  if (counts !== undefined) today.set({ ...counts, [name]: Math.max(0, counts[name] + by) });
}

/** While something is written, the service's count is a step behind. */
export async function whileWriting<Result>(work: Promise<Result>): Promise<Result> {
  numWriting++;
  try {
    return await work;
  } finally {
    numWriting--;
    refreshSoon();
  }
}

export async function refreshToday(): Promise<void> {
  const before = numChanges;
  if (numWriting > 0) return; // it is asked for again when that is over
  const curator = myName();
  const counts = await getReviewCounts({ since: midnight(), ...(curator !== '' && { curator }) }).catch(
    () => undefined,
  );
  if (counts === undefined) return;
  if (before === numChanges && numWriting === 0) today.set(counts);
  else refreshSoon();
}

/** Gives what takes counts that were asked for now: nothing where something was decided meanwhile. */
export function expectToday(): (counts: ReviewCounts) => void {
  const [before, wasWriting] = [numChanges, numWriting > 0];
  return (counts) => {
    const known = today.get();
    const isNews = known === undefined || JSON.stringify(known) !== JSON.stringify(counts);
    if (isNews && !wasWriting && before === numChanges && numWriting === 0) today.set(counts);
  };
}

function refreshSoon(): void {
  if (today.get() === undefined) return; // nobody looks at it
  clearTimeout(timer);
  timer = setTimeout(() => void refreshToday(), REST_MS);
}

/** By the clock on the wall of the curator. */
export function midnight(): string {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
}
