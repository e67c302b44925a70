import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refuseExisting, stageFolder } from '../../src/data/staging.ts';
import { tempFolder } from '../temp-folder.ts';

const writeOne = (text: string) => async (folder: string) => writeFile(join(folder, 'file'), text);

describe('stageFolder', () => {
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
    await expect(failing).rejects.toThrow('ENOENT');
    expect(await readFile(join(root, 'out/file'), 'utf8')).toBe('old');
    expect(await readdir(root)).toEqual(['out']);
  });

  it('says as bad input what the system says of the target', async () => {
    const root = await tempFolder({ plain: '' });
    const full = stageFolder(join(root, 'out'), {}, async () => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    });
    await expect(full).rejects.toThrow(/out: got a full disk, expected a folder to write\. Make room/);
    await expect(stageFolder(join(root, 'x'.repeat(250)), {}, writeOne('new'))).rejects.toThrow(/too long/);
    expect(await readdir(root)).toEqual(['plain']);
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
