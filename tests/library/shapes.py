# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The launches of each kernel of the library: whole tiles, ragged and tiny ones."""


def prefill(*launches):
    return [dict(S=s, H=g * r, G=g, T=t, R=r, pos=p) for s, g, r, t, p in launches]


def stacks(*launches):
    return [dict(R=b * n, B=b, H=h, L=n, F=h * n, E=e) for b, h, n, e in launches]


WITHIN = [dict(N=n, P=p, least=a, most=b) for n, p, a, b in
          ((0, 1, 0, 5), (1, 1, 0, 0), (1024, 3, -5, 5), (5000, 2, 10, 99),
           (3000, 4, -9, -3))]
SORTED = [dict(N=n, P=p) for n, p in
          ((1, 1), (2, 2), (1025, 1), (1024, 3), (5000, 2), (4000, 7))]
DISTINCT = [dict(N=n, P=p) for n, p in
            ((0, 1), (1, 2), (32, 1), (33, 3), (130, 2), (200, 9))]

def convolutions(*flat):
    """Sizes of images, filters, strides and paddings, and of what comes out."""
    out = []
    for b, h, w, c, r, s, k, stride, pad in ((1, 4, 5, 3, 2, 3, 5, 1, 1),
                                             (2, 7, 6, 4, 3, 3, 65, 2, 0),
                                             (3, 1, 1, 33, 1, 1, 3, 1, 2)):
        p, q = (h + 2 * pad - r) // stride + 1, (w + 2 * pad - s) // stride + 1
        out.append(dict(B=b, H=h, W=w, C=c, R=r, S=s, K=k, P=p, Q=q,
                        stride=stride, pad=pad, **{m: b * p * q for m in flat}))
    return out


