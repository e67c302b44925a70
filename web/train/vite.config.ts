// How the page on which a user trains is built: to dist/web/train, with addresses relative to it, so that the folder works wherever
// it is put. The embedded data set lies beside it.

import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { precompress } from '../precompress.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const TABLES = ['interact.tsv.gz', 'tagged.tsv.gz', 'objects.tsv.gz'];

function embeddedData(): Plugin {
  let out = '';
  return {
    name: 'embedded data',
    configResolved: ({ build }) => {
      out = join(build.outDir, 'npm');
    },
    async writeBundle() {
      await mkdir(out, { recursive: true });
      for (const table of TABLES) await copyFile(at(`../../data/npm/${table}`), join(out, table));
    },
  };
}

export default defineConfig({
  root: at('.'),
  base: './',
  publicDir: at('../public'),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: { conditions: ['tagloom-source', 'browser', 'module', 'import', 'default'] },
  plugins: [embeddedData(), precompress()],
  // one file: what is loaded later may not be there any more
  worker: { format: 'es', rolldownOptions: { output: { codeSplitting: false } } },
  build: {
    outDir: at('../../dist/web/train'),
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
