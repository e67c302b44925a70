// Makes one file of dist/serving/typebox.js and all that it loads, in its place: that many modules are slow to open.

import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const folder = fileURLToPath(new URL('../dist/serving', import.meta.url));

await build({
  configFile: false,
  root: fileURLToPath(new URL('.', import.meta.url)),
  logLevel: 'warn',
  publicDir: false,
  build: {
    lib: { entry: `${folder}/typebox.js`, formats: ['es'], fileName: () => 'typebox.js' },
    outDir: folder,
    emptyOutDir: false,
    minify: false,
    target: 'node20',
    rolldownOptions: { output: { banner: '// Holds TypeBox (MIT licence, see the package typebox).' } },
  },
});
