// The library at work in a page's worker: a data set is read, a model fitted to it, and the model asked. It is the library's own
// code from the readers to the recommender; only what lies around it is the page's.

import { openCatalogue } from '../../../../src/data/catalogue/catalogue-rows.ts';
import type { ColumnChoice } from '../../../../src/data/catalogue/columns.ts';
import type { TagAdder } from '../../../../src/data/catalogue/rewrite.ts';
import type { Understood } from '../../../../src/data/catalogue/understood.ts';
import { findTables, loadCatalogue, placeOf } from '../../../../src/data/data-set.ts';
import { fingerprint, type KnowledgeGraph } from '../../../../src/data/knowledge-graph.ts';
import { nameOf } from '../../../../src/data/table/source.ts';
import { withKernels } from '../../../../src/engine/open.ts';
import { InputError } from '../../../../src/errors.ts';
import { hideFor, popularityRecall } from '../../../../src/evaluation/hidden-pairs.ts';
import type { Listener } from '../../../../src/listener.ts';
import { makeBreather } from '../../../../src/listener.ts';
import { findModel, MODELS } from '../../../../src/models/catalogue.ts';
import type { Model } from '../../../../src/models/model.ts';
import { encodeModel } from '../../../../src/models/model-tensors.ts';
import { fitModel } from '../../../../src/pipeline.ts';
import { Additions, ReviewedPairs } from '../../../../src/serving/apply/additions.ts';
import { openFile, rewritten } from '../../../../src/serving/apply/catalogue-plan.ts';
import { OpenSuggestions } from '../../../../src/serving/curation/open-suggestions.ts';
import { NameSearch } from '../../../../src/serving/http/name-search.ts';
import { shownFields } from '../../../../src/serving/http/shown-fields.ts';
import type { Explanation } from '../../../../src/serving/recommend/explanation.ts';
import { Recommender } from '../../../../src/serving/recommend/recommender.ts';
import { tsvLines } from '../../../../src/serving/recommend/suggestion-lines.ts';
import { resolveSettings } from '../../../../src/settings.ts';
import { onPage } from './fault.ts';
import type {
  AppliedFile,
  Calls,
  DataFacts,
  FoundObject,
  Happening,
  MostConfident,
  ObjectView,
  Order,
  Pair,
  Reviewable,
  TrainedFacts,
} from './messages.ts';

type Tell = (happening: Happening) => void;

/** What `Calls` promises, each with a way to tell what happens meanwhile. */
export type Workshop = {
  [Name in keyof Calls]: (tell: Tell, ...args: Parameters<Calls[Name]>) => MaybePromise<ReturnType<Calls[Name]>>;
};
type MaybePromise<Value> = Value | Promise<Value>;

const NUM_SUGGESTIONS = 10;
const NUM_LINES = 5; // for each object in the file, as `tagloom suggest --all` has it
const NUM_FOUND = 8;
const NUM_CONFIDENT = 50;
const NUM_BINS = 10; // of confidence
const PER_OBJECT = 5; // suggestions of one object to review
const MOST_REVIEWABLE = { byConfidence: 10_000, byScore: 1000 };
const BLOCK_OBJECTS = 256;
const PROGRESS_MS = 60;

interface Trained {
  readonly model: Model;
  readonly file: Blob;
  readonly recommender: Recommender;
  readonly search: NameSearch;
  /** Stops what still asks the recommender when it is closed. */
  readonly end: AbortController;
  /** Of all objects, once they are scored. */
  open?: OpenSuggestions;
}

export class TabWorkshop implements Workshop {
  #graph: KnowledgeGraph | undefined;
  #trained: Trained | undefined;
  #file: { readonly source: File; readonly choice: ColumnChoice } | undefined; // where all of the data came from one

  settings() {
    return { loom: MODELS.loom.settings, dge: MODELS.dge.settings };
  }

