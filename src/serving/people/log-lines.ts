// The log as text: JSON Lines, or a table with a header.

import type { LogEntry } from './log-store.ts';

export type LogFormat = 'jsonl' | 'tsv';

export async function* logLines(entries: AsyncIterable<LogEntry>, format: LogFormat): AsyncGenerator<string> {
  if (format === 'tsv') yield 'at\twho\taction\tobject\ttag\tdetail\n';
  for await (const entry of entries) yield format === 'tsv' ? tableRow(entry) : `${JSON.stringify(entry)}\n`;
}

/** Names are clean, and JSON escapes what is not: nothing else to escape. */
function tableRow({ at, who, action, object = '', tag = '', detail }: LogEntry): string {
  const rest = Object.keys(detail).length === 0 ? '' : JSON.stringify(detail);
  return `${[at, who, action, object, tag, rest].join('\t')}\n`;
}
