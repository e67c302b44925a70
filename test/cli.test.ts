// The built command line as a process: exit codes, streams, signals. Everything else is tested in commands/.

import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream, existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tempFolder } from './temp-folder.ts';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const tagloom = (...args: string[]) => spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8' });

const COMMANDS = [
  ...['demo', 'train', 'suggest', 'explain', 'missing', 'similar', 'serve', 'models', 'compare', 'tune'],
  ...['reviews', 'export', 'stats', 'import', 'split', 'bench'],
];

describe('tagloom', () => {
  it('--help names every command with examples and exits 0', () => {
    const { status, stdout } = tagloom('--help');
    expect(status).toBe(0);
    for (const word of [...COMMANDS, 'Examples:', 'interact', 'tagged']) expect(stdout).toContain(word);
  });

  it.each(COMMANDS)('%s --help has examples', (command) => {
    expect(tagloom(command, '--help').stdout).toContain('Examples:');
  });

  it('bad input exits 1 with one line on standard error and nothing on standard output', () => {
    const { status, stdout, stderr } = tagloom('stats', 'no-such-folder');
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toBe('tagloom: no-such-folder: got no such folder, expected a folder. Check the path.\n');
  });

  it('an unknown command or option exits 1 and points to --help', () => {
    for (const args of [['statz'], ['stats', '.', '--nope']]) {
      const { status, stderr } = tagloom(...args);
      expect(status).toBe(1);
      expect(stderr).toContain('--help');
    }
  });

  it('a closed pipe is no error', async () => {
    const model = join(await tempFolder(), 'npm.tagloom');
    const tagloom = `"${process.execPath}" "${CLI}"`;
    const data = fileURLToPath(new URL('../data/npm', import.meta.url));
    const script = `${tagloom} train "${data}" --model popularity -o "${model}" >/dev/null
      ${tagloom} suggest "${model}" --all | head -n 1 >/dev/null`;
    const { status, stderr } = spawnSync('sh', ['-e', '-c', script], { encoding: 'utf8' });
    expect(stderr).not.toMatch(/tagloom:/); // progress may stand there
    expect(status).toBe(0);
  });

  it('goes on when nobody reads its warnings', async () => {
    const folder = await tempFolder({
      'data/interact.tsv': 'user\tobject\nu\ta\n\ta\n',
      'data/tagged.tsv': 'object\ttag\na\tx\nb\ty\n',
    });
    const child = spawn(process.execPath, [CLI, 'split', join(folder, 'data'), '-o', join(folder, 'parts')]);
    child.stderr.destroy();
    child.stdout.resume();
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0);
    expect(await readdir(join(folder, 'parts'))).toEqual(['test', 'train']);
  });

  it.skipIf(!existsSync('/dev/full'))('a full disk under standard output is one line and exit code 1', () => {
    const { status, stderr } = spawnSync('sh', ['-c', `"${process.execPath}" "${CLI}" models --json >/dev/full`], {
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^tagloom: got ENOSPC.* on standard output.*\n$/);
  });

  it('Ctrl-C stops long work with exit code 130 and leaves nothing half-written', async () => {
    const folder = await tempFolder({ 'data/tagged.tsv': 'object\ttag\na\tx\nb\ty\n' });
    const file = createWriteStream(join(folder, 'data/interact.tsv'));
    file.write('user\tobject\n');
    for (let i = 0; i < 60; i++) file.write(Array.from({ length: 100_000 }, (_, j) => `u${i}\to${j}\n`).join(''));
    await new Promise((resolve) => file.end(resolve));

    const child = spawn(process.execPath, [CLI, 'split', join(folder, 'data'), '-o', join(folder, 'parts')]);
    let stderr = '';
    child.stderr.on('data', (text) => {
      if (stderr === '') child.kill('SIGINT'); // its first line of progress, whatever it is doing by then
      stderr += text;
    });
    const status = await new Promise((resolve) => child.on('exit', resolve));
    expect(stderr).toContain('tagloom: stopped; nothing half-written is left behind.');
    expect(status).toBe(130);
    expect(await readdir(folder)).toEqual(['data']);
  });
});
