# The step that bench/gpu.mjs measures, in PyTorch on the same card: sparse, and dense with TF32.
#   python3 research/gpu-torch.py
import time
import torch

OBJECTS, OBJECT_EDGES, TAGS, TAG_EDGES, WIDTH, PAIRS, NOISE = 17_632, 4_600_000, 9_749, 900_000, 64, 8192, 15
device = torch.device("cuda")
generator = torch.Generator(device=device).manual_seed(1)


def graph(size, edges):
    rows = torch.randint(size, (edges,), device=device, generator=generator)
    columns = torch.randint(size, (edges,), device=device, generator=generator)
    values = torch.full((edges,), 1 / 256, device=device)
    return torch.sparse_coo_tensor(torch.stack([rows, columns]), values, (size, size)).coalesce().to_sparse_csr()


def median(numbers):
    return sorted(numbers)[len(numbers) // 2]


def timed(work, repeats=20, rounds=7):
    for _ in range(5):
        work()
    times = []
    for _ in range(rounds):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(repeats):
            work()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - start) / repeats * 1000)
    return median(times)


def measure(name, objects, tags):
    def weights(*shape):
        return (torch.rand(*shape, device=device, generator=generator) * 0.2 - 0.1).requires_grad_()

    parameters = [weights(OBJECTS, WIDTH), weights(WIDTH, WIDTH), weights(TAGS, WIDTH), weights(WIDTH, WIDTH)]
    adam = torch.optim.Adam(parameters, lr=2e-3, fused=True)
    offsets = torch.zeros(TAGS, device=device)
    object_ids = torch.randint(OBJECTS, (PAIRS,), device=device, generator=generator)
    tag_ids = torch.randint(TAGS, (PAIRS,), device=device, generator=generator)

    def step():
        noise = torch.randint(TAGS, (PAIRS, NOISE), device=device, generator=generator)
        adam.zero_grad(set_to_none=True)
        w0, w1, v0, v1 = parameters
        zo = objects @ (torch.relu(objects @ w0) @ w1)
        zt = tags @ (torch.relu(tags @ v0) @ v1)
        ids = torch.cat([tag_ids[:, None], noise], dim=1)
        logits = torch.einsum("bd,bkd->bk", zo[object_ids], zt[ids]) + offsets[ids]
        softplus = torch.nn.functional.softplus
        loss = (softplus(-logits[:, 0]) + softplus(logits[:, 1:]).sum(1)).mean()
        loss.backward()
        adam.step()

    print(f"{name:44s} {timed(step):8.3f} ms a step")
    return step


objects, tags = graph(OBJECTS, OBJECT_EDGES), graph(TAGS, TAG_EDGES)
print(torch.__version__, torch.cuda.get_device_name())
for name, a in (("objects", objects), ("tags", tags), ("1 M rows", graph(1_000_000, 64_000_000))):
    x = torch.rand(a.shape[1], WIDTH, device=device)
    print(f"{f'CSR x dense, {name}, {a.values().numel()} entries':44s} {timed(lambda: a @ x):8.4f} ms")
a, b, out = (torch.rand(1 << 28, device=device) for _ in range(3))
print(f"{'streaming (out = a + b)':44s} {3 * 4 * (1 << 28) / timed(lambda: torch.add(a, b, out=out)) / 1e6:8.0f} GB/s")
del a, b, out
measure("sparse, float32", objects, tags)
torch.backends.cuda.matmul.allow_tf32 = True
dense_objects, dense_tags = objects.to_dense(), tags.to_dense()
measure("dense, TF32", dense_objects, dense_tags)
for size in (2_500, 12_500):
    torch.backends.cuda.matmul.allow_tf32 = False
    m = torch.rand(size, size, device=device) * 0.5
    m = m + m.T + size * torch.eye(size, device=device)
    work = lambda: torch.cholesky_inverse(torch.linalg.cholesky(m))
    print(f"{f'symmetric inverse, n = {size}':44s} {timed(work, repeats=2, rounds=3):8.1f} ms")
