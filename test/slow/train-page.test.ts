// A data set of real size trained in a tab: the embedded npm packages, on all cores under the service's headers, against what the
// command line makes of the same data.

import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { load } from '../../src/data/data-set.ts';
import { split } from '../../src/data/split.ts';
import { writeFolder } from '../../src/data/write-folder.ts';
import type { Model } from '../../src/models/model.ts';
import { loadModel, saveModel } from '../../src/models/model-file.ts';
import { train as trainInNode } from '../../src/pipeline.ts';
import { hasBrowser, launchBrowser, skipped } from '../browser/chromium.ts';
import { visit } from '../browser/page-under-test.ts';
import {
  builtForSoftwareGpu,
  downloaded,
  facts,
  pickFiles,
  serveBare,
  serveTraining,
  train,
} from '../browser/train-site.ts';
import { checkerboard } from '../checkerboard.ts';
import { tempFolder } from '../temp-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

function tagloom(...args: string[]): string {
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/cli.js', ...args], options);
  expect(status, `tagloom ${args.join(' ')}\n${stderr}`).toBe(0);
  return stdout;
}

describe.skipIf(!hasBrowser)(`the npm packages in a tab${skipped}`, () => {
  it.each(['loom', 'dge'] as const)(
    '%s suggests what the command line suggests, from the same bytes',
    async (model) => {
      const folder = await tempFolder();
      const own = join(folder, 'own.tagloom');
      tagloom('train', 'data/npm', '--model', model, '-o', own);

      const { page, faults } = await visit(await serveTraining(), '/train/');
      await page.getByRole('button', { name: 'Try the npm packages' }).click();
      await facts(page).toEqual([
        '8,825 users',
        '9,072 objects',
        '2,869 tags',
        '90,052 interactions',
        '38,518 tagged pairs',
      ]);
      await page.getByRole('radio', { name: new RegExp(`^${model}`, 'i') }).check();
      await page.getByLabel('engine').selectOption('cpu');
      await train(page, 400_000);
      const file = await downloaded(page, /^Download model/);
      const fromTab = join(folder, 'tab.tagloom');
      await writeFile(fromTab, file.bytes);
      const suggested = tagloom('suggest', fromTab, '--all');
      expect(suggested.length).toBeGreaterThan(1e6);
      expect(suggested === tagloom('suggest', own, '--all')).toBe(true); // as text it is too long to show
      expect((await downloaded(page, /^Download all suggestions/)).bytes.toString() === suggested).toBe(true);
      expect(file.bytes.equals(await readFile(own))).toBe(true);
      expect(faults).toEqual([]);
    },
  );

  it.each(['loom', 'dge'] as const)(
    '%s is trained on the GPU of the browser, if only one in software, as well',
    async (model) => {
      const browser = await launchBrowser({ gpu: true });
      onTestFinished(() => browser.close());
      const folder = await tempFolder();
      await writeFolder(folder, split(checkerboard(), { trainFraction: 0.7, seed: 3 }).train);
      const page = await browser.newPage();
      await page.goto(`${await serveBare('train', builtForSoftwareGpu(await tempFolder()))}/`);
      await pickFiles(page, {
        'interact.tsv': await readFile(join(folder, 'interact.tsv')),
        'tagged.tsv': await readFile(join(folder, 'tagged.tsv')),
      });
      await facts(page).toContain('60 objects');
      await page.getByRole('radio', { name: new RegExp(`^${model}`, 'i') }).check();
      await page.getByLabel('engine').selectOption('gpu');
      await train(page, 500_000);
      expect(await page.locator('.engine').textContent()).toMatch(/^gpu, google/);
      const fromTab = join(folder, 'tab.tagloom');
      await writeFile(fromTab, (await downloaded(page, /^Download model/)).bytes);
      const [there, here] = [await loadModel(fromTab), await trainInNode(await load(folder), { model })];
      const recallOf = ({ metrics }: Model) => Number(metrics['validation recall@3']);
      expect(recallOf(here)).toBeGreaterThan(0.7);
      expect(recallOf(there)).toBeGreaterThan(0.9 * recallOf(here));
      if (model !== 'loom') return; // other noise was drawn
      await saveModel(join(folder, 'own.tagloom'), here);
      // what it means: among the rest, which lies near zero, the last digits decide
      const picks = (file: string) =>
        tagloom('suggest', join(folder, file), '--all')
          .split('\n')
          .map((line) => line.split('\t'))
          .filter(([, , , score]) => Number(score) > 0.1)
          .map((fields) => fields.slice(0, 3).join(' '));
      expect(picks('own.tagloom').length).toBeGreaterThan(50);
      expect(picks('tab.tagloom')).toEqual(picks('own.tagloom'));
    },
  );
});
