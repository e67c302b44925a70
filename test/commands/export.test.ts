import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addExport } from '../../src/commands/export.ts';
import { graphFrom } from '../../src/data/knowledge-graph.ts';
import type { Fitted } from '../../src/models/fitted.ts';
import { saveModel } from '../../src/models/model-file.ts';
import { withoutModes, withoutShell } from '../systems.ts';
import { tempFolder } from '../temp-folder.ts';
import { runCommand } from './run-command.ts';

const graph = graphFrom({
  interact: [
    ['u', 'a'],
    ['u', 'b'],
    ['v', 'c'],
  ],
  tagged: [
    ['a', 'post punk'],
    ['b', 'rock'],
  ],
  objects: [['a', 'The A']],
});
const EMBEDDINGS: Fitted = {
  form: 'embeddings',
  width: 2,
  objects: Float32Array.of(1, 2, 3, 4, 5, 6),
  tags: Float32Array.of(0.1, -0.5, 1e-7, 8),
  base: Float32Array.of(0.25, -1),
};

/** A folder that holds nothing but a model called "model". */
async function folderWithModel(name = 'dge', fitted = EMBEDDINGS): Promise<string> {
  const root = await tempFolder();
  await saveModel(join(root, 'model'), { name, settings: {}, metrics: {}, graph, fitted });
  return root;
}

const run = (root: string, format: string, output: string, ...extra: string[]) =>
  runCommand(addExport, ['export', join(root, 'model'), '--format', format, '-o', join(root, output), ...extra]);

