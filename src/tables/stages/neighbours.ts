// The tagged objects with the most similar users, for every object, and the means of their tags: the counting that grows with
// the square of users' objects.

import { SQUARE_ONE } from '../../graph/similarity.ts';
import { double } from '../dialect.ts';
import { type Stage, withinPart } from './stage.ts';

export const NEIGHBOURS: Stage = {
  name: 'neighbours',
  about:
    'The most similar tagged objects of each object: object_id, neighbour_id, cosine. Of equals the smaller id counts.',
  inputs: ['interact', 'candidates', 'object_norms'],
  hasParts: true,
  query: (
    _,
    { neighbours },
    part,
  ) => `SELECT r.object_id, r.neighbour_id, CAST(r.shared / (o.norm * r.norm) AS FLOAT) AS cosine
FROM (
  SELECT s.object_id, s.neighbour_id, s.shared, n.norm,
    row_number() OVER (PARTITION BY s.object_id ORDER BY CAST(s.shared / n.norm AS FLOAT) DESC, s.neighbour_id) AS place
  FROM (
    SELECT i.object_id, c.object_id AS neighbour_id, CAST(sum(c.square) AS DOUBLE) AS shared
    FROM interact AS i
    JOIN candidates AS c ON c.user_id = i.user_id
    WHERE c.object_id <> i.object_id${withinPart('i.object_id', part)}
    GROUP BY i.object_id, c.object_id
  ) AS s
  JOIN object_norms AS n ON n.object_id = s.neighbour_id
) AS r
JOIN object_norms AS o ON o.object_id = r.object_id
WHERE r.place <= ${neighbours}`,
};

const FIXED = `CAST(floor(CAST(n.cosine AS DOUBLE) * ${double(SQUARE_ONE)} + ${double(0.5)}) AS BIGINT)`;

export const NEIGHBOUR_TAGS: Stage = {
  name: 'neighbour_tags',
  about: 'The share of the neighbours of an object that have a tag, weighted by cosines: object_id, tag_id, mean.',
  inputs: ['neighbours', 'tagged'],
  hasParts: true,
  query: (_, __, part) => `SELECT n.object_id, t.tag_id, CAST(sum(${FIXED}) AS DOUBLE) / max(a.total) AS mean
FROM neighbours AS n
JOIN tagged AS t ON t.object_id = n.neighbour_id
JOIN (
  SELECT n.object_id, CAST(sum(${FIXED}) AS DOUBLE) AS total FROM neighbours AS n GROUP BY n.object_id
) AS a ON a.object_id = n.object_id
WHERE a.total > 0${withinPart('n.object_id', part)}
GROUP BY n.object_id, t.tag_id`,
};
