// The package as a stranger gets it: packed, installed into an empty folder, run.

import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { tempFolder } from '../temp-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

function run(folder: string, command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  expect(status, `${command} ${args.join(' ')}\n${stderr}`).toBe(0);
  return stdout;
}

/** A few percent above what the package has: whoever adds more should know it. */
const BUDGET = { packedBytes: 2.8e6, unpackedBytes: 5.8e6, numFiles: 760, largestDeclarationBytes: 90e3 };

it('the package keeps to its budget, and holds what its entries need and nothing else', () => {
  const [packed] = JSON.parse(run(ROOT, 'npm', 'pack', '--dry-run', '--json', '--ignore-scripts'));
  const files: { path: string; size: number }[] = packed.files;
  process.stdout.write(`packed ${packed.size}, unpacked ${packed.unpackedSize} bytes, ${files.length} files\n`);
  expect(packed.size).toBeLessThan(BUDGET.packedBytes);
  expect(packed.unpackedSize).toBeLessThan(BUDGET.unpackedBytes);
  expect(files.length).toBeLessThan(BUDGET.numFiles);
  const isDeclaration = ({ path }: { path: string }) => path.endsWith('.d.ts');
  expect(Math.max(...files.filter(isDeclaration).map(({ size }) => size))).toBeLessThan(BUDGET.largestDeclarationBytes);
  const paths = files.map(({ path }) => path);
  expect(paths.filter((path) => /\.stamp$|\.map$|dist\/(cli|commands\/.*)\.d\.ts$/.test(path))).toEqual([]);
  expect(paths).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'README.md',
      'CHANGELOG.md',
      'dist/client.d.ts',
      'dist/cli.js',
      'dist/web/train/index.html',
    ]),
  );
});

const INSTALL = ['install', '--no-audit', '--no-fund'];

it('the packed tarball, installed into an empty folder, runs the demo and loads as a library', async () => {
  const folder = await tempFolder({ 'package.json': '{"private": true, "type": "module"}' });
  const [{ filename, files }] = JSON.parse(run(ROOT, 'npm', 'pack', '--json', '--pack-destination', folder));
  const shipped = files.map((file: { path: string }) => file.path);
  expect(shipped).toContain('data/npm/tagged.tsv.gz');
  expect(shipped.filter((path: string) => /^(src|test|bench|research|scripts)\//.test(path))).toEqual([]);

  const { stderr } = spawnSync('npm', [...INSTALL, join(folder, filename)], { cwd: folder, encoding: 'utf8' });
  expect(stderr).not.toMatch(/EBADENGINE|deprecated/);
  expect(run(folder, 'npx', 'tagloom', 'demo')).toMatch(/itemknn +0\.\d+/);
  const script =
    "import { graphFrom, statistics } from 'tagloom'; console.log(statistics(graphFrom({ interact: [['u', 'o']], tagged: [['o', 't']] })).numTags)";
  expect(run(folder, process.execPath, '--input-type=module', '-e', script)).toBe('1\n');
});

it('without optional packages, the library and the command line take less than 7 MB and say what the rest needs', async () => {
  const folder = await tempFolder({ 'package.json': '{"private": true, "type": "module"}' });
  const [{ filename }] = JSON.parse(
    run(ROOT, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder),
  );
  run(folder, 'npm', ...INSTALL, '--omit=optional', join(folder, filename));
  const installed = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true });
  const sizes = installed
    .filter((file) => file.isFile())
    .map((file) => statSync(join(file.parentPath, file.name)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(7e6);

  const program = `import { graphFrom, saveModel, train } from 'tagloom';
    const graph = graphFrom({ interact: [['u', 'o']], tagged: [['o', 't'], ['p', 's']] });
    await saveModel('m.tagloom', await train(graph));`;
  run(folder, process.execPath, '--input-type=module', '-e', program);
  expect(run(folder, 'npx', 'tagloom', 'suggest', 'm.tagloom', 'o')).toMatch(/^o\n/);
  const serve = spawnSync('npx', ['tagloom', 'serve', 'm.tagloom'], { cwd: folder, encoding: 'utf8' });
  expect(serve.status).toBe(1);
  expect(serve.stderr).toMatch(/expected the packages that the service needs\. Run npm install fastify/);
});
