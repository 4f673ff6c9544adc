# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of peers.py: plain, batched, of experts, and of the head."""

import torch
from torch.nn import functional

from bench import empty, girihs
from contest import both, drawn, empty_half, half, in_turn, work

# Products of a layer of Qwen3 4B and 32B, as (K, N): q, k and v; o; gate and up;
# down.
LAYERS = [(2560, 6144), (4096, 2560), (2560, 19456), (9728, 2560),
          (5120, 10240), (8192, 5120), (5120, 51200), (25600, 5120)]


def product(artefacts, m, n, k):
    return work(
        "TFLOP/s", 2 * m * n * k / 1e12,
        lambda: (half(m, k), half(k, n), empty_half(m, n)),
        girihs(artefacts / "gemm_bf16", "abc"),
        {"cuBLAS": lambda s: lambda: torch.mm(s[0], s[1], out=s[2])},
        lambda s: s[0].float() @ s[1].float(), 5e-3)


def linear(artefacts, m, n, k):
    return work(
        "TFLOP/s", 2 * m * n * k / 1e12,
        lambda: (half(m, k), half(n, k), empty_half(m, n)),
        girihs(artefacts / "linear", ("x", "weight", "y")),
        {"cuBLAS": lambda s: lambda: torch.mm(s[0], s[1].t(), out=s[2])},
        lambda s: s[0].float() @ s[1].float().t(), 5e-3)

def batched(artefacts, z, m, n, k):
    return work(
        "TFLOP/s", 2 * z * m * n * k / 1e12,
        lambda: (half(z, m, k), half(z, k, n), empty_half(z, m, n)),
        girihs(artefacts / "gemm_batched", "abc"),
        {"torch.bmm": lambda s: lambda: torch.bmm(s[0], s[1], out=s[2])},
        lambda s: s[0].float() @ s[1].float(), 5e-3)


def routed(tokens, experts, top):
    """Where the tokens of each expert stand, as grouped_mm and gemm_moe_gather
    want it: ids in the order of experts, where those of each end; the same with
    ids of `tokens` behind each up to whole tiles of 128, the expert of a tile,
    and which rows are of tokens."""
    chosen = torch.randn(tokens, experts, device="cuda").topk(top).indices
    order = chosen.flatten().sort(stable=True)
    ids = order.indices // top
    counts = torch.bincount(order.values, minlength=experts)
    ends = counts.cumsum(0)
    tiles = (counts + 127) // 128
    rows = torch.arange(len(ids), device="cuda") + (
        128 * (tiles.cumsum(0) - tiles) - (ends - counts))[order.values]
    padded = torch.full((128 * int(tiles.sum()),), tokens, device="cuda")
    padded[rows] = ids
    of_tile = torch.arange(experts, device="cuda").repeat_interleave(tiles)
    return ids, *(x.int() for x in (ends, padded, of_tile)), rows


def experts(artefacts, tokens, count, top, n, k):
    """Sorting the tokens is nobody's work here; gathering them is."""
    def make():
        ids, ends, padded, of_tile, rows = routed(tokens, count, top)
        return (half(tokens, k), padded, of_tile, half(count, k, n), ids, ends, rows,
                empty_half(len(padded), k), empty_half(len(padded), n))

    def grouped(s):
        a, _, _, w, ids, ends, *_ = s
        return lambda: functional.grouped_mm(a[ids], w, offs=ends)

    def looped(s):
        a, _, _, w, ids, ends, *_ = s
        out = empty_half(len(ids), n)
        starts = [0, *ends.tolist()]

        def call():
            x = a[ids]
            for i, (first, end) in enumerate(zip(starts, starts[1:])):
                torch.mm(x[first:end], w[i], out=out[first:end])
            return out
        return call

    def expected(s):
        a, _, _, w, ids, ends, *_ = s
        starts = [0, *ends.tolist()]
        return torch.cat([a[ids[first:end]].float() @ w[i].float() for
                          i, (first, end) in enumerate(zip(starts, starts[1:]))])
    gather = girihs(artefacts / "gather_tokens",
                    ("a", "ids", None, None, None, None, None, "y"),
                    vouched=("ids",))
    product = girihs(artefacts / "gemm_moe",
                     (None, None, "experts", "w", None, None, None, "a", "c"),
                     vouched=("experts",))
    one = girihs(artefacts / "gemm_moe_gather",
                 ("a", "ids", "experts", "w", None, None, None, None, "c"),
                 vouched=("ids", "experts"))
    return work(
        "TFLOP/s", 2 * tokens * top * n * k / 1e12, make, in_turn(gather, product),
        {"girih, one launch": one, "gather, grouped_mm": grouped,
         "gather, mm by expert": looped}, expected, 5e-3,
        read=lambda s, c: c if len(c) == len(s[4]) else c[s[6]])


