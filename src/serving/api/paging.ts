// Pages of long lists. A cursor says where the next page begins; for those who ask it is a text without meaning: base64url of
// JSON [kind, place]. One that was tampered with, or is of another list, is a bad request.

import { Check, type Static, type TSchema, Type } from '../typebox.ts';
import { refuse } from './problem.ts';

export interface Cursor<Place extends TSchema> {
  encode(place: Static<Place>): string;
  /** Undefined for the first page. */
  decode(text: string | undefined): Static<Place> | undefined;
}

export function cursorOf<Place extends TSchema>(kind: string, place: Place): Cursor<Place> {
  const shape = Type.Tuple([Type.Literal(kind), place]);
  return {
    encode: (value) => Buffer.from(JSON.stringify([kind, value])).toString('base64url'),
    decode(text) {
      if (text === undefined) return undefined;
      const value = parsed(text);
      if (!Check(shape, value)) {
        refuse(
          400,
          'The cursor is not one that this list gave.',
          'Use the `next` of the page before, or leave it out.',
        );
      }
      return (value as unknown[])[1] as Static<Place>;
    },
  };
}

function parsed(text: string): unknown {
  if (!/^[\w-]+$/.test(text)) return undefined;
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Places in a list that is known as a whole: how many came before. */
export const offsetCursor = (kind: string) => cursorOf(kind, Type.Integer({ minimum: 1, maximum: 2 ** 31 }));

/** So many from `start` on, and the cursor of what follows, if anything does. */
export function pageOf<Item>(
  list: ArrayLike<Item>,
  { start, limit }: { start: number; limit: number },
  cursor: Cursor<TSchema>,
): { page: Item[]; next?: string } {
  const end = Math.min(list.length, start + limit);
  const page: Item[] = [];
  for (let i = start; i < end; i++) page.push(list[i]);
  return end < list.length ? { page, next: cursor.encode(end) } : { page };
}
