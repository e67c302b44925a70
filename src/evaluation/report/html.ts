// What a report is written in: tables and figures in their boxes, and how numbers look.

import { type Html, html } from '../../html.ts';
import type { MetricSpread } from '../experiment.ts';

/** Values as comma-separated text (RFC 4180), the first row being the header. */
export type Rows = readonly (readonly (string | number | null | undefined)[])[];

function csv(rows: Rows): string {
  const field = (value: string | number | null | undefined) => {
    const text = value === null || value === undefined ? '' : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

/** A link that saves data which is in the page itself: a data: URL takes neither a script nor the network. */
export function downloadLink(file: string, about: string, rows: Rows): Html {
  const url = `data:text/csv;charset=utf-8,${urlText(csv(rows))}`;
  return html`<p class="download"><a href="${url}" download="${file}.csv">Download data (CSV)<span class="unseen">: ${about}</span></a></p>`;
}

/** Only what a URL cannot carry: escaping every letter beyond ASCII would treble the page. */
function urlText(text: string): string {
  return text.replace(/[%#"'<>&\s\\^`{|}]/g, encodeURIComponent).replaceAll("'", '%27');
}

export interface TableBox {
  /** Of the page; also the file name of its data. */
  readonly id: string;
  readonly caption: string;
  readonly head: Html;
  readonly body: Html | readonly Html[];
  readonly notes?: Html | undefined;
  readonly rows: Rows;
}

/** A table with a link to its data. */
export function tableBox({ notes, rows, ...table }: TableBox): Html {
  return html`${scrollingTable(table)}
${notes}${downloadLink(table.id, table.caption, rows)}`;
}

/** A table in a box of its own to scroll in, by keyboard, too. */
export function scrollingTable({ id, caption, head, body }: Pick<TableBox, 'id' | 'caption' | 'head' | 'body'>): Html {
  return html`<div class="scroll" role="region" aria-labelledby="${id}" tabindex="0">
<table><caption id="${id}"><span>${caption}</span></caption><thead>${head}</thead>${body}</table>
</div>`;
}

export interface FigureBox {
  readonly id: string;
  readonly caption: Html;
  /** In words, for the data's link. */
  readonly about: string;
  readonly panels: readonly Html[];
  /** What the figure shows, for those who cannot see it. */
  readonly asTable?: Html;
  readonly rows: Rows;
}

export function figureBox({ id, caption, about, panels, asTable, rows }: FigureBox): Html {
  return html`<figure id="${id}"><figcaption>${caption}</figcaption>
<div class="panels">${panels}</div>
${asTable === undefined ? undefined : html`<details><summary>Show as a table</summary>${asTable}</details>`}${downloadLink(id, about, rows)}</figure>`;
}

/** A name as part of an id or a file's name. */
export function slug(name: string): string {
  return name.replace(/[^\p{L}\p{N}.-]+/gu, '-');
}

/** Four digits, everywhere. */
export function metric(value: number): string {
  return value.toFixed(4);
}

/** Mean ± deviation; the deviation only where there is one. */
export function metricCell({ mean, deviation }: MetricSpread, isBest: boolean): Html {
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
