// Names become ids: their ranks in byte order, as in memory (data/vocabulary.ts), whatever the order of rows.

import type { Stage } from './stage.ts';

export const OBJECT_NAMES = namesStage('object_names', 'objects', [
  ['data_tagged', 'object'],
  ['data_interact', 'object'],
  ['data_objects', 'object'],
]);
export const USER_NAMES = namesStage('user_names', 'users', [['data_interact', 'person']]);
export const TAG_NAMES = namesStage('tag_names', 'tags', [['data_tagged', 'tag']]);

function namesStage(name: string, what: string, from: readonly (readonly [table: string, column: string])[]): Stage {
  // distinct in each table first: what is left to merge is small
  const rows = from.map(([table, column]) => `SELECT DISTINCT ${column} AS name FROM ${table}`).join(' UNION ');
  return {
    name,
    about: `The ${what}: id, name. Ids are ranks of names in byte order.`,
    inputs: from.map(([table]) => table),
    query: () =>
      `SELECT CAST(row_number() OVER (ORDER BY name) - 1 AS INTEGER) AS id, name\nFROM (${rows}) AS all_names`,
  };
}

export const TAGGED: Stage = {
  name: 'tagged',
  about: 'Which object carries which tag: object_id, tag_id; distinct.',
  inputs: ['data_tagged', 'object_names', 'tag_names'],
  query: () => `SELECT DISTINCT o.id AS object_id, t.id AS tag_id
FROM data_tagged AS d
JOIN object_names AS o ON o.name = d.object
JOIN tag_names AS t ON t.name = d.tag`,
};

export const INTERACT: Stage = {
  name: 'interact',
  about: 'Who interacted with what: user_id, object_id; distinct.',
  inputs: ['data_interact', 'object_names', 'user_names'],
  query: () => `SELECT DISTINCT u.id AS user_id, o.id AS object_id
FROM data_interact AS d
JOIN user_names AS u ON u.name = d.person
JOIN object_names AS o ON o.name = d.object`,
};
