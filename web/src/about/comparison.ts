// The results of a comparison as charts want them. They come from a file that someone gave the service, so that nothing in it
// is taken for granted: what does not look like a result is left out.

export interface Result {
  readonly data: string;
  readonly trainFraction: number;
  readonly model: string;
  readonly seconds: number | undefined;
  readonly metrics: Readonly<Record<string, Spread>>;
  /** The same over objects by their number of training tags. */
  readonly groups: readonly { readonly group: string; readonly metrics: Readonly<Record<string, Spread>> }[];
  readonly bins: readonly Bin[];
}

export interface Spread {
  readonly mean: number;
  readonly deviation: number;
}

/** Of suggestions about as sure as one another: how sure, and how many were right. */
export interface Bin {
  readonly confidence: number;
  readonly right: number;
  readonly size: number;
}

type Loose = Readonly<Record<string, unknown>>;

export function resultsOf(cells: readonly unknown[]): Result[] {
  return cells.flatMap((cell) => {
    if (!isLoose(cell) || typeof cell.model !== 'string') return [];
    const groups = listOf(cell.groups).flatMap((one) =>
      typeof one.group === 'string' ? [{ group: one.group, metrics: spreadsOf(one.metrics) }] : [],
    );
    const reliability = isLoose(cell.reliability) ? cell.reliability : {};
    return [
      {
        data: typeof cell.data === 'string' ? cell.data : '',
        trainFraction: typeof cell.trainFraction === 'number' ? cell.trainFraction : 1,
        model: cell.model,
        seconds: typeof cell.seconds === 'number' ? cell.seconds : undefined,
        metrics: spreadsOf(cell.metrics),
        groups,
        bins: listOf(reliability.bins).flatMap(binOf),
      },
    ];
  });
}

/** In the order they came, each once. */
export function distinct<Item>(items: readonly Item[]): Item[] {
  return [...new Set(items)];
}

/** The share of training pairs that charts are about where there are several: the paper's 80 %, or the largest. */
export function mainFraction(fractions: readonly number[]): number {
  return fractions.find((fraction) => fraction >= 0.8) ?? Math.max(...fractions);
}

/** Recall and NDCG before others. */
export function metricNames(results: readonly Result[]): string[] {
  const names = distinct(results.flatMap(({ metrics }) => Object.keys(metrics)));
  const rank = (name: string) => ['recall', 'ndcg'].findIndex((start) => name.startsWith(start)) >>> 0; // −1 goes last
  return names.sort((a, b) => rank(a) - rank(b));
}

/** "recall@3" as a heading. */
export function metricLabel(name: string): string {
  const words: Readonly<Record<string, string>> = {
    recall: 'Recall',
    ndcg: 'NDCG',
    paperNdcg: 'NDCG of the paper',
    coverage: 'Coverage',
    calibrationError: 'Calibration error',
  };
  const [kind, k] = name.split('@');
  const word = words[kind] ?? kind;
  return k === undefined ? word : `${word}@${k}`;
}

function spreadsOf(value: unknown): Record<string, Spread> {
  const found: Record<string, Spread> = {};
  for (const [name, one] of Object.entries(isLoose(value) ? value : {})) {
    if (typeof one === 'number') found[name] = { mean: one, deviation: 0 };
    else if (isLoose(one) && typeof one.mean === 'number') {
      found[name] = { mean: one.mean, deviation: typeof one.deviation === 'number' ? one.deviation : 0 };
    }
  }
  return found;
}

function binOf({ confidence, right, size }: Loose): Bin[] {
  return typeof confidence === 'number' && typeof right === 'number' && typeof size === 'number' && size > 0
    ? [{ confidence, right, size }]
    : [];
}

function listOf(value: unknown): Loose[] {
  return Array.isArray(value) ? value.filter(isLoose) : [];
}

function isLoose(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null;
}
