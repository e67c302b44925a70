// Searches for comboboxes.

import { findObjects, findTags, getCurators } from '../api/calls.ts';
import { counted } from '../numbers.ts';
import type { Option, OptionGroup } from './combobox.tsx';

const MOST = 8;

export async function searchAll(query: string, signal: AbortSignal): Promise<readonly OptionGroup[]> {
  const [objects, tags] = await Promise.all([searchObjects(query, signal), searchTags(query, signal)]);
  return [...objects, ...tags];
}

export async function searchObjects(query: string, signal: AbortSignal): Promise<readonly OptionGroup[]> {
  const { objects } = await findObjects(query, MOST, signal);
  const options = objects.map(({ id, title, numTags }): Option => {
    const hint = counted(numTags, 'tag');
    return { key: `object ${id}`, label: title, hint: title === id ? hint : `${id} · ${hint}` };
  });
  return [{ name: 'Objects', options }];
}

export async function searchTags(query: string, signal: AbortSignal): Promise<readonly OptionGroup[]> {
  const { tags } = await findTags(query, MOST, signal);
  const options = tags.map(({ tag, numObjects }) => ({
    key: `tag ${tag}`,
    label: tag,
    hint: counted(numObjects, 'object'),
  }));
  return [{ name: 'Tags', options }];
}

/** Those whose names hold the query; who gave no name cannot be looked for by one. */
export async function searchCurators(query: string, signal: AbortSignal): Promise<readonly OptionGroup[]> {
  const { curators } = await getCurators(signal);
  const wanted = query.toLocaleLowerCase();
  const options = curators
    .filter(({ curator }) => curator !== '' && curator.toLocaleLowerCase().includes(wanted))
    .slice(0, MOST)
    .map(({ curator, numReviews }) => ({
      key: `curator ${curator}`,
      label: curator,
      hint: counted(numReviews, 'review'),
    }));
  return [{ name: 'Curators', options }];
}

/** What an option stands for. */
export function chosen({ key }: Option): { readonly kind: 'object' | 'tag' | 'curator'; readonly name: string } {
  const at = key.indexOf(' ');
  return { kind: key.slice(0, at) as 'object' | 'tag' | 'curator', name: key.slice(at + 1) };
}
