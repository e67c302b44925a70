// A map, asked for until it is drawn.

import { useState } from 'preact/hooks';
import { getMap } from '../api/calls.ts';
import type { MapFacts } from '../api/shapes.ts';
import { type Loaded, useLoaded } from '../state/use-loaded.ts';
import { PointCloud } from './point-cloud.ts';

const PAUSE = 1000;
const kept = new Map<string, PointCloud>(); // going back to a map asks for nothing

/** `done`: which share of it is drawn. */
export function useMap(of: 'tags' | 'objects'): { readonly loaded: Loaded<PointCloud>; readonly done: number } {
  const [done, setDone] = useState(0);
  const loaded = useLoaded(of, async (signal) => {
    const known = kept.get(of);
    if (known !== undefined) return known;
    setDone(0);
    const cloud = new PointCloud(await drawn(of, signal, setDone));
    kept.set(of, cloud);
    return cloud;
  });
  return { loaded, done };
}

async function drawn(of: 'tags' | 'objects', signal: AbortSignal, report: (done: number) => void): Promise<MapFacts> {
  for (;;) {
    const answer = await getMap(of, signal);
    if (!('state' in answer)) return answer;
    report(answer.done);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    signal.throwIfAborted();
  }
}
