// The objects that a solve learns from, where all are too many: every object with a rare tag, and of the others a share, by
// arithmetic on ids. Each has the weight that makes up for those left out. The sample of graph/row-sample.ts.

import { SAMPLE_KEY } from '../../graph/capped-middles.ts';
import { LEAST_COMMON, NOBODY } from '../../graph/row-sample.ts';
import { sampleKeyOf } from './candidates.ts';
import type { Stage } from './stage.ts';

export const TAG_COUNTS: Stage = {
  name: 'tag_counts',
  about: 'How many objects carry a tag: tag_id, num_objects.',
  inputs: ['tagged'],
  query: () => 'SELECT tag_id, CAST(count(*) AS INTEGER) AS num_objects FROM tagged GROUP BY tag_id',
};

export const SAMPLE: Stage = {
  name: 'sample',
  about: 'Tagged objects to learn from: object_id, weight. All that have a rare tag, and a share of the others.',
  inputs: ['tagged', 'tag_counts'],
  query: (_, { rows, rareCount }) => `WITH marked AS (
  SELECT t.object_id, max(CASE WHEN c.num_objects <= ${rareCount} THEN 1 ELSE 0 END) AS is_rare
  FROM tagged AS t
  JOIN tag_counts AS c ON c.tag_id = t.tag_id
  GROUP BY t.object_id
), sizes AS (
  SELECT CAST(count(*) - sum(is_rare) AS BIGINT) AS num_common,
    CAST(greatest(${rows} - sum(is_rare), ${Math.ceil(rows / LEAST_COMMON)}) AS BIGINT) AS room
  FROM marked
)
SELECT m.object_id,
  CASE WHEN m.is_rare = 1 OR s.num_common <= s.room THEN CAST(1 AS DOUBLE)
    ELSE CAST(s.num_common AS DOUBLE) / CAST(s.room AS DOUBLE) END AS weight
FROM marked AS m
CROSS JOIN sizes AS s
WHERE m.is_rare = 1 OR ${sampleKeyOf(`${NOBODY}`, 'm.object_id')} * s.num_common < s.room * ${SAMPLE_KEY.largest}`,
};
