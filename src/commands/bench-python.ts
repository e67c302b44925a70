// The same work in SciPy and PyTorch, where a Python that has them is at hand: one process that is asked for a round of one
// case at a time, so that it can take its turn among our own backends. It gets the same sparse matrices, through files.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CsrArrays } from '../engine/matrix.ts';

// Reads a case's name on a line, answers with the milliseconds of each call in one round. It rests before it answers: its
// threads spin for a while after the last call, and would otherwise take the next contestant's time.
const SCRIPT = `
import json, sys, time, os
import numpy as np

job = json.loads(sys.argv[1])
folder, cases, versions = job['folder'], {}, {}

def graph(name):
    load = lambda part, kind: np.fromfile(os.path.join(folder, name + '.' + part), dtype=kind)
    return load('start', np.int32), load('columns', np.int32), load('values', np.float32)

def sparse_case(sparse, shape):
    start, columns, values = graph(shape['name'])
    n = len(start) - 1
    a = sparse.csr_matrix((values, columns, start), shape=(n, n))
    x = np.random.rand(n, shape['width']).astype(np.float32)
    return lambda: a @ x

def step_case(torch, s):
    class Propagate(torch.autograd.Function):  # the matrix is symmetric: backward is the same product
        @staticmethod
        def forward(ctx, a, x):
            ctx.a = a
            return a @ x
        @staticmethod
        def backward(ctx, g):
            return None, ctx.a @ g

    def csr(name):
        start, columns, values = (torch.from_numpy(part) for part in graph(name))
        n = len(start) - 1
        return torch.sparse_csr_tensor(start, columns, torch.full_like(values, 1 / 256), (n, n))

    ao, at = csr('objects'), csr('tags')
    n, m, d = ao.shape[0], at.shape[0], s['width']
    weights = [torch.nn.Parameter(0.1 * (torch.rand(*shape) - 0.5)) for shape in ((n, d), (d, d), (m, d), (d, d))]
    adam = torch.optim.Adam(weights, lr=2e-3)
    o = torch.randint(0, n, (s['pairs'],))
    t = torch.randint(0, m, (s['pairs'], 1))
    noise = torch.randint(0, m, (s['pairs'], s['noise']))
    def step():
        adam.zero_grad()
        zo = Propagate.apply(ao, torch.relu(Propagate.apply(ao, weights[0])) @ weights[1])
        zt = Propagate.apply(at, torch.relu(Propagate.apply(at, weights[2])) @ weights[3])
        rows = zo[o].unsqueeze(2)
        positive = torch.bmm(zt[t], rows).squeeze(2)
        negative = torch.bmm(zt[noise], rows).squeeze(2)
        loss = (torch.nn.functional.softplus(-positive).sum() + torch.nn.functional.softplus(negative).sum()) / s['pairs']
        loss.backward()
        adam.step()
    return step

try:
    import scipy, scipy.sparse
    versions['SciPy'] = scipy.__version__
    for shape in job['sparse']:
        cases[shape['name']] = ('SciPy', sparse_case(scipy.sparse, shape))
except ImportError:
    pass
try:
    import torch
    torch.set_num_threads(job['threads'])
    versions['PyTorch'] = torch.__version__
    cases['step'] = ('PyTorch', step_case(torch, job['step']))
except ImportError:
    pass

print(json.dumps({name: library + ' ' + versions[library] for name, (library, _) in cases.items()}), flush=True)
warm = set()
for line in sys.stdin:
    name, milliseconds = line.strip().rsplit(' ', 1)
    work = cases[name][1]
    if name not in warm:
        work(); work(); warm.add(name)
    times, begin = [], time.perf_counter()
    while not times or time.perf_counter() - begin < float(milliseconds) / 1000:
        t = time.perf_counter(); work(); times.append(1000 * (time.perf_counter() - t))
    time.sleep(0.3)
    print(json.dumps(times), flush=True)
`;

export interface PythonJob {
  readonly threads: number;
  readonly sparse: readonly { readonly name: string; readonly width: number; readonly graph: CsrArrays }[];
  readonly step: {
    readonly objects: CsrArrays;
    readonly tags: CsrArrays;
    readonly width: number;
    readonly pairs: number;
    readonly noise: number;
  };
}

/** A Python that has SciPy or PyTorch, waiting to be asked. */
export class PythonBench {
  /** By case: the library that runs it, with its version. */
  readonly libraries: Readonly<Record<string, string>>;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #folder: string;

  private constructor(
    child: ChildProcessWithoutNullStreams,
    lines: AsyncIterator<string>,
    libraries: Record<string, string>,
    folder: string,
  ) {
    this.#process = child;
    this.#lines = lines;
    this.libraries = libraries;
    this.#folder = folder;
  }

  /** Undefined where `python` cannot be run or has neither library. */
  static async open(python: string, job: PythonJob): Promise<PythonBench | undefined> {
    const folder = mkdtempSync(join(tmpdir(), 'tagloom-bench-'));
    for (const { name, graph } of job.sparse) writeGraph(folder, name, graph);
    writeGraph(folder, 'objects', job.step.objects);
    writeGraph(folder, 'tags', job.step.tags);
    const { width, pairs, noise } = job.step;
    const sparse = job.sparse.map((shape) => ({ name: shape.name, width: shape.width }));
    const text = JSON.stringify({ folder, threads: job.threads, sparse, step: { width, pairs, noise } });
    const child = spawn(python, ['-c', SCRIPT, text]);
    child.on('error', () => {}); // not found: the stream of lines ends, which says the same
    child.stdin.on('error', () => {});
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const first = await lines.next();
    const libraries = first.done ? {} : JSON.parse(first.value);
    const bench = new PythonBench(child, lines, libraries, folder);
    if (Object.keys(libraries).length > 0) return bench;
    await bench.close();
    return undefined;
  }

  /** Times of the calls of one round that lasts `milliseconds`, one call at least; the first round is preceded by a warm-up. */
  async round(name: string, milliseconds: number): Promise<number[]> {
    this.#process.stdin.write(`${name} ${milliseconds}\n`);
    const line = await this.#lines.next();
    if (line.done) throw new Error(`${this.libraries[name]} ended while it measured ${name}`);
    return JSON.parse(line.value);
  }

  async close(): Promise<void> {
    this.#process.stdin.end();
    if (this.#process.pid !== undefined && this.#process.exitCode === null) await once(this.#process, 'exit');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function writeGraph(folder: string, name: string, graph: CsrArrays): void {
  writeFileSync(join(folder, `${name}.start`), graph.rowStart);
  writeFileSync(join(folder, `${name}.columns`), graph.columns);
  writeFileSync(join(folder, `${name}.values`), graph.values);
}
