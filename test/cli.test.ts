// The built command line as a process: exit codes, streams, signals. Everything else is tested in commands/.

import { spawn, spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { Terminal } from '../src/commands/terminal.ts';
import { saveModel } from '../src/models/model-file.ts';
import { train } from '../src/pipeline.ts';
import { checkerboard } from './checkerboard.ts';
import { prepared } from './commands/checkerboard-data.ts';
import { withoutFullDisk, withoutShell, withoutSignals } from './systems.ts';
import { tempFolder } from './temp-folder.ts';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const tagloom = (...args: string[]) => spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8' });

const COMMANDS = [
  ...[
    'demo',
    'train',
    'suggest',
    'merge',
    'explain',
    'missing',
    'similar',
    'serve',
    'retrain',
    'models',
    'compare',
    'tune',
  ],
  ...['reviews', 'export', 'stats', 'import', 'split', 'bench'],
];

/** What `tagloom COMMAND --help` prints, without the process around it. */
async function helpOf(name: string): Promise<string> {
  const module = await import(`../src/commands/${name}.ts`);
  const add = module[`add${name[0].toUpperCase()}${name.slice(1)}`];
  let help = '';
  const write = (text: string) => {
    help += text;
  };
  const program = new Command('tagloom').exitOverride().configureOutput({ writeOut: write, writeErr: write });
  const signal = new AbortController().signal;
  add(program, new Terminal({ out: { write }, err: { write }, signal, now: () => 0 }));
  await program.parseAsync([name, '--help'], { from: 'user' }).catch(() => {}); // commander throws after printing it
  return help;
}

describe('tagloom', () => {
  it('--help names every command with examples and exits 0', () => {
    const { status, stdout } = tagloom('--help');
    expect(status).toBe(0);
    for (const word of [...COMMANDS, 'Examples:', 'interact', 'tagged']) expect(stdout).toContain(word);
  });

  it('has a command of each name, whose help has examples', async () => {
    const without = [];
    for (const name of COMMANDS) if (!/\n *\$ tagloom /.test(await helpOf(name))) without.push(name);
    expect(without).toEqual([]);
  });

  it('COMMAND --help prints its help and exits 0', () => {
    const { status, stdout } = tagloom('reviews', '--help');
    expect(status).toBe(0);
    expect(stdout).toContain('Examples:');
  });

  it('bad input exits 1 with one line on standard error and nothing on standard output', () => {
    const { status, stdout, stderr } = tagloom('stats', 'no-such-folder');
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toBe(
      'tagloom: no-such-folder: got no such folder, expected a folder. Correct the path: the folder you are in does not hold it.\n',
    );
  });

  it.each([['statz'], ['stats . --nope']])('%s exits 1 and points to --help', (line) => {
    const { status, stderr } = tagloom(...line.split(' '));
    expect(status).toBe(1);
    expect(stderr).toContain('--help');
  });

  it('reads data from standard input, gzipped or not', () => {
    const csv = 'id,text,tags\n1,a text,x;y\n2,more text,y;z\n';
    for (const input of [Buffer.from(csv), gzipSync(csv)]) {
      const stats = spawnSync(process.execPath, [CLI, 'stats', '-', '--json'], { input, encoding: 'utf8' });
      expect(stats.stderr).toMatch(/^standard input: CSV with commas/);
      expect(JSON.parse(stats.stdout)).toMatchObject({ numObjects: 2, numTags: 3, numTagged: 4 });
    }
  });

  it.skipIf(withoutShell)('a closed pipe is no error', async () => {
    const model = join(await tempFolder(), 'model');
    await saveModel(model, await train(checkerboard(5000, 20, 10), { model: 'popularity', threads: 1 }));
    // more lines than a pipe holds, of which the first is read
    const script = `"${process.execPath}" "${CLI}" suggest "${model}" --all | head -n 1 >/dev/null`;
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

  it.skipIf(withoutFullDisk)('a full disk under standard output is one line and exit code 1', () => {
    const { status, stderr } = spawnSync('sh', ['-c', `"${process.execPath}" "${CLI}" models --json >/dev/full`], {
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^tagloom: got ENOSPC.* on standard output.*\n$/);
  });

  it.skipIf(withoutSignals)('Ctrl-C stops long work with exit code 130 and leaves nothing half-written', async () => {
    const { folder, data, file } = await prepared();
    const endless = ['epochs=1000000', 'patience=1000000', 'hidden=8', 'output=4'].flatMap((one) => ['--set', one]);
    const child = spawn(process.execPath, [CLI, 'train', data, '--model', 'dge', ...endless, '-o', file]);
    let stderr = '';
    child.stderr.on('data', (text) => {
      if (stderr === '') child.kill('SIGINT'); // its first line of progress
      stderr += text;
    });
    const status = await new Promise((resolve) => child.on('exit', resolve));
    expect(stderr).toContain('model.checkpoint holds what was learnt');
    expect(stderr).toContain('tagloom: stopped; nothing half-written is left behind.');
    expect(status).toBe(130);
    expect((await readdir(folder)).sort()).toEqual(['data', 'model.checkpoint']);
  });
});
