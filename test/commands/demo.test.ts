import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addDemo } from '../../src/commands/demo.ts';
import { graphFrom, type KnowledgeGraph } from '../../src/data/knowledge-graph.ts';
import { writeFolder } from '../../src/data/write-folder.ts';
import type { ModelSummary } from '../../src/evaluation/experiment.ts';
import { loadModel } from '../../src/models/model-file.ts';
import { checkerboard } from '../checkerboard.ts';
import { tempFolder } from '../temp-folder.ts';
import { runCommand } from './run-command.ts';

const PACKAGES: Readonly<Record<string, string>> = { o001: 'react-dom', o002: 'webpack', o004: 'zod' };

/** The checkerboard with packages among its objects that the demo asks about; the first of them has no keyword. */
function smallData(): KnowledgeGraph {
  const { users, objects, tags, interact, tagged } = checkerboard(40, 12, 20);
  const nameOf = (object: number) => PACKAGES[objects.name(object)] ?? objects.name(object);
  const isGiven = (object: number, tag: number) => nameOf(object) !== 'react-dom' && (object + tag) % 7 > 0;
  return graphFrom({
    interact: Array.from(interact.heads, (user, i) => [users.name(user), nameOf(interact.tails[i])] as const),
    tagged: Array.from(tagged.heads, (object, i) => [object, tagged.tails[i]] as const)
      .filter(([object, tag]) => isGiven(object, tag))
      .map(([object, tag]) => [nameOf(object), tags.name(tag)] as const),
  });
}

/** Runs the demo on that data; the one on the embedded data takes a minute and is in test/slow. */
async function demo(...args: string[]) {
  const folder = await tempFolder();
  const [data, output] = [join(folder, 'data'), join(folder, 'demo')];
  await mkdir(data);
  await writeFolder(data, smallData());
  const { out } = await runCommand(
    (program, terminal) => addDemo(program, terminal, data),
    ['demo', '-o', output, ...args],
  );
  return { out, output };
}

describe('tagloom demo', () => {
  it('measures models on hidden keywords, suggests what a package lacks, and leaves the model behind', async () => {
    const { out, output } = await demo('--json');
    const { quality, examples, model } = JSON.parse(out);
    expect(model).toBe(join(output, 'npm.tagloom'));
    expect((await loadModel(model)).name).toBe('loom');
    expect(quality.map((row: ModelSummary) => row.model)).toEqual(['popularity', 'itemknn', 'ease', 'dge', 'loom']);
    const recall = Object.fromEntries(quality.map((row: ModelSummary) => [row.model, row.metrics['recall@3'].mean]));
    expect(recall.loom).toBeGreaterThan(recall.popularity);
    expect(examples.map(({ object }: { object: string }) => object)).toEqual(['react-dom', 'webpack', 'zod']);
    for (const { has, suggestions, explanation } of examples) {
      expect(suggestions).toHaveLength(4);
      for (const { tag, confidence } of suggestions) {
        expect(has).not.toContain(tag);
        expect(confidence).toBeGreaterThanOrEqual(0);
      }
      expect(explanation.parts.ownTags).toHaveLength(has.length);
    }
  });

  it('tells a person all of it, and what to run next', async () => {
    const { out, output } = await demo();
    expect(out).toMatch(/^npm: 40 packages, 12 keywords, /);
    expect(out).toMatch(/^loom +[01]\.\d{4} /m);
    expect(out).toMatch(/^package +has +loom suggests +why the first\nreact-dom +\(none\) +t\d+ \d+ %, /m);
    expect(out).toContain(`tagloom serve ${join(output, 'npm.tagloom')} --open`);
  });
});
