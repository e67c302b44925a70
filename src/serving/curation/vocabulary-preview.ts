// What a change of the vocabulary would do, before it is made: which objects would gain or lose tags, and which carry tags that
// would exclude each other.

import type { KnowledgeGraph } from '../../data/knowledge-graph.ts';
import type { Relation } from '../../data/relation.ts';
import { TagRules } from '../recommend/tag-rules.ts';
import { type Declaration, namesOf } from '../vocabulary/declaration.ts';
import { Declarations } from '../vocabulary/declarations.ts';
import { draftOf } from '../vocabulary/proposal.ts';
import type { VocabularyNow } from '../vocabulary/vocabulary-now.ts';
import { carriedBy } from './declared-tags.ts';
import type { ReviewedTags } from './reviewed-tags.ts';

export interface ChangedObject {
  readonly object: string;
  readonly title: string;
  readonly gains: string[];
  readonly loses: string[];
}

export interface ConflictingObject {
  readonly object: string;
  readonly title: string;
  readonly tags: string[];
}

export interface VocabularyEffect {
  /** Objects. */
  readonly numGain: number;
  readonly numLose: number;
  readonly numKeep: number;
  readonly examples: ChangedObject[];
  readonly numConflicts: number;
  readonly conflicts: ConflictingObject[];
}

/** What the effect is computed from. */
export interface EffectData {
  readonly graph: KnowledgeGraph;
  readonly objectsOf: Relation;
  readonly reviewed: Pick<ReviewedTags, 'amendments' | 'objects' | 'of'>;
  readonly now: VocabularyNow;
}

const MOST_EXAMPLES = 5;

/** `breathe` lets others work in between. */
export async function effectOf(
  declarations: readonly Declaration[],
  data: EffectData,
  breathe: () => Promise<void> | undefined,
): Promise<VocabularyEffect> {
  const { graph, now } = data;
  const before = now.rules ?? new TagRules(graph, Declarations.of([]));
  const after = declarations.length === 0 ? before : now.rulesWith(draftOf(...declarations));
  const excluded = declarations.flatMap(({ kind, tags }) =>
    kind === 'exclude' ? [tags.map((tag) => after.anyIdOf(tag))] : [],
  );
  const tally = new Tally(graph);
  for (const object of objectsNear(declarations, data, [before, after])) {
    await breathe();
    const carried = [before, after].map((rules) => namesCarriedBy(object, data, rules));
    tally.add(object, carried[0], carried[1]);
    for (const tags of excluded)
      tally.addConflict(
        object,
        tags.map((id) => after.nameOf(id)),
        carried[1],
      );
  }
  return tally.effect;
}

/** With accepted names that neither the model nor the vocabulary has. */
function namesCarriedBy(object: number, { graph, reviewed }: EffectData, rules: TagRules): Set<string> {
  const { held, implied } = carriedBy(object, graph, reviewed, rules);
  const names = new Set([...held, ...implied].map((id) => rules.nameOf(id)));
  for (const { tag, decision } of reviewed.of(object)) {
    if (decision === 'accept' && rules.anyIdOf(tag) < 0) names.add(tag);
  }
  return names;
}

class Tally {
  readonly #graph: KnowledgeGraph;
  readonly #counts = { numGain: 0, numLose: 0, numKeep: 0, numConflicts: 0 };
  readonly #examples: ChangedObject[] = [];
  readonly #conflicts: ConflictingObject[] = [];

  constructor(graph: KnowledgeGraph) {
    this.#graph = graph;
  }

  get effect(): VocabularyEffect {
    return { ...this.#counts, examples: this.#examples, conflicts: this.#conflicts };
  }

  add(object: number, before: ReadonlySet<string>, after: ReadonlySet<string>): void {
    const gains = [...after].filter((tag) => !before.has(tag)).sort();
    const loses = [...before].filter((tag) => !after.has(tag)).sort();
    if (gains.length > 0) this.#counts.numGain++;
    if (loses.length > 0) this.#counts.numLose++;
    if (gains.length + loses.length === 0) this.#counts.numKeep++;
    else if (this.#examples.length < MOST_EXAMPLES) this.#examples.push({ ...this.#named(object), gains, loses });
  }

  addConflict(object: number, excluded: readonly string[], carried: ReadonlySet<string>): void {
    const tags = excluded.filter((tag) => carried.has(tag));
    if (tags.length < 2) return;
    this.#counts.numConflicts++;
    if (this.#conflicts.length < MOST_EXAMPLES) this.#conflicts.push({ ...this.#named(object), tags });
  }

  #named(object: number): { object: string; title: string } {
    return { object: this.#graph.objects.name(object), title: this.#graph.titles.at(object) };
  }
}

/** All objects whose tags may change, ascending: those that carry one of the names, or something that implies it. */
function objectsNear(
  declarations: readonly Declaration[],
  { objectsOf, reviewed, graph }: EffectData,
  rules: readonly TagRules[],
): Int32Array {
  const near = new Set<number>();
  const ids = new Set<number>();
  const unknown = new Set<string>(); // names near that the model does not have
  for (const declaration of declarations) {
    // a parent changes who carries what implies it, and an assignment whom it names
    const names = declaration.kind === 'parent' ? declaration.tags : namesOf(declaration);
    for (const one of rules) {
      for (const name of names) {
        const id = one.anyIdOf(name);
        if (graph.tags.idOf(name) < 0) unknown.add(name);
        for (const tag of [id, ...one.implying(id)]) {
          for (const member of one.membersOf(tag)) ids.add(member);
          if (tag >= graph.tags.size) unknown.add(one.nameOf(tag));
        }
      }
    }
    for (const { object } of declaration.assigned ?? []) {
      const id = graph.objects.idOf(object);
      if (id >= 0) near.add(id);
    }
  }
  ids.delete(-1);
  for (const id of ids) for (const object of objectsOf.row(id)) near.add(object);
  for (const [object, { added }] of reviewed.amendments) if (added.some((tag) => ids.has(tag))) near.add(object);
  for (const object of unknown.size === 0 ? [] : reviewed.objects()) {
    if (reviewed.of(object).some(({ tag, decision }) => decision === 'accept' && unknown.has(tag))) near.add(object);
  }
  return Int32Array.from(near).sort();
}
