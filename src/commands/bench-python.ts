// The same work in SciPy and PyTorch, where a Python that has them is at hand: one process, one JSON line back, times in
// milliseconds, medians after a warm-up. They get the same sparse matrices, written to files beside the script.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CsrArrays } from '../engine/matrix.ts';

const SCRIPT = `
import json, sys, time, os
import numpy as np

def median_ms(f, repeats=7):
    f(); f()
    times = []
    for _ in range(repeats):
        t = time.perf_counter(); f(); times.append(1000 * (time.perf_counter() - t))
    return sorted(times)[len(times) // 2]

def graph(folder, name):
    load = lambda part, kind: np.fromfile(os.path.join(folder, name + '.' + part), dtype=kind)
    return load('start', np.int32), load('columns', np.int32), load('values', np.float32)

job = json.loads(sys.argv[1])
folder, result = job['folder'], {}
try:
    import scipy.sparse as sparse
    for s in job['sparse']:
        start, columns, values = graph(folder, s['name'])
        n = len(start) - 1
        a = sparse.csr_matrix((values, columns, start), shape=(n, n))
        x = np.random.rand(n, s['width']).astype(np.float32)
        result['scipy ' + s['name']] = median_ms(lambda: a @ x)
except ImportError:
    pass
try:
    import torch
    torch.set_num_threads(job['threads'])

    class Propagate(torch.autograd.Function):  # the matrix is symmetric: backward is the same product
        @staticmethod
        def forward(ctx, a, x):
            ctx.a = a
            return a @ x
        @staticmethod
        def backward(ctx, g):
            return None, ctx.a @ g

    def csr(name):
        start, columns, values = (torch.from_numpy(part) for part in graph(folder, name))
        n = len(start) - 1
        return torch.sparse_csr_tensor(start, columns, torch.full_like(values, 1 / 256), (n, n))

    s = job['step']
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
    result['pytorch step'] = median_ms(step)
    result['pytorch'] = torch.__version__
except ImportError:
    pass
print(json.dumps(result))
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

/** Times by name, or undefined where `python` cannot be run or has neither library. */
export function runPython(python: string, job: PythonJob): Record<string, number | string> | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'tagloom-bench-'));
  try {
    for (const { name, graph } of job.sparse) writeGraph(folder, name, graph);
    writeGraph(folder, 'objects', job.step.objects);
    writeGraph(folder, 'tags', job.step.tags);
    const { width, pairs, noise } = job.step;
    const sparse = job.sparse.map((shape) => ({ name: shape.name, width: shape.width }));
    const text = JSON.stringify({ folder, threads: job.threads, sparse, step: { width, pairs, noise } });
    const { status, stdout } = spawnSync(python, ['-c', SCRIPT, text], { encoding: 'utf8' });
    if (status !== 0) return undefined;
    const result = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}');
    return Object.keys(result).length === 0 ? undefined : result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeGraph(folder: string, name: string, graph: CsrArrays): void {
  writeFileSync(join(folder, `${name}.start`), graph.rowStart);
  writeFileSync(join(folder, `${name}.columns`), graph.columns);
  writeFileSync(join(folder, `${name}.values`), graph.values);
}
