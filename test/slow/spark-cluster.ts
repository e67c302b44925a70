// A Spark cluster for tests: scripts/spark-cluster.mjs, which ends when this process does.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../../scripts/spark-cluster.mjs', import.meta.url));

export interface SparkCluster {
  readonly port: number;
  /** Ends a worker and its executor at once. */
  killWorker(): void;
  /** Ends the Connect server at once. */
  killServer(): void;
  stop(): Promise<void>;
}

/** `settings` are those of the Connect server. */
export async function startCluster(home: string, settings: Readonly<Record<string, string>>): Promise<SparkCluster> {
  const parameters = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  // a group of its own: Ctrl-C ends this process, whose end ends the cluster
  const child = spawn(process.execPath, [SCRIPT, home, ...parameters], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const line = await firstLine(child);
  const { port, server, workers } = JSON.parse(line) as { port: number; server: number; workers: number[] };
  const killGroup = (pid: number) => process.kill(-pid, 'SIGKILL');
  return {
    port,
    killWorker: () => killGroup(workers[0]),
    killServer: () => killGroup(server),
    stop: async () => {
      const ended = once(child, 'exit');
      child.stdin?.end();
      await ended;
    },
  };
}

function firstLine({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!stdout) throw new Error('no standard output');
    const lines = createInterface({ input: stdout });
    lines.once('line', resolve);
    lines.once('close', () => reject(new Error('Spark did not start; what it said is above.')));
  });
}
