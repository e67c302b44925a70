// Starts a small Spark cluster on this machine: a master, two workers and a Connect server, on free ports of 127.0.0.1. Writes one line of
// JSON when it is ready, and stops all of it when its standard input ends, however the program at the other side ended.
//
//   node scripts/spark-cluster.mjs SPARK_HOME [NAME=VALUE…]      settings of the Connect server; Ctrl-D stops

import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const NUM_WORKERS = 2;
const READY_MS = 120_000; // on a busy machine a Java process takes 20 s to start
const HOST = '127.0.0.1';
const [home, ...settings] = process.argv.slice(2);
if (!home || !existsSync(join(home, 'bin/spark-class')))
  fail(`got ${home ?? 'no folder'}, expected the folder of a Spark`);

const folder = mkdtempSync(join(tmpdir(), 'tagloom-spark-'));
const children = new Set();
let isStopping = false;
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => stop(1));
process.on('SIGINT', () => {}); // Ctrl-C is for whoever started this: its end closes standard input
process.stdin.on('end', () => stop(0)).resume();

const timeout = setTimeout(() => stop(1, `Spark was not ready after ${READY_MS / 1000} s`), READY_MS);
const env = {
  ...process.env,
  SPARK_HOME: home,
  SPARK_LOCAL_IP: HOST,
  SPARK_LOCAL_DIRS: join(folder, 'local'),
  SPARK_LOG_DIR: folder,
};

const master = await start(
  'master',
  classOf('master.Master', '--host', HOST, '--port', '0'),
  /Starting Spark master at (\S+)/,
);
const workers = [];
for (let index = 0; index < NUM_WORKERS; index++) {
  const size = ['--cores', '1', '--memory', '640m', '--work-dir', join(folder, `work-${index}`)];
  const command = classOf('worker.Worker', '--host', HOST, ...size, master.found);
  workers.push(await start(`worker ${index}`, command, /(Successfully registered with master)/));
}
const port = await freePort(); // Spark 3.5 does not tell which one it took
const server = await start('server', serverCommand(master.found), /Spark Connect server started/);
clearTimeout(timeout);
process.stdout.write(`${JSON.stringify({ port, server: server.pid, workers: workers.map(({ pid }) => pid) })}\n`);

function classOf(name, ...parameters) {
  return ['bin/spark-class', `org.apache.spark.deploy.${name}`, '--webui-port', '0', ...parameters];
}

function serverCommand(masterUrl) {
  const inside = readdirSync(join(home, 'jars')).find((name) => /^spark-connect_.*\.jar$/.test(name));
  const given = {
    'spark.driver.host': HOST,
    'spark.driver.bindAddress': HOST,
    'spark.executor.memory': '512m',
    'spark.ui.enabled': 'false',
    'spark.sql.warehouse.dir': join(folder, 'warehouse'),
    'spark.sql.shuffle.partitions': '4',
    'spark.connect.grpc.binding.address': HOST,
    'spark.connect.grpc.binding.port': port,
    'spark.hadoop.javax.jdo.option.ConnectionURL': `jdbc:derby:memory:tagloom;create=true`,
    ...Object.fromEntries(settings.map((setting) => [setting.split('=')[0], setting.slice(setting.indexOf('=') + 1)])),
  };
  return [
    'bin/spark-submit',
    ...['--master', masterUrl, '--driver-memory', '512m'],
    ...['--class', 'org.apache.spark.sql.connect.service.SparkConnectServer', '--name', 'tagloom'],
    ...Object.entries(given).flatMap(([name, value]) => ['--conf', `${name}=${value}`]),
    ...(inside
      ? [join(home, 'jars', inside)]
      : ['--packages', `org.apache.spark:spark-connect_2.12:${version()}`, 'spark-internal']),
  ];
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, HOST, () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Before 4, the Connect server is a package of its own, which Spark fetches; of the same version as its other parts. */
function version() {
  const core = readdirSync(join(home, 'jars')).find((name) => name.startsWith('spark-core_'));
  return /_[\d.]+-(.*)\.jar$/.exec(core)[1];
}

/** Resolves when a line of the log matches. Each process leads a group, so that executors end with their worker. */
function start(what, [program, ...parameters], ready) {
  const memory = what === 'server' ? '640m' : '192m'; // newer Sparks take it for the Connect server, too
  const child = spawn(join(home, program), parameters, {
    cwd: folder,
    env: { ...env, SPARK_DAEMON_MEMORY: memory },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  const log = createWriteStream(join(folder, `${what.replace(' ', '-')}.log`));
  const errors = [];
  return new Promise((resolve) => {
    child.on('error', (error) => stop(1, `${what} cannot be started: ${error.message}`));
    child.on('exit', (code) => {
      children.delete(child);
      resolve({ pid: child.pid, found: '' });
      if (!isStopping && isAwaited) stop(1, `the ${what} ended with ${code}\n${errors.slice(0, 5).join('\n')}`);
    });
    let isAwaited = true;
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        log.write(`${line}\n`);
        if (/ERROR|Exception|Error:/.test(line)) errors.push(line);
        const found = isAwaited && ready.exec(line);
        if (!found) return;
        isAwaited = false;
        resolve({ pid: child.pid, found: found[1] });
      });
    }
  });
}

function stop(code, why) {
  if (isStopping) return;
  isStopping = true;
  if (why) process.stderr.write(`spark-cluster: ${why}\n`);
  for (const child of children) kill(child, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  process.exit(code);
}

function kill({ pid }, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // it ended by itself
  }
}

function fail(why) {
  process.stderr.write(`spark-cluster: ${why}\n`);
  process.exit(1);
}
