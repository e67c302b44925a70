// The objects that may be missing a tag: select some, or all from a confidence up, and add the tag to them at once.

import { useRef, useState } from 'preact/hooks';
import { getMissing } from '../api/calls.ts';
import type { Decision, MissingObject } from '../api/shapes.ts';
import { counted } from '../numbers.ts';
import { ProblemNote, Waiting } from '../parts/loaded-part.tsx';
import { WindowList } from '../parts/window-list.tsx';
import { say } from '../state/notices.ts';
import { isDecided, type Pair, standingOf, standings } from '../state/standings.ts';
import { type Pages, usePages } from '../state/use-pages.ts';
import { useStore } from '../store.ts';
import { applyAll, type Bulk, undoAll } from './bulk.ts';
import { BulkBar } from './bulk-bar.tsx';
import { BulkResult } from './bulk-result.tsx';
import { MissingRow } from './missing-row.tsx';

const PAGE = 200;
const ROW_HEIGHT = 46;

interface MissingObjectsProps {
  readonly tag: string;
  /** Told when many decisions have been made or undone. */
  onApplied(): void;
}

export function MissingObjects({ tag, onApplied }: MissingObjectsProps) {
  useStore(standings, (all) => all);
  const { bulk, round, run, undo, close } = useBulk(onApplied);
  const pages = usePages<MissingObject>(`${tag} ${round}`, async (cursor, signal) => {
    const { objects, next } = await getMissing(tag, { limit: PAGE, cursor }, signal);
    return { rows: objects, next };
  });
  const { rows } = pages;
  const isOpen = ({ id }: MissingObject) => !isDecided(standingOf({ object: id, tag }));
  const { selected, select, selectAtLeast, selectNone } = useSelection(pages, isOpen);
  const apply = (decision: Decision) => {
    const pairs = rows
      .filter((row) => selected.has(row.id) && isOpen(row))
      .map(({ id, title }): Pair => ({ object: id, title, tag }));
    selectNone();
    run(pairs, decision);
  };
  return (
    <section aria-labelledby="missing" class="missing">
      <h2 id="missing">Objects missing this tag</h2>
      {pages.problem !== undefined && <ProblemNote problem={pages.problem} retry={pages.retry} />}
      {rows.length === 0 && pages.isLoading && <Waiting />}
      {rows.length === 0 && pages.isWhole && <p class="soft">The model suggests this tag for no other object.</p>}
      {bulk !== undefined && (
        <BulkResult {...{ bulk, tag, undo, close }} goOn={() => run(bulk.left, bulk.decision, bulk)} />
      )}
      {rows.length > 0 && (
        <>
          <BulkBar
            numSelected={selected.size}
            isBusy={bulk?.state === 'running' || bulk?.state === 'undoing'}
            hasConfidence={rows[0].confidence !== undefined}
            {...{ selectAtLeast, selectNone, apply }}
          />
          <WindowList
            count={rows.length}
            rowHeight={ROW_HEIGHT}
            onNearEnd={pages.loadMore}
            box={{ class: 'missing-list', role: 'list', 'aria-label': `Objects missing ${tag}` }}
            renderRow={(index) => (
              <MissingRow
                {...{ rows, index, tag }}
                count={pages.isWhole ? rows.length : -1}
                isSelected={selected.has(rows[index].id)}
                select={(isOn, isRange) => select(index, isOn, isRange)}
              />
            )}
          />
        </>
      )}
    </section>
  );
}

/** Many decisions at once. The pages hold what is open, so that each run starts a new round of them. */
function useBulk(onApplied: () => void) {
  const [round, setRound] = useState(0);
  const [bulk, setBulk] = useState<Bulk>();
  const report = (now: Bulk) => {
    setBulk(now);
    if (now.state === 'running' || now.state === 'undoing') return;
    setRound((count) => count + 1);
    onApplied();
  };
  return {
    bulk,
    round,
    run: (pairs: readonly Pair[], decision: Decision, before?: Bulk) => void applyAll(pairs, decision, report, before),
    undo: () => bulk !== undefined && void undoAll(bulk, report),
    close: () => setBulk(undefined),
  };
}

/** Which rows are selected, by id. */
function useSelection(pages: Pages<MissingObject>, isOpen: (row: MissingObject) => boolean) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const lastTouched = useRef(-1);
  /** With Shift, all between the last one touched and this one. */
  const select = (index: number, isOn: boolean, isRange: boolean) => {
    const from = isRange && lastTouched.current >= 0 ? lastTouched.current : index;
    const [low, high] = [Math.min(from, index), Math.max(from, index)];
    const next = new Set(selected);
    for (const { id } of pages.rows.slice(low, high + 1).filter(isOpen)) isOn ? next.add(id) : next.delete(id);
    lastTouched.current = index;
    setSelected(next);
  };
  const selectAtLeast = async (least: number) => {
    const isBelow = ({ confidence = 0 }: MissingObject) => confidence < least;
    const all = await pages.loadUntil(isBelow);
    const chosen = all.filter((one) => !isBelow(one) && isOpen(one)).map(({ id }) => id);
    setSelected(new Set(chosen));
    say(`${counted(chosen.length, 'object')} selected.`);
  };
  return { selected, select, selectAtLeast, selectNone: () => setSelected(new Set()) };
}
