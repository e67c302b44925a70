// How numbers look in a report: four digits for metrics, as in the paper's tables.

import type { Spread } from '../experiment.ts';
import { type Html, html } from './html.ts';

export function metric(value: number): string {
  return value.toFixed(4);
}

/** Mean ± deviation; the deviation only where there is one. */
export function metricCell({ mean, deviation }: Spread, isBest: boolean): Html {
  const shown = isBest ? html`<strong>${metric(mean)}</strong>` : html`${metric(mean)}`;
  return deviation === 0 ? shown : html`${shown} <small>± ${metric(deviation)}</small>`;
}

export function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${metric(Math.abs(value))}`;
}

export function pValue(p: number): string {
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}

export function duration(seconds: number): string {
  if (seconds < 0.05) return '< 0.1 s';
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  return seconds < 600 ? `${seconds.toFixed(0)} s` : `${(seconds / 60).toFixed(0)} min`;
}

export function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** A count with its noun. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${Math.round(value) === 1 ? '' : 's'}`;
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 4 : 2)} %`;
}

/** A round share without digits it does not need. */
export function shortPercent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}

/** For data that is downloaded: no digits of rounding errors. */
export function plain(value: number | undefined): number | undefined {
  return value === undefined || !Number.isFinite(value) ? undefined : Number(value.toPrecision(8));
}
