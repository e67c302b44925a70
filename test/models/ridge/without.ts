import type { Hiding, Ridge } from '../../../src/models/ridge/solution.ts';

/** What fits that know less of some rows would say of these, which are looked at among others. */
export async function without(ridge: Ridge, { rows, ...hiding }: { rows: Int32Array } & Omit<Hiding, 'places'>) {
  const seen = await ridge.look(Int32Array.of(1, ...rows));
  return seen.without({ ...hiding, places: Int32Array.from(rows, (_, i) => i + 1) });
}
