// Opens the database that reviews are kept in: a server by its URL, or an embedded one in a folder.

import { InputError } from '../../errors.ts';
import type { Database } from './connection.ts';
import { EmbeddedDatabase } from './embedded-database.ts';
import { ServerDatabase } from './server-database.ts';

export { type Database, type Queries, UnavailableError } from './connection.ts';

/** `where`: a folder, or a postgres:// URL. Close it when done. */
export async function openDatabase(where: string): Promise<Database> {
  if (/^postgres(ql)?:\/\//i.test(where)) return ServerDatabase.open(where);
  const [, scheme] = /^([a-z][a-z0-9+.-]+):\/\//i.exec(where) ?? []; // never more of it: there may be a password
  if (scheme === undefined) return EmbeddedDatabase.open(where);
  const expected = 'a folder or a postgres:// URL';
  throw new InputError({ got: `a ${scheme}:// URL for the reviews`, expected, cure: 'Name a folder.' });
}
