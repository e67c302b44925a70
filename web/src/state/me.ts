// Who works here, as the service sees it: by the token that this browser keeps, or by a proxy. Where it refuses to say anything,
// the page asks for a token.

import { getMe } from '../api/people-calls.ts';
import type { Me } from '../api/people-shapes.ts';
import { asProblem } from '../api/problem.ts';
import { Store } from '../store.ts';
import { prefer, preferences } from './preferences.ts';

export type Identity =
  | { readonly state: 'asking' }
  | { readonly state: 'known'; readonly me: Me }
  | { readonly state: 'refused'; readonly why: string };

export const identity = new Store<Identity>({ state: 'asking' });

/** Instead of the buttons that decide. */
export const READING = 'You may read here, not decide.';

let asking: Promise<void> | undefined;

/** Asks the service; whoever asks meanwhile waits for the same answer. */
export function askWhoIAm(): Promise<void> {
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return asking;
}

async function ask(): Promise<void> {
  try {
    const found = await getMe();
    const known = identity.get();
    if (known.state !== 'known' || JSON.stringify(known.me) !== JSON.stringify(found))
      identity.set({ state: 'known', me: found });
  } catch (error) {
    const { status, detail } = asProblem(error);
    if (status === 401 || status === 403 || status === 429) identity.set({ state: 'refused', why: detail });
  }
}

/** Gives whether the service knows the token. */
export async function signIn(token: string): Promise<boolean> {
  await asking;
  prefer({ token });
  await askWhoIAm();
  return identity.get().state === 'known';
}

/** The page starts again, so that nothing of who was here stays in it. */
export function signOut(): void {
  prefer({ token: '' });
  location.reload();
}

export function myself(): Me | undefined {
  const now = identity.get();
  return now.state === 'known' ? now.me : undefined;
}

/** Whether decisions are worth sending: not of somebody who is known and may only read. */
export function mayDecide(): boolean {
  const me = myself();
  return me?.name === undefined || me.role !== 'read';
}

/** The name that signs: the service's own where it knows one, else the one that was entered. */
export function myName(): string {
  return myself()?.name ?? preferences.get().curator;
}

/** What is sent with a decision: a proved name needs none. */
export function signature(): string {
  return myself()?.name === undefined ? preferences.get().curator : '';
}
