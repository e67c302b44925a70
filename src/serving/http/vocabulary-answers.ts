// What the routes of the vocabulary share: reading what is asked, previews, and changes as they are shown.

import { cleanName } from '../../data/name.ts';
import { makeBreather } from '../../listener.ts';
import { effectOf } from '../curation/vocabulary-preview.ts';
import { similarNames } from '../recommend/name-finder.ts';
import { type Declaration, inWords, type VocabularyChange as StoredChange } from '../vocabulary/declaration.ts';
import { draftOf, type ProposalOptions, proposalOf } from '../vocabulary/proposal.ts';
import type { ApiContext } from './api.ts';
import type { LoadedModel } from './loaded-model.ts';
import type { Static } from './typebox.ts';
import type { PreviewBody, VocabularyChange, VocabularyPreview } from './vocabulary-schemas.ts';

const MOST_SHOWN = 100; // declarations of an import
const SLICE_MS = 5; // of work before other requests get their turn

export function declarationOf({ into = [], ...body }: Static<typeof PreviewBody>): Declaration {
  const { kind, tags: names, takeOff, assigned } = body;
  return { kind, tags: names, into, ...(takeOff !== undefined && { takeOff }), ...(assigned && { assigned }) };
}

/** Which tags are known: those of the model, and those that somebody added to an object. */
export async function knownNames(
  { model }: LoadedModel,
  store: ApiContext['store'],
  { tags: names, into }: Declaration,
): Promise<ProposalOptions> {
  const isKnown = (name: string) => model.graph.tags.idOf(name) >= 0;
  const added = new Set<string>();
  for (const name of [...names, ...into].map(cleanName).filter((one) => one !== '' && !isKnown(one))) {
    const [review] = await store.list({ tag: name, decision: 'accept', limit: 1 });
    if (review !== undefined) added.add(name);
  }
  return {
    knows: (name) => isKnown(name) || added.has(name),
    near: (name) => similarNames(name, model.graph.tags.names.toArray()),
  };
}

/** What declarations would do, as far as they are new. */
export async function previewOf(
  loaded: LoadedModel,
  asked: readonly Declaration[],
  known: ProposalOptions = {},
): Promise<Static<typeof VocabularyPreview>> {
  const { curation, objectsOf, model } = loaded;
  const { declarations } = proposalOf(curation.vocabulary.changes, asked, known);
  const { reviewed, vocabulary: now } = curation;
  const data = { graph: model.graph, objectsOf, reviewed, now };
  const effect = await effectOf(declarations, data, makeBreather({}, SLICE_MS));
  const { rules } = now;
  const ids = new Set<number>();
  for (const { kind, tags: names, into } of declarations) {
    for (const name of kind === 'parent' ? into : names) ids.add((rules ?? model.graph.tags).idOf(name));
  }
  const whole = asked.length === 1 ? asked : declarations;
  const summary =
    whole.length === 0 ? 'nothing new' : inWords({ ...draftOf(...whole), ...(whole.length > 1 && { kind: 'import' }) });
  return { summary, isNew: declarations.length > 0, ...effect, numOpen: curation.numOpenOf(ids) };
}

export function shownChange({ revision: _, declarations, ...change }: StoredChange): Static<typeof VocabularyChange> {
  const shown = declarations.slice(0, MOST_SHOWN).map(({ tags: names, into, assigned, ...rest }) => ({
    ...rest,
    ...{ tags: [...names], into: [...into] },
    ...(assigned && { assigned: [...assigned] }),
  }));
  return {
    ...change,
    summary: inWords({ kind: change.kind, declarations }),
    declarations: shown,
    numDeclarations: declarations.length,
  };
}
