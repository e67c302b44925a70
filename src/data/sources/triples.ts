// A knowledge graph as a list of triples: head, relation, tail, one a line, tab-separated or .csv, without a header
// (a first line that says "head relation tail" is one). Two of its relations are read, the others are counted.

import { basename } from 'node:path';
import { InputError } from '../../errors.ts';
import type { Listener } from '../../listener.ts';
import { GraphBuilder, type KnowledgeGraph } from '../knowledge-graph.ts';
import { CSV, readDelimited, TSV } from '../table/delimited.ts';
import { fieldText, type Row } from '../table/row.ts';
import { VocabularyBuilder } from '../vocabulary.ts';

export interface TriplesOptions extends Listener {
  /** The relation (user, object); "Interact" by default. Case does not count. */
  readonly interact?: string;
  /** The relation (object, tag); "TaggedWith" by default. Case does not count. */
  readonly tagged?: string;
}

type Meaning = 'interact' | 'tagged' | 'other';

const COLUMNS = ['head', 'relation', 'tail'];
const MAX_SHOWN = 12;

export async function readTriples(path: string, options: TriplesOptions = {}): Promise<KnowledgeGraph> {
  const { interact = 'Interact', tagged = 'TaggedWith' } = options;
  const relations = new RelationNames(interact, tagged);
  const builder = new GraphBuilder();
  const format = /\.csv(\.gz)?$/.test(path) ? CSV : TSV;

  await readDelimited(path, COLUMNS, { ...options, format, header: COLUMNS }, (row) => {
    if (row.line === 1 && isHeader(row)) return;
    const { bytes, start, end } = row;
    const meaning = relations.count(row);
    if (meaning === 'interact') {
      const user = builder.users.addBytes(bytes, start[0], end[0]);
      builder.interact.add(user, builder.objects.addBytes(bytes, start[2], end[2]));
    } else if (meaning === 'tagged') {
      const object = builder.objects.addBytes(bytes, start[0], end[0]);
      builder.tagged.add(object, builder.tags.addBytes(bytes, start[2], end[2]));
    }
  });

  const others = relations.shown('other');
  // tags alone are data without users; with other relations beside them, one of those may be meant
  const isTagsAlone = options.interact === undefined && others === '' && builder.tagged.size > 0;
  if (builder.interact.size === 0 && !isTagsAlone) throw missing(path, interact, '--interact', relations);
  if (builder.tagged.size === 0) throw missing(path, tagged, '--tagged', relations);
  if (others !== '') options.warn?.(`${basename(path)}: passed over the other relations: ${others}.`);
  return builder.finish();
}

/** The relations met so far, what each means here and how many triples it has. */
class RelationNames {
  readonly #interact: string;
  readonly #tagged: string;
  readonly #ids = new VocabularyBuilder();
  readonly #found: { name: string; meaning: Meaning; numTriples: number }[] = []; // by id

  constructor(interact: string, tagged: string) {
    this.#interact = interact.toLowerCase();
    this.#tagged = tagged.toLowerCase();
    if (this.#interact !== this.#tagged) return;
    const cure = 'Name the relation of users with --interact and the relation of tags with --tagged.';
    throw new InputError({ got: `"${interact}" for both relations`, expected: 'two different ones', cure });
  }

  count(row: Row): Meaning {
    const id = this.#ids.addBytes(row.bytes, row.start[1], row.end[1]);
    if (id === this.#found.length) {
      const name = fieldText(row, 1);
      this.#found.push({ name, meaning: this.#meaningOf(name.toLowerCase()), numTriples: 0 });
    }
    const relation = this.#found[id];
    relation.numTriples++;
    return relation.meaning;
  }

  /** Names with their counts, the largest first; all of them unless a meaning is given. */
  shown(meaning?: Meaning): string {
    const chosen = this.#found.filter((relation) => meaning === undefined || relation.meaning === meaning);
    chosen.sort((a, b) => b.numTriples - a.numTriples || (a.name < b.name ? -1 : 1));
    const texts = chosen.slice(0, MAX_SHOWN).map(({ name, numTriples }) => `${name} (${numTriples})`);
    const more = chosen.length > MAX_SHOWN ? ` and ${chosen.length - MAX_SHOWN} more` : '';
    return texts.join(', ') + more;
  }

  #meaningOf(name: string): Meaning {
    if (name === this.#interact) return 'interact';
    return name === this.#tagged ? 'tagged' : 'other';
  }
}

function isHeader(row: Row): boolean {
  return COLUMNS.every((column, c) => fieldText(row, c).toLowerCase() === column);
}

function missing(path: string, wanted: string, flag: string, relations: RelationNames): InputError {
  const found = relations.shown();
  return new InputError({
    file: path,
    got: found === '' ? 'no triples' : `the relations ${found}`,
    expected: `a relation called ${wanted}`,
    cure: `Say which relations to read with --interact and --tagged; ${flag} was not found.`,
  });
}
