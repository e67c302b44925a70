// A real browser for tests, if the machine has one: Debian's chromium or a kin of it, through playwright-core.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const GPU_SWITCHES = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'];

const executable = findOnPath(NAMES);

/** Whether tests can run; for the title of those that cannot, why. */
export const hasBrowser = executable !== undefined;
export const skipped = hasBrowser ? '' : ` (skipped: found none of ${NAMES.join(', ')} on the PATH)`;

/** With WebGPU, on an adapter that computes on the processor, only where that is asked for. */
export function launchBrowser({ gpu = false } = {}): Promise<Browser> {
  const args = gpu ? [...SWITCHES.filter((one) => one !== '--disable-gpu'), ...GPU_SWITCHES] : SWITCHES;
  return chromium.launch({ executablePath: executable as string, headless: true, args });
}

let shared: Promise<Browser> | undefined;

/** One for all files of tests in this process, which ends it when it ends itself. Contexts keep them apart. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  return shared;
}

function findOnPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
