// The programs that tests of the deployment need, and why one of them is skipped where a program is missing.

import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The first of these programs that is installed; says so on standard error where none is. */
export function findTool(...names: string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
  if (found === undefined) process.stderr.write(`tests with ${names.join(' or ')} are skipped: it is not installed\n`);
  return found;
}

/** What a program prints; where it fails, the error says what it printed to standard error. */
export function output(program: string, args: readonly string[], options: ExecFileSyncOptions = {}): string {
  return String(execFileSync(program, args, { stdio: 'pipe', ...options }));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
