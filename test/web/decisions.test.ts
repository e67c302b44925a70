// Decisions in a tab, against a service that answers when the test says so.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Review } from '../../web/src/api/shapes.ts';
import {
  decide,
  decideInstead,
  hasUnsaved,
  hearOfUndone,
  retryFailed,
  undo,
  undoLast,
  undoReview,
} from '../../web/src/state/decisions.ts';
import { writeNote } from '../../web/src/state/notes.ts';
import { dismiss, notices } from '../../web/src/state/notices.ts';
import { standingOf, standings } from '../../web/src/state/standings.ts';
import { numThreads, tally } from '../../web/src/state/tally.ts';

interface Asked {
  readonly what: string;
  answer(status: number, body: unknown): Promise<void>;
  fail(): Promise<void>;
}

let asked: Asked[];
let bodies: unknown[]; // of what was posted
let numReviews = 0;

beforeEach(() => {
  asked = [];
  bodies = [];
  vi.stubGlobal('fetch', (address: string, { method, body }: RequestInit) => {
    if (body !== undefined) bodies.push(JSON.parse(String(body)));
    const sent = body === undefined ? '' : ` ${JSON.parse(String(body)).decision}`;
    return new Promise((resolve, reject) => {
      asked.push({
        what: `${method} ${address}${sent}`,
        answer: (status, json) => settled(() => resolve(new Response(JSON.stringify(json), { status }))),
        fail: () => settled(() => reject(new TypeError('no connection'))),
      });
    });
  });
});
afterEach(() => {
  standings.set(new Map());
  dismiss(() => true);
  vi.unstubAllGlobals();
});

/** Does it, and waits until all that follows from it has happened. */
async function settled(act: () => void): Promise<void> {
  act();
  await new Promise((resolve) => setTimeout(resolve, 0));
}

const pairOf = (tag: string) => ({ object: 'o', title: 'O', tag });
const reviewOf = (tag: string, decision: Review['decision'], curator = ''): Review => {
  const decidedAt = '2026-01-02T03:04:05.000Z';
  return { id: `r${++numReviews}`, object: 'o', tag, decision, curator, note: '', decidedAt };
};
const whats = () => asked.map(({ what }) => what);
const shown = () => notices.get().shown.map(({ text }) => text);
const numAccepted = () => numThreads(tally.get().threads, 'accept');

describe('decide', () => {
  it('counts at once, and is saved when the service says so', async () => {
    const before = numAccepted();
    await settled(() => decide(pairOf('a'), 'accept'));
    expect(standingOf(pairOf('a'))?.state).toBe('saving');
    expect(hasUnsaved()).toBe(true);
    expect(numAccepted()).toBe(before + 1);
    expect(shown()).toEqual(['Accepted “a” for O']);
    await asked[0].answer(201, reviewOf('a', 'accept'));
    expect(standingOf(pairOf('a'))).toMatchObject({ state: 'saved', decision: 'accept' });
    expect(hasUnsaved()).toBe(false);
    expect(whats()).toEqual(['POST /v1/reviews accept']);
  });

  it('asks nothing twice', async () => {
    decide(pairOf('b'), 'accept');
    await settled(() => decide(pairOf('b'), 'accept'));
    expect(whats()).toHaveLength(1);
  });

  it('undoes first what was decided otherwise', async () => {
    await settled(() => decide(pairOf('c'), 'accept'));
    await asked[0].answer(201, { ...reviewOf('c', 'accept'), id: 'first' });
    await settled(() => decide(pairOf('c'), 'reject'));
    expect(whats().slice(1)).toEqual(['DELETE /v1/reviews/first']);
    await asked[1].answer(200, {});
    expect(whats().slice(2)).toEqual(['POST /v1/reviews reject']);
    await asked[2].answer(201, reviewOf('c', 'reject'));
    expect(standingOf(pairOf('c'))).toMatchObject({ state: 'saved', decision: 'reject' });
  });

  it('that failed says so, stays undecided at the service, and can be sent again', async () => {
    await settled(() => {
      decide(pairOf('d'), 'accept');
      decide(pairOf('e'), 'reject');
    });
    await asked[0].fail();
    expect(shown()).toEqual(['“d” for O was not saved: The service does not answer.']);
    await asked[1].fail();
    expect(shown()).toEqual(['2 decisions were not saved: The service does not answer.']);
    expect(standingOf(pairOf('d'))).toMatchObject({ state: 'failed', decision: 'accept' });
    await settled(retryFailed);
    expect(shown()).toEqual([]);
    expect(whats().slice(2)).toEqual(['POST /v1/reviews accept', 'POST /v1/reviews reject']);
    await asked[2].answer(201, reviewOf('d', 'accept'));
    expect(standingOf(pairOf('d'))?.state).toBe('saved');
  });

  it('sends the note that was written', async () => {
    writeNote(pairOf('note'), ' See the manual. ');
    await settled(() => decide(pairOf('note'), 'unsure'));
    expect(bodies.at(-1)).toEqual({ object: 'o', tag: 'note', decision: 'unsure', note: 'See the manual.' });
    expect(shown()).toEqual(['Put “note” for O aside']);
  });

  it('instead of an earlier review undoes that one first', async () => {
    await settled(() => decideInstead(pairOf('t'), 'accept', { id: 'earlier', decision: 'reject' }));
    expect(whats()).toEqual(['DELETE /v1/reviews/earlier']);
    await asked[0].answer(200, {});
    expect(whats()[1]).toBe('POST /v1/reviews accept');
  });

  it('that came second says who was first', async () => {
    const before = numAccepted();
    await settled(() => decide(pairOf('f'), 'accept'));
    const review = reviewOf('f', 'reject', 'Kim');
    await asked[0].answer(409, { title: 'Conflict', detail: 'Kim was first.', cure: '', review });
    expect(standingOf(pairOf('f'))).toMatchObject({ state: 'taken', review: { curator: 'Kim' } });
    expect(shown()).toEqual([expect.stringMatching(/^Kim was first: rejected “f” for O on 2 Jan/)]);
    expect(numAccepted(), 'it is not ours').toBe(before);
  });
});

