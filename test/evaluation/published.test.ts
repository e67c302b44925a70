import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { publishedData, publishedResult, readPublished } from '../../src/evaluation/report/published.ts';
import { tempFolder } from '../temp-folder.ts';

const PAPER = fileURLToPath(new URL('../../research/paper.json', import.meta.url));

describe('readPublished(path)', () => {
  it("reads the paper's tables, without the row that repeats another", async () => {
    const paper = await readPublished(PAPER);
    expect(publishedResult(paper, 'lastfm', 'dge', 'recall@3')).toBe(0.2494);
    expect(publishedResult(paper, 'movielens-1m', 'gcmc', 'paperNdcg@5')).toBe(0.3434);
    expect(publishedResult(paper, 'steam', 'st-ge', 'recall@5')).toBe(0.4132);
    expect(publishedResult(paper, 'lastfm', 'cofactor', 'recall@3')).toBe(0.1538);
    expect(publishedResult(paper, 'steam', 'cofactor', 'recall@3')).toBeUndefined();
    expect(publishedResult(paper, 'lastfm', 'ease', 'recall@3')).toBeUndefined();
    expect(publishedResult(paper, 'lastfm', 'dge', 'ndcg@3')).toBeUndefined();
    expect(publishedResult(paper, 'constructor', 'name', 'recall@3')).toBeUndefined();
    expect(publishedResult(undefined, 'lastfm', 'dge', 'recall@3')).toBeUndefined();
    expect(publishedData(paper, 'lastfm')?.facts?.numTags).toBe(11_946);
  });

  it.each([
    ['{', /no JSON/],
    ['[]', /got \[\] at the top, expected a JSON object/],
    ['{}', /got nothing at dataSets/],
    ['{"dataSets": {"a": {"facts": {"numTags": "many"}}}}', /got "many" at dataSets\.a\.facts\.numTags/],
    ['{"dataSets": {"a": {"results": {"dge": 1}}}}', /got 1 at dataSets\.a\.results\.dge, expected a JSON object/],
    ['{"dataSets": {}, "maps": "dge"}', /got "dge" at maps, expected a list of models/],
    ['{"dataSets": {}, "note": 1}', /got 1 at note, expected a text/],
  ])('refuses %s', async (text, message) => {
    const path = join(await tempFolder({ 'paper.json': text }), 'paper.json');
    await expect(readPublished(path)).rejects.toThrow(message);
  });
});
