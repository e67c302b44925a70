// Leaves in dist/ the declarations (.d.ts) that the package's entries need, by following their imports, and no others: a third of them
// describes what no program can import. The types of the HTTP client go in as they were generated, not as the compiler reprints them.

import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');

const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const entries = Object.values(exports).flatMap(({ types }) => (types ? [join(ROOT, types)] : []));
const program = ts.createProgram(entries, { module: ts.ModuleKind.NodeNext, skipLibCheck: true, types: [] });
const needed = new Set(program.getSourceFiles().map(({ fileName }) => join(fileName)));
for (const file of readdirSync(DIST, { recursive: true, withFileTypes: true })) {
  const path = join(file.parentPath, file.name);
  if (file.name.endsWith('.d.ts') && !needed.has(path)) rmSync(path);
}
copyFileSync(join(ROOT, 'src/serving/http/client-types.ts'), join(DIST, 'serving/http/client-types.d.ts'));
