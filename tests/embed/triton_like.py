# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as one would write them in Triton, to compare lengths. Nobody runs them."""
# flake8: noqa
@triton.jit
def layer_norm_fwd(X, W, B, Y, Mean, Rstd, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    s = tl.zeros([BLOCK], tl.float32)
    for off in range(0, N, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        s += tl.load(X + row * N + cols, mask=cols < N, other=0.).to(tl.float32)
    mean = tl.sum(s) / N
    v = tl.zeros([BLOCK], tl.float32)
    for off in range(0, N, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        x = tl.load(X + row * N + cols, mask=cols < N, other=0.).to(tl.float32)
        x = tl.where(cols < N, x - mean, 0.)
        v += x * x
    rstd = tl.rsqrt(tl.sum(v) / N + eps)
    tl.store(Mean + row, mean)
    tl.store(Rstd + row, rstd)
    for off in range(0, N, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        m = cols < N
        x = tl.load(X + row * N + cols, mask=m, other=0.).to(tl.float32)
        w = tl.load(W + cols, mask=m)
        b = tl.load(B + cols, mask=m)
        tl.store(Y + row * N + cols, (x - mean) * rstd * w + b, mask=m)
@triton.jit
def layer_norm_bwd(X, DY, W, Mean, Rstd, DX, DW, DB, M, N, R: tl.constexpr, C: tl.constexpr):
    rows = tl.program_id(0) * R + tl.arange(0, R)
    mean = tl.load(Mean + rows, mask=rows < M, other=0.)[:, None]
    rstd = tl.load(Rstd + rows, mask=rows < M, other=0.)[:, None]
    c1 = tl.zeros([R, C], tl.float32)
    c2 = tl.zeros([R, C], tl.float32)
    for off in range(0, N, C):
        cols = off + tl.arange(0, C)
        m = (rows[:, None] < M) & (cols[None] < N)
        p = rows[:, None] * N + cols[None]
        x = tl.load(X + p, mask=m, other=0.)
        wdy = tl.load(DY + p, mask=m, other=0.) * tl.load(W + cols, mask=cols < N, other=0.)[None]
        c1 += (x - mean) * rstd * wdy
        c2 += wdy
    c1 = tl.sum(c1, 1, keep_dims=True) / N
    c2 = tl.sum(c2, 1, keep_dims=True) / N
    for off in range(0, N, C):
        cols = off + tl.arange(0, C)
        m = (rows[:, None] < M) & (cols[None] < N)
        p = rows[:, None] * N + cols[None]
        dy = tl.load(DY + p, mask=m, other=0.)
        xhat = (tl.load(X + p, mask=m, other=0.) - mean) * rstd
        wdy = dy * tl.load(W + cols, mask=cols < N, other=0.)[None]
        tl.store(DX + p, (wdy - (xhat * c1 + c2)) * rstd, mask=m)
        tl.atomic_add(DW + cols, tl.sum(dy * xhat, 0), mask=cols < N)
        tl.atomic_add(DB + cols, tl.sum(dy, 0), mask=cols < N)
@triton.jit
def cross_entropy(X, L, Loss, DX, V, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    m = tl.full([BLOCK], -1e30, tl.float32)
    s = tl.zeros([BLOCK], tl.float32)
    for off in range(0, V, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        x = tl.load(X + row * V + cols, mask=cols < V, other=-float('inf'))
        m1 = tl.maximum(m, x)
        s = s * tl.exp(m - m1) + tl.exp(x - m1)
        m = m1
    top = tl.max(m)
    lse = tl.log(tl.sum(s * tl.exp(m - top))) + top
    label = tl.load(L + row)
    valid = label >= 0
    at = tl.load(X + row * V + label, mask=valid, other=0.)
    tl.store(Loss + row, tl.where(valid, lse - at, 0.))
    for off in range(0, V, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        x = tl.load(X + row * V + cols, mask=cols < V, other=-float('inf'))
        d = tl.exp(x - lse) - tl.where(cols == label, 1., 0.)
        tl.store(DX + row * V + cols, tl.where(valid, d, 0.), mask=cols < V)
@triton.jit
def gemm_bias_gelu(A, B, Bias, C, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i, j = tl.program_id(0), tl.program_id(1)
    rm = i * BM + tl.arange(0, BM)
    rn = j * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros([BM, BN], tl.float32)
    for k in range(0, K, BK):
        a = tl.load(A + rm[:, None] * K + k + rk[None], mask=(rm[:, None] < M) & (k + rk[None] < K), other=0.)
        b = tl.load(B + (k + rk[:, None]) * N + rn[None], mask=(k + rk[:, None] < K) & (rn[None] < N), other=0.)
        acc = tl.dot(a, b, acc)
    x = acc + tl.load(Bias + rn, mask=rn < N, other=0.)[None]
    y = 0.5 * x * (1 + tanh(0.79788456 * x * (1 + 0.044715 * x * x)))
    tl.store(C + rm[:, None] * N + rn[None], y, mask=(rm[:, None] < M) & (rn[None] < N))
@triton.jit
def grouped_gemm(A, Off, W, C, K, N, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    e, j = tl.program_id(0), tl.program_id(1)
    lo, hi = tl.load(Off + e), tl.load(Off + e + 1)
    rn = j * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    for start in range(lo, hi, BM):
        rm = start + tl.arange(0, BM)
        acc = tl.zeros([BM, BN], tl.float32)
        for k in range(0, K, BK):
            a = tl.load(A + rm[:, None] * K + k + rk[None], mask=(rm[:, None] < hi) & (k + rk[None] < K), other=0.)
            b = tl.load(W + e * K * N + (k + rk[:, None]) * N + rn[None], mask=(k + rk[:, None] < K) & (rn[None] < N), other=0.)
            acc = tl.dot(a, b, acc)
        tl.store(C + rm[:, None] * N + rn[None], acc, mask=(rm[:, None] < hi) & (rn[None] < N))
@triton.jit
def sliding_attention(Q, K, V, Y, S, W, scale, H, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    i, h, b = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    base = (b * H + h) * S * D
    rm = i * BM + tl.arange(0, BM)
    rd = tl.arange(0, D)
    q = tl.load(Q + base + rm[:, None] * D + rd[None], mask=rm[:, None] < S, other=0.)
    m = tl.full([BM], -1e30, tl.float32)
    l = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    lo = tl.maximum(i * BM - W + 1, 0) // BN * BN
    for j in range(lo, (i + 1) * BM, BN):
        rn = j + tl.arange(0, BN)
        k = tl.load(K + base + rn[:, None] * D + rd[None], mask=rn[:, None] < S, other=0.)
        s = tl.dot(q, k.T) * scale
        s = tl.where((rn[None] <= rm[:, None]) & (rn[None] > rm[:, None] - W), s, -float('inf'))
        m1 = tl.maximum(m, tl.max(s, 1))
        p = tl.exp(s - m1[:, None])
        alpha = tl.exp(m - m1)
        l = l * alpha + tl.sum(p, 1)
        v = tl.load(V + base + rn[:, None] * D + rd[None], mask=rn[:, None] < S, other=0.)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None])
        m = m1
    tl.store(Y + base + rm[:, None] * D + rd[None], acc / l[:, None], mask=rm[:, None] < S)
@triton.jit
def conv2d(X, F, Y, M, H, W, C, P, Q, R, S, K, stride, pad, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i, j = tl.program_id(0), tl.program_id(1)
    m = i * BM + tl.arange(0, BM)
    n = j * BN + tl.arange(0, BN)
    q, p, b = m % Q, m // Q % P, m // Q // P
    acc = tl.zeros([BM, BN], tl.float32)
    for r in range(R):
        h = p * stride + r - pad
        for s in range(S):
            w = q * stride + s - pad
            ok = (m < M) & (h >= 0) & (h < H) & (w >= 0) & (w < W)
            for c0 in range(0, C, BK):
                c = c0 + tl.arange(0, BK)
                x = tl.load(X + (((b * H + h) * W + w) * C)[:, None] + c[None], mask=ok[:, None] & (c[None] < C), other=0.)
                f = tl.load(F + ((r * S + s) * C + c[:, None]) * K + n[None], mask=(c[:, None] < C) & (n[None] < K), other=0.)
                acc = tl.dot(x, f, acc)
    tl.store(Y + m[:, None] * K + n[None], acc, mask=(m[:, None] < M) & (n[None] < K))
@triton.jit
def topk(X, V, I, N, K, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    pv, pi = float('inf'), -1
    for t in range(K):
        bv = tl.full([BLOCK], -float('inf'), tl.float32)
        bi = tl.full([BLOCK], 2**31 - 1, tl.int32)
        for off in range(0, N, BLOCK):
            pos = off + tl.arange(0, BLOCK)
            x = tl.load(X + row * N + pos, mask=pos < N, other=-float('inf'))
            ok = ((x < pv) | ((x == pv) & (pos > pi))) & (pos < N)
            take = ok & ((x > bv) | (bi == 2**31 - 1))
            bv = tl.where(take, x, bv)
            bi = tl.where(take, pos, bi)
        pv = tl.max(bv)
        pi = tl.min(tl.where(bv == pv, bi, 2**31 - 1))
        tl.store(V + row * K + t, pv)
        tl.store(I + row * K + t, tl.where(pi == 2**31 - 1, -1, pi))
@triton.jit
def scan_sums(X, S, N, BLOCK: tl.constexpr):
    i = tl.program_id(0)
    n = i * BLOCK + tl.arange(0, BLOCK)
    tl.store(S + i, tl.sum(tl.load(X + n, mask=n < N, other=0)))
@triton.jit
def scan_apply(X, S, Y, N, BLOCK: tl.constexpr, B2: tl.constexpr):
    i = tl.program_id(0)
    acc = tl.zeros([B2], tl.int32)
    for off in range(0, i, B2):
        k = off + tl.arange(0, B2)
        acc += tl.load(S + k, mask=k < i, other=0)
    n = i * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(X + n, mask=n < N, other=0)
    tl.store(Y + n, tl.cumsum(x) - x + tl.sum(acc), mask=n < N)
@triton.jit
def paged_int8_decode(Q, K, KS, V, VS, Table, Len, Y, scale, G, R, MP, D: tl.constexpr, BR: tl.constexpr, PAGE: tl.constexpr):
    b, g = tl.program_id(0), tl.program_id(1)
    n = tl.load(Len + b)
    r, d, t = tl.arange(0, BR), tl.arange(0, D), tl.arange(0, PAGE)
    qo = ((b * G + g) * R + r[:, None]) * D + d[None]
    q = tl.load(Q + qo, mask=r[:, None] < R, other=0.)
    m = tl.full([BR], -1e30, tl.float32)
    l = tl.zeros([BR], tl.float32)
    acc = tl.zeros([BR, D], tl.float32)
    for j in range(0, tl.cdiv(n, PAGE)):
        page = tl.load(Table + b * MP + j).to(tl.int64)
        slot = (page * PAGE + t) * G + g
        there = j * PAGE + t < n
        k = tl.load(K + slot[:, None] * D + d[None], mask=there[:, None], other=0)
        k = (k.to(tl.float32) * tl.load(KS + slot, mask=there, other=0.)[:, None]).to(tl.bfloat16)
        s = tl.where(there[None], tl.dot(q, k.T) * scale, -float('inf'))
        m1 = tl.maximum(m, tl.max(s, 1))
        p = tl.exp(s - m1[:, None])
        alpha = tl.exp(m - m1)
        l = l * alpha + tl.sum(p, 1)
        v = tl.load(V + slot[:, None] * D + d[None], mask=there[:, None], other=0)
        v = (v.to(tl.float32) * tl.load(VS + slot, mask=there, other=0.)[:, None]).to(tl.bfloat16)
        acc = tl.dot(p.to(tl.bfloat16), v, acc * alpha[:, None])
        m = m1
    tl.store(Y + qo, acc / tl.maximum(l, 1e-30)[:, None], mask=r[:, None] < R)
@triton.jit
def histogram(X, H, N, BLOCK: tl.constexpr):
    n = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(X + n, mask=n < N, other=0)
    tl.atomic_add(H + x, 1, mask=n < N)
@triton.jit
def gemv_w4a16(W, S, X, Y, N, H, KG, BN: tl.constexpr):
    n = tl.program_id(0) * BN + tl.arange(0, BN)
    acc = tl.zeros([BN, 64], tl.float32)
    for g in range(KG):
        h = g * 64 + tl.arange(0, 64)
        w = tl.load(W + n[:, None] * H + h[None], mask=(n[:, None] < N) & (h[None] < H), other=0)
        lo, hi = ((w << 4) >> 4).to(tl.float32), (w >> 4).to(tl.float32)
        s = tl.load(S + n * KG + g, mask=n < N, other=0.).to(tl.float32)
        xe = tl.load(X + 2 * h, mask=h < H, other=0.).to(tl.float32)
        xo = tl.load(X + 2 * h + 1, mask=h < H, other=0.).to(tl.float32)
        acc += (lo * xe[None] + hi * xo[None]) * s[:, None]
    tl.store(Y + n, tl.sum(acc, 1), mask=n < N)
@triton.jit
def split_k(A, B, C, M, N, K, SPLITS, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i, j, p = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    rm = i * BM + tl.arange(0, BM)
    rn = j * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    share = tl.cdiv(tl.cdiv(K, BK), SPLITS) * BK
    acc = tl.zeros([BM, BN], tl.float32)
    for k in range(p * share, tl.minimum((p + 1) * share, K), BK):
        a = tl.load(A + rm[:, None] * K + k + rk[None], mask=(rm[:, None] < M) & (k + rk[None] < K), other=0.)
        b = tl.load(B + (k + rk[:, None]) * N + rn[None], mask=(k + rk[:, None] < K) & (rn[None] < N), other=0.)
        acc = tl.dot(a, b, acc)
    tl.atomic_add(C + rm[:, None] * N + rn[None], acc, mask=(rm[:, None] < M) & (rn[None] < N))
@triton.jit
def sort_rows(X, Y, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    n = tl.arange(0, BLOCK)
    x = tl.load(X + row * N + n, mask=n < N, other=2**31 - 1)
    tl.store(Y + row * N + n, tl.sort(x), mask=n < N)
@triton.jit
def stencil3d(X, Y, a, b, d, h, w, BI: tl.constexpr, BJ: tl.constexpr, BK: tl.constexpr):
    i = tl.program_id(0) * BI + tl.arange(0, BI)[:, None, None]
    j = tl.program_id(1) * BJ + tl.arange(0, BJ)[None, :, None]
    k = tl.program_id(2) * BK + tl.arange(0, BK)[None, None, :]
    ok = (i < d) & (j < h) & (k < w)
    p = X + ((i + 1) * (h + 2) + j + 1) * (w + 2) + k + 1
    sk = 1
    sj = w + 2
    si = (h + 2) * (w + 2)
    s = tl.load(p - si, mask=ok) + tl.load(p + si, mask=ok)
    s += tl.load(p - sj, mask=ok) + tl.load(p + sj, mask=ok)
    s += tl.load(p - sk, mask=ok) + tl.load(p + sk, mask=ok)
    tl.store(Y + (i * h + j) * w + k, a * tl.load(p, mask=ok) + b * s, mask=ok)
@triton.jit
def delta(O, DO, Delta, S, BM: tl.constexpr, D: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    o = (tl.program_id(1) * S + r[:, None]) * D + tl.arange(0, D)[None]
    x = tl.load(O + o, mask=r[:, None] < S, other=0.).to(tl.float32)
    y = tl.load(DO + o, mask=r[:, None] < S, other=0.).to(tl.float32)
    tl.store(Delta + tl.program_id(1) * S + r, tl.sum(x * y, 1), mask=r < S)
@triton.jit
def dkdv(Q, K, V, DO, L, Delta, DK, DV, S, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    j, bh = tl.program_id(0), tl.program_id(1)
    d = tl.arange(0, D)
    n = j * BN + tl.arange(0, BN)
    ko = (bh * S + n[:, None]) * D + d[None]
    k = tl.load(K + ko, mask=n[:, None] < S, other=0.)
    v = tl.load(V + ko, mask=n[:, None] < S, other=0.)
    dk = tl.zeros([BN, D], tl.float32)
    dv = tl.zeros([BN, D], tl.float32)
    for i in range(j * BN, S, BM):
        m = i + tl.arange(0, BM)
        qo = (bh * S + m[:, None]) * D + d[None]
        q = tl.load(Q + qo, mask=m[:, None] < S, other=0.)
        do = tl.load(DO + qo, mask=m[:, None] < S, other=0.)
        l = tl.load(L + bh * S + m, mask=m < S, other=float('inf'))
        e = tl.load(Delta + bh * S + m, mask=m < S, other=0.)
        p = tl.exp(tl.dot(q, k.T) * scale - l[:, None])
        p = tl.where(n[None] <= m[:, None], p, 0.)
        dv = tl.dot(p.to(do.dtype).T, do, dv)
        ds = p * (tl.dot(do, v.T) - e[:, None]) * scale
        dk = tl.dot(ds.to(q.dtype).T, q, dk)
    tl.store(DK + ko, dk, mask=n[:, None] < S)
    tl.store(DV + ko, dv, mask=n[:, None] < S)
@triton.jit
def dq(Q, K, V, DO, L, Delta, DQ, S, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    i, bh = tl.program_id(0), tl.program_id(1)
    d = tl.arange(0, D)
    m = i * BM + tl.arange(0, BM)
    qo = (bh * S + m[:, None]) * D + d[None]
    q = tl.load(Q + qo, mask=m[:, None] < S, other=0.)
    do = tl.load(DO + qo, mask=m[:, None] < S, other=0.)
    l = tl.load(L + bh * S + m, mask=m < S, other=float('inf'))
    e = tl.load(Delta + bh * S + m, mask=m < S, other=0.)
    dq = tl.zeros([BM, D], tl.float32)
    for j in range(0, (i + 1) * BM, BN):
        n = j + tl.arange(0, BN)
        ko = (bh * S + n[:, None]) * D + d[None]
        k = tl.load(K + ko, mask=n[:, None] < S, other=0.)
        v = tl.load(V + ko, mask=n[:, None] < S, other=0.)
        p = tl.exp(tl.dot(q, k.T) * scale - l[:, None])
        p = tl.where(n[None] <= m[:, None], p, 0.)
        ds = p * (tl.dot(do, v.T) - e[:, None]) * scale
        dq = tl.dot(ds.to(k.dtype), k, dq)
    tl.store(DQ + qo, dq, mask=m[:, None] < S)
