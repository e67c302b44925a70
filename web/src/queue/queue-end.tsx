// What stands where a card would when there is none: all done, or nothing so sure.

import { replaceWith } from '../navigation/history.ts';
import { Link } from '../navigation/link.tsx';
import { queuePath } from '../navigation/route.ts';
import { percent } from '../numbers.ts';
import { type QueueFilter, type QueueState, reloadQueue } from '../state/queue-state.ts';

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
      <h2>{state.rows.length > 0 ? 'All suggestions here are decided' : 'No open suggestions'}</h2>
      <p>
        Nothing is left to decide{about}
        {sure}.
      </p>
      <div class="actions">
        {minConfidence > 0 && (
          <button type="button" onClick={() => replaceWith(queuePath({ minConfidence: 0, tag }))}>
            Show less confident suggestions
          </button>
        )}
        {tag !== '' && (
          <button type="button" onClick={() => replaceWith(queuePath({ minConfidence, tag: '' }))}>
            Show all tags
          </button>
        )}
        <button type="button" class="quiet" onClick={() => reloadQueue(filter)}>
          Reload the queue
        </button>
        <Link to="/reviews" class="button quiet">
          Show reviews
        </Link>
      </div>
    </div>
  );
}