  async read(tell: Tell, files: readonly File[], choice: ColumnChoice): Promise<DataFacts> {
    this.#forget();
    this.#graph = undefined;
    const listener = listenerOf(tell);
    const warn = (text: string) => listener.warn?.(onPage(text));
    const { graph, understood } = await loadCatalogue(files, { ...listener, warn, ...choice });
    this.#graph = graph;
    const hasUsers = graph.interact.size > 0;
    const isOneFile = understood.tagStyle !== '';
    this.#file = isOneFile ? { source: files[0], choice } : undefined;
    return {
      names: isOneFile ? [understood.source] : namesOfTables(files),
      understood: isOneFile ? withPageWords(understood) : undefined,
      numUsers: hasUsers ? graph.users.size : undefined,
      numObjects: graph.objects.size,
      numTags: graph.tags.size,
      numInteractions: hasUsers ? graph.interact.size : undefined,
      numPairs: graph.tagged.size,
      textColumns: graph.texts.map(({ name }) => name),
      hasImages: graph.images !== undefined,
      fingerprint: fingerprint(graph),
    };
  }

  async columns(_tell: Tell, file: File): Promise<readonly string[]> {
    try {
      return (await openCatalogue(file)).names;
    } catch (error) {
      if (error instanceof InputError) return []; // it was told when it was read
      throw error;
    }
  }

  check(_tell: Tell, { model, settings }: Order): void {
    resolveSettings(MODELS[model].settings, settings);
  }