describe('undo', () => {
  it('of what is still on its way waits for it', async () => {
    await settled(() => decide(pairOf('g'), 'accept'));
    await settled(() => undo(pairOf('g')));
    expect(standingOf(pairOf('g'))?.state).toBe('open');
    expect(whats()).toEqual(['POST /v1/reviews accept']);
    await asked[0].answer(201, { ...reviewOf('g', 'accept'), id: 'late' });
    expect(whats()[1]).toBe('DELETE /v1/reviews/late');
    expect(standingOf(pairOf('g'))?.state).toBe('open');
  });

  it('of what never got there asks for nothing', async () => {
    await settled(() => decide(pairOf('h'), 'accept'));
    await asked[0].fail();
    await settled(() => undo(pairOf('h')));
    expect(whats()).toHaveLength(1);
    expect(shown()).toEqual(['“h” for O is open again']);
  });

  it('that failed leaves it decided, and can be tried again', async () => {
    await settled(() => decide(pairOf('i'), 'reject'));
    await asked[0].answer(201, { ...reviewOf('i', 'reject'), id: 'stays' });
    await settled(() => undo(pairOf('i')));
    await asked[1].answer(503, { title: 'Away', detail: 'The store does not answer', cure: 'Wait' });
    expect(standingOf(pairOf('i'))).toMatchObject({ state: 'saved', decision: 'reject' });
    expect(shown()).toEqual(['“i” for O could not be undone: The store does not answer.']);
    await settled(() => notices.get().shown[0].action?.run());
    expect(whats()[2]).toBe('DELETE /v1/reviews/stays');
  });

  it('of what someone else undid meanwhile is done', async () => {
    await settled(() => decide(pairOf('j'), 'reject'));
    await asked[0].answer(201, reviewOf('j', 'reject'));
    await settled(() => undo(pairOf('j')));
    await asked[1].answer(404, { title: 'Not Found', detail: 'There is no such review.' });
    expect(standingOf(pairOf('j'))?.state).toBe('open');
    expect(shown()).toEqual(['“j” for O is open again']);
  });

  it('takes the last one first, and none twice', async () => {
    decide(pairOf('k'), 'accept');
    await settled(() => decide(pairOf('l'), 'accept'));
    expect(undoLast()?.tag).toBe('l');
    expect(undoLast()?.tag).toBe('k');
    undo(pairOf('k'));
    expect(undoLast()?.tag).not.toBe('k');
    await settled(() => {});
  });

  it('by notice or by key takes from one history, and tells who listens', async () => {
    const heard: string[] = [];
    const stop = hearOfUndone(({ tag }) => heard.push(tag));
    for (const tag of ['n', 'o', 'p']) await settled(() => decide(pairOf(tag), 'accept'));
    await settled(() => notices.get().shown[0].action?.run()); // the one it names
    expect(undoLast()?.tag).toBe('o'); // the one before it, not the one that is undone
    expect(heard).toEqual(['p', 'o']);
    stop();
    expect(undoLast()?.tag).toBe('n');
    expect(heard).toEqual(['p', 'o']);
    await settled(() => {});
  });

  it('goes on after the page was loaded again', async () => {
    await settled(() => decide(pairOf('q'), 'reject'));
    await asked[0].answer(201, { ...reviewOf('q', 'reject'), id: 'kept' });
    standings.set(new Map()); // as after a reload: only the history is left
    await settled(() => expect(undoLast()?.tag).toBe('q'));
    expect(whats()[1]).toBe('DELETE /v1/reviews/kept');
    expect(shown()).toEqual(['“q” for O is open again']);
  });

  it('of a tag that was removed or added by hand says what it is now', async () => {
    await settled(() => decide({ ...pairOf('r'), origin: 'data' }, 'reject'));
    expect(shown()).toEqual(['Removed “r” from O']);
    await settled(() => undo({ ...pairOf('r'), origin: 'data' }));
    expect(shown()).toEqual(['“r” is a tag of O again']);
    await settled(() => decide({ ...pairOf('s'), origin: 'hand' }, 'accept'));
    expect(shown()).toEqual(['Added “s” to O']);
  });

  it('works for a review of another tab', async () => {
    await settled(() => undoReview(pairOf('m'), { id: 'theirs', decision: 'accept' }));
    expect(whats()).toEqual(['DELETE /v1/reviews/theirs']);
    expect(standingOf(pairOf('m'))?.state).toBe('open');
  });
});
