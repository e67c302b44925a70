// Random declarations about a few tags, of which only those are kept that can hold together.

import fc from 'fast-check';
import { type Declaration, KINDS, type VocabularyChange } from '../../../src/serving/vocabulary/declaration.ts';
import { proposalOf } from '../../../src/serving/vocabulary/proposal.ts';

export function declarationsOf(
  tags: readonly string[],
  objects: readonly string[] = [],
  fresh: readonly string[] = ['new1', 'new2', 'new3'],
): fc.Arbitrary<Declaration[]> {
  const known = fc.constantFrom(...tags);
  const any = fc.constantFrom(...tags, ...fresh);
  const several = (one: fc.Arbitrary<string>, least: number) =>
    fc.uniqueArray(one, { minLength: least, maxLength: least + 1 });
  const assigned = (into: readonly string[]) =>
    objects.length === 0
      ? fc.constant([])
      : fc.array(fc.record({ object: fc.constantFrom(...objects), tag: fc.constantFrom(...into) }), { maxLength: 2 });
  const drawn = fc.constantFrom(...KINDS).chain((kind): fc.Arbitrary<Declaration> => {
    const least = kind === 'exclude' ? 2 : 1;
    const own = several(kind === 'synonym' ? any : known, least);
    if (kind === 'exclude') return own.map((names) => ({ kind, tags: names, into: [] }));
    if (kind === 'retire')
      return fc.tuple(own, fc.boolean()).map(([names, takeOff]) => ({ kind, tags: names, into: [], takeOff }));
    if (kind === 'split')
      return fc
        .tuple(known, several(any, 2))
        .chain(([tag, into]) => assigned(into).map((list) => ({ kind, tags: [tag], into, assigned: list })));
    const one = kind === 'rename' || kind === 'notSynonym';
    const target = kind === 'rename' ? fc.constantFrom(...fresh) : kind === 'parent' ? any : known;
    return fc
      .tuple(one ? known.map((tag) => [tag]) : own, target)
      .map(([names, into]) => ({ kind, tags: names, into: [into] }));
  });
  return fc.array(drawn, { maxLength: 10 });
}

/** As changes, one each; what cannot be is passed over. */
export function changesOf(asked: readonly Declaration[], tags: readonly string[]): VocabularyChange[] {
  const changes: VocabularyChange[] = [];
  for (const one of asked) {
    try {
      const { declarations } = proposalOf(changes, [one], { knows: (name) => tags.includes(name) });
      if (declarations.length > 0) changes.push(changeOf(changes.length + 1, ...declarations));
    } catch {
      // refused
    }
  }
  return changes;
}

export function changeOf(id: number, ...declarations: Declaration[]): VocabularyChange {
  const at = '2026-03-04T10:00:00.000Z';
  const kind = declarations.length > 1 ? 'import' : declarations[0].kind;
  return { id: String(id), kind, declarations, curator: '', note: '', at, revision: String(id) };
}
