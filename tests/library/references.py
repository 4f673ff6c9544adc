# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each kernel of the library computes, said a second time in NumPy.

A function a kernel, of the launch symbols: draws inputs and says what the
outputs are. Sums run in another order than in the executor; what the kernel
rounds on its way is rounded here as well where `ALLOWED` has no entry, and not
at all where it has one: then the definition is computed in double.
"""

import numpy as np

from formats import Bf16

#: Absolute and relative error beyond the executor's own bound.
ALLOWED = {
    # bf16 has 8 bits: the weights are rounded once, and the result.
    "attention": (6e-3, 2**-8),
    "attention_gqa": (6e-3, 2**-8),
    "attention_causal": (6e-3, 2**-8),
    "attention_prefill_gqa": (6e-3, 2**-8),
    "attention_prefill_gqa_lpt": (6e-3, 2**-8),
    "attention_prefill_gqa_split": (6e-3, 2**-8),
    "grout_prefill_lpt": (6e-3, 2**-8),
    "attention_decode_gqa": (6e-3, 2**-8),
    "attention_decode_gqa_split": (6e-3, 2**-8),
    "attention_decode_gqa_ragged": (6e-3, 2**-8),
    "attention_decode_paged": (6e-3, 2**-8),
    "attention_decode_paged_whole": (6e-3, 2**-8),
    "attention_step": (6e-3, 2**-8),
    "attention_step_split": (6e-3, 2**-8),
}


def normal(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)


def narrow(rng, *shape):
    return Bf16(normal(rng, *shape))


def add(rng, N):
    x, y = normal(rng, N), normal(rng, N)
    return {"x": x, "y": y}, {"z": x + y}


def saxpy(rng, N):
    alpha = np.float32(rng.standard_normal())
    x, y = normal(rng, N), normal(rng, N)
    return {"alpha": alpha, "x": x, "y": y}, {"y": alpha * x + y}


def fill(rng, N):
    value = np.float32(rng.standard_normal())
    return {"value": value}, {"y": np.full(N, value)}


def fill_bf16(rng, N):
    value = np.float32(rng.standard_normal())
    return {"value": value}, {"y": Bf16(np.full(N, value))}


def fill_f16(rng, N):
    value = np.float32(rng.standard_normal())
    return {"value": value}, {"y": np.full(N, value).astype(np.float16)}


def fill_i32(rng, N, value):
    return {}, {"y": np.full(N, value, np.int32)}


def arange(rng, N):
    first, step = (np.float32(v) for v in rng.standard_normal(2))
    n = np.arange(N).astype(np.float32).astype(np.float64)
    y = n * step + first  # exact but for the last bits, as math.fma is
    return {"first": first, "step": step}, {"y": y.astype(np.float32)}


def arange_i32(rng, N, first, step):
    return {}, {"y": (first + step * np.arange(N)).astype(np.int32)}


def philox(counter, key):
    """Philox 4x32-10 (Salmon et al., 2011): four words of 32 bits a counter.
    Both are lists of words."""
    a, b, c, d = (np.asarray(w, np.uint64) for w in counter)
    k, l = (np.uint64(w) for w in key)
    low = np.uint64(0xFFFFFFFF)
    for _ in range(10):
        left, right = a * np.uint64(0xD2511F53), c * np.uint64(0xCD9E8D57)
        a, b, c, d = (right >> np.uint64(32) ^ b ^ k, right & low,
                      left >> np.uint64(32) ^ d ^ l, left & low)
        k, l = k + np.uint64(0x9E3779B9) & low, l + np.uint64(0xBB67AE85) & low
    return a, b, c, d


# Known answers of the authors' Random123.
assert [int(w) for w in philox([0] * 4, [0] * 2)] == [
    0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
assert [int(w) for w in philox([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2)] == [
    0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]


def normals(N, seed):
    n = np.arange(N, dtype=np.uint64)
    seed %= 2**64
    a, b, _, _ = philox([n & np.uint64(0xFFFFFFFF), n >> np.uint64(32), 0 * n,
                         0 * n], [seed % 2**32, seed >> 32])
    # The two roundings to f32 that are large: of u near 1, and of the angle.
    u = a.astype(np.float32) + np.float32(0.5)
    u = u.astype(np.float64) * 2.0**-32
    angle = (b.astype(np.float32) * np.float32(2**-32) *
             np.float32(2 * np.pi)).astype(np.float64)
    return np.sqrt(-2 * np.log(u)) * np.cos(angle)


def randn(rng, N, seed):
    return {}, {"y": normals(N, seed).astype(np.float32)}


def randn_bf16(rng, N, seed):
    return {}, {"y": Bf16(normals(N, seed).astype(np.float32))}


def randn_f16(rng, N, seed):
    return {}, {"y": normals(N, seed).astype(np.float32).astype(np.float16)}


def searchsorted(rng, N, M):
    s = np.sort(rng.integers(-99, 99, N)).astype(np.int32)
    x = rng.integers(-120, 120, M).astype(np.int32)
    return {"s": s, "x": x}, {"y": np.searchsorted(s, x)}


def silu_mul(rng, M, W, N):
    x = narrow(rng, M, W)
    gate, up = x.values[:, :N], x.values[:, N:]
    y = gate / (np.float32(1) + np.exp(-gate)) * up
    return {"x": x}, {"y": Bf16(y)}


def dropout(rng, N, seed, threshold):
    x, scale = normal(rng, N), np.float32(1.25)
    with np.errstate(over="ignore"):
        h = np.arange(N) * np.int64(-7046029254386353131) ^ np.int64(seed)
        h = h * (2 * h + 1) * np.int64(-4658895280553007687) + np.int64(seed)
        h = h * (2 * h + 1)
    y = np.where(h >= threshold, x * scale, np.float32(0))
    return {"x": x, "scale": scale}, {"y": y}


def gather_row(rng, M, N, r):
    x = narrow(rng, M, N)
    return {"x": x}, {"y": Bf16(x.values[r])}


def embedding_batch(rng, M, V, N):
    ids = rng.integers(0, max(V, 1), M).astype(np.int32)
    table = narrow(rng, V, N)
    return {"ids": ids, "table": table}, {"y": Bf16(table.values[ids])}


def embedding_backward(rng, T, V, N):
    ids = rng.integers(0, max(V, 1), T).astype(np.int32)
    dy, table = narrow(rng, T, N), normal(rng, V, N)
    sums = table.copy()
    np.add.at(sums, ids, dy.values)
    return {"ids": ids, "dy": dy, "dtable": table}, {"dtable": sums}


def histogram(rng, N, V):
    x = rng.integers(0, max(V, 1), N).astype(np.int32)
    hist = rng.integers(-9, 99, V).astype(np.int32)
    counts = np.bincount(x, minlength=V).astype(np.int32)
    return {"x": x, "hist": hist}, {"hist": hist + counts}


def sort_rows(rng, M, N):
    # Few numbers, so that some are equal, and those at both ends.
    x = rng.integers(-20, 20, (M, N)).astype(np.int32)
    ends = np.iinfo(np.int32)
    x[rng.random((M, N)) < 0.1] = ends.max
    x[rng.random((M, N)) < 0.1] = ends.min
    return {"x": x}, {"y": np.sort(x, 1)}


def embedding(rng, V, N):
    inputs, outputs = embedding_batch(rng, 1, V, N)
    return ({"id": inputs["ids"], "table": inputs["table"]},
            {"y": Bf16(outputs["y"].values[0])})


# Sampling


def stretches(logits, length):
    """The maximum of each stretch of a row and the first index that has it."""
    B, V = logits.shape
    count = -(-V // length)
    best = np.full((B, count), -np.inf, np.float32)
    where = np.zeros((B, count), np.int32)
    for j in range(count):
        part = logits[:, j * length:(j + 1) * length]
        if B:
            best[:, j] = part.max(axis=1)
            where[:, j] = j * length + part.argmax(axis=1)
    return {"max": best, "index": where}


def argmax_blocks(rng, B, V, NB):
    logits = narrow(rng, B, V)
    return {"logits": logits}, stretches(logits.values, 4096)


def argmax_reduce(rng, B, N):
    best = rng.integers(-3, 4, (B, N)).astype(np.float32)
    index = np.sort(rng.integers(0, 100000, (B, N)), axis=1).astype(np.int32)
    token = np.full(B, 2**31 - 1, np.int32)
    if N:
        token[:] = index[np.arange(B), best.argmax(axis=1)]
    return {"max": best, "index": index}, {"token": token}


def first_of_each(bad, P):
    """The number of the first lane that is bad, of the tiles of 1024 lanes that
    each of P blocks takes in turns; the largest number where none is."""
    found = np.full(P, 2**63 - 1, np.int64)
    for number in np.flatnonzero(bad)[::-1]:
        found[number // 1024 % P] = number
    return found


def tiles(array):
    return np.append(array, np.zeros(-len(array) % 1024, array.dtype))


def validate_within(rng, N, P, least, most, dtype=np.int32):
    # Few or many are outside.
    spread = int(rng.integers(1, 5)) * (most - least + 1)
    t = rng.integers(least, least + spread, N).astype(dtype)
    bad = (tiles(t) < least) | (tiles(t) > most)
    return {"t": t}, {"found": first_of_each(bad, P)}


def validate_within_i64(rng, **shape):
    return validate_within(rng, **shape, dtype=np.int64)


def validate_sorted(rng, N, P, dtype=np.int32):
    t = np.sort(rng.integers(-2**31, 2**31, N)).astype(dtype)
    for at in rng.integers(0, N, int(rng.integers(0, 4))):
        t[at] = rng.integers(-2**31, 2**31)
    return {"t": t}, {"found": first_of_each(tiles(t[:-1]) > tiles(t[1:]), P)}


def validate_sorted_i64(rng, **shape):
    return validate_sorted(rng, **shape, dtype=np.int64)


def validate_distinct(rng, N, P, dtype=np.int32):
    # Few or many are equal; some are zero, as what pads the last tile.
    t = rng.integers(-1, int(rng.integers(1, 4)) * N * N + 2, N).astype(dtype)
    first = np.full(P, 2**63 - 1, np.int64)
    for number in range(N)[::-1]:
        if t[number] in t[number + 1:]:
            first[number // 32 % P] = number
    return {"t": t}, {"found": first}


def validate_distinct_i64(rng, **shape):
    return validate_distinct(rng, **shape, dtype=np.int64)


def lm_head_argmax(rng, V, K, B, NB):
    # Whole numbers: every sum is exact, and ties are frequent.
    weights = Bf16(rng.integers(-2, 3, (V, K)))
    hidden = Bf16(rng.integers(-2, 3, (B, K)))
    return ({"weights": weights, "hidden": hidden},
            stretches(hidden.values @ weights.values.T, 128))


# Norms


def softmax(rng, M, N):
    x = normal(rng, M, N) * np.float32(4)
    if N == 0:
        return {"x": x}, {"y": x}
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return {"x": x}, {"y": e / e.sum(axis=1, keepdims=True, dtype=np.float32)}


softmax_row = softmax


def softmax_by_row(rng, M, N):
    x = Bf16(normal(rng, M, N) * np.float32(4))
    if N == 0:
        return {"x": x}, {"y": x}
    e = np.exp(x.values - x.values.max(axis=1, keepdims=True))
    return {"x": x}, {"y": Bf16(e / e.sum(axis=1, keepdims=True,
                                          dtype=np.float32))}


def normed(x, weight, eps):
    """x over its root mean square along the last axis, times the weight."""
    square = (x * x).sum(axis=-1, keepdims=True, dtype=np.float32)
    mean = square / np.float32(max(x.shape[-1], 1))
    return x * (np.float32(1) / np.sqrt(mean + eps)) * weight


def rms_norm(rng, M, N):
    x, weight, eps = narrow(rng, M, N), narrow(rng, N), np.float32(1e-6)
    y = normed(x.values, weight.values, eps)
    return {"x": x, "weight": weight, "eps": eps}, {"y": Bf16(y)}


rms_norm_row = rms_norm_by_row = rms_norm


def add_rms_norm(rng, M, N):
    x, residual = narrow(rng, M, N), narrow(rng, M, N)
    weight, eps = narrow(rng, N), np.float32(1e-6)
    both = Bf16(x.values + residual.values)
    y = Bf16(normed(both.values, weight.values, eps))
    return ({"x": x, "residual": residual, "weight": weight, "eps": eps},
            {"sum": both, "y": y})


add_rms_norm_by_row = add_rms_norm


def layer_norm(rng, M, N):
    # Far from zero, so that lanes behind the row would show.
    x = Bf16(normal(rng, M, N) + np.float32(3))
    w, b, eps = narrow(rng, N), narrow(rng, N), np.float32(1e-5)
    wide = x.values.astype(np.float64)
    mean = wide.mean(axis=1, keepdims=True)
    rstd = 1 / np.sqrt(((wide - mean) ** 2).mean(axis=1, keepdims=True) + eps)
    y = (wide - mean) * rstd * w.values + b.values
    return ({"x": x, "w": w, "b": b, "eps": eps},
            {"y": Bf16(y), "mean": mean[:, 0].astype(np.float32),
             "rstd": rstd[:, 0].astype(np.float32)})


def histogram_inside(rng, N, V, G):
    x = rng.integers(-2, V + 2, N).astype(np.int32)
    hist = rng.integers(0, 5, V).astype(np.int32)
    counted = x[(x >= 0) & (x < V)]
    # Each of the G columns of blocks counts its own tiles.
    return {"x": x, "hist": hist}, {"hist": hist + np.bincount(
        counted, minlength=V).astype(np.int32)}


def qk_norm(rng, S, HQ, HK):
    q, k = narrow(rng, S, HQ, 128), narrow(rng, S, HK, 128)
    qw, kw, eps = narrow(rng, 128), narrow(rng, 128), np.float32(1e-6)
    return ({"q": q, "k": k, "q_weight": qw, "k_weight": kw, "eps": eps},
            {"q_out": Bf16(normed(q.values, qw.values, eps)),
             "k_out": Bf16(normed(k.values, kw.values, eps))})


# Positions and caches


def angles(rng, T):
    at = np.arange(T)[:, None] * 10000.0 ** (-np.arange(64) / 64)[None, :]
    return np.cos(at).astype(np.float32), np.sin(at).astype(np.float32)


def turned(x, cos, sin):
    """Heads of 128, of which lanes (i, i + 64) turn by angle i."""
    low, high = x[..., :64], x[..., 64:]
    return np.concatenate([low * cos - high * sin, high * cos + low * sin], -1)


def rope(rng, S, H, T, pos):
    x, (cos, sin) = narrow(rng, S, H, 128), angles(rng, T)
    rows = slice(pos, pos + S)
    y = turned(x.values, cos[rows, None], sin[rows, None])
    return {"x": x, "cos": cos, "sin": sin}, {"y": Bf16(y)}


def device_position(rng, reference, S, T, **shape):
    """A kernel whose position is drawn here and handed over in memory."""
    pos = int(rng.integers(0, T - S + 1))
    inputs, outputs = reference(rng, S=S, T=T, pos=pos, **shape)
    return {"pos": np.array([pos], np.int32)} | inputs, outputs


def rope_dynamic(rng, S, H, T):
    return device_position(rng, rope, S=S, H=H, T=T)


def kv_append_dynamic(rng, S, H, T):
    return device_position(rng, kv_append, S=S, H=H, T=T)


def kv_append_paged(rng, S, H, N):
    slots = rng.permutation(64 * N)[:S]
    inputs, outputs = {"slots": slots}, {}
    for name in "kv":
        new, cache = narrow(rng, S, H, 128), narrow(rng, N, 64, H, 128)
        after = cache.values.copy()
        after[slots // 64, slots % 64] = new.values
        inputs |= {name: new, f"{name}_cache": cache}
        outputs[f"{name}_cache"] = Bf16(after)
    return inputs, outputs


def appended(cache, new, pos):
    """The cache [H, T, 128] with rows [S, H, 128] from pos on."""
    all_ = cache.values.copy()
    all_[:, pos:pos + len(new)] = new.transpose(1, 0, 2)
    return Bf16(all_)


def kv_append(rng, S, H, T, pos):
    k, v = narrow(rng, S, H, 128), narrow(rng, S, H, 128)
    k_cache, v_cache = narrow(rng, H, T, 128), narrow(rng, H, T, 128)
    return ({"k": k, "v": v, "k_cache": k_cache, "v_cache": v_cache},
            {"k_cache": appended(k_cache, k.values, pos),
             "v_cache": appended(v_cache, v.values, pos)})


def fused(x, weight, eps, cos, sin, rows):
    """Heads [S, H, 128] normed, then turned by the angles of their rows."""
    return turned(normed(x.values, weight.values, eps), cos[rows, None],
                  sin[rows, None])


def qk_norm_rope_append(rng, S, HQ, HK, T, pos):
    q, k, v = (narrow(rng, S, h, 128) for h in (HQ, HK, HK))
    qw, kw, eps = narrow(rng, 128), narrow(rng, 128), np.float32(1e-6)
    (cos, sin), rows = angles(rng, T), slice(pos, pos + S)
    k_cache, v_cache = narrow(rng, HK, T, 128), narrow(rng, HK, T, 128)
    new = fused(k, kw, eps, cos, sin, rows)
    return ({"q": q, "k": k, "v": v, "q_weight": qw, "k_weight": kw, "cos": cos,
             "sin": sin, "k_cache": k_cache, "v_cache": v_cache, "eps": eps},
            {"q_out": Bf16(fused(q, qw, eps, cos, sin, rows)),
             "k_cache": appended(k_cache, new, pos),
             "v_cache": appended(v_cache, v.values, pos)})


def grout_kv_append_wide(rng, S, H, T, N, PB):
    k, v, weight = narrow(rng, S, H, 128), narrow(rng, S, H, 128), narrow(rng, 128)
    (cos, sin), eps = angles(rng, T), np.float32(1e-6)
    k_cache, v_cache = narrow(rng, H, T, 128), narrow(rng, H, T, 128)
    first = Bf16(k.values[:16 * N])
    new = fused(first, weight, eps, cos, sin, slice(16 * PB, 16 * (PB + N)))
    return ({"k": k, "v": v, "weight": weight, "cos": cos, "sin": sin,
             "k_cache": k_cache, "v_cache": v_cache, "eps": eps},
            {"k_cache": appended(k_cache, new, 16 * PB),
             "v_cache": appended(v_cache, v.values[:16 * N], 16 * PB)})


def grout_qk_norm_rope_decode(rng, N, T, NQ, NK):
    row, pos = narrow(rng, N, 64), int(rng.integers(0, T))
    q, k, v = np.split(row.values.reshape(1, -1, 128), [NQ, NQ + NK], axis=1)
    qw, kw, eps = narrow(rng, 128), narrow(rng, 128), np.float32(1e-6)
    cos, sin = angles(rng, T)
    k_cache, v_cache = narrow(rng, NK, T, 128), narrow(rng, NK, T, 128)
    q, k = (fused(Bf16(x), w, eps, cos, sin, slice(pos, pos + 1))
            for x, w in ((q, qw), (k, kw)))
    return ({"qkv": row, "pos": np.array([pos], np.int32), "q_weight": qw,
             "k_weight": kw, "cos": cos, "sin": sin, "k_cache": k_cache,
             "v_cache": v_cache, "eps": eps},
            {"q_out": Bf16(q[0]), "k_cache": appended(k_cache, k, pos),
             "v_cache": appended(v_cache, v, pos)})


# Attention


def attended(q, k, v, scale, seen):
    """Of queries [..., m, d] over keys and values [..., n, d], in double, with
    the logarithms of the weights; `seen` [m, n] says who sees whom."""
    q, k, v = (np.nan_to_num(x.astype(np.float64)) for x in (q, k, v))
    score = np.where(seen, q @ np.swapaxes(k, -1, -2) * np.float64(scale),
                     -np.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        top = score.max(axis=-1, keepdims=True, initial=-1e30)
        e = np.exp(score - top)
        total = e.sum(axis=-1, keepdims=True)
        mean = np.where(total > 0, e @ v / np.maximum(total, 1e-300), 0)
        lse = ((top + np.log(total)) * np.log2(np.e))[..., 0]
    return mean, lse


def attention(rng, B, H, S, T):
    q, k, v = (narrow(rng, B, H, n, 128) for n in (S, T, T))
    scale = np.float32(128**-0.5)
    y, _ = attended(q.values, k.values, v.values, scale, np.ones((S, T), bool))
    return {"q": q, "k": k, "v": v, "scale": scale}, {"y": Bf16(y)}


def attention_gqa(rng, B, H, S, G, T, R):
    q = narrow(rng, B, H, S, 128)
    k, v = (narrow(rng, B, G, T, 128) for _ in "kv")
    scale = np.float32(128**-0.5)
    heads = [np.repeat(x.values, R, axis=1) for x in (k, v)]
    y, _ = attended(q.values, *heads, scale, np.ones((S, T), bool))
    return {"q": q, "k": k, "v": v, "scale": scale}, {"y": Bf16(y)}


def attention_causal(rng, B, H, S):
    q, k, v = (narrow(rng, B, H, S, 128) for _ in range(3))
    scale = np.float32(128**-0.5)
    seen = np.tril(np.ones((S, S), bool))
    y, _ = attended(q.values, k.values, v.values, scale, seen)
    return {"q": q, "k": k, "v": v, "scale": scale}, {"y": Bf16(y)}


def cache_of(rng, *shape, length):
    """Keys or values [..., T, 128], of which `length` rows are there; behind
    them is what must not be seen."""
    values = normal(rng, *shape)
    values[..., length:, :] = np.nan
    return Bf16(values)


def cached(rng, S, H, G, T, pos):
    """Queries of S new positions, the cache, and who sees whom."""
    q = narrow(rng, S, H, 128)
    k, v = (cache_of(rng, G, T, 128, length=pos + S) for _ in range(2))
    seen = np.arange(T)[None, :] <= pos + np.arange(S)[:, None]
    inputs = {"q": q, "k": k, "v": v, "scale": np.float32(128**-0.5)}
    return inputs, seen


def grouped(inputs, seen):
    """Attention of heads that share keys and values: [H, S, 128], [H, S]."""
    q, k, v, scale = (inputs[n] for n in ("q", "k", "v", "scale"))
    times = q.bits.shape[1] // max(k.bits.shape[0], 1)
    heads = [np.repeat(x.values, times, axis=0) for x in (k, v)]
    return attended(q.values.transpose(1, 0, 2), *heads, scale, seen)


def attention_prefill_gqa(rng, S, H, G, T, R, pos):
    inputs, seen = cached(rng, S, H, G, T, pos)
    return inputs, {"y": Bf16(grouped(inputs, seen)[0].transpose(1, 0, 2))}


def attention_prefill_gqa_lpt(rng, S, H, G, T, C, pos):
    return attention_prefill_gqa(rng, S, H, G, T, 4 * C, pos)


def grout_prefill_lpt(rng, S, H, G, T, C, pos, W):
    return attention_prefill_gqa_lpt(rng, S, H, G, T, C, pos)


def dealt(tiles, splits, split, size=128):
    """The keys of a split: tiles of a size, as many for each but the last
    ones."""
    share = -(-tiles // splits)
    return slice(size * split * share, size * min((split + 1) * share, tiles))


def attention_prefill_gqa_split(rng, S, H, G, T, P, R, pos):
    inputs, seen = cached(rng, S, H, G, T, pos)
    partial = np.zeros((S, P, H, 128))
    lse = np.zeros((S, P, H))
    for first in range(0, S, 128):
        tiles = -(-min(pos + first + 128, pos + S) // 128)
        rows = slice(first, first + 128)
        for split in range(P):
            keys = np.zeros_like(seen)
            keys[:, dealt(tiles, P, split)] = True
            mean, weight = grouped(inputs, seen & keys)
            partial[rows, split] = mean.transpose(1, 0, 2)[rows]
            lse[rows, split] = weight.T[rows]
    return inputs, {"partial": partial.astype(np.float32),
                    "lse": lse.astype(np.float32)}


def decoded(q, k, v, scale, lengths, P, size=256):
    """Of queries [B, G, R, d] over as many of the keys and values
    [B, G, T, d] as the lengths say, in P splits of tiles of a size."""
    B, G, R, d = q.shape
    partial, lse = np.zeros((B, P, G, R, d)), np.zeros((B, P, G, R))
    for b, length in enumerate(lengths):
        for split in range(P):
            seen = np.zeros((1, k.shape[2]), bool)
            seen[:, dealt(-(-length // size), P, split, size)] = True
            seen[:, length:] = False
            partial[b, split], lse[b, split] = attended(q[b], k[b], v[b], scale,
                                                         seen)
    return {"partial": partial.astype(np.float32), "lse": lse.astype(np.float32)}


def scale_for(R):
    """A factor of scores, of either sign: the largest product of a query and a key
    is not always the largest score."""
    return np.float32(128**-0.5 * (-1)**R)


def decode(rng, lengths, B, G, R, T, P):
    q = narrow(rng, B, G, R, 128)
    k, v = (Bf16(np.stack([cache_of(rng, G, T, 128, length=n).values
                           for n in lengths])) for _ in range(2))
    scale = scale_for(R)
    return ({"q": q, "k": k, "v": v, "scale": scale},
            decoded(q.values, k.values, v.values, scale, lengths, P))


def attention_decode_gqa(rng, B, G, R, T, L):
    inputs, outputs = decode(rng, [L] * B, B, G, R, T, 1)
    return inputs, {"y": Bf16(outputs["partial"][:, 0])}


def attention_decode_gqa_split(rng, B, G, R, T, P, L):
    return decode(rng, [L] * B, B, G, R, T, P)


def attention_decode_gqa_ragged(rng, B, G, R, T, P):
    lengths = rng.integers(0, T + 1, B).astype(np.int32)
    lengths[:1] = T
    inputs, outputs = decode(rng, lengths, B, G, R, T, P)
    return inputs | {"lengths": lengths}, outputs


def attention_decode_paged(rng, B, G, R, N, M, P):
    lengths = rng.integers(0, 64 * M + 1, B).astype(np.int32)
    lengths[:1] = 64 * M
    # Pages of one's own hold what must not be seen behind the length.
    own = N >= B * M
    table = (rng.permutation(N)[:B * M] if own else rng.integers(0, N, B * M))
    table = table.astype(np.int32).reshape(B, M)
    q = narrow(rng, B, G, R, 128)
    pages, caches = {}, {}
    for name in "kv":
        page = normal(rng, N, 64, G, 128)
        for b, length in enumerate(lengths):
            if own and length % 64:
                page[table[b, length // 64], length % 64:] = np.nan
        pages[name] = Bf16(page)
        caches[name] = pages[name].values[table].reshape(
            B, 64 * M, G, 128).transpose(0, 2, 1, 3)
    scale = scale_for(R)
    return (pages | {"q": q, "scale": scale, "table": table, "lengths": lengths},
            decoded(q.values, caches["k"], caches["v"], scale, lengths, P, 64))


def attention_decode_paged_whole(rng, B, G, R, N, M):
    inputs, outputs = attention_decode_paged(rng, B, G, R, N, M, 1)
    return inputs, {"y": Bf16(outputs["partial"][:, 0])}


def attention_step(rng, G, R, T):
    # A position behind the caches now and then; what they hold from it on must
    # not be seen.
    pos = T + R if R == 7 else T - 1 if R % 2 else int(rng.integers(0, T))
    q, k, v = narrow(rng, G, R, 128), narrow(rng, G, 128), narrow(rng, G, 128)
    # Scores that rounding of their heads moves little, and means that are not
    # near 0.
    qw, kw = (Bf16(normal(rng, 128) / 16) for _ in "qk")
    v = Bf16(1 + v.values / 8)
    eps, (cos, sin) = np.float32(1e-6), angles(rng, T)
    scale = scale_for(R)
    k_cache, v_cache = (cache_of(rng, G, T, 128, length=pos) for _ in "kv")
    v_cache = Bf16(1 + v_cache.values / 8)
    inputs = {"q": q, "k": k, "v": v, "pos": np.array([pos], np.int32),
              "q_weight": qw, "k_weight": kw, "cos": cos, "sin": sin,
              "k_cache": k_cache, "v_cache": v_cache, "eps": eps, "scale": scale}
    if pos >= T:
        y = np.full((G, R, 128), np.nan, np.float32)
        return inputs, {"k_cache": k_cache, "v_cache": v_cache, "y": Bf16(y)}
    def head(x, weight):
        heads = Bf16(x.values.reshape(1, -1, 128))
        return fused(heads, weight, eps, cos, sin, slice(pos, pos + 1))
    ks = appended(k_cache, head(k, kw), pos)
    vs = appended(v_cache, v.values[None], pos)
    queries = Bf16(head(q, qw).reshape(1, G, R, 128)).values
    y = decoded(queries, ks.values[None], vs.values[None], scale, [pos + 1], 1)
    return inputs, {"k_cache": ks, "v_cache": vs,
                    "y": Bf16(y["partial"][0, 0])}


def attention_step_split(rng, G, R, T, P):
    inputs, outputs = attention_step(rng, G, R, T)
    pos = int(inputs["pos"][0])
    if pos >= T:
        return inputs, {"partial": np.full((P, G, R, 128), np.nan, np.float32),
                        "lse": np.zeros((P, G, R), np.float32)}
    heads = Bf16(inputs["q"].values.reshape(1, -1, 128))
    queries = Bf16(fused(heads, inputs["q_weight"], inputs["eps"], inputs["cos"],
                         inputs["sin"], slice(pos, pos + 1)).reshape(1, G, R, 128))
    seen = decoded(queries.values, outputs["k_cache"].values[None],
                   outputs["v_cache"].values[None], inputs["scale"], [pos + 1], P,
                   128)
    return inputs, {name: x[0] for name, x in seen.items()}


def attention_step_merge(rng, P, G, H, T):
    inputs, outputs = attention_merge(rng, 1, P, H)
    step, after = attention_step(rng, G, 2 if T % 2 else 7, T)
    return ({name: x[0] for name, x in inputs.items()}
            | {name: step[name] for name in (
                "k", "v", "pos", "k_weight", "cos", "sin", "k_cache", "v_cache",
                "eps")},
            {"y": Bf16(outputs["y"].values[0]), "k_cache": after["k_cache"],
             "v_cache": after["v_cache"]})


def attention_merge(rng, B, P, H):
    partial, lse = normal(rng, B, P, H, 128), normal(rng, B, P, H)
    lse[rng.random(lse.shape) < 0.3] = -np.inf
    top = np.maximum(lse.max(axis=1, initial=-1e30), np.float32(-1e30))
    weight = np.exp2(lse - top[:, None])
    total = weight.sum(axis=1, dtype=np.float32)
    y = ((partial * weight[..., None]).sum(axis=1, dtype=np.float32)
         / np.maximum(total, np.float32(1e-30))[..., None])
    return {"partial": partial, "lse": lse}, {"y": Bf16(y)}


# Products


def gemm(rng, M, N, K):
    a, b = narrow(rng, M, K), narrow(rng, K, N)
    return {"a": a, "b": b}, {"c": a.values @ b.values}


gemm_small = gemm_by_size = gemm


def gemm_persistent(rng, M, N, K, P):
    return gemm(rng, M, N, K)


def gemm_persistent_swizzled(rng, M, N, K, P, G):
    return gemm(rng, M, N, K)


def gemm_grouped_order(rng, M, N, K):
    inputs, outputs = gemm(rng, M, N, K)
    return inputs, {"c": Bf16(outputs["c"])}


gemm_bf16 = gemm_grouped_order


def linear(rng, M, N, K):
    x, weight = narrow(rng, M, K), narrow(rng, N, K)
    return ({"x": x, "weight": weight},
            {"y": Bf16(x.values @ weight.values.T)})


def linear_panels(rng, M, B, W, K):
    x, weight = narrow(rng, M, K), narrow(rng, B, W, K)
    return ({"x": x, "weight": weight},
            {"y": Bf16(np.einsum("mk,bwk->mbw", x.values, weight.values,
                                 dtype=np.float32))})


def linear_silu_mul(rng, M, N, K):
    x, w = narrow(rng, M, K), narrow(rng, 2, N, K)
    gate, up = (x.values @ half.T for half in w.values)
    # As they are: what is far below 0 overflows on its way to 0.
    with np.errstate(over="ignore"):
        y = gate / (np.float32(1) + np.exp(-gate)) * up
    return {"x": x, "w": w}, {"y": Bf16(y)}


def linear_silu_mul_panels(rng, M, B, W, K):
    x, gate, up = narrow(rng, M, K), narrow(rng, B, W, K), narrow(rng, B, W, K)
    of_gate, of_up = (np.einsum("mk,bwk->mbw", x.values, w.values, dtype=np.float32)
                      for w in (gate, up))
    # As in linear_silu_mul.
    with np.errstate(over="ignore"):
        y = of_gate / (np.float32(1) + np.exp(-of_gate)) * of_up
    return {"x": x, "gate": gate, "up": up}, {"y": Bf16(y)}


def linear_split_k(rng, M, N, K, S):
    x, w = narrow(rng, M, K), narrow(rng, N, K)
    # Tiles of K, by the variant that has so many rows.
    depth = (256 if M <= 16 else 128 if M <= 32 or M <= 64
             or M <= 128 and N <= 2560 else 64)
    share = -(-(-(-K // depth)) // S) * depth
    partial = [x.values[:, s * share:(s + 1) * share]
               @ w.values[:, s * share:(s + 1) * share].T for s in range(S)]
    return {"x": x, "w": w}, {"partial": np.stack(partial)}


def skinny(rng, M, N, K, P):
    x, w = narrow(rng, M, K), narrow(rng, N, K)
    return {"x": x, "w": w}, {"y": Bf16(x.values @ w.values.T)}


def skinny_f16(rng, M, N, K, P):
    x, w = (normal(rng, *shape).astype(np.float16) for shape in ((M, K), (N, K)))
    y = x.astype(np.float32) @ w.astype(np.float32).T
    return {"x": x, "w": w}, {"y": y.astype(np.float16)}


def skinny_silu_mul(rng, M, N, K, P):
    return linear_silu_mul(rng, M, N, K)


def of_splits(x, w, S):
    share = -(-(-(-x.shape[1] // 64)) // S) * 64
    return np.stack([x[:, s * share:(s + 1) * share]
                     @ w[:, s * share:(s + 1) * share].T for s in range(S)])


def skinny_split_k(rng, M, N, K, P, S):
    x, w = narrow(rng, M, K), narrow(rng, N, K)
    return {"x": x, "w": w}, {"partial": of_splits(x.values, w.values, S)}


def skinny_f8(rng, M, N, K, P):
    x = narrow(rng, M, K)
    w, values, scale = weights8(rng, N, K)
    return ({"x": x, "w": w, "scale": scale},
            {"y": Bf16(x.values @ values.T * scale)})


def rows_in_groups(rng, M, G):
    """x, and its numbers by rows."""
    x = narrow(rng, M, G, 2, 64)
    return x, x.values.reshape(M, 128 * G)


def skinny_int4(rng, M, N, G, P):
    x, rows = rows_in_groups(rng, M, G)
    w, scale, values = weights4(rng, N, G)
    return {"x": x, "w": w, "scale": scale}, {"y": Bf16(rows @ values.T)}


def skinny_silu_mul_int4(rng, M, N, G, P):
    x, rows = rows_in_groups(rng, M, G)
    w, scale, values = weights4(rng, 2, N, G)
    gate, up = (rows @ half.T for half in values)
    with np.errstate(over="ignore"):
        return {"x": x, "w": w, "scale": scale}, {"y": silu_of(gate, up)}


def skinny_split_k_int4(rng, M, N, G, P, S):
    x, rows = rows_in_groups(rng, M, G)
    w, scale, values = weights4(rng, N, G)
    numbers = values.reshape(N, G, 128) / scale.values[..., None]
    share, partial = -(-G // S), np.zeros((S, M, N), np.float32)
    for g in range(G):
        # The sum of a group is rounded, and so is what it is scaled to.
        sums = (rows[:, 128 * g:128 * (g + 1)] @ numbers[:, g].T).astype(np.float32)
        partial[g // share] += sums * scale.values[:, g].astype(np.float32)
    return {"x": x, "w": w, "scale": scale}, {"partial": partial}


def skinny_silu_mul_f8(rng, M, N, K, P):
    x = narrow(rng, M, K)
    w, values, scale = weights8(rng, 2, N, K)
    # Sums of a size at which silu is neither 0 nor a line.
    scale /= np.sqrt(max(K, 1), dtype=np.float32)
    gate, up = (x.values @ half.T * of for half, of in zip(values, scale))
    with np.errstate(over="ignore"):
        return {"x": x, "w": w, "scale": scale}, {"y": silu_of(gate, up)}


def skinny_split_k_f8(rng, M, N, K, P, S):
    x = narrow(rng, M, K)
    w, values, scale = weights8(rng, N, K)
    return ({"x": x, "w": w, "scale": scale},
            {"partial": of_splits(x.values, values, S) * scale})


def add_rms_norm_split_k(rng, S, M, N):
    partial = normal(rng, S, M, N)
    residual, weight = narrow(rng, M, N), narrow(rng, N)
    eps = np.float32(1e-6)
    both = Bf16(partial.sum(0, dtype=np.float32) + residual.values)
    y = Bf16(normed(both.values, weight.values, eps))
    return ({"partial": partial, "residual": residual, "weight": weight,
             "eps": eps}, {"sum": both, "y": y})


def linear_f8(rng, M, N, K):
    x = narrow(rng, M, K)
    weight, values, scale = weights8(rng, N, K)
    return ({"x": x, "weight": weight, "scale": scale},
            {"y": Bf16(x.values @ values.T * scale)})


def gemv(rng, N, K, P):
    w, x = narrow(rng, N, K), narrow(rng, K)
    return {"w": w, "x": x}, {"y": Bf16(w.values @ x.values)}


gemv_by_depth = gemv


def gemv_f16(rng, N, K, P):
    w, x = (normal(rng, *shape).astype(np.float16) for shape in ((N, K), (K,)))
    y = w.astype(np.float32) @ x.astype(np.float32)
    return {"w": w, "x": x}, {"y": y.astype(np.float16)}


def gemv_add(rng, N, K, P):
    w, x, residual = narrow(rng, N, K), narrow(rng, K), narrow(rng, N)
    return ({"w": w, "x": x, "residual": residual},
            {"y": Bf16(residual.values + w.values @ x.values)})


def weights8(rng, *shape):
    """Weights in f8E4M3FN: their bytes and numbers, and a scale for each row."""
    bits = random_bytes(rng, *shape)
    bits[(bits & 127) == 127] = 0
    scales = rng.uniform(0.5, 1.5, shape[:-1]).astype(np.float32) / 128
    return bits.view(np.uint8), floats(bits, 4, 3, 7).astype(np.float32), scales


def gemv_add_f8(rng, N, K, P):
    w, values, scale = weights8(rng, N, K)
    x, residual = narrow(rng, K), narrow(rng, N)
    return ({"w": w, "scale": scale, "x": x, "residual": residual},
            {"y": Bf16(residual.values + values @ x.values * scale)})


def of_norm(rng, K):
    """x, gain and eps, the rounded products of the first two, and the factor
    that a norm of x has beside them."""
    x, gain, eps = narrow(rng, K), narrow(rng, K), np.float32(1e-5)
    with np.errstate(invalid="ignore"):
        mean = np.square(x.values, dtype=np.float64).sum() / np.float64(K)
    return ({"x": x, "gain": gain, "eps": eps},
            Bf16(x.values * gain.values).values, 1 / np.sqrt(mean + eps))


def gemv_norm(rng, N, K, P):
    w = narrow(rng, N, K)
    inputs, scaled, factor = of_norm(rng, K)
    return {"w": w, **inputs}, {"y": Bf16(w.values @ scaled * factor)}


def gemv_norm_f8(rng, N, K, P):
    w, values, scale = weights8(rng, N, K)
    inputs, scaled, factor = of_norm(rng, K)
    return ({"w": w, "scale": scale, **inputs},
            {"y": Bf16(values @ scaled * scale * factor)})


def silu_of(gate, up):
    return Bf16(gate / (1 + np.exp(-gate)) * up)


def gemv_norm_silu(rng, N, K, P):
    # Sums of a size at which silu is neither 0 nor a line.
    w = Bf16(normal(rng, 2, N, K) / np.sqrt(max(K, 1), dtype=np.float32))
    inputs, scaled, factor = of_norm(rng, K)
    return {"w": w, **inputs}, {"y": silu_of(*w.values @ scaled * factor)}


def gemv_norm_silu_f8(rng, N, K, P):
    w, values, scales = weights8(rng, 2, N, K)
    scales /= np.sqrt(max(K, 1), dtype=np.float32)
    inputs, scaled, factor = of_norm(rng, K)
    return ({"w": w, "gate_scale": scales[0], "up_scale": scales[1], **inputs},
            {"y": silu_of(*values @ scaled * scales * factor)})


def weights4(rng, *shape):
    """Weights of 4 bits by rows and groups: bytes that have 64 columns of a group in
    their low halves and 64 in their high ones, a scale for each group, and the
    numbers of rows."""
    both = random_bytes(rng, *shape, 64)
    halves = np.concatenate([both & 15, both.view(np.uint8) >> 4], -1) - 8.0
    scales = Bf16(rng.uniform(0.5, 1.5, shape) / 8)
    values = halves * scales.values[..., None]
    return both, scales, values.reshape(*shape[:-1], 128 * shape[-1])


def in_groups(x):
    """A vector as halves of groups."""
    return Bf16(x.values.reshape(-1, 2, 64))


def of_norm_in_groups(rng, G):
    inputs, scaled, factor = of_norm(rng, 128 * G)
    for name in ("x", "gain"):
        inputs[name] = in_groups(inputs[name])
    return inputs, scaled, factor


def gemv_add_int4(rng, N, G, P):
    w, scale, values = weights4(rng, N, G)
    x, residual = narrow(rng, 128 * G), narrow(rng, N)
    return ({"w": w, "scale": scale, "x": in_groups(x), "residual": residual},
            {"y": Bf16(residual.values + values @ x.values)})


def gemv_norm_int4(rng, N, G, P):
    w, scale, values = weights4(rng, N, G)
    inputs, scaled, factor = of_norm_in_groups(rng, G)
    return ({"w": w, "scale": scale, **inputs},
            {"y": Bf16(values @ scaled * factor)})


def gemv_norm_silu_int4(rng, N, G, P):
    w, scale, values = weights4(rng, 2, N, G)
    size = 2.0 ** -np.ceil(np.log2(max(128 * G, 1)) / 2)
    scale = Bf16(scale.values * np.float32(size))
    inputs, scaled, factor = of_norm_in_groups(rng, G)
    return ({"w": w, "scale": scale, **inputs},
            {"y": silu_of(*values * size @ scaled * factor)})


def linear_int4(rng, M, N, K, G):
    x = narrow(rng, M, K)
    weight, scale, values = weights4(rng, N, G)
    return ({"x": x, "weight": weight, "scale": scale},
            {"y": Bf16(x.values @ values.T)})


def gemm_swizzled(rng, M, N, K, G):
    return gemm_grouped_order(rng, M, N, K)


def gemm_batched(rng, Z, M, N, K):
    a, b = narrow(rng, Z, M, K), narrow(rng, Z, K, N)
    return {"a": a, "b": b}, {"c": Bf16(a.values @ b.values)}


def gemm_moe(rng, P, NB, E, K, N):
    a, w = narrow(rng, P, K), narrow(rng, E, K, N)
    experts = rng.integers(0, max(E, 1), NB).astype(np.int32)
    c = np.zeros((P, N), np.float32)
    for i, e in enumerate(experts):
        rows = slice(128 * i, 128 * (i + 1))
        c[rows] = a.values[rows] @ w.values[e]
    return {"a": a, "experts": experts, "w": w}, {"c": Bf16(c)}


def gemm_moe_gather(rng, P, NB, T, E, K, N):
    a, w = narrow(rng, T, K), narrow(rng, E, K, N)
    ids = rng.integers(0, T + 1, P).astype(np.int32)
    experts = rng.integers(0, max(E, 1), NB).astype(np.int32)
    rows = np.concatenate([a.values, np.zeros((1, K), np.float32)])[ids]
    c = np.zeros((P, N), np.float32)
    for i, e in enumerate(experts):
        tile = slice(128 * i, 128 * (i + 1))
        c[tile] = rows[tile] @ w.values[e]
    return {"a": a, "ids": ids, "experts": experts, "w": w}, {"c": Bf16(c)}


def gather_tokens(rng, P, T, K):
    a = narrow(rng, T, K)
    ids = rng.integers(0, T + 1, P).astype(np.int32)
    rows = np.concatenate([a.values, np.zeros((1, K), np.float32)])
    return {"a": a, "ids": ids}, {"y": Bf16(rows[ids])}


def floats(bits, exponent, mantissa, bias):
    """Small floats by their definition: sign, exponent, mantissa; the largest of
    e4m3 is NaN."""
    bits = bits.astype(np.int64) & ((2 << exponent + mantissa) - 1)
    sign = np.where(bits >> exponent + mantissa, -1.0, 1.0)
    e = bits >> mantissa & ((1 << exponent) - 1)
    m = (bits & ((1 << mantissa) - 1)) / (1 << mantissa)
    value = np.where(e == 0, m * 2.0 ** (1 - bias), (1 + m) * 2.0 ** (e - bias))
    nan = (exponent, mantissa) == (4, 3) and (bits & 127) == 127
    return np.where(nan, np.nan, sign * value).astype(np.float32)


def random_bytes(rng, *shape):
    return rng.integers(-128, 128, shape).astype(np.int8)


def mxfp8(rng, M, N, K, KS):
    def operand(rows):
        # No NaN, and scales around 1: bf16 has the range of their products.
        bits = random_bytes(rng, rows, K)
        bits[(bits & 127) == 127] = 0
        scales = rng.integers(120, 130, (rows, KS)).astype(np.int8)
        each = 2.0 ** ((scales.astype(int) & 255) - 127)
        return bits, scales, floats(bits, 4, 3, 7) * np.repeat(each, 32, axis=1)

    x, xs, a = operand(M)
    y, ys, b = operand(N)
    alpha = np.float32(0.75)
    z = (a.astype(np.float32) @ b.astype(np.float32).T) * alpha
    return ({"x": x, "x_scales": xs, "y": y, "y_scales": ys, "alpha": alpha},
            {"z": z})


def nvfp4(rng, M, N, KB, KS, mask=-1):
    def operand(rows):
        pairs, scales = random_bytes(rng, rows, KB), random_bytes(rng, rows, KS)
        scales &= mask
        scales[(scales & 127) == 127] = 0
        halves = np.stack([pairs & 15, pairs >> 4 & 15], axis=-1)
        values = floats(halves, 2, 1, 1).reshape(rows, 2 * KB)
        return pairs, scales, values * np.repeat(floats(scales, 4, 3, 7), 16, axis=1)

    x, xs, a = operand(M)
    y, ys, b = operand(N)
    alpha = np.float32(0.75)
    z = (a.astype(np.float32) @ b.astype(np.float32).T) * alpha
    return ({"x": x, "x_scales": xs, "y": y, "y_scales": ys, "alpha": alpha},
            {"z": z})


def as_bits(case):
    """What files hold of elements of 8 bits or less."""
    inputs, outputs = case
    return ({name: a.view(np.uint8) if a.dtype == np.int8 else a
             for name, a in inputs.items()}, outputs)


def gemm_mxfp8(rng, M, N, K, KS):
    return as_bits(mxfp8(rng, M, N, K, KS))


def gemm_nvfp4(rng, M, N, K, KS):
    # Block-scaled products know no sign of a scale.
    return as_bits(nvfp4(rng, M, N, K // 2, KS, 127))


# Layouts


def transpose(rng, M, N):
    x = normal(rng, M, N)
    return {"x": x}, {"y": np.ascontiguousarray(x.T)}


def permute_heads(rng, B, S, H, D):
    x = narrow(rng, B, S, H, D)
    return {"x": x}, {"y": Bf16(x.values.transpose(0, 2, 1, 3))}


def stacked_to_contiguous(rng, R, B, H, L, F, E):
    x = narrow(rng, R, H, E)
    y = x.values.reshape(B, L, H, E).transpose(0, 2, 1, 3).reshape(B, F, E)
    return {"x": x}, {"y": Bf16(y)}


def contiguous_to_stacked(rng, R, B, H, L, F, E):
    x = narrow(rng, B, F, E)
    y = x.values.reshape(B, H, L, E).transpose(0, 2, 1, 3).reshape(R, H, E)
    return {"x": x}, {"y": Bf16(y)}
