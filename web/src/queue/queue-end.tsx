// What stands where a card would when there is none: all done, or nothing so sure.

import { replaceWith } from '../navigation/history.ts';
import { Link } from '../navigation/link.tsx';
import { queuePath } from '../navigation/route.ts';
import { percent } from '../parts/numbers.ts';
import { type QueueFilter, type QueueState, reloadQueue } from './queue-state.ts';

interface QueueEndProps {
  readonly state: QueueState;
  readonly filter: QueueFilter;
}

export function QueueEnd({ state, filter }: QueueEndProps) {
  const { minConfidence, tag } = filter;
  const about = tag === '' ? '' : ` of “${tag}”`;
  const sure = minConfidence === 0 ? '' : ` at ${percent(minConfidence)} or more`;
  return (
    <div class="card end">
      <h2>{state.rows.length > 0 ? 'All of these are decided' : 'Nothing is open here'}</h2>
      <p>
        No open suggestion{about}
        {sure} is left.
      </p>
      <div class="actions">
        {minConfidence > 0 && (
          <button type="button" onClick={() => replaceWith(queuePath({ minConfidence: 0, tag }))}>
            Show less confident ones
          </button>
        )}
        {tag !== '' && (
          <button type="button" onClick={() => replaceWith(queuePath({ minConfidence, tag: '' }))}>
            Show all tags
          </button>
        )}
        <button type="button" class="quiet" onClick={() => reloadQueue(filter)}>
          Look again
        </button>
        <Link to="/reviews" class="button quiet">
          See what was decided
        </Link>
      </div>
    </div>
  );
}
