// Numbers as the page writes them.

const WHOLE = new Intl.NumberFormat('en');
const MOMENT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const LONG_MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'medium' });

export function whole(count: number): string {
  return WHOLE.format(count);
}

export function counted(count: number, thing: string, things = `${thing}s`): string {
  return `${whole(count)} ${count === 1 ? thing : things}`;
}

/** Never 100 % and never 0 %: no suggestion is that sure. */
export function percent(share: number): string {
  if (share > 0 && share < 0.01) return '< 1 %';
  return `${Math.min(99, Math.round(100 * share))} %`;
}

/** What a suggestion is ranked by. */
export interface Ranked {
  readonly confidence?: number | undefined;
  readonly score: number;
}

/**
 * How sure the row at an index is, told apart from the rows beside it: with a decimal where the percentage would be theirs,
 * and with the score, which broke the tie, where that is not enough.
 */
export function figureAmong(
  rows: readonly Ranked[],
  index: number,
): { readonly figure: string; readonly tie?: string } {
  const { confidence, score } = rows[index];
  if (confidence === undefined) return { figure: score.toFixed(3) };
  const beside = [rows[index - 1], rows[index + 1]].flatMap((row) => row?.confidence ?? []);
  const isSame = (write: (share: number) => string) => beside.some((other) => write(other) === write(confidence));
  if (!isSame(percent)) return { figure: percent(confidence) };
  if (!beside.some((other) => percent(other) === percent(confidence) && tenths(other) !== tenths(confidence))) {
    return { figure: percent(confidence), tie: score.toFixed(3) };
  }
  return isSame(tenths) ? { figure: tenths(confidence), tie: score.toFixed(3) } : { figure: tenths(confidence) };
}

/** As percent, with one decimal. */
function tenths(share: number): string {
  if (share > 0 && share < 0.001) return '< 0.1 %';
  return `${Math.min(99.9, Math.round(1000 * share) / 10).toFixed(1)} %`;
}

export function sharePercent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

export function signed(amount: number, digits = 3): string {
  const text = Math.abs(amount).toFixed(digits);
  return Number(text) === 0 ? text : `${amount < 0 ? '−' : '+'}${text}`;
}

export function dayAndTime(iso: string): string {
  return format(MOMENT, iso);
}

export function longTime(iso: string): string {
  return format(LONG_MOMENT, iso);
}

function format(formatter: Intl.DateTimeFormat, iso: string): string {
  const moment = new Date(iso);
  return Number.isNaN(moment.getTime()) ? iso : formatter.format(moment);
}
