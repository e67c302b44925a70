// A small comparison with all a report can show: two data sets (one with published figures), two fractions, cold
// objects, variants of DGE, and names that a page must not take for markup.

import PAPER from '../../research/paper.json' with { type: 'json' };
import { graphFrom, type KnowledgeGraph } from '../../src/data/knowledge-graph.ts';
import { type CellResult, summarize } from '../../src/evaluation/experiment.ts';
import type { Report } from '../../src/evaluation/report.ts';
import { compareInto } from '../../src/experiments.ts';
import { dataFacts } from '../../src/graph/data-facts.ts';
import { checkerboard } from '../checkerboard.ts';

export const NASTY_TAG = '<img src=x onerror=alert(1)>';
export const NASTY_TITLE = '"Fish", & <b>chips</b> #1 100%';

const EXPERIMENT = {
  models: ['popularity', 'itemknn', 'transh', 'dge', 'so-ge'],
  seeds: [1, 2],
  trainFractions: [0.05, 0.3],
  ks: [3, 5],
} as const;
const QUICK = { epochs: 3, hidden: 8, output: 4, batchSize: 64 };
const SETTINGS = { dge: QUICK, 'so-ge': QUICK, transh: { epochs: 2, width: 6 } };

export async function sampleReport(): Promise<Report> {
  const graphs = { steam: renamed(checkerboard()), mine: checkerboard(40, 16, 20) };
  const cells: CellResult[] = [];
  const dataSets = [];
  for (const [name, graph] of Object.entries(graphs)) {
    const options = {
      ...EXPERIMENT,
      settings: SETTINGS,
      data: name,
      glimpse: { objects: [] },
      backend: 'reference',
    } as const;
    for (const cell of await compareInto(graph, options)) cells.push({ ...cell, seconds: 1.5 }); // or no two were alike
    dataSets.push({ name, settings: SETTINGS, facts: await dataFacts(graph) });
  }
  return {
    when: '2026-01-02 03:04 UTC',
    version: '1.2.3',
    command: 'tagloom compare steam mine --report out.html',
    ...EXPERIMENT,
    dataSets,
    summaries: summarize(cells, 'recall@3'),
    cells,
    published: PAPER,
  };
}

/** The first tags and all titles with characters that mean something in HTML, CSV and URLs. */
function renamed({ users, objects, tags, interact, tagged }: KnowledgeGraph): KnowledgeGraph {
  const nasty = [NASTY_TAG, 'rock & "roll", live', 'drum’n’bass 100% #1', '音楽'];
  const pairs = (relation: KnowledgeGraph['interact']) => Array.from(relation.heads.keys());
  return graphFrom({
    interact: pairs(interact).map((i) => [users.name(interact.heads[i]), objects.name(interact.tails[i])] as const),
    tagged: pairs(tagged).map(
      (i) => [objects.name(tagged.heads[i]), nasty[tagged.tails[i]] ?? tags.name(tagged.tails[i])] as const,
    ),
    objects: Array.from({ length: objects.size }, (_, id) => [objects.name(id), `${NASTY_TITLE} ${id}`] as const),
  });
}