describe('tagloom export', () => {
  it('writes a file for one side and says what is in it', async () => {
    const root = await folderWithModel();
    const { out } = await run(root, 'word2vec', 'tags.txt', '--what', 'tags');
    expect(out).toBe(`${join(root, 'tags.txt')}: 2 tags, 2 numbers each (word2vec)\n`);
    expect(await readFile(join(root, 'tags.txt'), 'utf8')).toBe('2 2\npost_punk 0.1 -0.5\nrock 1e-7 8\n');
    expect((await readdir(root)).sort()).toEqual(['model', 'tags.txt']);
  });

  it.each([
    ['word2vec', 'both', ['objects.txt', 'tags.txt']],
    ['projector', 'both', ['objects.metadata.tsv', 'objects.vectors.tsv', 'tags.metadata.tsv', 'tags.vectors.tsv']],
    ['projector', 'tags', ['tags.metadata.tsv', 'tags.vectors.tsv']],
    ['npy', 'both', ['base.npy', 'objects.npy', 'objects.txt', 'tags.npy', 'tags.txt']],
    ['npy', 'objects', ['objects.npy', 'objects.txt']],
    ['npy', 'tags', ['base.npy', 'tags.npy', 'tags.txt']],
    ['parquet', 'both', ['objects.parquet', 'tags.parquet']],
  ])('--format %s --what %s --json writes a folder and names its files', async (format, what, files) => {
    const root = await folderWithModel();
    const { out } = await run(root, format, 'out', '--what', what, '--json');
    const { files: named, ...rest } = JSON.parse(out);
    expect(named.sort()).toEqual(files.map((file) => join(root, 'out', file)));
    expect((await readdir(join(root, 'out'))).sort()).toEqual(files);
    expect(rest).toEqual({
      model: 'dge',
      format,
      what,
      output: join(root, 'out'),
      width: 2,
      ...(what === 'tags' ? {} : { numObjects: 3 }),
      ...(what === 'objects' ? {} : { numTags: 2 }),
    });
  });

  it('refuses a model without vectors, and says which would do', async () => {
    const none = new Float32Array(0);
    const popularity: Fitted = { form: 'embeddings', width: 0, objects: none, tags: none, base: Float32Array.of(1, 1) };
    const empty = { rowStart: new Int32Array(4), columns: new Int32Array(0), values: none };
    for (const [name, fitted] of [
      ['popularity', popularity],
      ['itemknn', { form: 'neighbours', graph: empty } satisfies Fitted],
    ] as const) {
      const root = await folderWithModel(name, fitted);
      await expect(run(root, 'npy', 'out')).rejects.toThrow(
        `${join(root, 'model')}: got the model ${name}, which has no vectors, expected a model with a vector for each ` +
          'object and tag. Train one that learns embeddings, such as dge.',
      );
      expect(await readdir(root)).toEqual(['model']);
    }
  });

  it('refuses a file or folder that is there unless --force says to replace it', async () => {
    const root = await folderWithModel();
    await writeFile(join(root, 'tags.txt'), 'mine');
    await mkdir(join(root, 'out'));
    await writeFile(join(root, 'out/mine'), 'mine');
    await expect(run(root, 'word2vec', 'tags.txt', '--what', 'tags')).rejects.toThrow(/--force/);
    await expect(run(root, 'npy', 'out')).rejects.toThrow(/--force/);
    expect(await readFile(join(root, 'tags.txt'), 'utf8')).toBe('mine');
    expect(await readdir(join(root, 'out'))).toEqual(['mine']);
    await run(root, 'word2vec', 'tags.txt', '--what', 'tags', '--force');
    await run(root, 'npy', 'out', '--force', '--what', 'objects');
    expect(await readFile(join(root, 'tags.txt'), 'utf8')).toMatch(/^2 2\n/);
    expect((await readdir(join(root, 'out'))).sort()).toEqual(['objects.npy', 'objects.txt']);
    expect((await readdir(root)).sort()).toEqual(['model', 'out', 'tags.txt']);
  });

  it.skipIf(withoutModes)(
    'never replaces the model it reads, by whatever name, nor the folder that holds it',
    async () => {
      const root = await folderWithModel();
      await symlink(join(root, 'model'), join(root, 'alias'));
      for (const output of ['model', 'alias']) {
        const exporting = run(root, 'parquet', output, '--what', 'tags', '--force');
        await expect(exporting).rejects.toThrow(/got the file that is to be read/);
      }
      await expect(run(root, 'npy', '.', '--force')).rejects.toThrow(/which is to be read/);
      expect((await run(root, 'npy', 'out', '--json')).out).toContain('"width": 2'); // it still reads
    },
  );

  it.each([
    ['out/', ['--what', 'tags'], /got the name of a folder/],
    ['none/tags.txt', ['--what', 'tags'], /Create the folder/],
    ['folder', ['--what', 'tags', '--force'], /got a folder, expected a file/],
    ['file', ['--force'], /got a file, expected a folder/],
  ])('-o %s %j is refused before the model is read', async (output, extra, message) => {
    const root = await tempFolder({ 'folder/x': '', file: '' }); // no model: reading one would be another error
    await expect(run(root, 'word2vec', output, ...extra)).rejects.toThrow(message);
    expect((await readdir(root)).sort()).toEqual(['file', 'folder']);
  });

  it.skipIf(withoutShell)('refuses to put a file in the place of a device', async () => {
    const root = await folderWithModel();
    const args = [
      'export',
      join(root, 'model'),
      '--format',
      'word2vec',
      '--what',
      'tags',
      '-o',
      '/dev/null',
      '--force',
    ];
    await expect(runCommand(addExport, args)).rejects.toThrow(/got a device or a pipe/);
  });

  it('leaves nothing behind when it is stopped', async () => {
    const root = await folderWithModel();
    const args = ['export', join(root, 'model'), '--format', 'npy', '-o', join(root, 'out')];
    await expect(runCommand(addExport, args, { signal: AbortSignal.abort() })).rejects.toThrow('Stopped on request.');
    expect(await readdir(root)).toEqual(['model']);
  });

  it.each([
    [['--format', 'csv', '-o', 'x'], /Allowed choices are word2vec, projector, npy, parquet/],
    [['--format', 'npy', '-o', 'x', '--what', 'users'], /Allowed choices are objects, tags, both/],
    [['-o', 'x'], /--format <format>' not specified/],
    [['--format', 'npy'], /-o, --output <path>' not specified/],
  ])('%j is an error that says what is expected', async (args, message) => {
    await expect(runCommand(addExport, ['export', 'model', ...args])).rejects.toThrow(message);
  });
});
