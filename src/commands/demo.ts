// tagloom demo: the main job on the embedded npm data. Measures the models on held-back keywords, then suggests
// keywords for packages most JavaScript developers know, and leaves the model behind for the page.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { load } from '../data/data-set.ts';
import type { KnowledgeGraph } from '../data/knowledge-graph.ts';
import { summarize } from '../evaluation/experiment.ts';
import { compare } from '../experiments.ts';
import { writeFailure } from '../file-failures.ts';
import { makeFolder } from '../files.ts';
import type { Model } from '../models/model.ts';
import { saveModel } from '../models/model-file.ts';
import { train } from '../pipeline.ts';
import type { Explanation, NamedParts } from '../serving/recommend/explanation.ts';
import { Recommender, type Suggestion } from '../serving/recommend/recommender.ts';
import { comparisonTable } from './compare.ts';
import { percentOf, type Terminal, textTable, withThousands } from './terminal.ts';

const DATA = fileURLToPath(new URL('../../data/npm', import.meta.url));
const PACKAGES = ['react-dom', 'webpack', 'jest', 'mongoose', 'socket.io', 'three', 'sass', 'ws', '@babel/core', 'zod'];
const SPLIT = {
  trainFractions: [0.8],
  seeds: [1],
  ks: [3],
  models: ['popularity', 'itemknn', 'ease', 'dge', 'loom'],
} as const;
const BEST = 'loom';
const NUM_SUGGESTIONS = 4;
const MODEL = 'npm.tagloom';

interface Example {
  readonly object: string;
  readonly has: readonly string[];
  readonly suggestions: readonly Suggestion[];
  /** Why the first one. */
  readonly explanation: Explanation | undefined;
}

/** `data`: another folder than the embedded one, for tests. */
export function addDemo(program: Command, terminal: Terminal, data = DATA): void {
  program
    .command('demo')
    .description('see it work on the embedded npm data')
    .option('-o, --output <folder>', 'where the model is left for the page', 'tagloom-demo')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExamples:\n  $ tagloom demo\n  $ tagloom demo --json | jq .quality\n')
    .action(async (options: { output: string; json?: true }) => {
      const graph = await terminal.during((reading) => load(data, reading));
      if (!options.json) terminal.print(introduction(graph));
      const cells = await terminal.during((listening) => compare(graph, SPLIT, listening));
      const quality = summarize(cells, 'recall@3');
      if (!options.json) terminal.print(`${comparisonTable(quality, SPLIT.ks)}\n`);
      const model = await terminal.during((listening) => train(graph, { model: BEST }, listening));
      const examples = await suggestExamples(model);
      const path = join(options.output, MODEL);
      await makeFolder(options.output).catch((error) => {
        throw writeFailure(error, options.output, 'a folder to write');
      });
      await saveModel(path, model);
      if (options.json) terminal.printJson({ split: SPLIT, quality, examples, model: path });
      else terminal.print(`${examplesTable(examples)}\n${invitation(path, terminal)}`);
    });
}

function invitation(path: string, terminal: Terminal): string {
  return `To review such suggestions on a page, one keystroke each:\n\n  ${terminal.commandLine(`serve ${path} --open`)}\n`;
}

function introduction(graph: KnowledgeGraph): string {
  const [objects, tags] = [withThousands(graph.objects.size), withThousands(graph.tags.size)];
  return [
    `npm: ${objects} packages, ${tags} keywords, ${withThousands(graph.interact.size)} dependencies between packages,`,
    `${withThousands(graph.tagged.size)} keywords given. Which ones are missing?`,
    '',
    'A random fifth of the keywords is hidden and guessed again (seed 1); the first three guesses count:',
  ].join('\n');
}

/** The model has seen all keywords; it is asked about packages that lack some. */
async function suggestExamples(model: Model): Promise<Example[]> {
  const { graph } = model;
  const recommender = await Recommender.open(model);
  try {
    const examples: Example[] = [];
    for (const name of PACKAGES) {
      const object = graph.objects.idOf(name);
      if (object < 0) continue;
      const has = Array.from(graph.tagged.row(object), (tag) => graph.tags.name(tag));
      const suggestions = await recommender.suggest(object, { limit: NUM_SUGGESTIONS });
      const [first] = suggestions;
      const explanation = first && (await recommender.explain(object, graph.tags.idOf(first.tag)));
      examples.push({ object: name, has, suggestions, explanation });
    }
    return examples;
  } finally {
    recommender.close();
  }
}

function examplesTable(examples: readonly Example[]): string {
  const rows = examples.map(({ object, has, suggestions, explanation }) => [
    object,
    shortened(has.join(', ') || '(none)', 24),
    suggestions.map(({ tag, confidence = 0 }) => `${tag} ${percentOf(confidence)}`).join(', '),
    explanation?.parts === undefined ? '' : shortened(why(explanation.parts), 48),
  ]);
  const head = ['package', 'has', `${BEST} suggests`, 'why the first'];
  return `Keywords that fit these packages and that they do not have, and how likely each is right:\n\n${textTable(head, rows)}`;
}

/** The loudest voices for it. */
function why({ ownTags, neighbours, words }: NamedParts): string {
  const voices = [
    ...ownTags.map(({ tag, amount }) => ({ name: tag, amount })),
    ...words.map(({ word, amount }) => ({ name: `“${word}”`, amount })),
    ...neighbours.map(({ title, amount }) => ({ name: `like ${title}`, amount })),
  ];
  return voices
    .filter(({ amount }) => amount > 0)
    .sort((a, b) => b.amount - a.amount)
    .slice(0, 3)
    .map(({ name }) => name)
    .join(', ');
}

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
