// How many there are of each, by names in the plural; what the data does not have is left out.

import { whole } from '../numbers.ts';

export function CountList({ counts }: { readonly counts: readonly (readonly [string, number | undefined])[] }) {
  return (
    <ul class="counts">
      {counts.map(
        ([name, count]) =>
          count !== undefined && (
            <li key={name}>
              <strong>{whole(count)}</strong> {count === 1 ? name.replace(/s$/, '') : name}
            </li>
          ),
      )}
    </ul>
  );
}
