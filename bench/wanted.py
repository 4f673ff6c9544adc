# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels of the library have to give on a GPU, in PyTorch and in higher
precision: functions of a launch, its tensors and symbols by name."""

import torch
from torch.nn import functional

SCALE, EPS = 128**-0.5, 1e-6
SCALARS = {"eps": EPS, "scale": SCALE, "alpha": 0.75, "value": 2.5, "first": 0.5,
           "step": 0.25}


def normed(x, weight):
    return functional.rms_norm(x.float(), (x.shape[-1],), weight.float(), EPS)


def turned(x, cos, sin):
    low, high = x.chunk(2, -1)
    return torch.cat((low * cos - high * sin, high * cos + low * sin), -1)


def angles(t, positions):
    return t.cos[:positions, None], t.sin[:positions, None]


def fused(t, x, weight):
    return turned(normed(x, weight), *angles(t, len(x)))


def appended(t, **caches):
    """Caches [H, T, 128] whose first rows are new ones [S, H, 128]."""
    return {name: torch.cat((new.float().transpose(0, 1),
                             getattr(t, name)[:, len(new):].float()), 1)
            for name, new in caches.items()}


def attended(q, k, v, seen=None):
    return functional.scaled_dot_product_attention(
        q.float(), k.float(), v.float(), attn_mask=seen, scale=SCALE)


def prefilled(t):
    k, v = (x.repeat_interleave(t.H // t.G, 0) for x in (t.k, t.v))
    seen = (torch.arange(t.T, device="cuda")[None] <=
            t.pos + torch.arange(t.S, device="cuda")[:, None])
    return {"y": attended(t.q.transpose(0, 1), k, v, seen).transpose(0, 1)}


def paged(t):
    k, v = (x[t.table.long()].reshape(t.B, 64 * t.M, t.G, 128).transpose(1, 2)
            for x in (t.k, t.v))
    return {"partial": attended(t.q, k, v)}


def merged(t):
    """Of splits along axis 1."""
    weight = torch.exp2(t.lse - t.lse.amax(1, keepdim=True))
    return ((t.partial * weight[..., None]).sum(1) / weight.sum(1)[..., None])


def dropped(t):
    n = torch.arange(t.N, device="cuda")
    h = n * -7046029254386353131 ^ t.seed
    h = h * (2 * h + 1) * -4658895280553007687 + t.seed
    h = h * (2 * h + 1)
    return {"y": torch.where(h >= t.threshold, t.x * SCALE, 0)}


def stretches(logits, length):
    padded = functional.pad(logits.float(), (0, -logits.shape[1] % length),
                            value=-float("inf"))
    return {"max": padded.unflatten(1, (-1, length)).amax(2)}


def scaled(bits, scales, table, block):
    table = torch.tensor(table, device="cuda")
    codes = bits.int() & 255
    if len(table) == 16:
        codes = torch.stack((codes & 15, codes >> 4), -1).flatten(1)
    return table[codes] * scales.repeat_interleave(block, 1)


def mxfp8(t):
    table = torch.arange(256, dtype=torch.uint8).view(
        torch.float8_e4m3fn).float().tolist()
    x, y = (scaled(bits, torch.exp2((s.int() & 255).float() - 127), table, 32)
            for bits, s in ((t.x, t.x_scales), (t.y, t.y_scales)))
    return {"z": x @ y.T * SCALARS["alpha"]}


def nvfp4(t):
    halves = [0, 0.5, 1, 1.5, 2, 3, 4, 6]
    table = [*halves, *(-h for h in halves)]
    x, y = (scaled(bits, s.view(torch.float8_e4m3fn).float(), table, 16)
            for bits, s in ((t.x, t.x_scales), (t.y, t.y_scales)))
    return {"z": x @ y.T * SCALARS["alpha"]}


def routed(t):
    rows = t.a.float()
    if hasattr(t, "ids"):
        rows = torch.cat((rows, rows.new_zeros(1, t.K)))[t.ids.long()]
    out = torch.empty(t.P, t.N, device="cuda")
    for number, expert in enumerate(t.experts.tolist()):
        tile = slice(128 * number, 128 * number + 128)
        out[tile] = rows[tile] @ t.w[expert].float()
    return {"c": out}


def sums(t):
    table = t.dtable.double()
    return {"dtable": table.index_add(0, t.ids.long(), t.dy.double())}


def none_found(t):
    return {"found": torch.full((t.P,), 2**63 - 1, device="cuda")}
