// The way on to the next object with an open suggestion, in the order of the queue.

import { useEffect } from 'preact/hooks';
import { goTo } from '../navigation/history.ts';
import { Link } from '../navigation/link.tsx';
import { objectPath } from '../navigation/route.ts';
import { Icon } from '../parts/icon.tsx';
import { KeyHint } from '../parts/key-help.tsx';
import { useKeys } from '../state/keys.ts';
import { DEFAULT_FILTER, nextObject, openQueue, queue } from '../state/queue-state.ts';
import { standings } from '../state/standings.ts';
import { useStore } from '../store.ts';

export function NextObject({ id }: { readonly id: string }) {
  useStore(queue, (state) => state.rows);
  useStore(standings, (all) => all);
  useEffect(() => {
    if (queue.get().filter === undefined) openQueue(DEFAULT_FILTER);
  }, []);
  const next = nextObject(id);
  useKeys({ n: () => next !== undefined && goTo(objectPath(next.object)) });
  if (next === undefined) return null;
  return (
    <Link to={objectPath(next.object)} class="button next-object" title={next.title}>
      Next open object
      <KeyHint keyName="n" />
      <Icon name="open" />
    </Link>
  );
}
