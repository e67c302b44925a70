// The words of a name: runs of letters and digits without case and accents, also where a capital begins one (fooBar). A name says
// much about an object (eslint-plugin-react), and every data set has names.

/** Each once, in the order they come. */
export function wordsOf(name: string): string[] {
  const folded = name
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  return [...new Set(folded.match(/[\p{L}\p{N}]+/gu) ?? [])];
}
