// Loads packages that an installation may lack (npm install tagloom --omit=optional), or says which ones to install.

import { InputError } from './errors.ts';

/** `what` needs the `packages`, as it follows "the packages that"; `load` imports them, or modules that do. */
export async function optional<Loaded>(
  what: string,
  packages: readonly string[],
  load: () => Promise<Loaded>,
): Promise<Loaded> {
  try {
    return await load();
  } catch (error) {
    const missing = missingPackage(error);
    if (missing === undefined) throw error;
    throw new InputError(
      {
        got: `an installation without ${missing}`,
        expected: `the packages that ${what} needs`,
        cure: `Run npm install ${packages.join(' ')}.`,
      },
      { cause: error },
    );
  }
}

/** The name of a package that was not found; undefined for files of our own and for errors inside a package. */
function missingPackage(error: unknown): string | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return undefined;
  return /Cannot find (?:package|module) '([^'./\\:][^'\\:]*)'/.exec(message)?.[1];
}
