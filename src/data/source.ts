// Where a table is read from: a path, or a file that a person gave to a page. Errors and warnings call it by its name.

/** A path, or a file that came without one. */
export type Source = string | File;

export function nameOf(source: Source): string {
  return typeof source === 'string' ? source : source.name;
}
