// What the page tells: one notice at a time on the screen, faults until they are dismissed, and words for those who listen.

import type { ApiProblem } from '../api/problem.ts';
import { Store } from '../store.ts';

export interface Notice {
  readonly id: number;
  readonly kind: 'done' | 'fault';
  readonly text: string;
  /** What to do about it. */
  readonly cure?: string | undefined;
  readonly action?: { readonly label: string; readonly key?: string; run(): void } | undefined;
  readonly link?: { readonly label: string; readonly to: string } | undefined;
  /** Where given, a later notice of the same subject takes its place. */
  readonly subject?: string | undefined;
}

interface Notices {
  readonly shown: readonly Notice[];
  readonly said: string;
}

const MOST_FAULTS = 4;
let lastId = 0;

export const notices = new Store<Notices>({ shown: [], said: '' });

/** Takes the place of the last one that told of something done; faults stay. */
export function tell(notice: Omit<Notice, 'id' | 'kind'>): void {
  const rest = notices.get().shown.filter(({ kind, subject }) => kind === 'fault' && !isSame(subject, notice.subject));
  notices.change({ shown: [...rest, { ...notice, id: ++lastId, kind: 'done' }] });
}

export function tellFault(problem: ApiProblem, notice: Omit<Notice, 'id' | 'kind' | 'cure'> & { cure?: string }): void {
  const isGuarded = problem.status === 401;
  const made: Notice = {
    cure: notice.cure ?? problem.cure,
    ...(isGuarded && { link: { label: 'Enter the token', to: '/about' } }),
    ...notice,
    id: ++lastId,
    kind: 'fault',
  };
  const rest = notices.get().shown.filter(({ subject }) => !isSame(subject, notice.subject));
  notices.change({ shown: [...rest, made].slice(-MOST_FAULTS) });
  say(`${made.text} ${made.cure ?? ''}`);
}

export function dismiss(isOver: (notice: Notice) => boolean): void {
  notices.change({ shown: notices.get().shown.filter((notice) => !isOver(notice)) });
}

/** To a screen reader. The same words twice in a row are said twice. */
export function say(text: string): void {
  const { said } = notices.get();
  notices.change({ said: said === text ? `${text}\u00a0` : text });
}

function isSame(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && a === b;
}
