// The cases of `tagloom bench` in SciPy and PyTorch, where a Python has them: one process (bench.py) that is asked for a
// round of one case at a time, so that it takes its turn among our own backends. It gets the same sparse matrices, as files.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { randomGraph, SPARSE_SHAPES, STEP, sparseName } from '../dist/commands/bench-cases.js';

const SCRIPT = fileURLToPath(new URL('bench.py', import.meta.url));

/** A Python that has SciPy or PyTorch, waiting to be asked: the `Rival` of dist/commands/bench.js. */
export class PythonBench {
  /** By the key of a case: the library that runs it, with its version. */
  libraries;
  #process;
  #lines;
  #folder;

  constructor(child, lines, libraries, folder) {
    this.#process = child;
    this.#lines = lines;
    this.libraries = libraries;
    this.#folder = folder;
  }

  /** Undefined where `python` cannot be run or has neither library. */
  static async open(python, threads) {
    const folder = mkdtempSync(join(tmpdir(), 'tagloom-bench-'));
    for (const shape of SPARSE_SHAPES) writeGraph(folder, sparseName(shape), randomGraph(shape.rows, shape.entries, 1));
    writeGraph(folder, 'objects', randomGraph(STEP.objects, STEP.objectEdges, 1));
    writeGraph(folder, 'tags', randomGraph(STEP.tags, STEP.tagEdges, 2));
    const sparse = SPARSE_SHAPES.map((shape) => ({ name: sparseName(shape), width: shape.width }));
    const child = spawn(python, [SCRIPT, JSON.stringify({ folder, threads, sparse, step: STEP })]);
    child.on('error', () => {}); // not found: the stream of lines ends, which says the same
    child.stdin.on('error', () => {});
    child.stderr.resume();
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const first = await lines.next();
    const libraries = first.done ? {} : JSON.parse(first.value);
    const bench = new PythonBench(child, lines, libraries, folder);
    if (Object.keys(libraries).length > 0) return bench;
    await bench.close();
    return undefined;
  }

  /** Times of the calls of one round that lasts `milliseconds`, one call at least; a warm-up precedes the first round. */
  async round(key, milliseconds) {
    this.#process.stdin.write(`${key} ${milliseconds}\n`);
    const line = await this.#lines.next();
    if (line.done) throw new Error(`${this.libraries[key]} ended while it measured ${key}`);
    return JSON.parse(line.value);
  }

  async close() {
    this.#process.stdin.end();
    if (this.#process.pid !== undefined && this.#process.exitCode === null) await once(this.#process, 'exit');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function writeGraph(folder, name, graph) {
  writeFileSync(join(folder, `${name}.start`), graph.rowStart);
  writeFileSync(join(folder, `${name}.columns`), graph.columns);
  writeFileSync(join(folder, `${name}.values`), graph.values);
}
