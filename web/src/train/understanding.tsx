// What one file was found to hold, in a few lines: the format, which column is what, what is left out.

import type { Understood } from '../../../src/data/catalogue/understood.ts';
import { counted, whole } from '../numbers.ts';
import { ROLE_LABELS } from './column-choice.ts';

const MOST_NAMES = 12;

export function Understanding({ understood }: { readonly understood: Understood }) {
  const { source, format, encoding, numRows, columns, tagStyle, numTags, hasRowNumbers } = understood;
  const leftOut = columns.filter(({ role }) => role === undefined).map(({ name }) => name);
  const facts = ROLE_LABELS.flatMap(([role, label]): [string, string][] => {
    const names = columns.filter((column) => column.role === role).map(({ name }) => name);
    if (role === 'id' && hasRowNumbers) return [[label, 'the numbers of the rows']];
    if (names.length === 0) return [];
    const detail = role === 'tags' ? ` (${tagStyle}), ${whole(numTags)} different` : '';
    return [[label, `${shortened(names)}${detail}`]];
  });
  return (
    <div class="understanding">
      <p>
        <strong>{source}</strong>: {[format, encoding, counted(numRows, 'row')].filter(Boolean).join(', ')}
      </p>
      <dl class="facts">
        {[...facts, ...(leftOut.length > 0 ? [['Not used', shortened(leftOut)] as const] : [])].map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function shortened(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  return rest > 0 ? `${names.slice(0, MOST_NAMES).join(', ')} and ${rest} more` : names.join(', ');
}
