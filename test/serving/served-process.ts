// The built program serving in a process of its own, to be stopped or killed.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface Served {
  readonly url: string;
  readonly child: ChildProcess;
  /** What it wrote to standard error so far. */
  readonly errors: () => string;
  /** Sends a signal and waits for the end: the exit code, or the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | string | null>;
}

export async function served(model: string, ...args: string[]): Promise<Served> {
  const child = spawn(process.execPath, [CLI, 'serve', model, '--port', '0', '--json', ...args]);
  let [out, errors] = ['', ''];
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (errors += text));
  while (!out.includes('\n')) {
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${errors}`);
  }
  return {
    url: JSON.parse(out).url,
    child,
    errors: () => errors,
    end: async (signal) => {
      child.kill(signal);
      const [code, killedBy] = await once(child, 'exit');
      return code ?? killedBy;
    },
  };
}
