// How much a user counts when objects are compared, and how long objects are by that: the numbers of graph/similarity.ts.

import { SQUARE_ONE } from '../../graph/similarity.ts';
import { double } from '../dialect.ts';
import type { Stage } from './stage.ts';

export const USER_WEIGHTS: Stage = {
  name: 'user_weights',
  about: `How much a user counts: user_id, num_objects, square (the squared weight, ${SQUARE_ONE} for 1).`,
  inputs: ['interact'],
  query: (_, { damping }) => `SELECT user_id, CAST(num_objects AS INTEGER) AS num_objects,
  ${squareOf('num_objects', damping)} AS square
FROM (SELECT user_id, count(*) AS num_objects FROM interact GROUP BY user_id) AS counted`,
};

/** userSquare(numObjects, damping) of graph/similarity.ts, times SQUARE_ONE. */
export function squareOf(numObjects: string, damping: number): string {
  const power = `pow(CAST(${numObjects} AS DOUBLE), ${double(-2 * damping)})`;
  return `CAST(greatest(1, floor(${power} * ${double(SQUARE_ONE)} + ${double(0.5)})) AS BIGINT)`;
}

export const OBJECT_NORMS: Stage = {
  name: 'object_norms',
  about: 'How long objects are by their users: object_id, norm.',
  inputs: ['interact', 'user_weights'],
  query: (dialect) => `SELECT i.object_id, sqrt(CAST(${dialect.wideSum('w.square')} AS DOUBLE)) AS norm
FROM interact AS i
JOIN user_weights AS w ON w.user_id = i.user_id
GROUP BY i.object_id`,
};
