import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, symlink, writeFile as write } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CancelledError, InputError } from '../src/errors.ts';
import { readFailure, writeFailure } from '../src/file-failures.ts';
import { listFolder, readText, refuseExisting, stageFolder, whileReserved, writeFile } from '../src/files.ts';
import { withoutFullDisk, withoutModes, withoutShell } from './systems.ts';
import { tempFolder } from './temp-folder.ts';

const BUILT = new URL('../dist/files.js', import.meta.url);
const isRoot = process.getuid?.() === 0;
const writeOne = (text: string) => async (folder: string) => write(join(folder, 'file'), text);
const tick = () => new Promise((resolve) => setTimeout(resolve, 5));

/** Runs code on the built module in a process of its own, until it says "here". */
async function runUntilHere(code: string, ...args: string[]) {
  const program = `import * as files from ${JSON.stringify(BUILT.href)};\nconst [, ...args] = process.argv;\n${code}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

/** Writes half of a file and then waits for ever. */
const HALF_FILE = `
  async function* half() {
    yield Buffer.alloc(1 << 20, 'x');
    process.stdout.write('here');
    await new Promise((resolve) => setTimeout(resolve, 1e6));
  }
  await files.writeFile(args[0], half());`;

describe('writeFile', () => {
  it('writes what is read: texts, bytes, and pieces of both', async () => {
    const path = join(await tempFolder(), 'file');
    const piece = fc.oneof(fc.string({ unit: 'grapheme' }), fc.uint8Array());
    await fc.assert(
      fc.asyncProperty(fc.array(piece), fc.boolean(), async (pieces, isAsync) => {
        async function* chunks() {
          yield* pieces;
        }
        await writeFile(path, isAsync ? chunks() : pieces);
        expect(await readFile(path)).toEqual(Buffer.concat(pieces.map((one) => Buffer.from(one as string))));
      }),
      { numRuns: 30 },
    );
    await writeFile(path, 'é');
    expect(await readText(path)).toBe('é');
    await writeFile(path, Uint8Array.of(0, 255));
    expect([...(await readFile(path))]).toEqual([0, 255]);
    expect(await readdir(join(path, '..'))).toEqual(['file']);
  });

  it('leaves the old file, and nothing else, when the contents fail or the run is cancelled', async () => {
    const folder = await tempFolder({ file: 'old' });
    const path = join(folder, 'file');
    async function* failing() {
      yield 'half';
      throw new Error('no more');
    }
    await expect(writeFile(path, failing())).rejects.toThrow('no more');
    const stop = new AbortController();
    async function* stopped() {
      yield Buffer.alloc(10);
      stop.abort();
      yield 'never';
    }
    await expect(writeFile(path, stopped(), { signal: stop.signal })).rejects.toThrow(CancelledError);
    expect(await readFile(path, 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('killed in the middle, leaves the old file; the next run writes and clears up', async () => {
    const folder = await tempFolder({ file: 'old', 'file.partial-mine': 'not ours' });
    const path = join(folder, 'file');
    const child = await runUntilHere(HALF_FILE, path);
    await expect(writeFile(path, 'second')).rejects.toThrow(
      `${path}: got a file that process ${child.pid} is writing now, expected one that nobody else writes. Wait until`,
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await readFile(path, 'utf8')).toBe('old');
    expect((await readdir(folder)).length).toBeGreaterThan(2);
    await writeFile(path, 'new');
    expect(await readFile(path, 'utf8')).toBe('new');
    expect((await readdir(folder)).sort()).toEqual(['file', 'file.partial-mine']);
  });

  it('of several at once one writes and the others are refused, unless they share the target', async () => {
    const folder = await tempFolder();
    const texts = Array.from({ length: 6 }, (_, i) => String(i).repeat(100_000));
    const slow = async function* (text: string) {
      for (let i = 0; i < 10; i++) {
        await tick();
        yield text.slice(i * 10_000, (i + 1) * 10_000);
      }
    };
    const path = join(folder, 'one');
    const results = await Promise.allSettled(texts.map((text) => writeFile(path, slow(text))));
    const written = results.findIndex(({ status }) => status === 'fulfilled');
    for (const [i, result] of results.entries()) {
      if (i !== written) expect(String((result as PromiseRejectedResult).reason)).toContain('is writing now');
    }
    expect(await readFile(path, 'utf8')).toBe(texts[written]);
    const shared = join(folder, 'shared');
    await Promise.all(texts.map((text) => writeFile(shared, slow(text), { isShared: true })));
    expect(texts).toContain(await readFile(shared, 'utf8'));
    expect((await readdir(folder)).sort()).toEqual(['one', 'shared']);
  });

  it.skipIf(withoutModes)('keeps links and permissions, and takes the longest names', async () => {
    const folder = await tempFolder({ 'a/real': 'old' });
    const link = join(folder, 'link');
    await symlink(join(folder, 'a/real'), link);
    await chmod(link, 0o640);
    await writeFile(link, 'new');
    expect(await readFile(join(folder, 'a/real'), 'utf8')).toBe('new');
    expect((await stat(link)).mode & 0o777).toBe(0o640);
    expect((await readdir(folder)).sort()).toEqual(['a', 'link']);
    const long = join(folder, 'x'.repeat(255));
    await writeFile(long, 'long');
    expect(await readFile(long, 'utf8')).toBe('long');
  });

  it.skipIf(withoutShell)('says what is wrong with the target, where and what to do', async () => {
    const folder = await tempFolder({ plain: '', taken: '' });
    const to = (name: string, options = {}) => writeFile(join(folder, name), 'x', options);
    await expect(writeFile(' ', 'x')).rejects.toThrow('got an empty name, expected a file to write. Name the file');
    await expect(to('no/such')).rejects.toThrow(
      `got no such folder, expected one to write in. Create the folder ${folder}/no`,
    );
    await expect(to('plain/x')).rejects.toThrow(/got (no such folder|a file where)/);
    await expect(to('')).rejects.toThrow('got a folder, expected a file to write. Choose another name.');
    await expect(to('sub/')).rejects.toThrow('got the name of a folder');
    await expect(to('x'.repeat(300))).rejects.toThrow(
      'got a name that is too long, expected a file to write. Choose a sh',
    );
    await expect(to('taken', { isNew: true })).rejects.toThrow('got a file that is there, expected a new one.');
    await expect(to('taken', { input: join(folder, 'taken') })).rejects.toThrow('got the file that is to be read');
    await expect(writeFile('/dev/null', 'x')).rejects.toThrow('got a device or a pipe');
    expect((await readdir(folder)).sort()).toEqual(['plain', 'taken']);
  });

  it.skipIf(isRoot || withoutModes)('says that a folder may not be written', async () => {
    const folder = await tempFolder();
    await chmod(folder, 0o500);
    await expect(writeFile(join(folder, 'x'), 'x')).rejects.toThrow('got no permission to write there');
  });
});

describe('whileReserved', () => {
  it('lets only its own work write the file, and a killed one leaves nothing in the way', async () => {
    const folder = await tempFolder({ file: 'old' });
    const path = join(folder, 'file');
    const forever = `await files.whileReserved(args[0], async () => {
      process.stdout.write('here');
      await new Promise((resolve) => setTimeout(resolve, 1e6));
    });`;
    const child = await runUntilHere(forever, path);
    const refusal = `${path}: got a file that process ${child.pid} is writing now`;
    await expect(writeFile(path, 'second')).rejects.toThrow(refusal);
    await expect(whileReserved(path, async () => {})).rejects.toThrow(refusal);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await whileReserved(path, async () => {
      await tick();
      await writeFile(path, 'new');
    });
    expect(await readFile(path, 'utf8')).toBe('new');
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('does not replace a file whose lock was lost meanwhile', async () => {
    const path = join(await tempFolder({ file: 'old' }), 'file');
    const losing = whileReserved(path, async () => {
      await rm(`${path}.partial-lock`);
      await writeFile(path, 'new');
    });
    await expect(losing).rejects.toThrow('got a file that another process is writing now');
    expect(await readFile(path, 'utf8')).toBe('old');
  });
});

describe('stageFolder', () => {
  it.skipIf(process.platform !== 'linux')('says at once that nothing can be created in a place', async () => {
    await expect(stageFolder('/proc/nope/out', {}, writeOne('new'))).rejects.toThrow(
      '/proc/nope/out: got a folder in which nothing can be created, expected a folder to write. Choose another place.',
    );
  });

  it('puts the folder in place, making its parents', async () => {
    const root = await tempFolder();
    await stageFolder(join(root, 'a/b'), {}, writeOne('new'));
    expect(await readFile(join(root, 'a/b/file'), 'utf8')).toBe('new');
    expect(await readdir(join(root, 'a'))).toEqual(['b']);
  });

  it('leaves nothing behind when the writing fails', async () => {
    const root = await tempFolder();
    const failing = stageFolder(join(root, 'out'), {}, async (folder) => {
      await writeFile(join(folder, 'file'), 'half');
      throw new Error('disk full');
    });
    await expect(failing).rejects.toThrow('disk full');
    expect(await readdir(root)).toEqual([]);
  });

  it('leaves the old folder alone when replacing it fails, and replaces it when not', async () => {
    const root = await tempFolder({ 'out/file': 'old', 'out/other': '' });
    const failing = stageFolder(join(root, 'out'), { force: true }, async () => {
      throw new Error('stopped');
    });
    await expect(failing).rejects.toThrow('stopped');
    expect(await readFile(join(root, 'out/file'), 'utf8')).toBe('old');
    await stageFolder(join(root, 'out'), { force: true }, writeOne('new'));
    expect(await readdir(join(root, 'out'))).toEqual(['file']);
    expect(await readdir(root)).toEqual(['out']);
  });

  it('refuses a folder that is not empty and a file, and takes an empty folder', async () => {
    const root = await tempFolder({ 'full/file': 'old', plain: '' });
    await expect(stageFolder(join(root, 'full'), {}, writeOne('new'))).rejects.toThrow(
      /got a folder that is not empty, expected a new one.*--force/,
    );
    await expect(stageFolder(join(root, 'plain'), {}, writeOne('new'))).rejects.toThrow(
      /got a file, expected a folder to write/,
    );
    await mkdir(join(root, 'empty'));
    await stageFolder(join(root, 'empty'), {}, writeOne('new'));
    expect(await readdir(join(root, 'empty'))).toEqual(['file']);
  });

  it('never replaces what another run has put there meanwhile, unless told to', async () => {
    const root = await tempFolder();
    const late = stageFolder(join(root, 'out'), {}, async (folder) => {
      await writeOne('late')(folder);
      await mkdir(join(root, 'out'));
      await writeOne('first')(join(root, 'out'));
    });
    await expect(late).rejects.toThrow(/got a folder that is not empty/);
    expect(await readFile(join(root, 'out/file'), 'utf8')).toBe('first');
    expect(await readdir(root)).toEqual(['out']);
  });

  it('puts the old folder back when the new one cannot take its place', async () => {
    const root = await tempFolder({ 'out/file': 'old' });
    const failing = stageFolder(join(root, 'out'), { force: true }, (folder) => rm(folder, { recursive: true }));
    await expect(failing).rejects.toThrow(/got a folder that is not there/);
    expect(await readFile(join(root, 'out/file'), 'utf8')).toBe('old');
    expect(await readdir(root)).toEqual(['out']);
  });

  it('says as bad input what the system says of the target', async () => {
    const root = await tempFolder({ plain: '' });
    const full = stageFolder(join(root, 'out'), {}, async () => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    });
    await expect(full).rejects.toThrow(/out: got a full disk, expected a folder to write\. Make room/);
    await expect(stageFolder(join(root, 'x'.repeat(300)), {}, writeOne('new'))).rejects.toThrow(/too long/);
    const elsewhere = stageFolder(join(root, 'out'), {}, async () => void (await readFile('/no/such/source')));
    await expect(elsewhere).rejects.toThrow(/ENOENT.*\/no\/such\/source/); // no mistake in the target
    expect(await readdir(root)).toEqual(['plain']);
  });
});

describe('stageFolder in several processes', () => {
  it('refuses a second writer, and goes on from what a killed one left', async () => {
    const root = await tempFolder({ 'out/file': 'old' });
    const out = join(root, 'out');
    const child = await runUntilHere(
      `await files.stageFolder(args[0], { force: true }, () => new Promise((resolve) => {
        process.stdout.write('here');
        setTimeout(resolve, 1e6);
      }));`,
      out,
    );
    await expect(stageFolder(out, { force: true }, writeOne('new'))).rejects.toThrow(
      `got a folder that process ${child.pid} is writing now`,
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await readFile(join(out, 'file'), 'utf8')).toBe('old');
    await stageFolder(out, { force: true }, writeOne('new'));
    expect(await readdir(root)).toEqual(['out']);
    // killed between two renames: the old folder is the only one, under its temporary name
    await rename(out, join(root, `out.partial-${'0'.repeat(16)}-old`));
    await expect(stageFolder(out, {}, writeOne('newer'))).rejects.toThrow(/got a folder that is not empty/);
    expect(await readFile(join(out, 'file'), 'utf8')).toBe('new');
    expect(await readdir(root)).toEqual(['out']);
  });
});

describe('what the system says', () => {
  it('is told in words, with where and what to do, for reading and for writing', async () => {
    const codes = ['ENOENT', 'EACCES', 'EPERM', 'ENOSPC', 'EISDIR', 'ENOTDIR', 'EROFS', 'EDQUOT', 'ENAMETOOLONG'];
    for (const code of [
      ...codes,
      'ELOOP',
      'EMFILE',
      'ENFILE',
      'EIO',
      'EBUSY',
      'ESTALE',
      'EFBIG',
      'ENOTEMPTY',
      'EXDEV',
    ]) {
      const error = Object.assign(new Error(`${code}: something odd, open '/x/y'`), { code, path: '/x/y' });
      for (const told of [readFailure(error, '/x/y'), writeFailure(error, '/x/y')]) {
        expect(told).toBeInstanceOf(InputError);
        expect((told as Error).message).toMatch(/^\/x\/y: got .+, expected a .+\. [A-Z].+[.?]$/);
        expect((told as Error).message).not.toContain(code);
      }
    }
    const bug = new TypeError('x is not a function');
    expect(readFailure(bug, 'x')).toBe(bug);
    const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    expect(writeFailure(away, 'x')).toBe(away);
  });

  it.skipIf(withoutFullDisk)('names a full disk', async () => {
    const root = await tempFolder();
    const full = stageFolder(join(root, 'out'), {}, async () => {
      const file = await open('/dev/full', 'w');
      await file.write('x').finally(() => file.close());
    });
    await expect(full).rejects.toThrow(/out: got a full disk, expected a folder to write\. Make room/);
  });

  it('names the likely mistake in a path that leads to nothing', async () => {
    const folder = await tempFolder({ 'Products.csv': '' });
    const read = (name: string) => readText(join(folder, name), 'a table', 'Import one first.');
    await expect(read('products.tsv')).rejects.toThrow(
      `got no such file, expected a table. Correct the path: did you mean ${folder}/Products.csv? Import one first.`,
    );
    await expect(read('x')).rejects.toThrow(`Correct the path: ${folder} does not hold it.`);
    await expect(read('no/x')).rejects.toThrow(`Correct the path: there is no folder ${folder}/no.`);
    await expect(readText(folder)).rejects.toThrow('got a folder, expected a readable file. Name a file in it.');
    await expect(listFolder(join(folder, 'no'))).rejects.toThrow('got no such folder, expected a folder. Correct');
    await expect(listFolder(join(folder, 'Products.csv'))).rejects.toThrow('got a file, expected a folder. Name the');
  });
});

describe('refuseExisting', () => {
  it('refuses an empty name, which would be the current folder', async () => {
    for (const name of ['', ' ']) await expect(refuseExisting(name, true)).rejects.toThrow(/got an empty name/);
  });

  it('refuses the current folder and those around it, even when told to replace', async () => {
    for (const name of ['.', '..', '/'])
      await expect(refuseExisting(name, true)).rejects.toThrow(/got the folder you are in, or one around it/);
  });

  it('refuses to replace what is to be read, and takes a folder beside or inside it', async () => {
    const root = await tempFolder({ 'data/file': '', 'data-split/file': '', 'data/..parts/file': '' });
    for (const input of ['data', 'data/file', 'data/..parts'])
      await expect(refuseExisting(join(root, 'data'), true, join(root, input))).rejects.toThrow(/which is to be read/);
    await refuseExisting(join(root, 'data-split'), true, join(root, 'data'));
    await refuseExisting(join(root, 'data/..parts'), true, join(root, 'data'));
    await refuseExisting(join(root, 'new/folder'), false, join(root, 'data'));
  });

  it('says before any work that a parent is a file', async () => {
    const root = await tempFolder({ plain: '' });
    for (const name of ['plain/out', 'plain/a/out'])
      await expect(refuseExisting(join(root, name), false)).rejects.toThrow(/got a file where a folder above it/);
  });
});
