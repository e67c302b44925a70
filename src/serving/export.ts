// The embeddings of a trained model for other tools, in four formats. Where one file holds all that was asked for, the
// target is that file; else it is a folder. Either appears whole or not at all.

import { join } from 'node:path';
import { refuseExisting, stageFolder } from '../data/staging.ts';
import type { Listener } from '../listener.ts';
import type { Model } from '../models/model.ts';
import { refuseTargetFile, stageFile } from './export-file.ts';
import { writeNpy } from './export-npy.ts';
import { writeParquet } from './export-parquet.ts';
import { type Side, sidesOf, type WhichSides } from './export-side.ts';
import { writeProjector, writeWord2vec } from './export-text.ts';

export const EXPORT_FORMATS = ['word2vec', 'projector', 'npy', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportOptions extends Listener {
  readonly format: ExportFormat;
  readonly what: WhichSides;
  /** Replaces what is already there. */
  readonly force?: boolean;
  /** The file the model was read from: named in errors, and never replaced. */
  readonly input?: string;
}

export interface Exported {
  readonly width: number;
  /** Only of the sides that were written. */
  readonly numObjects?: number;
  readonly numTags?: number;
  readonly files: readonly string[];
}

/** Said before a model is read: whether the target can be written. */
export async function refuseExportTarget(target: string, options: ExportOptions): Promise<void> {
  if (oneFileFormat(options) !== undefined) await refuseTargetFile(target, options);
  else await refuseExisting(target, options.force ?? false, options.input);
}

export async function exportEmbeddings(model: Model, target: string, options: ExportOptions): Promise<Exported> {
  const sides = sidesOf(model, options.what, options.input);
  await refuseExportTarget(target, options);
  const files: string[] = [];
  const oneFile = oneFileFormat(options);
  if (oneFile !== undefined) {
    await stageFile(target, options, (path) => ONE_FILE[oneFile].write(path, sides[0], options));
    files.push(target);
  } else {
    await stageFolder(target, { force: options.force ?? false }, async (folder) => {
      for (const side of sides) files.push(...(await writeSide(options.format, folder, side, options)));
    });
  }
  return {
    width: sides[0].width,
    ...(options.what === 'tags' ? {} : { numObjects: model.graph.objects.size }),
    ...(options.what === 'objects' ? {} : { numTags: model.graph.tags.size }),
    files: oneFile === undefined ? files.map((name) => join(target, name)) : files,
  };
}

/** The formats in which a side is one file. */
const ONE_FILE = {
  word2vec: { extension: 'txt', write: writeWord2vec },
  parquet: { extension: 'parquet', write: writeParquet },
} as const;

function oneFileFormat({ format, what }: ExportOptions): keyof typeof ONE_FILE | undefined {
  return what !== 'both' && (format === 'word2vec' || format === 'parquet') ? format : undefined;
}

/** Writes one side into a folder; the names of its files. */
async function writeSide(format: ExportFormat, folder: string, side: Side, listener: Listener): Promise<string[]> {
  switch (format) {
    case 'word2vec':
    case 'parquet': {
      const { extension, write } = ONE_FILE[format];
      const name = `${side.label}.${extension}`;
      await write(join(folder, name), side, listener);
      return [name];
    }
    case 'projector':
      return writeProjector(folder, side, listener);
    case 'npy':
      return writeNpy(folder, side, listener);
    default:
      return format satisfies never;
  }
}
