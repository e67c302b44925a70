// Makes one file of a module in dist/ and the library it loads, in its place. TypeBox is hundreds of modules, which are slow to open;
// of @noble/hashes the package needs one function, in browsers alone.

import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, normalizePath } from 'vite';

const MODULES = [
  { file: 'serving/http/typebox.js', banner: '// Holds TypeBox (MIT licence, see the package typebox).' },
  {
    file: 'platform/browser.js',
    banner: '// Holds SHA-256 of @noble/hashes (MIT licence, see the package @noble/hashes).',
  },
];

for (const { file, banner } of MODULES) {
  const path = normalizePath(fileURLToPath(new URL(`../dist/${file}`, import.meta.url)));
  const [folder, name] = [dirname(path), basename(path)];
  await build({
    configFile: false,
    root: fileURLToPath(new URL('.', import.meta.url)),
    logLevel: 'warn',
    publicDir: false,
    build: {
      lib: { entry: path, formats: ['es'], fileName: () => name },
      outDir: folder,
      emptyOutDir: false,
      minify: name === 'typebox.js',
      target: 'es2022',
      // modules of our own stay where they are: an error class must not be there twice
      rolldownOptions: { external: (id, importer) => importer === path && id.startsWith('../'), output: { banner } },
    },
  });
}
