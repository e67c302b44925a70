import { type Csr, CsrBuilder } from '../../../src/csr.ts';

/** Rows of numbers; zeros are left out. */
export function csrOf(rows: readonly (readonly number[])[]): Csr {
  const built = new CsrBuilder(rows.length);
  for (const row of rows) {
    for (const [column, value] of row.entries()) if (value !== 0) built.add(column, value);
    built.endRow();
  }
  return built.finish();
}
