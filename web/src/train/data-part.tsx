// The data set: dropped, picked or the embedded one, and what is in it.

import { useRef, useState } from 'preact/hooks';
import { CountList } from '../parts/count-list.tsx';
import { useStore } from '../store.ts';
import { ColumnRoles } from './column-roles.tsx';
import { droppedFiles } from './dropped-files.ts';
import { FaultNote, StepBar, Warnings } from './status-notes.tsx';
import { giveEmbedded, giveFiles, trainState } from './train-state.ts';
import { Understanding } from './understanding.tsx';
import type { DataFacts } from './worker/messages.ts';

export function DataPart() {
  const data = useStore(trainState, (all) => all.data);
  const warnings = useStore(trainState, (all) => all.dataWarnings);
  const isRunning = useStore(trainState, ({ run }) => run.state === 'running');
  return (
    <section class="stage" aria-labelledby="data">
      <h2 id="data">
        <span class="step-number">1</span> Data
      </h2>
      <DropZone isOff={isRunning} />
      <div class="data-now" aria-live="polite">
        {data.state === 'reading' && <StepBar step={data.step} waiting="Reading…" />}
        {data.state === 'failed' && <FaultNote fault={data.fault} />}
        {data.state === 'read' && <Facts facts={data.facts} />}
        <Warnings texts={warnings} />
      </div>
      {data.state === 'read' && data.facts.understood !== undefined && (
        <ColumnRoles columns={data.facts.understood.columns} said={data.choice} isOff={isRunning} />
      )}
      {data.state === 'failed' && data.columns !== undefined && (
        <ColumnRoles
          columns={data.columns.names.map((name) => ({ name, why: '' }))}
          said={data.columns.choice}
          isOff={isRunning}
          isUnknown
        />
      )}
    </section>
  );
}

function DropZone({ isOff }: { readonly isOff: boolean }) {
  const field = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (event.dataTransfer !== null && !isOff) await giveFiles(await droppedFiles(event.dataTransfer));
  };
  const pick = async () => {
    const files = Array.from(field.current?.files ?? []);
    if (field.current !== null) field.current.value = ''; // the same files may be picked again
    if (files.length > 0) await giveFiles(files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what a drop does, the buttons inside do as well
    <div
      class={isOver ? 'drop-zone over' : 'drop-zone'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p>
        <strong>Drop a file</strong> with a row for each object: a title, texts, tags and, if there are any, an id, a
        link and a picture. CSV, TSV, JSON, JSON Lines or Parquet, also <code>.gz</code>. The columns are detected.
      </p>
      <p class="note">
        Or drop tables or their folder: <code>tagged</code> (object, tag) and, if there are any, <code>objects</code>{' '}
        (object, title, texts) and <code>interact</code> (user, object).
      </p>
      <div class="drop-buttons">
        <input ref={field} hidden type="file" multiple onChange={pick} />
        <button type="button" disabled={isOff} onClick={() => field.current?.click()}>
          Choose a file or files
        </button>
        <button type="button" disabled={isOff} onClick={giveEmbedded}>
          Try the npm packages
        </button>
      </div>
    </div>
  );
}

function Facts({ facts }: { readonly facts: DataFacts }) {
  const { names, understood, textColumns, hasImages } = facts;
  const counts: readonly (readonly [string, number | undefined])[] = [
    ['users', facts.numUsers],
    ['objects', facts.numObjects],
    ['tags', facts.numTags],
    ['interactions', facts.numInteractions],
    ['tagged pairs', facts.numPairs],
  ];
  return (
    <>
      {understood === undefined ? (
        <p class="note">
          Read from {names.join(', ')}
          {textColumns.length > 0 && `, with the texts ${textColumns.join(', ')}`}
        </p>
      ) : (
        <Understanding understood={understood} />
      )}
      <CountList counts={counts} />
      {hasImages && <p class="note">Pictures are loaded from the addresses in your data, without a referrer.</p>}
    </>
  );
}
