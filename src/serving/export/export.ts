// The embeddings of a trained model for other tools, in four formats. Where one file holds all that was asked for, the
// target is that file; otherwise it is a folder. Either appears whole or not at all (files.ts).

import { join } from 'node:path';
import { type Contents, refuseExisting, refuseExistingFile, stageFolder, writeFile } from '../../files.ts';
import type { Listener } from '../../listener.ts';
import type { Model } from '../../models/model.ts';
import { npyFiles } from './npy.ts';
import { parquetChunks } from './parquet.ts';
import { type Side, sidesOf, type WhichSides } from './side.ts';
import { projectorFiles, word2vecChunks } from './text.ts';

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

/** Refuses a target that cannot be written, before a model is read. */
export async function refuseExportTarget(target: string, options: ExportOptions): Promise<void> {
  if (oneFileFormat(options) !== undefined) await refuseExistingFile(target, options.force ?? false, options.input);
  else await refuseExisting(target, options.force ?? false, options.input);
}

export async function exportEmbeddings(model: Model, target: string, options: ExportOptions): Promise<Exported> {
  const sides = sidesOf(model, options.what, options.input);
  await refuseExportTarget(target, options);
  const files: string[] = [];
  const oneFile = oneFileFormat(options);
  if (oneFile !== undefined) {
    const chunks = ONE_FILE[oneFile].chunks(sides[0], options);
    await writeFile(target, chunks, { isNew: !options.force, input: options.input, signal: options.signal });
    files.push(target);
  } else {
    await stageFolder(target, { force: options.force ?? false }, async (folder) => {
      for (const side of sides) {
        for (const [name, contents] of filesOf(options.format, side, options)) {
          await writeFile(join(folder, name), contents, { signal: options.signal });
          files.push(name);
        }
      }
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
  word2vec: { extension: 'txt', chunks: word2vecChunks },
  parquet: { extension: 'parquet', chunks: parquetChunks },
} as const;

function oneFileFormat({ format, what }: ExportOptions): keyof typeof ONE_FILE | undefined {
  return what !== 'both' && (format === 'word2vec' || format === 'parquet') ? format : undefined;
}

/** The files of one side in a folder: their names and what they hold. */
function filesOf(format: ExportFormat, side: Side, listener: Listener): (readonly [string, Contents])[] {
  switch (format) {
    case 'word2vec':
    case 'parquet': {
      const { extension, chunks } = ONE_FILE[format];
      return [[`${side.label}.${extension}`, chunks(side, listener)]];
    }
    case 'projector':
      return projectorFiles(side, listener);
    case 'npy':
      return npyFiles(side, listener);
    default:
      return format satisfies never;
  }
}
