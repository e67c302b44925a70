// How many there are of each.

import { whole } from '../numbers.ts';

export function CountList({ counts }: { readonly counts: readonly (readonly [string, number])[] }) {
  return (
    <ul class="counts">
      {counts.map(([name, count]) => (
        <li key={name}>
          <strong>{whole(count)}</strong> {name}
        </li>
      ))}
    </ul>
  );
}
