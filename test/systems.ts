// What some systems lack, as reasons to skip a test: `it.skipIf(withoutSignals)`.

import { existsSync } from 'node:fs';

const isWindows = process.platform === 'win32';

/** Windows ends a process at once where others tell it to stop, and can neither pause one nor tell it to reload. */
export const withoutSignals = isWindows;
/** On Windows, files have no modes, and links need rights of their own. */
export const withoutModes = isWindows;
/** Windows has neither sh nor /dev/null. */
export const withoutShell = isWindows;
/** Only Linux has a device that is always full. */
export const withoutFullDisk = !existsSync('/dev/full');
