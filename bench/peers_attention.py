# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of peers.py, in bf16 with heads of 128, beside each backend of
torch's scaled_dot_product_attention."""

import torch

from bench import empty, girihs
from contest import drawn, empty_half, half, in_turn, work

SCALE = 128 ** -0.5
TOLERANCE = 6e-3
LONG, MANY = 8192, 64  # keys of a sequence, and blocks, for one launch


def backends(arguments, causal=False):
    """The operators behind scaled_dot_product_attention, which says only which
    of them may be taken; `arguments` makes q, k, v [B, H, S, 128] of a set."""
    aten = torch.ops.aten
    calls = {
        "flash": lambda q, k, v: aten._scaled_dot_product_flash_attention(
            q, k, v, 0.0, causal, scale=SCALE),
        "cuDNN": lambda q, k, v: aten._scaled_dot_product_cudnn_attention(
            q, k, v, None, False, 0.0, causal, scale=SCALE),
        "efficient": lambda q, k, v: aten._scaled_dot_product_efficient_attention(
            q, k, v, None, False, 0.0, causal, scale=SCALE)}

    def ready(call):
        def contestant(s):
            q, k, v = arguments(s)
            return lambda: call(q, k, v)[0]
        return contestant
    return {name: ready(call) for name, call in calls.items()}


def expected(q, k, v, causal=False):
    """The last query sees all keys."""
    b, h, s, _ = q.shape
    t = k.shape[2]
    out = torch.empty(q.shape, device="cuda")
    hidden = torch.ones(s, t, device="cuda", dtype=torch.bool).triu(t - s + 1) \
        if causal else None
    for i in range(b):
        for j in range(h):
            g = j // (h // k.shape[1])
            scores = SCALE * (q[i, j].float() @ k[i, g].float().t())
            if causal:
                scores.masked_fill_(hidden, -torch.inf)
            out[i, j] = scores.softmax(-1) @ v[i, g].float()
    return out


def full(artefacts, b, h, s, t):
    return work(
        "TFLOP/s", 4 * b * h * s * t * 128 / 1e12,
        lambda: (half(b, h, s, 128), half(b, h, t, 128), half(b, h, t, 128),
                 empty_half(b, h, s, 128)),
        girihs(artefacts / "attention", "qkvy", scale=SCALE),
        backends(lambda s: s[:3]), lambda s: expected(*s[:3]), TOLERANCE)


def causal(artefacts, b, h, s):
    return work(
        "TFLOP/s", 2 * b * h * s * s * 128 / 1e12,
        lambda: (*(half(b, h, s, 128) for _ in "qkv"), empty_half(b, h, s, 128)),
        girihs(artefacts / "attention_causal", "qkvy", scale=SCALE),
        backends(lambda s: s[:3], causal=True),
        lambda s: expected(*s[:3], causal=True), TOLERANCE)


