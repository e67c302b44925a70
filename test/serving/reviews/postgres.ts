// A PostgreSQL server of a test's own, in a temporary folder and on a free port, where its programs are installed.

import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const DEBIAN = '/usr/lib/postgresql';
const PASSWORD = 'se cret%?';

/** Why there can be no server here; undefined where there can. */
export const whyNoPostgres = findBinaries() === undefined ? 'initdb and pg_ctl are not installed' : undefined;
if (whyNoPostgres !== undefined) process.stderr.write(`tests on a PostgreSQL server are skipped: ${whyNoPostgres}\n`);

export interface PostgresServer {
  readonly port: number;
  /** The URL of a database with this name, which is made if it is not there. */
  database(name: string, options?: string): Promise<string>;
  /** Without a connection of the pool's being told: as a crash does it. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and clears away its folder. */
  remove(): Promise<void>;
}

export async function startPostgres(): Promise<PostgresServer> {
  const bin = findBinaries() ?? '';
  const owner = ownerOfFiles();
  const run = (program: string, args: readonly string[]) =>
    promisify(execFile)(join(bin, program), args, { ...owner, cwd: tmpdir() });
  const folder = await mkdtemp(join(tmpdir(), 'tagloom-postgres-'));
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, PASSWORD);
  if (owner !== undefined) for (const path of [folder, passwordFile]) await chown(path, owner.uid, owner.gid);
  const port = await freePort();
  const asked = ['--username', 'curator', '--auth', 'scram-sha-256', '--pwfile', passwordFile];
  await run('initdb', ['-D', data, '--no-sync', '--encoding', 'UTF8', '--locale', 'C', ...asked]);

  const settings = `-F -p ${port} -k ${folder} -c listen_addresses=127.0.0.1`;
  const start = async () => {
    await run('pg_ctl', ['start', '-w', '-D', data, '-l', join(folder, 'log'), '-o', settings]);
  };
  const stop = async () => {
    await run('pg_ctl', ['stop', '-w', '-D', data, '-m', 'immediate']);
  };
  const urlOf = (name: string) =>
    `postgres://curator:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${encodeURIComponent(name)}`;
  await start();
  return {
    port,
    start,
    stop,
    database: async (name, options = '') => {
      const client = new pg.Client(urlOf('postgres'));
      await client.connect();
      const { rows } = await client.query('select 1 from pg_database where datname = $1', [name]);
      if (rows.length === 0) await client.query(`create database "${name}" ${options}`);
      await client.end();
      return urlOf(name);
    },
    remove: async () => {
      await stop().catch(() => {}); // it may be stopped already
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The password, as it must never be shown. */
export const secrets = [PASSWORD, encodeURIComponent(PASSWORD)];

function findBinaries(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((version) => join(DEBIAN, version, 'bin'));
  try {
    folders.push(execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: 'pipe' }).trim());
  } catch {
    // not installed
  }
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')));
}

/** The server refuses to run as root: it runs as whom the package made for it, or as nobody. */
function ownerOfFiles(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string, user: string) => Number(execFileSync('id', [flag, user], { stdio: 'pipe' }).toString());
  for (const user of ['postgres', 'nobody']) {
    try {
      return { uid: idOf('-u', user), gid: idOf('-g', user) };
    } catch {
      // no such user
    }
  }
  return undefined;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
