// Pairs of tags that may mean the same: merged, or declared different, with one key each.

import { useState } from 'preact/hooks';
import { getProposals } from '../api/calls.ts';
import type { Declaration, Proposal } from '../api/shapes.ts';
import { Link } from '../navigation/link.tsx';
import { tagPath } from '../navigation/route.ts';
import { counted, sharePercent } from '../numbers.ts';
import { Icon } from '../parts/icon.tsx';
import { ProblemNote, Waiting } from '../parts/loaded-part.tsx';
import { usePages } from '../state/use-pages.ts';
import { useStore } from '../store.ts';
import { makeChange, round } from './changing.ts';
import { PreviewView, usePreview } from './preview-view.tsx';

const PAGE = 20;
const ASK_AGAIN_MS = 1000; // while the service compares tags

export function ProposalList() {
  const now = useStore(round, (count) => count);
  const { rows, isLoading, isWhole, problem, loadMore, retry } = usePages<Proposal>(
    String(now),
    async (cursor, signal) => {
      for (;;) {
        const { proposals, next, isComplete } = await getProposals({ limit: PAGE, cursor }, signal);
        if (isComplete) return { rows: proposals, next };
        await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
      }
    },
  );
  if (problem !== undefined) return <ProblemNote problem={problem} retry={retry} />;
  if (rows.length === 0) {
    return isLoading || !isWhole ? (
      <Waiting text="Comparing tags…" />
    ) : (
      <p class="soft">No tags look as if they meant the same.</p>
    );
  }
  return (
    <>
      <ul class="plain proposals" aria-label="Proposals">
        {rows.map((one) => (
          <ProposalRow key={`${one.from}\n${one.into}`} proposal={one} />
        ))}
      </ul>
      {!isWhole && (
        <button type="button" disabled={isLoading} onClick={loadMore}>
          Show more
        </button>
      )}
    </>
  );
}

function ProposalRow({ proposal }: { readonly proposal: Proposal }) {
  const { from, into } = proposal;
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const merge: Declaration = { kind: 'merge', tags: [from], into: [into] };
  const preview = usePreview(isOpen ? merge : undefined);
  const make = async (declaration: Declaration) => {
    setBusy(true);
    await makeChange(declaration);
    setBusy(false);
  };
  return (
    <li class="proposal">
      <Evidence proposal={proposal} />
      {isOpen && <PreviewView preview={preview} />}
      <div class="change-actions">
        <button type="button" class="accept" disabled={isBusy} onClick={() => void make(merge)}>
          <Icon name="accept" />
          Merge
          <span class="unseen">
            {' '}
            {from} into {into}
          </span>
        </button>
        <button
          type="button"
          disabled={isBusy}
          onClick={() => void make({ kind: 'notSynonym', tags: [from], into: [into] })}
        >
          <Icon name="reject" />
          Different tags
          <span class="unseen">
            : {from} and {into}
          </span>
        </button>
        <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Preview
          <span class="unseen">
            {' '}
            of merging {from} into {into}
          </span>
        </button>
      </div>
    </li>
  );
}

function Evidence({ proposal }: { readonly proposal: Proposal }) {
  const { from, into, score, evidence, numObjects } = proposal;
  return (
    <>
      <div class="proposal-head">
        <p>
          <Link to={tagPath(from)}>{from}</Link> <small>{counted(numObjects[0] ?? 0, 'object')}</small>
          <Icon name="open" />
          <span class="unseen">into</span>
          <Link to={tagPath(into)}>{into}</Link> <small>{counted(numObjects[1] ?? 0, 'object')}</small>
        </p>
        <span class="figure">{sharePercent(score)}</span>
      </div>
      {evidence.length > 0 && (
        <ul class="plain evidence">
          {evidence.map(({ text }) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </>
  );
}
