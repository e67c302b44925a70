// What an export writes, side by side: the objects of a model or its tags, each with names, vectors and what is known of
// them. The formats see only this and never ask which side they have.

import type { Relation } from '../../data/relation.ts';
import type { NameTable, Vocabulary } from '../../data/vocabulary.ts';
import { InputError } from '../../errors.ts';
import type { Model } from '../../models/model.ts';
import type { Embeddings } from '../../training/trainer.ts';

export const SIDES = ['objects', 'tags', 'both'] as const;
export type WhichSides = (typeof SIDES)[number];

export interface Side {
  readonly label: 'objects' | 'tags';
  readonly names: Vocabulary;
  readonly width: number;
  readonly vectors: Float32Array; // (names.size, width), row-major
  /** What to show a person; only objects have them. */
  readonly titles?: NameTable;
  /** (names.size): what is added to the product of two vectors to make a score; only tags have it. */
  readonly base?: Float32Array;
  /** Column name → how many of something each row has, (names.size). */
  readonly counts: Readonly<Record<string, Int32Array>>;
}

/** The sides asked for. `file` is where the model came from, for the message if it has no vectors. */
export function sidesOf(model: Model, which: WhichSides, file?: string): Side[] {
  const { graph } = model;
  const { width, objects, tags, base } = requireEmbeddings(model, file);
  const sides: Side[] = [];
  if (which !== 'tags') {
    const numUsers = graph.interact.size > 0 && { numUsers: tailCounts(graph.interact) };
    const counts = { numTags: headCounts(graph.tagged), ...numUsers };
    sides.push({ label: 'objects', names: graph.objects, width, vectors: objects, titles: graph.titles, counts });
  }
  if (which !== 'objects') {
    const counts = { numObjects: tailCounts(graph.tagged) };
    sides.push({ label: 'tags', names: graph.tags, width, vectors: tags, base, counts });
  }
  return sides;
}

function requireEmbeddings({ name, fitted }: Model, file?: string): Embeddings {
  if (fitted.form === 'embeddings' && fitted.width > 0) return fitted;
  throw new InputError({
    ...(file === undefined ? {} : { file }),
    got: `the model ${name}, which has no vectors`,
    expected: 'a model with a vector for each object and tag',
    cure: 'Train one that learns embeddings, such as dge.',
  });
}

function headCounts(relation: Relation): Int32Array {
  return Int32Array.from({ length: relation.numHeads }, (_, head) => relation.rowLength(head));
}

function tailCounts({ numTails, tails }: Relation): Int32Array {
  const counts = new Int32Array(numTails);
  for (const tail of tails) counts[tail]++;
  return counts;
}