  async train(tell: Tell, { model: name, settings, engine }: Order): Promise<TrainedFacts> {
    const graph = this.#graph;
    if (graph === undefined) throw new Error('There is no data to train on.');
    this.#forget();
    const began = performance.now();
    const listener = listenerOf(tell);
    const model = await withKernels({ backend: engine }, listener, async (kernels) => {
      tell({ kind: 'engine', name: kernels.name });
      const hidden = hideFor(findModel(name), resolveSettings(MODELS[name].settings, settings), graph);
      const recall = await popularityRecall(kernels, hidden, listener);
      if (recall !== undefined) tell({ kind: 'popularity', recall });
      const watch = {
        onEpoch: (report: object) => tell({ kind: 'epoch', ...report } as Happening),
        onAttempt: (recall: number) => tell({ kind: 'attempt', recall }),
      };
      return fitModel(kernels, graph, { model: name, settings, ...watch }, listener);
    });
    const seconds = (performance.now() - began) / 1000;
    const { objects, titles } = graph;
    const file = new Blob(encodeModel(model) as BlobPart[]);
    this.#trained = {
      model,
      file,
      recommender: await Recommender.open(model),
      search: new NameSearch(
        [objects.names.toArray(), titles.toArray()],
        Int32Array.from({ length: objects.size }, (_, object) => object),
      ),
      end: new AbortController(),
    };
    return { model: name, metrics: model.metrics, seconds, fileBytes: file.size };
  }

  search(_tell: Tell, query: string): FoundObject[] {
    const { model, search } = this.#model();
    const { objects, titles, tagged } = model.graph;
    return Array.from(search.find(query).subarray(0, NUM_FOUND), (object) => ({
      object: objects.name(object),
      title: titles.at(object),
      numTags: tagged.rowLength(object),
    }));
  }

  async view(_tell: Tell, object: string): Promise<ObjectView> {
    const { model, recommender } = this.#model();
    const { tags, titles, tagged } = model.graph;
    const id = recommender.find(object);
    return {
      object,
      title: titles.at(id),
      ...shownFields(model.graph, id),
      tags: Array.from(tagged.row(id), (tag) => tags.name(tag)),
      suggestions: await recommender.suggest(id, { limit: NUM_SUGGESTIONS }),
    };
  }

  async explain(_tell: Tell, object: string, tag: string): Promise<Explanation> {
    const { recommender } = this.#model();
    return recommender.explain(object, tag);
  }

  async mostConfident(tell: Tell): Promise<MostConfident> {
    const trained = this.#model();
    const { model, recommender, end } = trained;
    const listener = listenerOf(tell, end.signal);
    const breathe = makeBreather(listener);
    const { size } = model.graph.objects;
    const best = new OpenSuggestions(model.graph, model.confidence !== undefined, 1);
    const open = new OpenSuggestions(model.graph, model.confidence !== undefined, PER_OBJECT);
    const byConfidence = new Array<number>(NUM_BINS).fill(0);
    for (let first = 0; first < size; first += BLOCK_OBJECTS) {
      listener.progress?.('scoring all objects', first, size);
      await breathe();
      const ids = Int32Array.from({ length: Math.min(BLOCK_OBJECTS, size - first) }, (_, i) => first + i);
      for (const [i, picks] of (await recommender.suggestMany(ids, { limit: PER_OBJECT })).entries()) {
        best.set(ids[i], picks);
        open.set(ids[i], picks);
        const confidence = picks.at(0)?.confidence;
        if (confidence !== undefined) byConfidence[Math.min(NUM_BINS - 1, Math.floor(NUM_BINS * confidence))]++;
      }
    }
    trained.open = open;
    const { suggestions } = best.page(NUM_CONFIDENT, undefined, {});
    return { suggestions, byConfidence: model.confidence && byConfidence };
  }

  reviewable(_tell: Tell, minConfidence: number): Reviewable {
    const { open, model } = this.#model();
    if (open === undefined) throw new Error('Not all objects are scored.');
    const knowsConfidence = model.confidence !== undefined;
    const limit = knowsConfidence ? MOST_REVIEWABLE.byConfidence : MOST_REVIEWABLE.byScore;
    return { ...open.page(limit, undefined, knowsConfidence ? { minConfidence } : {}), knowsConfidence };
  }

  async appliedFile(tell: Tell, accepted: readonly Pair[]): Promise<AppliedFile> {
    const { recommender, model } = this.#model();
    if (this.#file === undefined) throw new Error('The data came from no single file.');
    const { source, choice } = this.#file;
    const listener = listenerOf(tell);
    const plan = await openFile(source, { ...choice, modelTexts: model.graph.texts.map(({ name }) => name) }, listener);
    const reviews = await ReviewedPairs.read(accepted, []);
    const additions = new Additions(recommender, { reviews, textColumns: [] });
    let [numAdded, numLeftOut] = [0, 0];
    const adder: TagAdder = {
      decide: async (rows) => (await additions.decide(rows)).map((list) => list.map(({ tag }) => tag)),
      placed: (_row, added, leftOut) => {
        numAdded += added.length;
        numLeftOut += leftOut.length;
      },
    };
    const parts: BlobPart[] = [];
    for await (const part of rewritten(source, plan, adder, listener)) parts.push(part as BlobPart);
    const plain = new Blob(parts);
    const file = plan.dialect.gzipped
      ? await new Response(plain.stream().pipeThrough(new CompressionStream('gzip'))).blob()
      : plain;
    return { file, numAdded, numLeftOut };
  }

  modelFile(): Blob {
    return this.#model().file;
  }

  async suggestionsFile(tell: Tell): Promise<Blob> {
    const lines: string[] = [];
    const { recommender, end } = this.#model();
    const found = recommender.suggestAll({ limit: NUM_LINES }, listenerOf(tell, end.signal));
    for await (const line of tsvLines(found)) lines.push(line);
    return new Blob(lines, { type: 'text/tab-separated-values' });
  }

  #model(): Trained {
    if (this.#trained === undefined) throw new Error('There is no model to ask.');
    return this.#trained;
  }

  #forget(): void {
    this.#trained?.end.abort();
    this.#trained?.recommender.close();
    this.#trained = undefined;
  }
}

function namesOfTables(files: readonly File[]): string[] {
  const { interact, tagged, objects, texts } = findTables(placeOf(files));
  return [interact, tagged, objects, ...texts].flatMap((table) => (table ? [nameOf(table)] : []));
}

function withPageWords(understood: Understood): Understood {
  return { ...understood, columns: understood.columns.map((column) => ({ ...column, why: onPage(column.why) })) };
}

/** Progress comes often: the page hears of it a few times a second, and of every new step. */
function listenerOf(tell: Tell, signal?: AbortSignal): Listener {
  let [last, lastStep] = [0, ''];
  return {
    progress(step, done, total) {
      const now = performance.now();
      if (step === lastStep && now - last < PROGRESS_MS && done < total) return;
      [last, lastStep] = [now, step];
      tell({ kind: 'progress', step, done, total });
    },
    warn: (text) => tell({ kind: 'warning', text }),
    ...(signal && { signal }),
  };
}
