// The tags of a model and of the vocabulary as one list, with what is declared of each.

import { TagRules } from '../recommend/tag-rules.ts';
import { Declarations } from '../vocabulary/declarations.ts';
import type { LoadedModel } from './loaded-model.ts';
import type { Static } from './typebox.ts';
import type { VocabularyTag } from './vocabulary-schemas.ts';

export class VocabularyList {
  readonly #loaded: LoadedModel;
  readonly #rules: TagRules;
  readonly #labels = new Map<string, string[]>();
  readonly #exclusions = new Map<string, string[]>();

  constructor(loaded: LoadedModel) {
    const { declarations, rules } = loaded.curation.vocabulary;
    this.#loaded = loaded;
    this.#rules = rules ?? new TagRules(loaded.model.graph, Declarations.of([]));
    for (const [label, tag] of declarations.labels()) add(this.#labels, tag, label);
    for (const {
      tags: [a, b],
    } of declarations.exclusions()) {
      add(this.#exclusions, a, b);
      add(this.#exclusions, b, a);
    }
  }

  /** Ids of tags, names behind them that the model does not know; those of the model come first. */
  find(query: string, show: 'all' | 'declared' | 'retired'): number[] {
    const { declarations } = this.#loaded.curation.vocabulary;
    const wanted = query.trim().normalize('NFC').toLowerCase();
    const isWanted = (name: string) => name.normalize('NFC').toLowerCase().includes(wanted);
    const declared = new Set(
      Array.from(declarations.tags(), (tag) => this.#rules.anyIdOf(tag)).filter((id) => id >= 0),
    );
    const { size } = this.#loaded.model.graph.tags;
    const beyond = [...declared]
      .filter((id) => id >= size && [this.#nameOf(id), ...this.#labelsOf(id)].some(isWanted))
      .sort((a, b) => (this.#nameOf(a) < this.#nameOf(b) ? -1 : 1));
    const all = [...Array.from(this.#loaded.findTags(query)), ...beyond];
    if (show === 'all') return all;
    if (show === 'declared') return all.filter((id) => declared.has(id));
    return all.filter((id) => this.#stateOf(id) !== 'used');
  }

  line(id: number): Static<typeof VocabularyTag> {
    const { declarations } = this.#loaded.curation.vocabulary;
    const tag = this.#nameOf(id);
    const parts = declarations.splitOf(tag)?.parts;
    return {
      tag,
      numObjects: this.#loaded.numCarriersOf(id),
      state: this.#stateOf(id),
      labels: this.#labelsOf(id).sort(),
      implies: [...declarations.parentsOf(tag).keys()].sort(),
      excludes: (this.#exclusions.get(tag) ?? []).sort(),
      ...(parts && { parts: [...parts] }),
      ...(id >= this.#loaded.model.graph.tags.size && { isUnknown: true }),
    };
  }

  #nameOf(id: number): string {
    return this.#rules.nameOf(id);
  }

  #labelsOf(id: number): string[] {
    return this.#labels.get(this.#nameOf(id)) ?? [];
  }

  #stateOf(id: number): 'used' | 'retired' | 'split' {
    const { declarations } = this.#loaded.curation.vocabulary;
    const tag = this.#nameOf(id);
    if (declarations.splitOf(tag) !== undefined) return 'split';
    return declarations.retirementOf(tag) === undefined ? 'used' : 'retired';
  }
}

function add(lists: Map<string, string[]>, key: string, value: string): void {
  lists.set(key, [...(lists.get(key) ?? []), value]);
}
