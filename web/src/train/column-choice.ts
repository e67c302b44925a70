// What a person says the columns of a file are, as the library takes it. A column has a role, is left out or is to be detected:
// nothing is detected against what was said.

import type { ColumnRole } from '../../../src/data/catalogue/column-names.ts';
import type { ColumnChoice } from '../../../src/data/catalogue/columns.ts';

/** '' where a column is not used. */
export type Role = ColumnRole | '' | 'detect';

/** By column. */
export type Roles = Readonly<Record<string, Role>>;

export const ROLE_LABELS: readonly (readonly [ColumnRole, string])[] = [
  ['id', 'Id'],
  ['title', 'Title'],
  ['text', 'Text'],
  ['tags', 'Tags'],
  ['url', 'Link'],
  ['image', 'Picture'],
];

/** What is wrong with it, in a sentence; undefined where nothing is. */
export function faultOfRoles(roles: Roles): string | undefined {
  const numDetected = columnsOf(roles, 'detect').length;
  if (numDetected === 0 && columnsOf(roles, 'tags').length === 0) return 'Choose the column that holds the tags.';
  for (const [role, label] of ROLE_LABELS) {
    const names = columnsOf(roles, role);
    if (role !== 'text' && role !== 'tags' && names.length > 1) {
      return `${names.join(' and ')} are both “${label.toLowerCase()}”. Choose one of them.`;
    }
  }
  return undefined;
}

/** `separator`: '' where it is to be detected. */
export function choiceOf(roles: Roles, separator: string): ColumnChoice {
  const [[id], [title], [url], [image]] = (['id', 'title', 'url', 'image'] as const).map((role) =>
    columnsOf(roles, role),
  );
  const [text, tags] = [columnsOf(roles, 'text'), columnsOf(roles, 'tags')];
  const isDetecting = columnsOf(roles, 'detect').length > 0;
  return {
    ...(id !== undefined && { id }),
    ...(title !== undefined && { title }),
    ...(url !== undefined && { url }),
    ...(image !== undefined && { image }),
    ...((text.length > 0 || !isDetecting) && { text }),
    ...(tags.length > 0 && { tags }),
    leaveOut: columnsOf(roles, ''),
    ...(separator !== '' && { separator }),
  };
}

/** The roles that were chosen; columns without one are left out. */
export function rolesOf(choice: ColumnChoice): Roles {
  const { text = [], tags = [], leaveOut = [] } = choice;
  const single = (['id', 'title', 'url', 'image'] as const).flatMap((role) =>
    choice[role] === undefined ? [] : [[choice[role], role] as const],
  );
  const several = [[text, 'text'] as const, [tags, 'tags'] as const, [leaveOut, ''] as const].flatMap(([names, role]) =>
    names.map((name) => [name, role] as const),
  );
  return Object.fromEntries([...single, ...several]);
}

function columnsOf(roles: Roles, role: Role): string[] {
  return Object.entries(roles).flatMap(([name, own]) => (own === role ? [name] : []));
}
