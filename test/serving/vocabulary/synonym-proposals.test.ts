// Proposals as a service has them: computed in a thread (of the built program), once.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { proposeSynonyms } from '../../../src/serving/vocabulary/proposals.ts';
import { LEAST_SCORE, SynonymProposals, shareDone } from '../../../src/serving/vocabulary/synonym-proposals.ts';
import { tempFolder } from '../../temp-folder.ts';
import { catalogueOf } from './catalogue-of-synonyms.ts';

const TOPICS = [
  [['parser', 'parsing'], ['lexer'], ['grammar'], ['javascript'], ['syntax']],
  [['color', 'colour'], ['console'], ['ansi'], ['javascript'], ['shell']],
];
const catalogue = catalogueOf({ topics: TOPICS, objectsPerTopic: 60, seed: 1 });

async function finished(proposals: SynonymProposals) {
  return expect.poll(() => 'proposals' in proposals.get(), { interval: 5 }).toBe(true);
}

describe('SynonymProposals', () => {
  it('answers at once, computes in a thread, and keeps what came out', async () => {
    const proposals = new SynonymProposals(catalogue);
    expect(proposals.get()).toEqual({ done: 0 });
    await finished(proposals);
    const state = proposals.get();
    expect(state).toEqual({ proposals: await proposeSynonyms(catalogue, { minScore: LEAST_SCORE }) });
    expect(proposals.get()).toBe(state);
    expect(catalogue.tagged.size).toBeGreaterThan(0); // the thread got a copy
    await proposals.close();
  });

  it('ends its thread when it is closed', async () => {
    const folder = await tempFolder();
    await writeFile(join(folder, 'endless.mjs'), 'setInterval(() => {}, 1000);');
    const proposals = new SynonymProposals(catalogue, { thread: pathToFileURL(join(folder, 'endless.mjs')) });
    proposals.get();
    await proposals.close();
    expect(proposals.get()).toEqual({ done: 0 });
  });

  it.each([
    ['fails', 'throw new Error("out of order");', 'out of order'],
    ['ends without an answer', 'process.exit(0);', 'ended before its time'],
  ])('says so once where the thread %s, and then begins again', async (_, program, message) => {
    const folder = await tempFolder();
    await writeFile(join(folder, 'broken.mjs'), program);
    const proposals = new SynonymProposals(catalogue, { thread: pathToFileURL(join(folder, 'broken.mjs')) });
    const problem = () => {
      try {
        proposals.get();
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    };
    await expect.poll(problem, { interval: 5 }).toContain(message);
    expect(proposals.get()).toEqual({ done: 0 });
    await proposals.close();
  });

  it('knows how much is done from steps', () => {
    expect(shareDone('reading the company of tags', 0, 10)).toBe(0);
    expect(shareDone('finding similar tags', 5, 10)).toBeCloseTo(0.3, 12);
    expect(shareDone('comparing tags', 10, 10)).toBeCloseTo(1, 12);
    expect(shareDone('comparing tags', 0, 0)).toBeCloseTo(0.4, 12);
  });
});
