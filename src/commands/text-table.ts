// Plain tables for people: columns as wide as their widest cell, numbers to the right, no lines drawn.

export type Cell = string | number;

/** The first row is the header; pass `undefined` for a table without one. */
export function textTable(header: readonly string[] | undefined, rows: readonly (readonly Cell[])[]): string {
  const all = header === undefined ? rows : [header, ...rows];
  const widths: number[] = [];
  for (const row of all) {
    for (let c = 0; c < row.length; c++) widths[c] = Math.max(widths[c] ?? 0, displayWidth(String(row[c])));
  }
  const toRight = widths.map(
    (_, c) => rows.length > 0 && rows.every((row) => row[c] === undefined || isNumeric(row[c])),
  );
  const line = (row: readonly Cell[]) =>
    row
      .map((cell, c) => {
        const gap = ' '.repeat(widths[c] - displayWidth(String(cell)));
        return toRight[c] ? gap + cell : cell + gap;
      })
      .join('  ')
      .trimEnd();
  return `${all.map(line).join('\n')}\n`;
}

export function withThousands(value: number): string {
  return value.toLocaleString('en');
}

/** A share in whole percent. */
export function percentOf(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function isNumeric(cell: Cell): boolean {
  return typeof cell === 'number' || /^[-–−+]?[\d.,]+\s?%?$/.test(cell) || cell === '';
}

/** Columns a text takes on a terminal: East Asian wide characters and emoji take two, combining marks none. */
function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{Mn}|\p{Me}|\p{Cf}/u.test(character)) continue;
    width +=
      /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return width;
}
