import { describe, expect, it } from 'vitest';
import { addModels } from '../../src/commands/models.ts';
import { runCommand } from './run-command.ts';

describe('tagloom models', () => {
  it('lists the models, and the settings of one', async () => {
    const { out } = await runCommand(addModels, ['models']);
    expect(out).toMatch(/^popularity +tags in the order/m);
    expect(out).toMatch(/^dge +dual graph embedding/m);
    const one = await runCommand(addModels, ['models', 'dge']);
    expect(one.out).toMatch(/^noisePerPair +15 +1 to 1000 +noise tags drawn for each pair$/m);
    expect(one.out).toMatch(/^objective +nce +nce, softmax /m);
    expect((await runCommand(addModels, ['models', 'popularity'])).out).toContain('It has no settings.');
    await expect(runCommand(addModels, ['models', 'x'])).rejects.toThrow(/got the model "x", expected one of/);
    expect(JSON.parse((await runCommand(addModels, ['models', 'dge', '--json'])).out).settings.epochs.min).toBe(1);
  });
});
