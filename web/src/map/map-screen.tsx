// Maps of tags and of objects: similar ones lie together. Beside the picture stand its clusters and all its names.

import { goTo } from '../navigation/history.ts';
import { Link } from '../navigation/link.tsx';
import { mapPath, objectPath, tagPath } from '../navigation/route.ts';
import { sharePercent } from '../numbers.ts';
import { ProblemNote } from '../parts/loaded-part.tsx';
import { Screen } from '../parts/screen.tsx';
import { MapView } from './map-view.tsx';
import type { PointCloud } from './point-cloud.ts';
import { useMap } from './use-map.ts';
import '../style/map.css';

type Side = 'tags' | 'objects';

const SIDES: readonly (readonly [Side, string])[] = [
  ['tags', 'Tags'],
  ['objects', 'Objects'],
];

export function MapScreen({ of }: { readonly of: Side }) {
  const { loaded, done } = useMap(of);
  return (
    <Screen title={`Map of ${of}`} heading={`Map of ${of}`} facts={<Sides of={of} />} class="map-screen">
      {loaded.state === 'failed' && <ProblemNote problem={loaded.problem} retry={loaded.retry} />}
      {loaded.state === 'loading' && <Drawing of={of} done={done} />}
      {loaded.state === 'there' && (
        <MapView
          key={of}
          cloud={loaded.value}
          thing={of}
          pathTo={(point) => pathTo(of, loaded.value, point)}
          open={(point) => goTo(pathTo(of, loaded.value, point))}
        />
      )}
    </Screen>
  );
}

function pathTo(of: Side, cloud: PointCloud, point: number): string {
  return of === 'tags' ? tagPath(cloud.names[point]) : objectPath(cloud.names[point]);
}

function Sides({ of }: { readonly of: Side }) {
  return (
    <nav class="sides" aria-label="Which map">
      {SIDES.map(([side, name]) => (
        <Link key={side} to={mapPath(side)} aria-current={side === of ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

function Drawing({ of, done }: { readonly of: Side; readonly done: number }) {
  const text = `The map of ${of} is being drawn: ${sharePercent(done)}`;
  return (
    <div class="map-drawing" role="status">
      <p>{text}</p>
      <progress max="1" value={done} aria-label={text} />
      <p class="note">It is drawn once for each model, and takes up to a minute.</p>
    </div>
  );
}