def head(artefacts, m, v, k):
    """Tokens may differ where logits do not: logits are what is compared."""
    def function(weights, hidden, *_):
        return (hidden @ weights.t()).argmax(-1)

    def logits(s, tokens):
        return (s[0][tokens].float() * s[1].float()).sum(-1)

    ours = in_turn(
        girihs(artefacts / "lm_head_argmax",
               ("weights", "hidden", "index", None, "max")),
        girihs(artefacts / "argmax_reduce", (None, None, "index", "token", "max")),
        result=3)
    blocks = -(-v // 128)
    return work(
        "TB/s", 2 * v * k / 1e12,
        lambda: (half(v, k), half(m, k), empty(m, blocks, dtype=torch.int32),
                 empty(m, dtype=torch.int32), empty(m, blocks)),
        ours, both(function),
        lambda s: (s[1].float() @ s[0].float().t()).max(-1).values, 1e-3,
        read=logits)


def layers(ms):
    def draw(source):
        k, n = source.choice(LAYERS)
        return source.choice(ms), n + source.choice([-8, 8, 24, 56]), k
    return [(m, n, k) for m in ms for k, n in LAYERS], draw


def odd(fixed):
    """Products of which N, K or both are odd."""
    def draw(source):
        m, n, k = (drawn(source, 200, 6000) for _ in range(3))
        which = source.choice(["n", "k", "both"])
        return (m, n // 8 * 8 or 8 if which == "k" else n | 1,
                k // 8 * 8 or 8 if which == "n" else k | 1)
    return fixed, draw


# As WORKS of peers.py.
WORKS = {
    "gemm, square": (product, [(n, n, n) for n in (1024, 2048, 4096, 8192)],
                     lambda s: (8 * s.randrange(96, 768),) * 3, 1.0),
    "gemm, few rows": (product, *layers((16, 32, 64)), 0.9),
    "gemm, rows": (product, *layers((256, 2048)), 0.97),
    "linear, few rows": (linear, *layers((1, 16, 64)), 0.9),
    "linear, rows": (linear, *layers((256, 2048)), 0.97),
    "gemm, odd": (product, *odd([
        (1000, 1001, 1003), (1021, 1031, 1033), (4097, 4097, 4097),
        (4096, 4097, 4096), (4096, 4096, 4097), (64, 2560, 4097)]), 0.7),
    "linear, odd": (linear, *odd([
        (8, 50257, 768), (64, 50257, 768), (2048, 50257, 768),
        (2048, 4096, 4099), (64, 2560, 4097)]), 0.7),
    "gemm, batched": (
        batched, [(32, 1024, 1024, 1024), (8, 2048, 2048, 2048),
                  (128, 512, 512, 512), (64, 2048, 2048, 128),
                  (64, 2048, 128, 2048)],
        lambda s: (s.randrange(2, 64), *(8 * s.randrange(24, 320) for _ in "mnk")),
        0.95),
    # Mixtral 8x7B, and gate and up, and down of Qwen3 30B-A3B.
    "gemm of experts": (
        experts, [(4096, 8, 2, 14336, 4096), (4096, 128, 8, 1536, 2048),
                  (16384, 128, 8, 1536, 2048), (16384, 128, 8, 2048, 768)],
        lambda s: (drawn(s, 500, 8000), s.choice([8, 16, 64]), s.choice([1, 2, 4]),
                   *(8 * s.randrange(64, 512) for _ in "nk")), 0.95),
    "head, argmax": (
        head, [(m, 151936, 2560) for m in (1, 16, 64)],
        lambda s: (s.randrange(1, 65), drawn(s, 30000, 160000),
                   s.choice([2048, 2560, 5120])), 0.95),
}
