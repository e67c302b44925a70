# The contestant of research/bench.mjs in SciPy and PyTorch. Reads the name of a case and the milliseconds of a round on each
# line of standard input, and answers with the milliseconds of each call as JSON. It rests before it answers: its threads
# spin for a while after the last call, and would otherwise take the time of the next contestant.
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
