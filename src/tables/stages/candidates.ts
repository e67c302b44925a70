// Objects that may be neighbours, by user: tagged ones, and of a user with very many objects a sample, the one of
// graph/capped-middles.ts. Without it, one user with a million objects would join half a trillion pairs.

import { MOST_PER_MIDDLE, PATHS, PATHS_PER_PAIR, SAMPLE_KEY } from '../../graph/capped-middles.ts';
import type { Dialect } from '../dialect.ts';
import type { Stage } from './stage.ts';

export const PATH_CAP: Stage = {
  name: 'path_cap',
  about: 'How many objects of one user are compared at most: most (one row).',
  inputs: ['user_weights'],
  query: (dialect: Dialect) => `SELECT CAST(coalesce(max(n), 2) AS INTEGER) AS most
FROM (
  SELECT c.n, b.paths
  FROM ${dialect.numbers(2, MOST_PER_MIDDLE)} AS c
  CROSS JOIN (
    SELECT CAST(num_objects AS BIGINT) AS num_objects, count(*) AS num_users FROM user_weights GROUP BY num_objects
  ) AS h
  CROSS JOIN (
    SELECT greatest(${PATHS}, ${PATHS_PER_PAIR} * coalesce(sum(CAST(num_objects AS BIGINT)), 0)) AS paths FROM user_weights
  ) AS b
  GROUP BY c.n, b.paths
  HAVING sum(h.num_users * least(c.n, h.num_objects) * least(c.n, h.num_objects)) <= b.paths
) AS within`,
};

export const CANDIDATES: Stage = {
  name: 'candidates',
  about: 'Tagged objects of users, at most path_cap each, with the weight of the user: user_id, object_id, square.',
  inputs: ['interact', 'user_weights', 'path_cap', 'tagged'],
  query: () => `SELECT user_id, object_id, square
FROM (
  SELECT i.user_id, i.object_id, w.square
  FROM interact AS i
  JOIN user_weights AS w ON w.user_id = i.user_id
  CROSS JOIN path_cap AS p
  WHERE w.num_objects <= p.most
  UNION ALL
  SELECT user_id, object_id, square
  FROM (
    SELECT i.user_id, i.object_id, w.square, p.most,
      row_number() OVER (PARTITION BY i.user_id ORDER BY ${sampleKeyOf('i.user_id', 'i.object_id')}, i.object_id) AS place
    FROM interact AS i
    JOIN user_weights AS w ON w.user_id = i.user_id
    CROSS JOIN path_cap AS p
    WHERE w.num_objects > p.most
  ) AS ordered
  WHERE place <= most
) AS capped
WHERE object_id IN (SELECT object_id FROM tagged)`,
};

/** sampleKey(middle, node) of graph/capped-middles.ts, in 64 bits. */
export function sampleKeyOf(middle: string, node: string): string {
  const { ofNode, ofMiddle, prime, largest } = SAMPLE_KEY;
  const [m, n] = [`CAST(${middle} AS BIGINT)`, `CAST(${node} AS BIGINT)`];
  const x = `((${n} * ${ofNode} + ${m} * ${ofMiddle} + 1) % ${prime})`;
  return `((${x} * ${x} + ${n}) % ${largest})`;
}
