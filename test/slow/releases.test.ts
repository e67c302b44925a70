// The importers on the published releases, which are not ours to ship. Give their folder:
//   npm run test:slow -- DATA      with DATA/raw (the originals) and DATA/lastfm, movielens-1m, steam (the results)

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { load } from '../../src/data/data-set.ts';
import { fingerprint, type KnowledgeGraph } from '../../src/data/knowledge-graph.ts';
import { readLastFm } from '../../src/data/sources/lastfm.ts';
import { readMovieLens } from '../../src/data/sources/movielens.ts';
import { readSteam } from '../../src/data/sources/steam.ts';

const DATA = process.env.TAGLOOM_DATA ?? '';
const raw = (path: string) => join(DATA, 'raw', path);
const taggedOf = ({ objects, tags, tagged }: KnowledgeGraph) =>
  Array.from(tagged.heads, (object, i) => `${objects.name(object)}\t${tags.name(tagged.tails[i])}`);

describe.runIf(DATA !== '')('published releases', () => {
  it('Last.fm 2K has exactly the 70,297 and 108,437 pairs of the paper', async () => {
    const graph = await readLastFm(raw('hetrec2011-lastfm-2k'));
    expect([graph.objects.size, graph.interact.size, graph.tagged.size]).toEqual([17_632, 70_297, 108_437]);
    expect(fingerprint(graph)).toBe(fingerprint(await load(join(DATA, 'lastfm'))));
  });

  it('MovieLens 1M with the tags of 10M has the 15,553 pairs of the reference', async () => {
    const rule = { minObjects: 4, minPairUsers: 2, minTagUsers: 11 };
    const graph = await readMovieLens(raw('ml-1m'), { tags: raw('ml-10M100K/tags.dat.gz'), ...rule });
    expect(taggedOf(graph)).toEqual(taggedOf(await load(join(DATA, 'movielens-1m'))));
  });

  it('Steam with its user-game table is the reference', async () => {
    const interactions = join(DATA, 'steam/interact.tsv.gz');
    const graph = await readSteam(raw('steam/steam_games.json.gz'), { interactions });
    expect(fingerprint(graph)).toBe(fingerprint(await load(join(DATA, 'steam'))));
  });
});

describe.runIf(DATA === '')('published releases', () => {
  it('are checked by: npm run test:slow -- DATA', () => {});
});