SHAPES = {
    # Kernels of the corpus whose contracts a drawn size seldom meets.
    "conv2d": convolutions("M"),
    "conv2d_scatter": convolutions(),
    "stencil3d": [dict(D=d + 2, H=h + 2, W=w + 2, d=d, h=h, w=w) for d, h, w in
                  ((1, 2, 3), (5, 9, 7), (0, 3, 4))],
    # Views in steps, flattened, and of lanes.
    "strided": [dict(M=s * r, R=r, N=2 * h, H=h, ld=2 * h + 8, s=s, A=a, L=3 * a)
                for r, h, s, a in ((5, 13, 3, 4), (8, 16, 1, 21), (9, 17, 2, 1),
                                   (0, 5, 2, 3), (4, 0, 5, 0))],
    "flattened": [dict(A=a, B=b, C=c, R=r, Q=q, s=q * c + 3, h=h)
                  for a, b, c, r, q, h in ((3, 5, 7, 2, 4, 2), (2, 8, 16, 3, 5, 8),
                                           (1, 1, 70, 1, 1, 0), (4, 3, 0, 2, 2, 1))],
    "view_lanes": [dict(R=r, N=n, M=m, L=8 * r, p=p, s=s, t=t)
                   for r, n, m, p, s, t in ((3, 20, 9, 5, 4, 1), (1, 40, 40, 0, 1, 41),
                                            (2, 3, 0, 3, 1, 1))],
    "deinterleave.good": [dict(M=m, N=2 * h, H=h) for m, h in ((5, 13), (16, 64), (0, 3))],
    "interleave.good": [dict(M=m, N=2 * h, H=h) for m, h in ((5, 13), (17, 65), (3, 0))],
    "interleave_grid.good": [dict(N=2 * h, H=h) for h in (0, 1, 13, 65)],
    "phases.good": [dict(L=s * r, S=s, R=r) for s, r in ((2, 5), (3, 33), (5, 0))],
    "twice_sliced.good": [dict(N=6 * b, A=2 * b, B=b) for b in (0, 1, 5, 8, 9)],
    "heads.good": [dict(T=t, C=64 * g, G=g) for t, g in ((3, 2), (1, 1), (2, 0))],
    "beside.good": [dict(L=64 * r, R=r) for r in (0, 1, 3)],
    "counts.good": [dict(R=r, N=n, L=r * v, V=v) for r, n, v in ((2, 70, 5), (3, 64, 16))],
    "halves_of_rows.good": [dict(A=a, B=2 * h, C=c, H=h) for a, h, c in
                            ((2, 3, 5), (1, 8, 16), (2, 0, 3))],
    "add": [dict(N=n) for n in (0, 1, 5, 1024, 1025, 3000)],
    "saxpy": [dict(N=n) for n in (0, 1, 1023, 2049)],
    **{f"fill{suffix}": [dict(N=n) for n in (0, 1, 1023, 2049)]
       for suffix in ("", "_bf16", "_f16")},
    "fill_i32": [dict(N=n, value=v) for n, v in
                 ((0, 1), (1, -1), (1024, 2**31 - 1), (2049, -(2**31)))],
    "arange": [dict(N=n) for n in (0, 1, 1024, 5000)],
    "arange_i32": [dict(N=n, first=f, step=s) for n, f, s in
                   ((0, 1, 1), (1, -5, 7), (1025, 0, 1), (3000, 9, -2),
                    (1024, 2**31 - 1, 2**30 + 1))],
    **{f"randn{suffix}": [dict(N=n, seed=s) for n, s in
                          ((0, 1), (1, 0), (1025, -1), (3000, 2**62 + 12345))]
       for suffix in ("", "_bf16", "_f16")},
    "searchsorted": [dict(N=n, M=m) for n, m in
                     ((0, 3), (1, 5), (2, 0), (7, 9), (8, 30), (1000, 65))],
    "silu_mul": [dict(M=m, W=2 * n, N=n) for m, n in
                 ((0, 1024), (2, 0), (1, 1), (1, 1024), (3, 2048), (2, 1023), (3, 1025),
                  (2, 1536), (2, 9728), (321, 1032), (321, 1033))],
    "dropout": [dict(N=n, seed=s, threshold=t) for n, s, t in
                ((0, 1, 0), (5, -7, 0), (3000, 12345, -(2**62)),
                 (1024, 2**63 - 1, -(2**63)))],
    "gather_row": [dict(M=m, N=n, r=r) for m, n, r in
                   ((1, 0, 0), (1, 1, 0), (3, 1025, 2), (9, 3000, 4))],
    "embedding": [dict(V=v, N=n) for v, n in ((1, 1), (7, 1025), (3, 0))],
    "embedding_batch": [dict(M=m, V=v, N=n) for m, v, n in
                        ((1, 1, 1), (5, 7, 1025), (0, 0, 3), (4, 100, 2048))],
    "embedding_backward": [dict(T=t, V=v, N=n) for t, v, n in
                           ((0, 0, 3), (1, 1, 1), (16, 3, 128), (17, 5, 130),
                            (40, 1, 257), (3, 100, 1000), (5, 4, 0))],
    "histogram": [dict(N=n, V=v) for n, v in
                  ((0, 0), (0, 5), (1, 1), (1023, 7), (1024, 1), (3000, 300),
                   (2049, 5000))],
    "sort_rows": [dict(M=m, N=n) for m, n in
                  ((0, 0), (0, 5), (3, 0), (1, 1), (2, 2), (3, 7), (2, 64), (2, 65),
                   (4, 127), (5, 128))],
    "argmax_blocks": [dict(B=b, V=v, NB=-(-v // 4096)) for b, v in
                      ((1, 1), (2, 5000), (3, 8192), (2, 0))],
    "argmax_reduce": [dict(B=b, N=n) for b, n in
                      ((1, 1), (3, 300), (5, 256), (2, 0))],
    "validate_within": WITHIN,
    "validate_within_i64": WITHIN,
    "validate_sorted": SORTED,
    "validate_sorted_i64": SORTED,
    "validate_distinct": DISTINCT,
    "validate_distinct_i64": DISTINCT,
    # The second and third on either side of the border between variants.
    "lm_head_argmax": [dict(V=v, K=k, B=b, NB=-(-v // 128)) for v, k, b in
                       ((1, 1, 1), (300, 70, 17), (256, 128, 16), (5, 0, 2),
                        (130, 9, 65))],
    "transpose": [dict(M=m, N=n) for m in (0, 1, 65) for n in (0, 3, 64, 130)],
    # On either side of each border between variants.
    "softmax": [dict(M=m, N=n) for m, n in
                ((0, 0), (0, 5), (3, 0), (1, 1), (33, 128), (17, 129), (5, 257), (3, 512),
                 (3, 513), (2, 1025), (1, 2048), (1, 2049), (3, 4096), (2, 4097),
                 (1, 8193), (1, 24577), (1, 32768), (1, 32769), (385, 128), (385, 129),
                 (385, 257), (385, 513), (131073, 1))],
    "softmax_row": [dict(M=m, N=n) for m in (0, 3) for n in (0, 1, 257, 8192)],
    "rms_norm_row": [dict(M=m, N=n) for m in (0, 3) for n in (0, 1, 257, 8192)],
    "rms_norm": [dict(M=m, N=n) for m, n in
                 ((0, 0), (0, 5), (3, 0), (1, 1), (33, 128), (9, 129), (5, 513), (4, 1024),
                  (5, 1025), (3, 2048), (3, 2049), (1, 4096), (2, 4097), (1, 9001),
                  (321, 128), (961, 129), (961, 130), (321, 520), (321, 1032),
                  (321, 2056), (321, 4097), (321, 4104))],
    "add_rms_norm": [dict(M=m, N=n) for m, n in
                     ((0, 0), (0, 5), (3, 0), (17, 1), (9, 129), (5, 513), (5, 1024), (4, 1025),
                      (3, 2048), (5, 2049), (3, 4096), (1, 4097), (2, 8192),
                      (2, 8193), (321, 16), (8193, 3), (321, 136), (321, 129), (321, 130),
                      (321, 514), (321, 1032), (321, 1025), (321, 2561), (321, 2568),
                      (321, 4104))],
    # On either side of each border between variants, and of blocks of 4 rows.
    **{name: [dict(M=m, N=n) for m, n in
              ((0, 0), (0, 8), (3, 0), (1, 8), (5, 24), (4, 1024), (3, 1032),
               (2, 2048), (1, 2056), (1, 4096), (2, 4104), (1, 8192), (1, 8200),
               (1, 16384))]
       for name in ("softmax_by_row", "rms_norm_by_row", "add_rms_norm_by_row")},
    "layer_norm": [dict(M=m, N=n) for m, n in
                   ((0, 5), (3, 1), (2, 1023), (2, 1024), (1, 1025), (2, 2003))],
    "histogram_inside": [dict(N=n, V=v, G=g) for n, v, g in
                  ((0, 3, 1), (1, 1, 2), (63, 255, 1), (64, 256, 3), (65, 257, 2),
                   (1009, 523, 2))],
    "qk_norm": [dict(S=s, HQ=q, HK=k)
                for s, q, k in ((1, 1, 1), (3, 4, 2), (2, 0, 3), (2, 3, 0), (2, 17, 16), (16, 2, 1), (37, 3, 2))],
    "rope": [dict(S=s, H=h, T=t, pos=p)
             for s, h, t, p in ((1, 1, 1, 0), (3, 17, 9, 5), (2, 16, 40, 38),
                                (0, 4, 3, 3))],
    "kv_append": [dict(S=s, H=h, T=t, pos=p)
                  for s, h, t, p in ((1, 1, 1, 0), (3, 2, 9, 5), (5, 3, 5, 0),
                                     (0, 2, 4, 4))],
    "rope_dynamic": [dict(S=s, H=h, T=t) for s, h, t in
                     ((1, 1, 1), (3, 17, 9), (1, 16, 40))],
    "kv_append_dynamic": [dict(S=s, H=h, T=t) for s, h, t in
                          ((1, 1, 1), (3, 2, 9), (1, 8, 40))],
    "kv_append_paged": [dict(S=s, H=h, N=n)
                        for s, h, n in ((1, 1, 1), (9, 11, 2), (64, 3, 1),
                                        (0, 2, 0))],
    "grout_qk_norm_rope_decode": [
        dict(N=2 * q + 4 * k, T=t, NQ=q, NK=k)
        for q, k, t in ((1, 1, 1), (4, 2, 9), (3, 0, 5), (0, 2, 7))],
    "qk_norm_rope_append": [
        dict(S=s, HQ=q, HK=k, T=t, pos=p)
        for s, q, k, t, p in ((1, 1, 1, 1, 0), (3, 4, 2, 9, 5), (2, 3, 0, 7, 0),
                              (2, 0, 2, 7, 5), (16, 2, 1, 16, 0), (37, 1, 2, 50, 9))],
    "grout_kv_append_wide": [
        dict(S=s, H=h, T=t, N=n, PB=p)
        for s, h, t, n, p in ((16, 1, 16, 1, 0), (40, 2, 70, 2, 2),
                              (5, 1, 20, 0, 1))],
    "attention": [dict(B=b, H=h, S=s, T=t)
                  for b, h, s, t in ((1, 1, 1, 1), (2, 1, 64, 128),
                                     (1, 2, 70, 200), (1, 1, 3, 0),
                                     (1, 1, 65, 257))],
    "attention_gqa": [dict(B=b, H=g * r, S=s, G=g, T=t, R=r)
                      for b, g, r, s, t in ((1, 1, 1, 1, 1), (2, 1, 2, 64, 128),
                                            (1, 2, 3, 70, 200), (1, 2, 2, 3, 0),
                                            (1, 1, 4, 65, 257))],
    "attention_causal": [dict(B=b, H=h, S=s)
                         for b, h, s in ((1, 1, 1), (2, 1, 128), (1, 2, 200),
                                         (1, 1, 257))],
    "attention_prefill_gqa": prefill((1, 1, 1, 1, 0), (130, 1, 2, 150, 7),
                                     (3, 2, 1, 300, 260), (128, 1, 1, 256, 128)),
    "attention_prefill_gqa_lpt": [
        dict(S=s, H=4 * g * c, G=g, T=t, C=c, pos=p)
        for s, g, c, t, p in ((1, 1, 1, 1, 0), (40, 1, 2, 60, 7),
                              (3, 2, 1, 300, 260), (33, 1, 1, 200, 100))],
    "grout_prefill_lpt": [
        dict(S=s, H=4 * g * c, G=g, T=t, C=c, pos=p, W=w)
        for s, g, c, t, p, w in ((1, 1, 1, 1, 0, 1), (40, 1, 3, 60, 7, 2),
                                 (70, 2, 1, 300, 130, 2), (33, 3, 1, 200, 100, 2))],
    "attention_prefill_gqa_split": [
        shape | dict(P=p) for shape, p in
        zip(prefill((1, 1, 1, 1, 0), (3, 1, 2, 300, 290), (130, 1, 1, 300, 7)),
            (1, 2, 4))],
    "attention_decode_gqa": [
        dict(B=b, G=g, R=r, T=t, L=n)
        for b, g, r, t, n in ((1, 1, 1, 1, 1), (2, 1, 4, 300, 299),
                              (1, 2, 16, 600, 512), (1, 1, 5, 64, 0))],
    "attention_decode_gqa_split": [
        dict(B=b, G=g, R=r, T=t, P=p, L=n)
        for b, g, r, t, p, n in ((1, 1, 1, 1, 1, 1), (2, 1, 4, 300, 2, 299),
                                 (1, 2, 16, 900, 3, 700), (1, 1, 5, 64, 2, 0))],
    "attention_decode_gqa_ragged": [
        dict(B=b, G=g, R=r, T=t, P=p)
        for b, g, r, t, p in ((1, 1, 1, 1, 1), (3, 1, 4, 300, 2),
                              (2, 2, 16, 800, 3), (2, 1, 5, 0, 2))],
    "attention_decode_paged": [
        dict(B=b, G=g, R=r, N=n, M=m, P=p)
        for b, g, r, n, m, p in ((1, 1, 1, 1, 1, 1), (3, 1, 4, 17, 5, 2),
                                 (2, 2, 16, 3, 7, 3), (2, 1, 5, 0, 0, 2))],
    "attention_step": [
        dict(G=g, R=r, T=t)
        for g, r, t in ((1, 1, 1), (2, 4, 300), (3, 7, 40), (1, 8, 129),
                        (2, 5, 128), (1, 3, 257), (2, 2, 9))],
    "attention_decode_paged_whole": [
        dict(B=b, G=g, R=r, N=n, M=m)
        for b, g, r, n, m in ((1, 1, 1, 1, 1), (3, 1, 4, 17, 5),
                              (2, 2, 16, 3, 7), (2, 1, 5, 0, 0))],
    "attention_step_split": [
        dict(G=g, R=r, T=t, P=p)
        for g, r, t, p in ((1, 1, 2, 1), (2, 4, 300, 2), (3, 7, 40, 3),
                           (1, 8, 129, 2), (2, 5, 128, 1), (1, 3, 513, 3),
                           (2, 2, 9, 0))],
    "attention_step_merge": [
        dict(P=p, G=g, H=h, T=t)
        for p, g, h, t in ((1, 1, 1, 1), (3, 2, 17, 40), (16, 3, 5, 8),
                           (9, 0, 2, 7), (0, 2, 3, 2))],
    "attention_merge": [dict(B=b, P=p, H=h)
                        for b, p, h in ((1, 1, 1), (2, 3, 17), (3, 8, 16),
                                        (1, 9, 2), (2, 0, 3))],
    "gemm": [dict(M=m, N=n, K=k) for m in (0, 1, 130) for n in (0, 3, 257)
             for k in (0, 1, 65, 200)],
    "gemm_small": [dict(M=m, N=n, K=k) for m, n, k in
                   ((0, 3, 1), (1, 1, 0), (1, 1, 1), (130, 257, 65),
                    (64, 128, 200))],
    # The last two stand on either side of the border.
    "gemm_by_size": [dict(M=m, N=n, K=k) for m, n, k in
                     ((0, 3, 1), (1, 1, 0), (130, 257, 65), (8191, 256, 1),
                      (8192, 256, 1), (65, 67, 72), (8449, 41, 8), (8449, 129, 3), (65, 4225, 3),
                      (16641, 129, 3))],
    "gemv": [dict(N=n, K=k, P=p) for n, k, p in
             ((0, 8, 1), (1, 0, 1), (1, 8, 3), (3, 512, 1), (4, 520, 2),
              (13, 1032, 2), (33, 2048, 3))],
    **{name: [dict(N=n, K=k, P=p) for n, k, p in
              ((0, 8, 1), (1, 0, 1), (5, 2560, 2), (5, 2568, 2), (3, 5120, 1),
               (3, 5128, 2), (2, 10240, 1), (2, 10248, 1))]
       for name in ("gemv_by_depth", "gemv_f16", "gemv_add")},
    **{name: [dict(N=n, K=k, P=p) for n, k, p in
              ((0, 8, 1), (1, 0, 1), (5, 2560, 2), (5, 2568, 2), (3, 5120, 1),
               (3, 5128, 2))]
       for name in ("gemv_norm", "gemv_norm_silu")},
    **{name: [dict(N=n, K=k, P=p) for n, k, p in
              ((0, 16, 1), (1, 0, 1), (9, 2560, 2), (5, 2576, 2), (3, 5120, 1),
               (3, 5136, 2), *more)]
       for name, more in (("gemv_norm_f8", []), ("gemv_norm_silu_f8", []),
                          ("gemv_add_f8", [(3, 8208, 2), (2, 10240, 1),
                                           (2, 10256, 1)]))},
    **{name: [dict(N=n, G=g, P=p) for n, g, p in
              ((0, 1, 1), (1, 0, 1), (9, 8, 2), (5, 20, 2), (5, 24, 3), (3, 40, 1),
               (3, 41, 2), (2, 80, 1), *more)]
       for name, more in (("gemv_norm_int4", []), ("gemv_norm_silu_int4", []),
                          ("gemv_add_int4", [(3, 16, 1), (3, 32, 2), (2, 64, 1),
                                             (3, 128, 2), (2, 208, 1)]))},
    "gemm_persistent": [dict(M=m, N=257, K=k, P=p) for m, k, p in
                        ((130, 65, 1), (130, 65, 3), (1030, 5, 9))],
    "gemm_persistent_swizzled": [dict(M=m, N=n, K=k, P=p, G=g)
                                 for m, n, k, p, g in
                                 ((1, 1, 1, 3, 8), (300, 520, 65, 2, 2),
                                  (650, 257, 3, 5, 3), (130, 257, 0, 1, 1))],
    "gemm_grouped_order": [dict(M=m, N=n, K=k) for m, n, k in
                           ((1, 1, 1), (300, 520, 65), (1100, 257, 3),
                            (130, 257, 0))],
    # One of each variant, in their order, and more of the last ones.
    **{name: [dict(M=m, N=n, K=k) for m, n, k in
              ((16, 40, 304), (16, 1288, 40), (40, 4232, 8), (3, 4232, 136), (17, 4232, 128), (33, 40, 264),
               (17, 64, 264), (64, 8456, 8), (65, 136, 136), (8449, 40, 8), *others,
               (256, 4304, 8), (65, 16904, 8), (0, 3, 1), (1, 1, 0), (5, 33, 65),
               (256, 4300, 2), (65, 16900, 2))]
       for name, others in {
           "gemm_bf16": ((680, 4296, 8), (17, 136, 131), (65, 4232, 3),
                         (17, 65, 136), (65, 8449, 8), (65, 4161, 3),
                         (65, 4225, 3), (65, 8449, 3), (129, 8449, 1)),
           "linear": ((17, 65, 136), (17, 136, 131), (65, 4232, 3),
                      (683, 4232, 1), (65, 8449, 8)),
       }.items()},
    # One of each variant, its last tiles ragged.
    "linear_silu_mul": [
        dict(M=m, N=n, K=k) for m, n, k in
        ((0, 8, 8), (5, 0, 16), (16, 72, 264), (3, 8, 0), (32, 40, 520),
         (17, 8456, 8), (60, 88, 136), (64, 8456, 8), (100, 4296, 16),
         (128, 8520, 8), (257, 16008, 8), (129, 8520, 8), (129, 4296, 8),
        (897, 1096, 8))],
    # One of each variant: rows, panels of so many columns, depth.
    "linear_panels": [
        dict(M=m, B=b, W=w, K=k) for m, b, w, k in
        ((65, 2, 96, 136), (65, 2, 160, 136), (3, 133, 160, 72), (65, 2, 192, 136),
         (65, 67, 192, 8), (3, 133, 192, 72), (1, 1, 320, 72), (257, 2, 320, 72))],
    "linear_silu_mul_panels": [
        dict(M=m, B=b, W=w, K=k) for m, b, w, k in
        ((129, 2, 80, 136), (3, 1, 80, 8), (129, 2, 160, 72), (1, 3, 160, 136))],
    "linear_split_k": [
        dict(M=m, N=n, K=k, S=s) for m, n, k, s in
        ((0, 8, 8, 1), (5, 0, 16, 2), (16, 72, 1032, 3), (3, 8, 0, 2),
         (32, 40, 520, 3), (60, 88, 264, 2), (100, 136, 392, 3),
         (100, 2568, 200, 2), (200, 264, 72, 3), (300, 264, 136, 2))],
    # Of both variants: less than a tile, more than one a program, no column.
    **{name: [dict(M=m, N=n, K=k, P=p) for m, n, k, p in
              ((1, 1, 8, 1), (8, 72, 264, 2), (5, 0, 16, 1), (3, 33, 0, 5),
               (9, 40, 72, 1), (16, 100, 2560, 3))]
       for name in ("skinny", "skinny_f16")},
    "skinny_silu_mul": [
        dict(M=m, N=n, K=k, P=p) for m, n, k, p in
        ((1, 1, 8, 1), (8, 36, 264, 2), (5, 0, 16, 1), (3, 17, 0, 4),
         (9, 20, 72, 1), (16, 50, 2560, 3))],
    "skinny_split_k": [
        dict(M=m, N=n, K=k, P=p, S=s) for m, n, k, p, s in
        ((1, 1, 8, 1, 1), (8, 72, 264, 2, 3), (5, 0, 16, 1, 2), (3, 33, 0, 5, 2),
         (9, 40, 72, 1, 4), (16, 40, 2568, 1, 2), (2, 17, 1000, 2, 16))],
    "skinny_f8": [
        dict(M=m, N=n, K=k, P=p) for m, n, k, p in
        ((1, 1, 16, 1), (8, 72, 272, 2), (5, 0, 16, 1), (3, 33, 0, 5),
         (9, 40, 80, 1), (16, 100, 2560, 3))],
    "skinny_silu_mul_f8": [
        dict(M=m, N=n, K=k, P=p) for m, n, k, p in
        ((1, 1, 16, 1), (8, 36, 272, 2), (5, 0, 16, 1), (3, 17, 0, 4),
         (9, 20, 80, 1), (16, 50, 2560, 3))],
    "skinny_split_k_f8": [
        dict(M=m, N=n, K=k, P=p, S=s) for m, n, k, p, s in
        ((1, 1, 16, 1, 1), (8, 72, 272, 2, 3), (5, 0, 16, 1, 2), (3, 33, 0, 5, 2),
         (9, 40, 80, 1, 4), (16, 40, 2576, 1, 2), (2, 17, 1008, 2, 16))],
    **{name: [dict(M=m, N=n, G=g, P=p) for m, n, g, p in
              ((1, 1, 1, 1), (8, 72, 9, 2), (5, 0, 1, 1), (3, 33, 0, 5),
               (9, 40, 2, 1), (16, 50, 20, 3))]
       for name in ("skinny_int4", "skinny_silu_mul_int4")},
    "skinny_split_k_int4": [
        dict(M=m, N=n, G=g, P=p, S=s) for m, n, g, p, s in
        ((1, 1, 1, 1, 1), (8, 72, 9, 2, 3), (5, 0, 1, 1, 2), (3, 33, 0, 5, 2),
         (9, 40, 2, 1, 4), (16, 40, 21, 1, 2), (2, 17, 35, 2, 16))],
    "add_rms_norm_split_k": [
        dict(S=s, M=m, N=n) for s, m, n in
        ((1, 1, 1), (3, 5, 1024), (3, 5, 1032), (2, 130, 2560), (0, 2, 9), (4, 3, 8192),
         (3, 0, 7), (2, 3, 0), (3, 129, 1027))],
    "linear_f8": [dict(M=m, N=n, K=k) for m, n, k in
                  ((1, 8, 16), (16, 136, 272), (17, 72, 144), (33, 8, 16),
                   (3, 8456, 16), (17, 8456, 16), (65, 136, 48), (129, 8520, 16),
                   (65, 33800, 16))],
    "linear_int4": [dict(M=m, N=n, K=128 * g, G=g) for m, n, g in
                    ((1, 8, 1), (16, 136, 3), (17, 72, 2), (33, 8, 1), (65, 136, 2),
                     (129, 8520, 1))],
    "gemm_swizzled": [dict(M=m, N=n, K=k, G=g) for m, n, k, g in
                      ((1, 1, 1, 8), (300, 520, 65, 2), (650, 257, 3, 3),
                       (130, 257, 0, 1))],
    # The last one is of the tiles for many rows within lines of 128 bytes.
    "gemm_batched": [dict(Z=z, M=m, N=n, K=k) for z, m, n, k in
                     ((1, 1, 1, 1), (3, 130, 5, 70), (2, 3, 257, 64),
                      (5, 680, 856, 8))],
    "gemm_moe": [dict(P=p, NB=-(-p // 128), E=e, K=k, N=n) for p, e, k, n in
                 ((1, 1, 1, 1), (384, 3, 70, 257), (130, 2, 64, 5),
                  (1100, 2, 3, 300))],
    "gemm_moe_gather": [
        dict(P=p, NB=-(-p // 128), T=t, E=e, K=k, N=n) for p, t, e, k, n in
        ((1, 1, 1, 1, 1), (384, 50, 3, 70, 257), (130, 7, 2, 64, 5),
         (3, 0, 1, 5, 2), (1100, 9, 2, 3, 200))],
    "gather_tokens": [dict(P=p, T=t, K=k) for p, t, k in
                      ((1, 1, 1), (130, 50, 300), (16, 7, 256), (3, 0, 5),
                       (2, 3, 0), (0, 4, 9))],
    "mxfp8": [dict(M=m, N=n, K=32 * k, KS=k) for m, n, k in
              ((1, 1, 1), (130, 5, 4), (3, 129, 5), (2, 2, 0))],
    "nvfp4": [dict(M=m, N=n, KB=8 * k, KS=k) for m, n, k in
              ((1, 1, 1), (130, 5, 8), (3, 129, 9), (2, 2, 0))],
    "gemm_mxfp8": [dict(M=m, N=n, K=32 * k, KS=k) for m, n, k in
                   ((1, 1, 1), (130, 5, 4), (3, 129, 5), (2, 2, 0))],
    "gemm_nvfp4": [dict(M=m, N=n, K=16 * k, KS=k) for m, n, k in
                   ((1, 1, 1), (130, 5, 8), (3, 129, 9), (2, 2, 0))],
    "permute_heads": [dict(B=b, S=s, H=h, D=d) for b, s, h, d in
                      ((1, 1, 1, 1), (2, 65, 3, 64), (1, 64, 2, 130))],
    "stacked_to_contiguous": stacks((1, 1, 1, 1), (2, 3, 4, 5), (3, 2, 2, 4097)),
    "contiguous_to_stacked": stacks((1, 1, 1, 1), (2, 3, 4, 5), (3, 2, 2, 4097)),
}

#: What inputs a kernel may have when it is not "special", "integers" and
#: "normal" ones: who asks which of two numbers is the larger has no bound where
#: they are not exact. Digits that a sum lacks show on normal numbers, which come
#: at the largest sizes then.
KINDS = {"lm_head_argmax": ["integers"],
         "products_f8": ["normal", "special", "integers"]}

def heads_outside(x, isShared):
    """Strides of batch, head and position of q, k, v or y."""
    def positions(s):
        return s["T"] if x in "kv" and "T" in s else s["S"]

    def heads(s):
        return s["G"] if x in "kv" and isShared else s["H"]
    return {"b": lambda s: 128 * heads(s) * positions(s),
            "h": lambda s: 128 * positions(s), "s": lambda s: 128}


#: Of kernels whose rows may lie apart: the packed stride of each symbol.
STRIDES = {
    **{name: dict(lda=lambda s: s["K"], ldb=lambda s: s["N"], ldc=lambda s: s["N"])
       for name in ("gemm", "gemm_small", "gemm_by_size", "gemm_bf16",
                    "gemm_grouped_order", "gemm_persistent",
                    "gemm_persistent_swizzled", "gemm_swizzled")},
    "gemm_batched": dict(
        sa=lambda s: s["M"] * s["K"], sb=lambda s: s["K"] * s["N"],
        sc=lambda s: s["M"] * s["N"], lda=lambda s: s["K"],
        ldb=lambda s: s["N"], ldc=lambda s: s["N"]),
    "gemm_moe": dict(
        lda=lambda s: s["K"], sw=lambda s: s["K"] * s["N"], ldw=lambda s: s["N"],
        ldc=lambda s: s["N"]),
    **{name: dict(ldx=lambda s: s["K"]) for name in ("linear_panels", "linear_split_k")},
    "linear": dict(ldx=lambda s: s["K"], ldw=lambda s: s["K"], ldy=lambda s: s["N"]),
    **{name: dict(ldx=lambda s: s["N"], ldy=lambda s: s["N"])
       for name in ("softmax", "softmax_row", "softmax_by_row", "rms_norm",
                    "rms_norm_row", "rms_norm_by_row")},
    **{name: {pitch: lambda s: s["N"] for pitch in ("ldx", "ldr", "lds", "ldy")}
       for name in ("add_rms_norm", "add_rms_norm_by_row")},
    "silu_mul": dict(ldx=lambda s: s["W"], ldy=lambda s: s["N"]),
    **{name: {x + axis: of for x in "qkvy"
              for axis, of in heads_outside(x, isShared).items()}
       for name, isShared in (("attention", False), ("attention_gqa", True),
                              ("attention_causal", False))},
    "attention_prefill_gqa": dict(
        qs=lambda s: 128 * s["H"], qh=lambda s: 128,
        ch=lambda s: 128 * s["T"], ct=lambda s: 128),
    "rope": dict(ldx=lambda s: 128 * s["H"]),
    "qk_norm": dict(ldq=lambda s: 128 * s["HQ"], ldk=lambda s: 128 * s["HK"]),
    "qk_norm_rope_append": dict(ldq=lambda s: 128 * s["HQ"],
                                ldk=lambda s: 128 * s["HK"],
                                ldv=lambda s: 128 * s["HK"]),
}


#: Kernels whose rows begin at multiples of 16 bytes.
ALIGNED = ("softmax_by_row", "rms_norm_by_row", "add_rms_norm_by_row",
           "linear_panels", "linear_split_k")


def apart(number, strides, shape, rest=5):
    """The shape with strides: packed; of rows that begin at multiples of 16
    bytes; of rows beside others; of rows that begin `rest` behind. Those of
    several axes go together."""
    packed = {name: of(shape) for name, of in strides.items()}
    yield shape | packed
    if any(name.endswith("h") or name in ("sa", "sw") for name in strides):
        yield shape | {name: 3 * n for name, n in packed.items()}
        yield shape | {name: max(0, 3 * n - (name[1] != "b" and name[0] != "s"))
                       for name, n in packed.items()}
        return
    yield shape | {name: -(-n // 8) * 8 for name, n in packed.items()}
    yield shape | {name: (n, 3 * n + 8, n + rest)[(number + k) % 3]
                   for k, (name, n) in enumerate(packed.items())}


SHAPES |= {name: list({str(one): one for number, shape in enumerate(SHAPES[name])
                       for one in apart(number, strides, shape,
                                        16 if name in ALIGNED else 5)}.values())
           for name, strides in STRIDES.items()}
