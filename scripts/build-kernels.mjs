// Compiles assembly/ to WebAssembly, in four forms: with or without fused multiply-add (relaxed SIMD), with memory that
// threads share or not. The bytes are written as text into src/engine/wasm/wasm-binary.ts, so that Node, bundlers and browsers
// load the kernels the same way, without files or fetches.

import { writeFileSync } from 'node:fs';
import asc from 'assemblyscript/asc';

const MAX_PAGES = 65_536;

const binaries = {};
for (const fused of [true, false]) {
  for (const shared of [true, false]) {
    binaries[`${fused ? 'fused' : 'plain'}${shared ? 'Shared' : 'Single'}`] = await compile(fused, shared);
  }
}

const lines = Object.entries(binaries).map(
  ([name, bytes]) => `  ${name}:\n    '${Buffer.from(bytes).toString('base64')}',`,
);
writeFileSync(
  new URL('../src/engine/wasm/wasm-binary.ts', import.meta.url),
  `// The kernels of assembly/ as WebAssembly in base64. Made by scripts/build-kernels.mjs; do not edit, do not commit.\n
export const WASM_BINARIES = {\n${lines.join('\n')}\n} as const;\n`,
);

async function compile(fused, shared) {
  const options = ['--runtime', 'stub', '-O3', '--noAssert', '--disableWarning', '112', '--enable', 'simd'];
  if (fused) options.push('--enable', 'relaxed-simd');
  options.push('--importMemory', '--maximumMemory', `${MAX_PAGES}`);
  if (shared) options.push('--enable', 'threads', '--sharedMemory');
  let binary;
  const { error, stderr } = await asc.main(['assembly/kernels.ts', '--outFile', 'kernels.wasm', ...options], {
    writeFile: (name, contents) => {
      if (name.endsWith('.wasm')) binary = contents;
    },
  });
  if (error) throw new Error(`${stderr.toString()}\n${error.message}`);
  return binary;
}
