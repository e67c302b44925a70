// A list that comes in pages, each asked for when the end of the last is near.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type ApiProblem, asProblem, wasCancelled } from '../api/problem.ts';

export interface RowsAndNext<Row> {
  readonly rows: readonly Row[];
  readonly next: string | undefined;
}

export interface Pages<Row> {
  readonly rows: readonly Row[];
  readonly isLoading: boolean;
  /** Whether there is nothing more to ask for. */
  readonly isWhole: boolean;
  readonly problem: ApiProblem | undefined;
  loadMore(): void;
  retry(): void;
  /** Loads on until a row is such, or there are none; gives all rows, or what was there when it failed. */
  loadUntil(isFarEnough: (last: Row) => boolean): Promise<readonly Row[]>;
}

interface State<Row> {
  readonly rows: readonly Row[];
  readonly next: string | undefined;
  readonly isLoading: boolean;
  readonly isWhole: boolean;
  readonly problem: ApiProblem | undefined;
  /** Whether the rows are those of an older wish, shown until the first of the newer come. */
  readonly isStale: boolean;
}

type LoadPage<Row> = (cursor: string | undefined, signal: AbortSignal) => Promise<RowsAndNext<Row>>;

const START = { rows: [], next: undefined, isLoading: true, isWhole: false, problem: undefined, isStale: false };

/** Starts again when `wish` changes. */
export function usePages<Row>(wish: string, loadPage: LoadPage<Row>): Pages<Row> {
  const [, render] = useState(0);
  const state = useRef<State<Row>>(START);
  const cancel = useRef<AbortController>(null);
  const latest = useRef(loadPage);
  latest.current = loadPage;

  const put = useCallback((parts: Partial<State<Row>>) => {
    state.current = { ...state.current, ...parts };
    render((count) => count + 1);
  }, []);

  const loadPageNow = useCallback(async () => {
    const control = cancel.current ?? new AbortController();
    put({ isLoading: true, problem: undefined });
    try {
      const { rows, next } = await latest.current(state.current.next, control.signal);
      if (control.signal.aborted) return;
      const all = state.current.isStale ? rows : [...state.current.rows, ...rows];
      put({ rows: all, next, isWhole: next === undefined, isLoading: false, isStale: false });
    } catch (error) {
      if (wasCancelled(error)) return;
      const rows = state.current.isStale ? [] : state.current.rows;
      put({ isLoading: false, problem: asProblem(error), rows, isStale: false });
    }
  }, [put]);

  useEffect(() => {
    const control = new AbortController();
    cancel.current = control;
    put({ ...START, rows: state.current.rows, isStale: true });
    void loadPageNow();
    return () => control.abort();
  }, [wish]);

  const loadMore = useCallback(() => {
    const { isLoading, isWhole, problem } = state.current;
    if (!isLoading && !isWhole && problem === undefined) void loadPageNow();
  }, [loadPageNow]);

  const loadUntil = useCallback(
    async (isFarEnough: (last: Row) => boolean) => {
      for (;;) {
        const { rows, isWhole, problem, isLoading } = state.current;
        const last = rows.at(-1);
        if (isWhole || problem !== undefined || (last !== undefined && isFarEnough(last))) return rows;
        if (isLoading) await new Promise((resolve) => setTimeout(resolve, 20));
        else await loadPageNow();
      }
    },
    [loadPageNow],
  );

  const { rows, isLoading, isWhole, problem } = state.current;
  return { rows, isLoading, isWhole, problem, loadMore, retry: () => void loadPageNow(), loadUntil };
}
