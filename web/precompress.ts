// Puts a compressed twin, .br and .gz, beside each text of a built page, for servers that send files as they are. The service
// sends the one that the browser takes.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = /\.(js|css|html|svg)$/;
const SMALLEST = 512; // bytes; what is less fits into one packet anyway

export function precompress(): Plugin {
  let out = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: ({ root, build }) => {
      out = resolve(root, build.outDir);
    },
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const entries = await readdir(out, { recursive: true, withFileTypes: true });
        const texts = entries.filter((entry) => entry.isFile() && TEXT.test(entry.name));
        await Promise.all(texts.map((entry) => compress(join(entry.parentPath, entry.name))));
      },
    },
  };
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < SMALLEST) return;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
}
