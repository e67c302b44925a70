// tagloom serve FILE: the page and the API over a model, until it is told to stop.

import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { InputError } from '../errors.ts';
import { isLoopback } from '../serving/http/hosts.ts';
import type { Service } from '../serving/http/service.ts';
import { UnavailableError } from '../serving/reviews/database.ts';
import { removeServiceAddress, writeServiceAddress } from '../serving/reviews/service-address.ts';
import { namesIn, parseWhole } from './options.ts';
import { addPeopleOptions, PEOPLE_HELP, type PeopleOptions, peopleOptions } from './serve-people.ts';
import type { Terminal } from './terminal.ts';

interface Options extends PeopleOptions {
  readonly port: number;
  readonly host: string;
  readonly reviews?: string;
  readonly token?: string;
  readonly results?: string;
  readonly rateLimit?: number;
  readonly cors?: string;
  readonly allowHost?: readonly string[];
  readonly log?: true;
  readonly open?: true;
  readonly json?: true;
}

const HELP = `
The page shows what to review; the API is described at /docs. Reviews are kept in a folder beside the model or,
with --reviews and a postgres:// URL, in a database that several instances may share. With a token, POST and DELETE need the
header "Authorization: Bearer TOKEN"; after ten wrong tokens in a minute, a client waits. The service answers to localhost and,
with --host, to addresses; --allow-host adds names. Ctrl-C or SIGTERM finish what runs and stop; SIGHUP reloads the model file.

Examples:
  $ tagloom serve npm.tagloom --open
  $ tagloom serve npm.tagloom --host 0.0.0.0 --port 80 --token "$TOKEN" --allow-host tags.example.org --log
  $ TAGLOOM_TOKEN=secret tagloom serve npm.tagloom --reviews postgres://tagloom@db/reviews
  $ tagloom compare npm --json > results.json && tagloom serve npm.tagloom --results results.json
`;

export function addServe(program: Command, terminal: Terminal): void {
  const serve = program
    .command('serve')
    .description('serve a model: a page to review suggestions on, and an API')
    .argument('<model>', 'a model file')
    .option('--port <n>', 'port to listen on; 0 picks one', parsePort, 8080)
    .option('--host <address>', 'address to listen on; 0.0.0.0 for all of this machine', '127.0.0.1')
    .option('--reviews <store>', 'where reviews are kept: a folder or a postgres:// URL (default: FILE.reviews)')
    .addOption(
      new Option('--token <text>', 'token of an administrator, which clients must send to change anything').env(
        'TAGLOOM_TOKEN',
      ),
    )
    .option('--results <file>', 'what "compare --json" printed, for the page to show')
    .option('--rate-limit <n>', 'requests of one client in a second (default: 100 beyond this machine)', parseRate)
    .option('--cors <origin>', 'whose pages may use the API, such as https://example.org', parseOrigin)
    .addOption(
      new Option('--allow-host <name>', 'a name the service is called by, such as tags.example.org; repeatable')
        .argParser((text: string, before: readonly string[] = []) => [...before, ...namesIn(text)])
        .env('TAGLOOM_ALLOW_HOST'),
    )
    .option('--log', 'a line of JSON on standard error for every request')
    .option('--open', 'open the page in a browser')
    .option('--json', 'print one line of JSON when it is ready')
    .addHelpText('after', HELP + PEOPLE_HELP)
    .action((path: string, options: Options) => run(path, options, terminal));
  addPeopleOptions(serve);
}

async function run(path: string, options: Options, terminal: Terminal): Promise<void> {
  const { host, port, reviews = `${path}.reviews`, token } = options;
  if (token === '') {
    throw new InputError({ got: 'an empty token', expected: 'one', cure: 'Leave --token out, or choose a token.' });
  }
  const { createService } = await import('../serving/http/service.ts'); // slow to load
  const service = await open(createService, path, { ...options, reviews }, terminal);
  try {
    const url = await service.listen({ host, port });
    if (!isLoopback(host) && service.isOpen) {
      terminal.note(
        'warning: other machines may connect, and anyone may write reviews: choose a --token, or "tagloom users add".',
      );
    }
    await writeServiceAddress(reviews, url);
    announce(url, path, { ...options, reviews }, terminal);
    if (options.open) openBrowser(url);
    terminal.onHangup(() => reload(service, path, terminal));
    await terminal.untilStopped();
  } finally {
    await removeServiceAddress(reviews);
    await service.close();
  }
}

async function open(
  createService: typeof import('../serving/http/service.ts').createService,
  path: string,
  options: Options & { reviews: string },
  terminal: Terminal,
): Promise<Service> {
  const { reviews, token, results, rateLimit, cors, allowHost: allowedHosts } = options;
  const log = (line: string) => terminal.note(line.trimEnd());
  try {
    return await createService({
      ...{ model: path, reviews, token, results, rateLimit, cors, allowedHosts },
      ...peopleOptions(options),
      log,
      logsRequests: options.log ?? false,
      warn: (message) => terminal.note(`warning: ${message}`),
    });
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    const got = `a store of reviews that does not answer (${withoutPassword(reviews)})`;
    throw new InputError(
      { got, expected: 'one that does', cure: 'Start the database, or check the URL.' },
      { cause: error },
    );
  }
}

function announce(url: string, path: string, options: Options & { reviews: string }, terminal: Terminal): void {
  const reviews = withoutPassword(options.reviews);
  if (options.json) {
    terminal.print(JSON.stringify({ url, api: `${url}/openapi.json`, model: path, reviews }));
    return;
  }
  terminal.print(`tagloom serves ${path}
  page      ${url}
  API       ${url}/openapi.json
  reviews   ${reviews}
Ctrl-C stops it.`);
}

async function reload(service: Service, path: string, terminal: Terminal): Promise<void> {
  try {
    await service.reload();
    terminal.note(`${path} was reloaded.`);
  } catch (error) {
    terminal.note(`warning: the model before it goes on: ${(error as Error).message}`);
  }
}

function withoutPassword(where: string): string {
  return where.replace(/^(postgres(?:ql)?:\/\/[^:@/]*):[^@]*@/, '$1:…@').replace(/([?&]password=)[^&]*/, '$1…');
}

/** As well as it goes: a machine without a browser is no error. */
function openBrowser(url: string): void {
  const [command, args] =
    platform() === 'darwin' ? ['open', [url]] : platform() === 'win32' ? ['explorer', [url]] : ['xdg-open', [url]];
  const child = spawn(command as string, args as string[], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

function parsePort(text: string): number {
  const port = parseWhole(text);
  if (port > 65_535) throw new InvalidArgumentError('Expected a port, 0 to 65535.');
  return port;
}

function parseRate(text: string): number {
  const rate = parseWhole(text);
  if (rate < 1) throw new InvalidArgumentError('Expected a whole number, 1 or more.');
  return rate;
}

function parseOrigin(text: string): string {
  if (!URL.canParse(text) || new URL(text).origin !== text) {
    throw new InvalidArgumentError('Expected an origin such as https://example.org, without a path.');
  }
  return text;
}
