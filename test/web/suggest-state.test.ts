// What happens between keys and answers on the screen that suggests to a text.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  choose,
  clearText,
  isEmpty,
  retry,
  setMinConfidence,
  suggestState,
  write,
  writeText,
} from '../../web/src/suggest/suggest-state.ts';

interface Asked {
  readonly body: { title: string; text: unknown; minConfidence?: number };
  readonly signal: AbortSignal;
  answer(tags: readonly string[]): Promise<void>;
  refuse(): Promise<void>;
}

let asked: Asked[];
beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  vi.stubGlobal('fetch', (_path: string, { body, signal }: { body: string; signal: AbortSignal }) => {
    return new Promise<Response>((resolve) => {
      const settle = async (response: Response) => {
        resolve(response);
        await vi.advanceTimersByTimeAsync(0);
      };
      asked.push({
        body: JSON.parse(body),
        signal,
        answer: (tags) => settle(Response.json({ suggestions: tags.map((tag) => ({ tag, score: 1 })) })),
        refuse: () => settle(Response.json({ detail: 'It is away', cure: 'Wait' }, { status: 503 })),
      });
    });
  });
});
afterEach(() => {
  clearText();
  setMinConfidence(0.1);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const tags = () => suggestState.get().found?.suggestions.map(({ tag }) => tag);
const pause = (ms = 250) => vi.advanceTimersByTimeAsync(ms);

describe('suggestions for a text', () => {
  it('are asked for once the keys rest', async () => {
    for (const title of ['t', 'te', 'tea']) {
      write({ title });
      await pause(200);
    }
    expect(asked).toHaveLength(0);
    expect(suggestState.get().isLoading).toBe(true);
    await pause(50);
    expect(asked.map(({ body }) => body.title)).toEqual(['tea']);
    await asked[0].answer(['drink']);
    expect(tags()).toEqual(['drink']);
    expect(suggestState.get().isLoading).toBe(false);
  });

  it('of an older text are dropped, however late they come', async () => {
    write({ title: 'tea' });
    await pause();
    write({ title: 'teapot' });
    expect(asked[0].signal.aborted).toBe(true);
    await pause();
    await asked[1].answer(['new']);
    await asked[0].answer(['old']);
    expect(tags()).toEqual(['new']);
  });

  it('stay while newer ones are on their way', async () => {
    write({ title: 'tea' });
    await pause();
    await asked[0].answer(['drink']);
    write({ title: 'tea p' });
    expect(tags()).toEqual(['drink']);
    expect(suggestState.get().found?.written.title).toBe('tea');
  });

  it('are gone with the text, without asking', async () => {
    writeText('description', 'tea');
    await pause();
    await asked[0].answer(['drink']);
    writeText('description', ' \n ');
    await pause();
    expect([tags(), suggestState.get().isLoading, asked.length]).toEqual([undefined, false, 1]);
    expect(isEmpty(suggestState.get())).toBe(true);
  });

  it('go by column, or as the one text of a model without any', async () => {
    writeText('description', 'tea');
    await pause();
    expect(asked[0].body.text).toEqual({ description: 'tea' });
    clearText();
    writeText('', 'tea');
    await pause();
    expect(asked[1].body.text).toBe('tea');
  });

  it('are asked for again at once with another confidence', async () => {
    write({ title: 'tea' });
    await pause();
    setMinConfidence(0.5);
    await pause(0);
    expect(asked.map(({ body }) => body.minConfidence)).toEqual([0.1, 0.5]);
    setMinConfidence(0);
    await pause(0);
    expect(asked[2].body.minConfidence).toBeUndefined();
  });

  it('that fail say why, and can be asked for again', async () => {
    write({ title: 'tea' });
    await pause();
    await asked[0].refuse();
    expect(suggestState.get().problem).toMatchObject({ detail: 'It is away.', cure: 'Wait.' });
    retry();
    await pause(0);
    await asked[1].answer(['drink']);
    expect([suggestState.get().problem, tags()]).toEqual([undefined, ['drink']]);
  });

  it('can be looked at one by one, as long as the tag is there', async () => {
    write({ title: 'tea' });
    await pause();
    await asked[0].answer(['drink', 'pot']);
    choose('pot');
    expect(suggestState.get().chosen).toBe('pot');
    write({ title: 'tea!' });
    await pause();
    await asked[1].answer(['pot']);
    expect(suggestState.get().chosen).toBe('pot');
    choose('pot');
    expect(suggestState.get().chosen).toBeUndefined();
    choose('pot');
    write({ title: 'mug' });
    await pause();
    await asked[2].answer(['drink']);
    expect(suggestState.get().chosen).toBeUndefined();
  });

  it('are asked for without characters that the service refuses, the others in their places', async () => {
    write({ title: 'a\0b', texts: { notes: '\ud83e tea 🦊' } });
    await pause();
    expect(asked[0].body).toMatchObject({ title: 'a b', text: { notes: '  tea 🦊' } });
  });
});
