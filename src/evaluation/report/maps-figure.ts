// Maps of the tags of models that embed them. Names stand on the map where there is room for them, on every point when
// it is pointed at, and below it by cluster, for those who cannot point.

import { dot, frame, text } from '@observablehq/plot';
import { type Html, html } from '../../html.ts';
import type { CellResult } from '../experiment.ts';
import type { TagPoint } from '../tag-map.ts';
import { count, counted, figureBox, slug } from './html.ts';
import { colour, draw } from './svg.ts';
import type { Panel, View } from './view.ts';

const WIDTH = 360;
const HEIGHT = 320;
const MARGIN = 12;
const MAX_NAMES = 16;
const TAGS_PER_CLUSTER = 6;
const MAX_SHOWN = 3; // maps of a data set that are not folded away

export function mapsSection({ panels, published }: View): Html | undefined {
  const figures = panels.filter(({ cells }) => cells.some(({ glimpse }) => glimpse?.map));
  if (figures.length === 0) return undefined;
  return html`<section aria-labelledby="maps"><h2 id="maps">Maps of tags</h2>
<p>Each point is a tag, larger the more objects carry it; tags that a model takes for similar lie close together. Embeddings are brought
to length 1 and laid out by UMAP; colours are clusters of the embeddings themselves (k-means, at most eight), not of the map, and mean nothing
across maps. Distances between far points say little.</p>
${figures.map((panel) => mapsOf(panel, published?.maps ?? []))}</section>`;
}

/** The models that are asked for or, where none of them is there, the first few; the others are folded away. */
function mapsOf({ name, cells }: Panel, wanted: readonly string[]): Html {
  const mapped = cells.filter(({ glimpse }) => glimpse?.map);
  const asked = mapped.filter(({ model }) => wanted.includes(model));
  const shown = asked.length > 0 ? asked : mapped.slice(0, MAX_SHOWN);
  const folded = mapped.filter((cell) => !shown.includes(cell));
  const rest =
    folded.length === 0
      ? undefined
      : html`<details><summary>Maps of ${folded.length} other models of ${name}</summary>${mapFigure(`maps-other-${slug(name)}`, name, folded)}</details>`;
  return html`${mapFigure(`maps-${slug(name)}`, name, shown)}${rest}`;
}

function mapFigure(id: string, name: string, cells: readonly CellResult[]): Html {
  const maps = cells.map(({ model, glimpse }) => ({ model, points: glimpse?.map?.points ?? [] }));
  return figureBox({
    id,
    caption: html`<strong>${name}</strong>: the ${count(maps[0].points.length)} most used tags.`,
    about: `${name}, maps of tags`,
    panels: maps.map(
      ({ model, points }) =>
        html`<div class="panel"><h3 class="panel-title">${model}</h3>${drawMap(`${name}: map of tags by ${model}`, points)}${clusterList(points)}</div>`,
    ),
    rows: [
      ['model', 'tag', 'objects', 'x', 'y', 'cluster'],
      ...maps.flatMap(({ model, points }) =>
        points.map(({ tag, numObjects, x, y, cluster }) => [model, tag, numObjects, x, y, cluster + 1]),
      ),
    ],
  });
}

function drawMap(label: string, points: readonly TagPoint[]): Html {
  const x = extent(points.map((point) => point.x));
  const y = extent(points.map((point) => point.y));
  const numClusters = Math.max(...points.map(({ cluster }) => cluster)) + 1;
  const clusters = Array.from({ length: numClusters }, (_, i) => i);
  return draw(label, {
    width: WIDTH,
    height: HEIGHT,
    margin: MARGIN,
    x: { domain: x, axis: null },
    y: { domain: y, axis: null },
    r: { range: [1.8, 6] },
    color: { type: 'ordinal', domain: clusters, range: clusters.map(colour) },
    marks: [
      frame({ stroke: 'currentColor', strokeOpacity: 0.2, inset: -MARGIN + 1, rx: 4 }),
      dot(points, { x: 'x', y: 'y', r: 'numObjects', fill: 'cluster', fillOpacity: 0.7, title: pointTitle }),
      text(namedPoints(points, x, y), {
        x: 'x',
        y: 'y',
        text: 'tag',
        dy: -9,
        stroke: 'var(--surface)',
        strokeWidth: 3,
        fill: 'currentColor',
        fontWeight: 600,
        pointerEvents: 'none',
      }),
    ],
  });
}

const pointTitle = ({ tag, numObjects, cluster }: TagPoint) =>
  `${tag} (${counted(numObjects, 'object')}, cluster ${cluster + 1})`;

function extent(values: readonly number[]): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low === high ? [low - 1, high + 1] : [low, high];
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

/** The most used tags whose names fit on the map without touching one another. */
function namedPoints(points: readonly TagPoint[], x: [number, number], y: [number, number]): TagPoint[] {
  const taken: Box[] = [];
  return points.filter((point) => {
    if (taken.length === MAX_NAMES) return false;
    const at = MARGIN + ((point.x - x[0]) / (x[1] - x[0])) * (WIDTH - 2 * MARGIN);
    const half = 3 * point.tag.length + 3; // about 6 pixels a letter
    const box = { left: at - half, right: at + half, y: ((y[1] - point.y) / (y[1] - y[0])) * (HEIGHT - 2 * MARGIN) };
    const isFree = taken.every(
      (other) => box.right < other.left || box.left > other.right || Math.abs(box.y - other.y) > 14,
    );
    if (!isFree || box.left < 0 || box.right > WIDTH || box.y < 6) return false;
    taken.push(box);
    return true;
  });
}

function clusterList(points: readonly TagPoint[]): Html {
  const clusters = new Map<number, TagPoint[]>();
  for (const point of points) clusters.set(point.cluster, [...(clusters.get(point.cluster) ?? []), point]);
  const ordered = [...clusters].sort(([a], [b]) => a - b);
  return html`<ul class="clusters">${ordered.map(([cluster, members]) => {
    const names = members.slice(0, TAGS_PER_CLUSTER).map(({ tag }) => tag);
    const more = members.length - names.length;
    return html`<li><span class="swatch swatch-${cluster}"></span><span>${names.join(', ')}${more > 0 ? html` <small>and ${more} more</small>` : undefined}</span></li>`;
  })}</ul>`;
}
