// The picture of a map, with its buttons.

import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { say } from '../state/notices.ts';
import { MapDrawing, type MapElements, type MapWishes } from './map-drawing.ts';
import type { PointCloud } from './point-cloud.ts';

interface MapCanvasProps {
  readonly cloud: PointCloud;
  readonly wishes: MapWishes;
  readonly label: string;
  /** Changes when a point is to be shown from near. */
  readonly target: { readonly point: number } | undefined;
  open(point: number): void;
}

const FACTOR = 1.6;

export function MapCanvas({ cloud, wishes, label, target, open }: MapCanvasProps) {
  const host = useRef<HTMLDivElement>(null);
  const above = useRef<HTMLCanvasElement>(null);
  const buttons = useRef<HTMLDivElement>(null);
  const drawing = useRef<MapDrawing>(null);
  const latest = useRef(open);
  latest.current = open;
  const [isThere, setThere] = useState(true);
  useEffect(() => {
    const elements = { host: host.current, above: above.current, buttons: buttons.current };
    if (!areThere(elements)) return;
    const made = new MapDrawing(elements, cloud, {
      open: (point) => latest.current(point),
      reach: (point) =>
        say(point < 0 ? 'Nothing here.' : `${cloud.labels[point]}, ${cloud.clusterNames[cloud.clusters[point]]}`),
    });
    drawing.current = made;
    setThere(made.isThere);
    return () => made.close();
  }, [cloud]);
  useEffect(() => drawing.current?.wish(wishes), [wishes]);
  useEffect(() => {
    if (target !== undefined) drawing.current?.goTo(target.point);
  }, [target]);
  return (
    <div class="map-picture">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys */}
      <div ref={host} class="map-host" role="application" tabIndex={0} aria-label={label}>
        <canvas ref={above} />
      </div>
      {!isThere && <p class="map-without">This browser draws no maps. The list has the same names.</p>}
      <div ref={buttons} class="map-buttons">
        <button type="button" class="bare" aria-label="Zoom in" onClick={() => drawing.current?.zoom(FACTOR)}>
          <Icon name="plus" />
        </button>
        <button type="button" class="bare" aria-label="Zoom out" onClick={() => drawing.current?.zoom(1 / FACTOR)}>
          <Icon name="minus" />
        </button>
        <button type="button" class="bare" aria-label="Show all" onClick={() => drawing.current?.showAll()}>
          <Icon name="whole" />
        </button>
      </div>
    </div>
  );
}

function areThere(elements: { [Name in keyof MapElements]: MapElements[Name] | null }): elements is MapElements {
  return Object.values(elements).every((element) => element !== null);
}
