// The objects that should carry a tag and do not: choose some or all above a confidence, and give it to them at once.

import { useRef, useState } from 'preact/hooks';
import { getMissing } from '../api/calls.ts';
import type { Decision, MissingObject } from '../api/shapes.ts';
import { Waiting } from '../parts/loaded-part.tsx';
import { counted } from '../parts/numbers.ts';
import { ProblemNote } from '../parts/problem-note.tsx';
import { WindowList } from '../parts/window-list.tsx';
import { isDecided, type Pair, standingOf, standings } from '../state/decisions.ts';
import { say } from '../state/notices.ts';
import { useStore } from '../state/store.ts';
import { usePages } from '../state/use-pages.ts';
import { applyAll, type Bulk, undoAll } from './bulk.ts';
import { BulkBar } from './bulk-bar.tsx';
import { BulkResult } from './bulk-result.tsx';
import { MissingRow } from './missing-row.tsx';

const PAGE = 200;
const ROW_HEIGHT = 46;

export function MissingObjects({ tag }: { readonly tag: string }) {
  useStore(standings, (all) => all);
  const [round, setRound] = useState(0); // pages are counted by what is open: once that changed they begin anew
  const pages = usePages<MissingObject>(`${tag} ${round}`, async (cursor, signal) => {
    const { objects, next } = await getMissing(tag, { limit: PAGE, cursor }, signal);
    return { rows: objects, next };
  });
  const { rows } = pages;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [bulk, setBulk] = useState<Bulk>();
  const report = (now: Bulk) => {
    setBulk(now);
    if (now.state !== 'running' && now.state !== 'undoing') setRound((count) => count + 1);
  };
  const lastTouched = useRef(-1);
  const isOpen = ({ id }: MissingObject) => !isDecided(standingOf({ object: id, tag }));

  /** With Shift, all between the last one touched and this one. */
  const select = (index: number, isOn: boolean, isRange: boolean) => {
    const from = isRange && lastTouched.current >= 0 ? lastTouched.current : index;
    const [low, high] = [Math.min(from, index), Math.max(from, index)];
    const next = new Set(selected);
    for (const { id } of rows.slice(low, high + 1).filter(isOpen)) isOn ? next.add(id) : next.delete(id);
    lastTouched.current = index;
    setSelected(next);
  };
  const selectAbove = async (least: number) => {
    const isBelow = ({ confidence = 0 }: MissingObject) => confidence < least;
    const all = await pages.loadUntil(isBelow);
    const chosen = all.filter((one) => !isBelow(one) && isOpen(one)).map(({ id }) => id);
    setSelected(new Set(chosen));
    say(`${counted(chosen.length, 'object')} selected.`);
  };
  const apply = (decision: Decision) => {
    const pairs = rows
      .filter((row) => selected.has(row.id) && isOpen(row))
      .map(({ id, title }): Pair => ({ object: id, title, tag }));
    setSelected(new Set());
    void applyAll(pairs, decision, report);
  };
  const isBusy = bulk?.state === 'running' || bulk?.state === 'undoing';
  return (
    <section aria-labelledby="missing" class="missing">
      <h2 id="missing">Objects that miss it</h2>
      {pages.problem !== undefined && <ProblemNote problem={pages.problem} retry={pages.retry} />}
      {rows.length === 0 && pages.isLoading && <Waiting />}
      {rows.length === 0 && pages.isWhole && <p class="soft">The model knows of none.</p>}
      {bulk !== undefined && (
        <BulkResult
          bulk={bulk}
          tag={tag}
          goOn={() => void applyAll(bulk.left, bulk.decision, report, bulk)}
          undo={() => void undoAll(bulk, report)}
          close={() => setBulk(undefined)}
        />
      )}
      {rows.length > 0 && (
        <>
          <BulkBar
            tag={tag}
            numSelected={selected.size}
            isBusy={isBusy}
            hasConfidence={rows[0].confidence !== undefined}
            selectAbove={selectAbove}
            selectNone={() => setSelected(new Set())}
            apply={apply}
          />
          <WindowList
            count={rows.length}
            rowHeight={ROW_HEIGHT}
            onNearEnd={pages.loadMore}
            box={{ class: 'missing-list', role: 'list', 'aria-label': `Objects that miss ${tag}` }}
            renderRow={(index) => (
              <MissingRow
                row={rows[index]}
                tag={tag}
                place={index + 1}
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
