// What the fields of a bibliography mean: keywords as a list, a DOI as an address.

/** Keywords are separated by semicolons, or by commas where there are none; braces hold together what has commas inside. */
export function keywordsIn(text: string): string[] {
  const separator = splitOutside(text, ';').length > 1 ? ';' : ',';
  return splitOutside(text, separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '\\') i++;
    else if (character === '{') depth++;
    else if (character === '}') depth--;
    else if (character === separator && depth <= 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

/** "10.1000/182", with or without "doi:" or the address before it; '' where it is none. */
export function doiAddress(doi: string): string {
  const found = /\b10\.\d{4,9}\/\S+$/.exec(doi.trim());
  return found === null ? '' : `https://doi.org/${found[0]}`;
}
