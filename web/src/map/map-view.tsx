// A map that is there: the picture, a search that marks what it finds, the clusters, and the names as a list.

import { useMemo, useState } from 'preact/hooks';
import { Link } from '../navigation/link.tsx';
import { counted, whole } from '../numbers.ts';
import { Icon } from '../parts/icon.tsx';
import { Marked } from '../parts/marked.tsx';
import { WindowList } from '../parts/window-list.tsx';
import { FIRST_RING } from './cluster-colours.ts';
import { MapCanvas } from './map-canvas.tsx';
import type { PointCloud } from './point-cloud.ts';

interface MapViewProps {
  readonly cloud: PointCloud;
  readonly thing: 'tags' | 'objects';
  pathTo(point: number): string;
  open(point: number): void;
}

const ROW_HEIGHT = 44;

export function MapView({ cloud, thing, pathTo, open }: MapViewProps) {
  const [query, setQuery] = useState('');
  const [cluster, setCluster] = useState<number>();
  const [pointed, setPointed] = useState(-1);
  const [target, setTarget] = useState<{ readonly point: number }>();
  const sought = query.trim().toLowerCase();
  const shown = useMemo(() => listed(cloud, sought, cluster), [cloud, sought, cluster]);
  const found = sought === '' ? undefined : shown;
  const wishes = useMemo(() => ({ found, cluster, pointed }), [found, cluster, pointed]);
  const one = thing.slice(0, -1);
  const label = `Map of ${counted(cloud.size, one)} in ${counted(cloud.clusterNames.length, 'cluster')}. Arrows pan, plus and minus zoom, 0 shows all, Enter opens what is in the middle. The list has the same names.`;
  return (
    <div class="map">
      <MapCanvas cloud={cloud} wishes={wishes} label={label} target={target} open={open} />
      <div class="map-side">
        <Clusters cloud={cloud} chosen={cluster} choose={setCluster} />
        <div class="map-names-list">
          <label class="field">
            <Icon name="search" />
            <span class="unseen">Find {thing} on the map</span>
            <input
              type="search"
              autocomplete="off"
              placeholder={`Find ${thing} on the map`}
              value={query}
              onInput={(event) => setQuery(event.currentTarget.value)}
            />
          </label>
          <p class="note" aria-live="polite">
            {sought === '' && cluster === undefined
              ? counted(shown.length, one)
              : `${whole(shown.length)} of ${counted(cloud.size, one)}`}
          </p>
          <NameList
            {...{ cloud, thing, shown, sought, pathTo }}
            point={setPointed}
            goTo={(point) => setTarget({ point })}
          />
        </div>
      </div>
    </div>
  );
}

interface NameListProps {
  readonly cloud: PointCloud;
  readonly thing: 'tags' | 'objects';
  /** Points, in the order of their rows. */
  readonly shown: readonly number[];
  readonly sought: string;
  pathTo(point: number): string;
  /** Marks a point on the picture; −1: none. */
  point(point: number): void;
  goTo(point: number): void;
}

function NameList({ cloud, thing, shown, sought, pathTo, point, goTo }: NameListProps) {
  const row = (index: number) => {
    const own = shown[index];
    return (
      // biome-ignore lint/a11y/useSemanticElements: rows of a windowed list are placed one by one
      <div
        class="list-row"
        role="listitem"
        aria-posinset={index + 1}
        aria-setsize={shown.length}
        onMouseEnter={() => point(own)}
        onMouseLeave={() => point(-1)}
        onFocusIn={() => point(own)}
        onFocusOut={() => point(-1)}
      >
        <Swatch cluster={cloud.clusters[own]} />
        <Link to={pathTo(own)}>
          <Marked text={cloud.labels[own]} part={sought} />
        </Link>
        <button
          type="button"
          class="bare"
          aria-label={`Show ${cloud.labels[own]} on the map`}
          title="Show on the map"
          onClick={() => goTo(own)}
        >
          <Icon name="target" />
        </button>
      </div>
    );
  };
  const box = { class: 'map-list', role: 'list', 'aria-label': `All ${thing} on the map` } as const;
  return <WindowList count={shown.length} rowHeight={ROW_HEIGHT} box={box} renderRow={row} />;
}

interface ClustersProps {
  readonly cloud: PointCloud;
  readonly chosen: number | undefined;
  choose(cluster: number | undefined): void;
}

function Clusters({ cloud, chosen, choose }: ClustersProps) {
  return (
    <section class="clusters" aria-label="Clusters">
      {cloud.clusterNames.map((name, cluster) => (
        <button
          key={cluster}
          type="button"
          class="cluster"
          aria-pressed={cluster === chosen}
          onClick={() => choose(cluster === chosen ? undefined : cluster)}
        >
          <Swatch cluster={cluster} />
          {name}
        </button>
      ))}
    </section>
  );
}

function Swatch({ cluster }: { readonly cluster: number }) {
  const look = cluster < FIRST_RING ? 'dot' : 'ring';
  return <span class={`swatch ${look} swatch-${cluster % FIRST_RING}`} aria-hidden="true" />;
}

/** Those that begin with what was sought come first. */
function listed(cloud: PointCloud, sought: string, cluster: number | undefined): number[] {
  const points = Array.from({ length: cloud.size }, (_, point) => point).filter(
    (point) => cluster === undefined || cloud.clusters[point] === cluster,
  );
  if (sought === '') return points;
  const found = points.flatMap((point) => {
    const at = cloud.lowerLabels[point].indexOf(sought);
    return at < 0 ? [] : [{ point, at, length: cloud.labels[point].length }];
  });
  const rank = ({ at }: { at: number }) => Math.min(at, 1);
  return found.sort((a, b) => rank(a) - rank(b) || a.length - b.length).map(({ point }) => point);
}
