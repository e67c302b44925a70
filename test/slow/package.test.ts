// The package as a stranger gets it: packed, installed into an empty folder, run.

import { spawnSync } from 'node:child_process';
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

it('the packed tarball, installed into an empty folder, runs the demo and loads as a library', async () => {
  const folder = await tempFolder({ 'package.json': '{"private": true, "type": "module"}' });
  const [{ filename, size, files }] = JSON.parse(run(ROOT, 'npm', 'pack', '--json', '--pack-destination', folder));
  expect(size).toBeLessThan(2e6);
  const shipped = files.map((file: { path: string }) => file.path);
  expect(shipped).toContain('data/npm/tagged.tsv.gz');
  expect(shipped.filter((path: string) => /^(src|test|bench|scripts)\//.test(path))).toEqual([]);

  run(folder, 'npm', 'install', '--no-audit', '--no-fund', join(folder, filename));
  expect(run(folder, 'npx', 'tagloom', 'demo')).toMatch(/itemknn +0\.\d+/);
  const script =
    "import { graphFrom, statistics } from 'tagloom'; console.log(statistics(graphFrom({ interact: [['u', 'o']], tagged: [['o', 't']] })).numTags)";
  expect(run(folder, process.execPath, '--input-type=module', '-e', script)).toBe('1\n');
});
