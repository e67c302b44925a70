// The field that adds any tag to an object by hand: one there is, or a new one.

import type { ObjectFacts } from '../api/shapes.ts';
import { Combobox, type OptionGroup } from '../parts/combobox.tsx';
import { chosen, searchTags } from '../parts/find-options.ts';
import { decideInstead } from '../state/decisions.ts';
import { say } from '../state/notices.ts';
import { rejectedNow, type TagNow, unsureNow } from '../state/tags-now.ts';

interface AddTagProps {
  readonly facts: ObjectFacts;
  /** Those it has. */
  readonly tags: readonly TagNow[];
}

const HERE = 'already a tag of this object';

export function AddTag({ facts, tags }: AddTagProps) {
  const own = new Set(tags.map(({ tag }) => tag));
  const add = (tag: string) => {
    if (own.has(tag)) return say(`${tag} is ${HERE}.`);
    const pair = { object: facts.id, title: facts.title, tag, origin: 'hand' } as const;
    decideInstead(pair, 'accept', reviewOf(facts, tag));
    say(`Added ${tag}.`);
  };
  return (
    <Combobox
      class="small"
      label="Add a tag"
      placeholder="Add a tag"
      search={(query, signal) => searchTagsToAdd(query, own, signal)}
      choose={(option) => add(chosen(option).name)}
    />
  );
}

/** Tags there are; and what was typed as a new one, unless there is one of this very name. */
async function searchTagsToAdd(
  query: string,
  own: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<readonly OptionGroup[]> {
  const found = await searchTags(query, signal);
  const names = new Set(found.flatMap(({ options }) => options.map((option) => option.label)));
  const groups = found.map(({ name, options }) => ({
    name,
    options: options.map((option) => (own.has(option.label) ? { ...option, hint: HERE } : option)),
  }));
  if (names.has(query)) return groups;
  const option = own.has(query)
    ? { key: `tag ${query}`, label: query, hint: HERE }
    : { key: `tag ${query}`, label: `Add new tag “${query}”`, hint: '' };
  return [...groups, { name: 'New', options: [option] }];
}

/** What was decided on the tag before and stands in the way. */
function reviewOf(facts: ObjectFacts, tag: string): { id: string; decision: 'reject' | 'unsure' } | undefined {
  for (const [decision, list] of [
    ['reject', rejectedNow(facts)],
    ['unsure', unsureNow(facts)],
  ] as const) {
    const id = list.find((one) => one.tag === tag)?.reviewId;
    if (id !== undefined) return { id, decision };
  }
  return undefined;
}
