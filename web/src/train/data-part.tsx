// The data set: dropped, picked or the embedded one, and what is in it.

import { useRef, useState } from 'preact/hooks';
import { CountList } from '../parts/count-list.tsx';
import { useStore } from '../store.ts';
import { droppedFiles } from './dropped-files.ts';
import { FaultNote, StepBar, Warnings } from './status-notes.tsx';
import { giveEmbedded, giveFiles, trainState } from './train-state.ts';
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
        Drop <code>interact</code> (user, object), <code>tagged</code> (object, tag) and, if there is one,{' '}
        <code>objects</code> (object, title): <code>.tsv</code>, <code>.csv</code> or <code>.parquet</code>, also{' '}
        <code>.gz</code>, or the folder they are in.
      </p>
      <div class="drop-buttons">
        <input ref={field} hidden type="file" multiple onChange={pick} />
        <button type="button" disabled={isOff} onClick={() => field.current?.click()}>
          Choose files
        </button>
        <button type="button" disabled={isOff} onClick={giveEmbedded}>
          Try the npm packages
        </button>
      </div>
    </div>
  );
}

function Facts({ facts }: { readonly facts: DataFacts }) {
  const counts: readonly (readonly [string, number])[] = [
    ['users', facts.numUsers],
    ['objects', facts.numObjects],
    ['tags', facts.numTags],
    ['interactions', facts.numInteractions],
    ['tagged pairs', facts.numPairs],
  ];
  return (
    <>
      <p class="note">Read from {facts.names.join(', ')}</p>
      <CountList counts={counts} />
    </>
  );
}
