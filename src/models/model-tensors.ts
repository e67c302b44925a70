// A model as named arrays: what was learnt, the graph it was learnt from (names, titles, both relations), the settings and what
// was measured. Nothing else is needed to use it.

import { fingerprint, type KnowledgeGraph } from '../data/knowledge-graph.ts';
import { encodeTensors, type TensorFile } from '../data/tensor-bytes.ts';
import { InputError } from '../errors.ts';
import { confidenceFromTensors, confidenceToTensors } from './confidence.ts';
import { fittedFromTensors, fittedToTensors } from './fitted.ts';
import type { Model } from './model.ts';
import { FormatError, namesToTensors, relationToTensors, TensorReader } from './tensors.ts';

const FORMAT = 'tagloom model';
const VERSION = '1';

/** The bytes of a model's file, in parts. */
export function encodeModel(model: Model): Uint8Array[] {
  return encodeTensors(modelToTensors(model));
}

export function modelToTensors(model: Model): TensorFile {
  const { graph } = model;
  const tensors = new Map([
    ...namesToTensors('users', graph.users.names),
    ...namesToTensors('objects', graph.objects.names),
    ...namesToTensors('tags', graph.tags.names),
    ...namesToTensors('titles', graph.titles),
    ...graph.texts.flatMap(({ texts }, column) => namesToTensors(`text.${column}`, texts)),
    ...(graph.links === undefined ? [] : namesToTensors('links', graph.links)),
    ...(graph.images === undefined ? [] : namesToTensors('images', graph.images)),
    ...relationToTensors('interact', graph.interact),
    ...relationToTensors('tagged', graph.tagged),
    ...(model.rejected === undefined ? [] : relationToTensors('rejected', model.rejected)),
    ...fittedToTensors(model.fitted),
    ...(model.confidence === undefined ? [] : confidenceToTensors(model.confidence)),
  ]);
  const metadata = {
    format: FORMAT,
    version: VERSION,
    model: model.name,
    form: model.fitted.form,
    settings: JSON.stringify(model.settings),
    metrics: JSON.stringify(model.metrics),
    data: fingerprint(graph),
    ...(graph.texts.length > 0 && { texts: JSON.stringify(graph.texts.map(({ name }) => name)) }),
  };
  return { metadata, tensors };
}

/** `path`: what errors call the file. */
export function modelFromTensors(file: TensorFile, path: string): Model {
  const { metadata } = file;
  if (metadata.format !== FORMAT) {
    const got = metadata.format === undefined ? 'tensors of another program' : `a ${metadata.format}`;
    throw new InputError({
      file: path,
      got,
      expected: 'a tagloom model',
      cure: 'Name a file that "tagloom train" wrote.',
    });
  }
  if (metadata.version !== VERSION) {
    const cure = 'Use the tagloom that wrote it, or train it again.';
    throw new InputError({ file: path, got: `a model of version ${metadata.version}`, expected: VERSION, cure });
  }
  try {
    return readModel(file);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const cure = 'Use the tagloom that wrote it, or train it again.';
    throw new InputError(
      { file: path, got: error.message, expected: 'the tensors of a model', cure },
      { cause: error },
    );
  }
}

function readModel(file: TensorFile): Model {
  const { metadata } = file;
  const tensors = new TensorReader(file);
  const objects = tensors.vocabulary('objects');
  const tags = tensors.vocabulary('tags');
  const users = tensors.vocabulary('users');
  const graph: KnowledgeGraph = {
    users,
    objects,
    tags,
    titles: tensors.names('titles'),
    texts: (JSON.parse(metadata.texts ?? '[]') as string[]).map((name, column) => ({
      name,
      texts: tensors.names(`text.${column}`),
    })),
    ...(tensors.has('links.bytes') && { links: tensors.names('links') }),
    ...(tensors.has('images.bytes') && { images: tensors.names('images') }),
    interact: tensors.relation('interact', users.size, objects.size),
    tagged: tensors.relation('tagged', objects.size, tags.size),
  };
  const fitted = fittedFromTensors(tensors, metadata.form, graph);
  return {
    name: metadata.model,
    settings: JSON.parse(metadata.settings),
    metrics: JSON.parse(metadata.metrics),
    graph,
    fitted,
    ...(tensors.has('rejected.rowStart') && { rejected: tensors.relation('rejected', objects.size, tags.size) }),
    ...(tensors.has('confidence.tagged.scores') && { confidence: confidenceFromTensors(tensors) }),
  };
}
