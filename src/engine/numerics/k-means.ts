// Rows of numbers in clusters: Lloyd's k-means from seeded k-means++ centres (Arthur and Vassilvitskii, SODA 2007).

import type { Random } from '../../random.ts';

const MAX_ROUNDS = 100;

/** The cluster of each row (n, width): 0 to k − 1, the largest first; fewer where there are fewer distinct rows. */
export function kMeans(rows: Float64Array, width: number, k: number, random: Random): Int32Array {
  const n = rows.length / width;
  const centres = firstCentres(rows, width, Math.min(k, n), random);
  const clusters = new Int32Array(n).fill(-1);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let numMoved = 0;
    for (let i = 0; i < n; i++) {
      const nearest = nearestCentre(rows.subarray(i * width, (i + 1) * width), centres).centre;
      if (nearest !== clusters[i]) numMoved++;
      clusters[i] = nearest;
    }
    if (numMoved === 0) break;
    moveCentres(centres, rows, clusters);
  }
  return bySize(clusters, centres.length);
}

/** The first centre is any row; each further one is drawn with a chance that grows with its squared distance. */
function firstCentres(rows: Float64Array, width: number, k: number, random: Random): Float64Array[] {
  const n = rows.length / width;
  const row = (i: number) => rows.slice(i * width, (i + 1) * width);
  const centres = n === 0 ? [] : [row(random.below(n))];
  while (centres.length < k) {
    const distances = Float64Array.from({ length: n }, (_, i) => nearestCentre(row(i), centres).distance);
    const total = distances.reduce((sum, distance) => sum + distance, 0);
    if (total === 0) break; // every row is a centre already
    let left = random.float() * total;
    let drawn = 0;
    while (drawn < n - 1 && left >= distances[drawn]) left -= distances[drawn++];
    centres.push(row(drawn));
  }
  return centres;
}

function nearestCentre(row: Float64Array, centres: readonly Float64Array[]): { centre: number; distance: number } {
  let [centre, distance] = [0, Number.POSITIVE_INFINITY];
  for (let c = 0; c < centres.length; c++) {
    let squares = 0;
    for (let d = 0; d < row.length; d++) squares += (row[d] - centres[c][d]) ** 2;
    if (squares < distance) [centre, distance] = [c, squares];
  }
  return { centre, distance };
}

/** Each centre to the mean of its rows; one that lost them all stays where it is. */
function moveCentres(centres: readonly Float64Array[], rows: Float64Array, clusters: Int32Array): void {
  const sizes = new Int32Array(centres.length);
  for (const cluster of clusters) sizes[cluster]++;
  for (const [c, centre] of centres.entries()) if (sizes[c] > 0) centre.fill(0);
  for (let i = 0, at = 0; i < clusters.length; i++) {
    const centre = centres[clusters[i]];
    for (let d = 0; d < centre.length; d++) centre[d] += rows[at++];
  }
  for (const [c, centre] of centres.entries())
    if (sizes[c] > 0) for (let d = 0; d < centre.length; d++) centre[d] /= sizes[c];
}

/** The same clusters with other numbers: 0 is the largest, empty ones come last. */
function bySize(clusters: Int32Array, k: number): Int32Array {
  const sizes = new Int32Array(k);
  for (const cluster of clusters) sizes[cluster]++;
  const order = Array.from(sizes.keys()).sort((a, b) => sizes[b] - sizes[a] || a - b);
  return clusters.map((cluster) => order.indexOf(cluster));
}
