// What stands where a card would when there is none: nothing likely is missing, or nothing at all; what was done today, and
// where to go on.

import { replaceWith } from '../navigation/history.ts';
import { Link } from '../navigation/link.tsx';
import { LIKELY, type QueueAddress, queuePath } from '../navigation/route.ts';
import { counted, percent } from '../numbers.ts';
import { useModel } from '../state/model-facts.ts';
import { numHeld, type QueueState, reloadQueue } from '../state/queue-state.ts';
import { today } from '../state/today.ts';
import { useStore } from '../store.ts';
import { doneWords } from './session-cloth.tsx';

interface QueueEndProps {
  readonly state: QueueState;
  readonly address: QueueAddress;
}

export function QueueEnd({ state, address }: QueueEndProps) {
  const { minConfidence, tag } = address;
  const { value: model } = useModel();
  const counts = useStore(today, (all) => all);
  const show = (parts: Partial<QueueAddress>) => replaceWith(queuePath({ ...address, ...parts }));
  const isLimited = minConfidence > 0 && model?.knowsConfidence !== false;
  const about = tag === '' ? '' : ` of “${tag}”`;
  const numElsewhere = numHeld(state);
  const sure = isLimited ? ` at ${percent(minConfidence)} or more` : '';
  return (
    <div class="card end">
      <h2>
        {isLimited && minConfidence >= LIKELY && numElsewhere === 0 ? 'Nothing likely is missing.' : headingOf(state)}
      </h2>
      <p>
        {numElsewhere > 0
          ? `Others are at work on the last ${counted(numElsewhere, 'suggestion')}${about}${sure}.`
          : `No suggestion${about}${sure} is left to decide.`}
        {counts !== undefined && doneWords(counts) !== '' && ` Today: ${doneWords(counts)}.`}
      </p>
      <div class="actions">
        {isLimited && (
          <button type="button" onClick={() => show({ minConfidence: 0 })}>
            Show less likely suggestions
          </button>
        )}
        {tag !== '' && (
          <button type="button" onClick={() => show({ tag: '' })}>
            Show all tags
          </button>
        )}
        <button type="button" class="quiet" onClick={() => reloadQueue()}>
          Reload the queue
        </button>
        <Link to="/reviews" class="button quiet">
          Show reviews
        </Link>
      </div>
    </div>
  );
}

function headingOf(state: QueueState): string {
  const { rows } = state;
  if (numHeld(state) > 0) return 'The rest is in other hands';
  return rows.length > 0 ? 'All suggestions here are decided' : 'No open suggestions';
}
