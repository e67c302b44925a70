// The maps of one model: drawn on demand, in a thread of their own, so that other requests are answered meanwhile, and saved in a
// file beside the model, with its fingerprint. Where no file can be written, they stay in memory.

import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { InputError, type InputProblem } from '../../errors.ts';
import { writeFile } from '../../files.ts';
import type { Model } from '../../models/model.ts';
import { MapFacts } from '../http/schemas.ts';
import { Check, type Static, Type } from '../http/typebox.ts';
import type { DrawnMap } from './draw-map.ts';
import type { MapSide, MapTask } from './map-vectors.ts';

type Facts = Static<typeof MapFacts>;

/** As JSON, ready to send, or the share that is done. */
export type MapState = { readonly body: string } | { readonly done: number };

interface Drawing {
  done: number;
  body?: string;
  error?: unknown;
  /** Until the file has been looked at. */
  readonly begun: Promise<void>;
}

export interface MapsOptions {
  readonly mapFile?: string | undefined;
  readonly mapThread?: URL | undefined;
  readonly warn: (message: string) => void;
}

const THREAD = new URL('./map-thread.js', import.meta.url);
const Kept = Type.Object({
  format: Type.Literal('tagloom map'),
  version: Type.Literal(1),
  fingerprint: Type.String(),
  maps: Type.Object({ tags: Type.Optional(MapFacts), objects: Type.Optional(MapFacts) }),
});

export class Maps {
  readonly #model: Model;
  readonly #fingerprint: string;
  readonly #options: MapsOptions;
  readonly #drawings = new Map<MapSide, Drawing>();
  readonly #threads = new Set<Worker>();
  #saving: Promise<unknown> = Promise.resolve();
  #kept: Promise<Static<typeof Kept>['maps']> | undefined;
  #isClosed = false;
  #hasWarned = false;

  constructor(model: Model, fingerprint: string, options: MapsOptions) {
    this.#model = model;
    this.#fingerprint = fingerprint;
    this.#options = options;
  }

  async get(side: MapSide): Promise<MapState> {
    let drawing = this.#drawings.get(side);
    if (drawing === undefined) {
      drawing = this.#begin(side);
      this.#drawings.set(side, drawing);
    }
    await drawing.begun;
    if (drawing.error !== undefined) {
      this.#drawings.delete(side); // the next to ask tries again
      throw drawing.error;
    }
    return drawing.body === undefined ? { done: drawing.done } : { body: drawing.body };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
    await this.#saving;
  }

  #begin(side: MapSide): Drawing {
    const drawing: Drawing = {
      done: 0,
      begun: this.#readKept().then(({ [side]: kept }) => {
        if (kept !== undefined) drawing.body = JSON.stringify(kept);
        else if (!this.#isClosed) this.#draw(side, drawing).catch((error) => (drawing.error = error));
      }),
    };
    return drawing;
  }

  async #draw(side: MapSide, drawing: Drawing): Promise<void> {
    const thread = new Worker(this.#options.mapThread ?? THREAD, { workerData: taskOf(this.#model, side) });
    this.#threads.add(thread);
    thread.unref(); // a program may end meanwhile
    try {
      const drawn = await new Promise<DrawnMap>((resolve, reject) => {
        thread.on(
          'message',
          ({ done, drawn, problem }: { done?: number; drawn?: DrawnMap; problem?: InputProblem }) => {
            if (problem !== undefined) reject(new InputError(problem));
            else if (drawn !== undefined) resolve(drawn);
            else drawing.done = done ?? drawing.done;
          },
        );
        thread.on('error', reject);
        thread.on('exit', () => reject(new Error('The thread that draws a map ended before its time.')));
      });
      const facts = this.#named(side, drawn);
      drawing.body = JSON.stringify(facts);
      this.#saving = this.#saving.then(() => this.#save(side, facts));
      await this.#saving;
    } finally {
      this.#threads.delete(thread);
    }
  }

  #named(side: MapSide, { ids, places, clusters, names }: DrawnMap): Facts {
    const { tags, objects, titles } = this.#model.graph;
    return {
      points: Array.from(ids, (id, i) => ({
        name: (side === 'tags' ? tags : objects).name(id),
        ...(side === 'objects' && { title: titles.at(id) }),
        x: places[2 * i],
        y: places[2 * i + 1],
        cluster: clusters[i],
      })),
      clusters: Array.from(names, (tag) => ({ name: tag < 0 ? '' : tags.name(tag) })),
    };
  }

  /** What the file has of this model; nothing where it is of another, or damaged, or not there. */
  #readKept(): Promise<Static<typeof Kept>['maps']> {
    this.#kept ??= this.#read();
    return this.#kept;
  }

  async #read(): Promise<Static<typeof Kept>['maps']> {
    const { mapFile } = this.#options;
    if (mapFile === undefined) return {};
    try {
      const kept: unknown = JSON.parse(await readFile(mapFile, 'utf8'));
      return Check(Kept, kept) && kept.fingerprint === this.#fingerprint ? kept.maps : {};
    } catch {
      return {};
    }
  }

  async #save(side: MapSide, facts: Facts): Promise<void> {
    const { mapFile, warn } = this.#options;
    const maps = { ...(await this.#readKept()), [side]: facts };
    this.#kept = Promise.resolve(maps);
    if (mapFile === undefined) return;
    const text = JSON.stringify({ format: 'tagloom map', version: 1, fingerprint: this.#fingerprint, maps });
    try {
      await writeFile(mapFile, text, { isShared: true }); // other instances may draw the same map
    } catch (error) {
      const why = error instanceof InputError ? error.problem.got : (error as Error).message;
      if (!this.#hasWarned) warn(`${mapFile}: the map was not saved (${why}). It is drawn again after a restart.`);
      this.#hasWarned = true;
    }
  }
}

function taskOf({ graph, fitted }: Model, side: MapSide): MapTask {
  const { users, objects, tags, interact, tagged } = graph;
  const pairs = ({ heads, tails }: MapTask['tagged']) => ({ heads, tails });
  return {
    side,
    numUsers: users.size,
    numObjects: objects.size,
    numTags: tags.size,
    interact: side === 'tags' ? { heads: new Int32Array(0), tails: new Int32Array(0) } : pairs(interact), // not needed
    tagged: pairs(tagged),
    ...(fitted.form === 'embeddings' &&
      fitted.width > 1 && { embeddings: { width: fitted.width, values: fitted[side] } }),
  };
}
