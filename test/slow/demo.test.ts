import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addDemo } from '../../src/commands/demo.ts';
import type { ModelSummary } from '../../src/evaluation/experiment.ts';
import { loadModel } from '../../src/models/model-file.ts';
import { runCommand } from '../commands/run-command.ts';
import { tempFolder } from '../temp-folder.ts';

describe('tagloom demo', () => {
  it('shows that graphs beat popularity on the embedded data, and suggests what a package lacks', async () => {
    const folder = join(await tempFolder(), 'demo');
    const { out } = await runCommand(addDemo, ['demo', '--json', '-o', folder]);
    const { quality, examples, model } = JSON.parse(out);
    expect((await loadModel(model)).name).toBe('loom');
    const recall = Object.fromEntries(quality.map((row: ModelSummary) => [row.model, row.metrics['recall@3'].mean]));
    expect(recall.popularity).toBeGreaterThan(0.02);
    expect(recall.itemknn).toBeGreaterThan(3 * recall.popularity);
    expect(recall.dge).toBeGreaterThan(recall.itemknn);
    expect(recall.loom).toBeGreaterThan(Math.max(recall.dge, recall.ease));
    expect(examples.length).toBeGreaterThanOrEqual(8);
    for (const { has, suggestions, explanation } of examples) {
      expect(suggestions.length).toBeGreaterThan(0);
      for (const { tag, confidence } of suggestions) {
        expect(has).not.toContain(tag);
        expect(confidence).toBeGreaterThanOrEqual(0);
      }
      expect(explanation.parts.ownTags.length).toBe(has.length);
    }
  });
});
