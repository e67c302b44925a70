import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stageFolder } from '../../src/data/staging.ts';
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
});
