// While the service still looks through the objects, the queue is asked for again now and then.

import { useEffect } from 'preact/hooks';
import { useStore } from '../state/store.ts';
import { queue, refreshQueue } from './queue-state.ts';

const PAUSE = 2000;

export function useUnfinished(): void {
  const isComplete = useStore(queue, (all) => all.isComplete);
  useEffect(() => {
    if (isComplete) return;
    const timer = setInterval(() => void refreshQueue(), PAUSE);
    return () => clearInterval(timer);
  }, [isComplete]);
}
