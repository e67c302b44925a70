import { describe, expect, it } from 'vitest';
import { fingerprint, graphFrom } from '../../src/data/knowledge-graph.ts';
import { statistics } from '../../src/data/statistics.ts';
import { CancelledError } from '../../src/errors.ts';
import { dataFacts } from '../../src/graph/data-facts.ts';

const GRAPH = graphFrom({
  interact: [
    ['u', 'a'],
    ['u', 'b'],
    ['v', 'c'],
  ],
  tagged: [
    ['a', 'rock'],
    ['a', 'pop'],
    ['b', 'jazz'],
  ],
});

describe('dataFacts', () => {
  it('adds the fingerprint and the share of joined pairs to the statistics', async () => {
    expect(await dataFacts(GRAPH)).toEqual({
      ...statistics(GRAPH),
      fingerprint: fingerprint(GRAPH),
      objectGraphDensity: 1 / 3, // of a, b and c only a and b share a user
      tagGraphDensity: 1 / 3, // of rock, pop and jazz only rock and pop share an object
    });
  });

  it('of one object with one tag has no pairs to join', async () => {
    const facts = await dataFacts(graphFrom({ interact: [['u', 'a']], tagged: [['a', 'rock']] }));
    expect(facts).toMatchObject({ objectGraphDensity: 0, tagGraphDensity: 0 });
  });

  it('stops on request', async () => {
    await expect(dataFacts(GRAPH, { signal: AbortSignal.abort() })).rejects.toThrow(CancelledError);
  });
});
