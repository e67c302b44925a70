// What a bundler makes of the entry for browsers, as a user imports it: nothing of Node, and nothing that is not needed.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const folder = join(ROOT, 'dist', `bundle-${process.pid}`); // inside the package, so that its name is known there
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The bundle of a program, minified, and how large its first file is. */
async function bundled(program: string): Promise<{ text: string; kilobytes: number }> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'entry.js'), program);
  const outDir = join(folder, 'out');
  await build({
    configFile: false,
    root: folder,
    logLevel: 'error',
    build: { outDir, emptyOutDir: true, target: 'es2023', rolldownOptions: { input: join(folder, 'entry.js') } },
  });
  const names = readdirSync(outDir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  const texts = names.map((name) => readFileSync(join(outDir, name), 'utf8'));
  const first = texts[names.findIndex((name) => /entry/.test(name))];
  return { text: texts.join('\n'), kilobytes: Buffer.byteLength(first) / 1000 };
}

it('a page that asks a model carries nothing of Node, and less than the whole library', async () => {
  const asking = await bundled(
    `import { Recommender, decodeModel } from 'tagloom/browser'; window.ask = { Recommender, decodeModel };`,
  );
  const whole = await bundled(`import * as tagloom from 'tagloom/browser'; window.tagloom = { ...tagloom };`);
  for (const { text } of [asking, whole]) {
    expect(text).not.toMatch(/\bfrom\s*["']node:|import\(["']node:|require\(|__vite-browser-external/);
  }
  expect(asking.kilobytes).toBeLessThan(225);
  expect(whole.kilobytes).toBeLessThan(430);
  expect(asking.kilobytes).toBeLessThan(0.8 * whole.kilobytes);
}, 60_000);
