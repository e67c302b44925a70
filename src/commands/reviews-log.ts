// tagloom reviews log STORE: who did what, the oldest first, as a table or JSON.

import { type Command, InvalidArgumentError, Option } from 'commander';
import { refuseExistingFile, writeFile } from '../files.ts';
import { type LogFormat, logLines } from '../serving/people/log-lines.ts';
import type { LogEntry } from '../serving/people/log-store.ts';
import { InUseError } from '../serving/reviews/embedded-database.ts';
import type { Terminal } from './terminal.ts';
import { insteadOfFolder, quoted, SIGNED_IN, withReviews } from './with-reviews.ts';

interface Options {
  readonly who?: string;
  readonly action?: string;
  readonly object?: string;
  readonly tag?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly format: LogFormat;
  readonly output?: string;
  readonly force?: true;
  readonly json?: true;
}

const HELP = `
Actions are accept, reject, unsure and undo; user.add, user.role, user.token and user.remove; vocabulary.merge, .rename, .split,
.retire, .synonym, .notSynonym, .parent, .exclude, .import and .undo. The log begins with the version of tagloom that introduced it;
older decisions are in "tagloom reviews export STORE --json".

Examples:
  $ tagloom reviews log npm.tagloom.reviews --who ann --since 2026-03-01
  $ tagloom reviews log postgres://curator@localhost/reviews --action undo --format jsonl -o undone.jsonl
`;

export function addReviewsLog(reviews: Command, terminal: Terminal): void {
  reviews
    .command('log')
    .description('write who did what, the oldest first')
    .argument('<store>', 'a folder or a postgres:// URL')
    .option('--who <name>', 'only what this person did')
    .option('--action <action>', 'only this, such as accept or undo')
    .option('--object <id>', 'only about this object')
    .option('--tag <tag>', 'only about this tag')
    .option('--since <time>', 'only from this time on, such as 2026-03-04 or 2026-03-04T12:00:00Z', parseTime)
    .option('--until <time>', 'only before this time', parseTime)
    .addOption(new Option('--format <format>', 'a table or JSON Lines').choices(['tsv', 'jsonl']).default('tsv'))
    .option('-o, --output <file>', 'write it here')
    .option('--force', 'replace the file if it is already there')
    .option('--json', 'print one JSON document')
    .addHelpText('after', HELP)
    .action((store: string, options: Options) => run(store, options, terminal));
}

async function run(where: string, options: Options, terminal: Terminal): Promise<void> {
  const { output, json, format, action, ...filter } = options;
  if (output !== undefined) await refuseExistingFile(output, options.force ?? false);
  try {
    await withReviews(where, ({ log }) => {
      const entries = log.all({ ...filter, actions: action === undefined ? undefined : [action] });
      if (output !== undefined) return writeFile(output, logLines(entries, format));
      return terminal.printChunks(json ? jsonDocument(entries) : logLines(entries, format));
    });
  } catch (error) {
    if (!(error instanceof InUseError)) throw error;
    throw await insteadOfFolder(where, error, (url) => requestOf(url, options));
  }
}

function requestOf(url: string, options: Options): string {
  const { who, action, object, tag, since, until, json, output } = options;
  const format = json && output === undefined ? 'jsonl' : options.format; // of what a service gives, the nearest
  const asked = { who, action, object, tag, since: since?.toISOString(), until: until?.toISOString(), format };
  const given = Object.entries(asked).filter((one): one is [string, string] => one[1] !== undefined);
  const target = output === undefined ? '' : ` -o ${quoted(output)}`;
  return `curl ${SIGNED_IN} ${quoted(`${url}/v1/log/export?${new URLSearchParams(given)}`)}${target}`;
}

/** One document, an entry at a time: a long log never lies in memory as a whole. */
async function* jsonDocument(entries: AsyncIterable<LogEntry>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const entry of entries) {
    yield `${before}  ${JSON.stringify(entry)}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[\n]\n' : '\n]\n';
}

function parseTime(text: string): Date {
  const time = new Date(text);
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError('Expected a time such as 2026-03-04 or 2026-03-04T12:00:00Z.');
}
