// What was accepted, to take away: as a table of object and tag, or within the file that was read.

import { useState } from 'preact/hooks';
import { counted } from '../numbers.ts';
import { Icon } from '../parts/icon.tsx';
import { useStore } from '../store.ts';
import { FaultNote } from './status-notes.tsx';
import { acceptedOf, tabReviews } from './tab-reviews.ts';
import { download, takeApplied, trainState } from './train-state.ts';
import type { AppliedFile, Fault } from './worker/messages.ts';

export function ReviewDownloads() {
  const reviews = useStore(tabReviews, (all) => all);
  const data = useStore(trainState, (all) => all.data);
  const [isMaking, setMaking] = useState(false);
  const [outcome, setOutcome] = useState<AppliedFile | Fault>();
  const accepted = acceptedOf(reviews);
  const file = data.state === 'read' && data.facts.understood !== undefined ? data.facts.names[0] : undefined;
  const takePairs = () => {
    const lines = accepted.map(({ object, tag }) => `${object}\t${tag}\n`); // names are clean: nothing to escape
    download(new Blob(['object\ttag\n', ...lines], { type: 'text/tab-separated-values' }), 'accepted-tags.tsv');
  };
  const takeFile = async (name: string) => {
    setMaking(true);
    setOutcome(await takeApplied(accepted, taggedName(name)));
    setMaking(false);
  };
  const standing = reviews.isKept
    ? `${counted(accepted.length, 'tag')} accepted. Decisions stay in this browser for the next time you read the same data.`
    : 'This browser does not keep decisions: download the accepted tags before you leave.';
  return (
    <div class="downloads review-downloads">
      <button type="button" disabled={accepted.length === 0} onClick={takePairs}>
        <Icon name="download" />
        Download accepted tags
      </button>
      {file !== undefined && (
        <button type="button" disabled={accepted.length === 0 || isMaking} onClick={() => takeFile(file)}>
          <Icon name="download" />
          Download {file} with the tags added
        </button>
      )}
      <small role="status">{outcome !== undefined && 'file' in outcome ? outcomeOf(outcome) : standing}</small>
      {outcome !== undefined && 'cure' in outcome && <FaultNote fault={outcome} />}
    </div>
  );
}

function outcomeOf({ numAdded, numLeftOut }: AppliedFile): string {
  const left = numLeftOut === 0 ? '' : ` The file has no place for ${counted(numLeftOut, 'other')}.`;
  return `${counted(numAdded, 'tag')} added.${left}`;
}

/** "shop.csv.gz" becomes "shop-tagged.csv.gz". */
function taggedName(name: string): string {
  const [, stem, endings] = /^(.+?)((?:\.[a-z]+)?(?:\.gz)?)$/i.exec(name) ?? ['', name, ''];
  return `${stem}-tagged${endings}`;
}