def shared_heads(artefacts, b, h, g, s, t):
    return work(
        "TFLOP/s", 4 * b * h * s * t * 128 / 1e12,
        lambda: (half(b, h, s, 128), half(b, g, t, 128), half(b, g, t, 128),
                 empty_half(b, h, s, 128)),
        girihs(artefacts / "attention_gqa", "qkvy", scale=SCALE, R=h // g),
        backends(lambda s: s[:3]), lambda s: expected(*s[:3]), TOLERANCE)


def prefill(artefacts, h, g, s, pos):
    """Of s positions from pos on; ours has heads behind positions."""
    def arguments(tensors):
        q, k, v, _ = tensors
        return q.transpose(0, 1)[None], k[None], v[None]
    return work(
        "TFLOP/s", 4 * h * (s * pos + s * s / 2) * 128 / 1e12,
        lambda: (half(s, h, 128), half(g, pos + s, 128), half(g, pos + s, 128),
                 empty_half(s, h, 128)),
        girihs(artefacts / "attention_prefill_gqa", "qkvy", scale=SCALE, R=h // g,
               pos=pos),
        backends(arguments, causal=True),
        lambda s: expected(*arguments(s), causal=True), TOLERANCE,
        read=lambda s, y: y if y.dim() == 4 else y.transpose(0, 1)[None])


def splits(groups, keys, blocks=132):
    """As many as give each of the multiprocessors a block, or two, of at least
    256 keys."""
    return max(1, min(blocks // groups, keys // 256))


def decode(artefacts, b, h, g, t):
    """Of one query a sequence: up to LONG keys in one launch of MANY blocks, else
    in splits, which are merged."""
    p = splits(b * g, t)
    attend = girihs(artefacts / "attention_decode_gqa_split",
                    ("q", "k", "v", "partial", "lse"), scale=SCALE, L=t)
    merge = girihs(artefacts / "attention_merge", ("partial", "lse", "y"))
    one = girihs(artefacts / "attention_decode_gqa",
                 ("q", "k", "v", None, None, "y"), scale=SCALE, L=t)
    two = in_turn(attend, lambda s: merge(
        (s[3].flatten(2, 3), s[4].flatten(2, 3), s[5].flatten(1, 2))))
    ways = {"girih": one, "girih, splits": two} if t <= LONG and b * g >= MANY else \
        {"girih": two, "girih, one launch": one}
    return work(
        "TB/s", 4 * b * g * t * 128 / 1e12,
        lambda: (half(b, g, h // g, 128), half(b, g, t, 128), half(b, g, t, 128),
                 empty(b, p, g, h // g, 128), empty(b, p, g, h // g),
                 empty_half(b, g, h // g, 128)),
        ways.pop("girih"),
        ways | backends(lambda s: (s[0].view(b, h, 1, 128), *s[1:3])),
        lambda s: expected(s[0].view(b, h, 1, 128), *s[1:3])[:, :, 0], TOLERANCE,
        read=lambda s, y: y.reshape(b, h, 128))


def paged(artefacts, b, h, g, t):
    """The splits alone, beside those of a contiguous cache."""
    pages, r = -(-t // 64), h // g
    p, contiguous_p = splits(b * g, t, 264), splits(b * g, t)

    def make():
        table = torch.randperm(b * pages, device="cuda", dtype=torch.int32)
        k, v = (half(b * pages, 64, g, 128) for _ in "kv")
        caches = (x[table].view(b, 64 * pages, g, 128).transpose(1, 2).contiguous()
                  for x in (k, v))
        return (half(b, g, r, 128), k, v, table.view(b, pages),
                torch.full((b,), t, device="cuda", dtype=torch.int32), *caches,
                empty(b, contiguous_p, g, r), empty(b, contiguous_p, g, r, 128),
                empty(b, p, g, r), empty(b, p, g, r, 128))

    def merged(s, partial):
        lse = s[9] if partial is s[10] else s[7]
        weight = torch.exp2(lse - lse.max(1, keepdim=True).values)
        return ((partial * weight[..., None]).sum(1)
                / weight.sum(1)[..., None]).view(b, h, 128)
    contiguous = girihs(artefacts / "attention_decode_gqa_split",
                        ("q", None, None, None, None, "k", "v", "lse", "partial"),
                        scale=SCALE, L=t)
    return work(
        "TB/s", 4 * b * g * t * 128 / 1e12, make,
        girihs(artefacts / "attention_decode_paged",
               ("q", "k", "v", "table", "lengths", *4 * (None,), "lse", "partial"),
               vouched=("table", "lengths"), scale=SCALE),
        {"contiguous": in_turn(contiguous, result=8)},
        lambda s: expected(s[0].view(b, h, 1, 128), s[5][:, :, :t],
                           s[6][:, :, :t])[:, :, 0], TOLERANCE, read=merged)


def contexts(source):
    return 8, source.choice([32, 40, 64]), 8, drawn(source, 1000, 65536)


CONTEXTS = [(8, 32, 8, 1024 << i) for i in range(7)]
OF_ONE = [(1, 32, 8, 1024 << i) for i in range(7)]
# As WORKS of peers.py.
WORKS = {
    "attention": (full, [(2, 16, n, n) for n in (1024, 2048, 4096)],
                  lambda s: (2, s.choice([8, 16, 32]), drawn(s, 500, 5000),
                             drawn(s, 500, 5000)), 0.95),
    "attention, causal": (causal, [(2, 16, 1024 << i) for i in range(5)],
                          lambda s: (2, s.choice([8, 16, 32]), drawn(s, 500, 8000)),
                          0.95),
    "attention, causal GQA": (
        prefill, [(h, 8, s, 0) for h in (32, 64) for s in (8192, 16384)],
        lambda s: (s.choice([32, 40, 64]), 8, drawn(s, 1000, 12000),
                   s.choice([0, drawn(s, 500, 5000)])), 0.95),
    "attention, GQA": (
        shared_heads, [(2, 32, 8, n, n) for n in (1024, 2048, 4096)],
        lambda s: (2, s.choice([16, 32, 40]), 8, drawn(s, 500, 5000),
                   drawn(s, 500, 5000)), 0.95),
    "attention, decode": (decode, CONTEXTS, contexts, 1.0),
    "attention, decode of one": (decode, OF_ONE, lambda s: (1, *contexts(s)[1:]),
                                 1.0),
    "attention, paged decode": (paged, CONTEXTS, contexts, 0.91),
}
