// loom's first stage as SQL: the reference that tests hold its scores against, and the form in which an engine would score. Every
// score is a sum over what is known of an object (models/loom/loom.ts), so scoring is one join of features and weights.
//
// Besides the tables of the stages (object_names, tagged, neighbour_tags) it takes three that come from a model:
//
//   seen     object_id, kind, feature_id, value       what is known beyond tags: kind is text, mention, profile or content
//   weights  side, kind, feature_id, tag_id, weight   side is tagged or untagged; kind is one of these, own, neighbours or base
//   mixing   num_tags, share                          the share of the weights for objects with tags, by number of own tags
//
// Pairs of words (`squares`) are no such sum: a model that has them is not scored this way.

import { double } from './dialect.ts';
import { type Part, withinPart } from './stages/stage.ts';

const ONE = double(1);

/** All that is known of the objects: object_id, kind, feature_id, value. */
function features(part: Part | undefined): string {
  const rows = (kind: string, feature: string, value: string, table: string, object = 'object_id') =>
    `SELECT ${object} AS object_id, ${kind} AS kind, ${feature} AS feature_id, ${value} AS value
FROM ${table} WHERE ${object} >= 0${withinPart(object, part)}`;
  return [
    rows(`'own'`, 'tag_id', ONE, 'tagged'),
    rows(`'neighbours'`, 'tag_id', 'mean', 'neighbour_tags'),
    rows('kind', 'feature_id', 'value', 'seen'),
    rows(`'base'`, '0', ONE, 'object_names', 'id'),
  ].join('\nUNION ALL\n');
}

/** How much each set of weights counts for an object: object_id, side, share. */
function shares(): string {
  const ofTagged = `SELECT o.id AS object_id, m.share
FROM object_names AS o
LEFT JOIN (SELECT object_id, count(*) AS num_tags FROM tagged GROUP BY object_id) AS t ON t.object_id = o.id
CROSS JOIN (SELECT max(num_tags) AS most FROM mixing) AS l
JOIN mixing AS m ON m.num_tags = least(coalesce(t.num_tags, 0), l.most)`;
  return `SELECT object_id, 'tagged' AS side, share FROM (${ofTagged}) AS a
UNION ALL
SELECT object_id, 'untagged' AS side, ${ONE} - share AS share FROM (${ofTagged}) AS b`;
}

/** The query for all scores: object_id, tag_id, score. `part`: only of these objects. Own tags are scored like all others. */
export function scoreQuery(part?: Part): string {
  return `SELECT f.object_id, w.tag_id, sum(s.share * f.value * w.weight) AS score
FROM (
${features(part)}
) AS f
JOIN weights AS w ON w.kind = f.kind AND w.feature_id = f.feature_id
JOIN (
${shares()}
) AS s ON s.object_id = f.object_id AND s.side = w.side
GROUP BY f.object_id, w.tag_id`;
}
