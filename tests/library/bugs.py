#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bugs that people write into kernels of the library: each is one edit of a
verified kernel, and refused by the rule named, with a launch that the executor
runs into again.

  bugs.py BIN_DIR KERNEL.mlir
"""

import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

#: By kernel: what is replaced, by what, and the rule that is broken.
BUGS = {
    "add": [("ceildiv(N, 1024)", "div(N, 1024)", "out.covered"),
            ("ceildiv(N, 1024)", "ceildiv(N, 1024), 2", "claim.disjoint")],
    "saxpy": [("ceildiv(N, 1024)", "ceildiv(N, 512)", "claim.bounds"),
              (" pad(zero) : !YPiece\n", " : !YPiece\n", "load.pad")],
    **{name: [("ceildiv(N, 1024)", "div(N, 1024)", "out.covered"),
              ("ceildiv(N, 1024)", "ceildiv(N, 512)", "claim.bounds")]
       for name in ("fill", "fill_bf16", "fill_f16", "fill_i32", "arange",
                    "arange_i32", "randn", "randn_bf16", "randn_f16")},
    "searchsorted": [
        ("%hi = %N", "%hi = %i", "invariant.holds"),
        ("cmpi slt, %lo, %hi", "cmpi sle, %lo, %hi", "load.bounds"),
        ("select %below, %sum, %lo", "select %below, %mid, %lo",
         "while.measure")],
    "silu_mul": [("[M, ceildiv(N, 1024)]", "[M, div(N, 1024)]", "out.covered"),
                 ("grid [M, div(N, 512)]", "grid [M, div(N, 1024)]",
                  "out.covered"),
                 ("W == 2 * N", "W >= N", "view.slice")],
    "dropout": [("ceildiv(N, 1024)", "div(N, 1024)", "out.covered"),
                ("load %x_tiles[%i] pad(zero)", "load %x_tiles[%i]", "load.pad")],
    "gather_row": [("r < M", "r <= M", "load.bounds")],
    "embedding": [("within(%id, 0, V)", "within(%id, 0, V + 1)", "load.bounds"),
                  ("within(%id, 0, V)", "within(%id, -1, V)", "load.bounds")],
    "embedding_batch": [
        ("given [within(%ids, 0, V)]", "", "load.bounds"),
        ("claim %y_tiles[%m, %j]", "claim %y_tiles[%j, %m]", "claim.bounds")],
    "embedding_backward": [
        ("%both = arith.andi", "%both = arith.ori", "atomic_scatter.bounds"),
        ("within(%ids, 0, V)", "within(%ids, -1, V)", "atomic_scatter.bounds"),
        ("dtable[%lanes, %column]", "dtable[%column, %lanes]", "atomic_scatter.bounds")],
    "histogram": [
        (" given [within(%x, 0, V)]", "", "atomic_scatter.bounds"),
        ("within(%x, 0, V)", "within(%x, 0, V + 1)", "atomic_scatter.bounds"),
        ("load %x_tiles[%i] pad(zero)", "load %x_tiles[%i]", "load.pad")],
    "sort_rows": [
        ("load %x_tiles[%row, %j] pad(2147483647)",
         "load %x_tiles[%row, %j]", "load.pad"),
        ("claim %y_tiles[%row, %j]", "claim %y_tiles[%j, %row]", "claim.bounds"),
        ("grid [M, ceildiv(N, 128)]", "grid [M, div(N, 128)]", "out.covered")],
    "argmax_blocks": [
        ("NB == ceildiv(V, 4096)", "NB >= ceildiv(V, 4096)", "load.bounds"),
        (" pad(neg_inf)", "", "load.pad")],
    "argmax_reduce": [("grid [B]", "grid [B, 2]", "claim.disjoint")],
    "validate_within": [
        ("load %t_tiles[%k] pad(zero)", "load %t_tiles[%k]", "load.pad"),
        ("%k = %p to %n", "%k = %p to %P", "load.bounds")],
    "validate_within_i64": [
        ("load %t_tiles[%k] pad(zero)", "load %t_tiles[%k]", "load.pad"),
        ("grid [P]", "grid [P, 2]", "claim.disjoint")],
    "validate_sorted": [
        ("requires [N >= 1, P >= 1]", "requires [P >= 1]", "view.slice"),
        ("slice [%c1] size [%pairs]", "slice [%c1] size [%N]", "view.slice")],
    "validate_sorted_i64": [
        ("subi %N, %c1", "subi %N, %c0", "view.slice"),
        ("load %t_view_tiles_2[%k] pad(zero)", "load %t_view_tiles_2[%k]", "load.pad")],
    "validate_distinct": [
        ("%k = %p to %n", "%k = %p to %P", "load.bounds"),
        ("load %t_tiles[%m] pad(zero)", "load %t_tiles[%m]", "load.pad")],
    "validate_distinct_i64": [
        ("%m = %k to %n", "%m = %k to %N", "load.bounds"),
        ("grid [P]", "grid [P + 1]", "claim.bounds")],
    "lm_head_argmax": [("ceildiv(B, 16)", "div(B, 16)", "out.covered"),
                       ("ceildiv(B, 64)", "div(B, 64)", "out.covered"),
                       ("claim %max_tiles[%i, %j]",
                        "claim %max_tiles[%j, %i]", "claim.bounds")],
    "softmax": [("%k = %c0 to %n step %c1 {", "%k = %c1 to %n step %c1 {",
                 "out.covered"),
                ("requires [N <= 256]", "requires [N <= 257]", "out.covered"),
                ("ceildiv(M, 8)", "div(M, 8)", "out.covered"),
                ("requires [N <= 32768]", "requires [N <= 32769]",
                 "out.covered")],
    "softmax_row": [
        ("N <= 8192", "N <= 8193", "out.covered"),
        ("cmpi sgt, %n, %c0", "cmpi sge, %n, %c0", "claim.bounds")],
    "rms_norm": [
        ("grid [M]", "grid [M + 1]", "load.bounds"),
        ("ceildiv(M, 16)", "div(M, 16)", "out.covered"),
        ("requires [N <= 4096]", "requires [N <= 4097]", "out.covered")],
    "rms_norm_row": [
        ("grid [M]", "grid [M + 1]", "claim.bounds"),
        (" requires [N <= 8192]", "", "out.covered")],
    "add_rms_norm": [
        ("%k = %c0 to %n step %c1 {", "%k = %c1 to %n step %c1 {",
         "out.covered"),
        ("claim %sum_tiles[%row, %k]", "claim %sum_tiles[%k, %row]", "claim.bounds"),
        ("requires [N <= 8192]", "requires [N <= 8193]", "out.covered")],
    "softmax_by_row": [
        ("N <= 16384", "N <= 16392", "out.covered"),
        ("ceildiv(M, 4)", "div(M, 4)", "out.covered"),
        ("grid [ceildiv(M, 1)]", "grid [M + 1]", "claim.bounds")],
    "rms_norm_by_row": [
        ("requires [mod(N, 8) == 0, mod(ldx, 8) == 0, mod(ldy, 8) == 0, "
         "N <= 2048]", "requires [N <= 2056]", "out.covered"),
        ("ceildiv(M, 4)", "div(M, 4)", "out.covered")],
    "add_rms_norm_by_row": [
        ("claim %sum_tiles[%rows, %c0]", "claim %sum_tiles[%c0, %rows]",
         "claim.bounds"),
        ("ceildiv(M, 4)", "div(M, 4)", "out.covered")],
    "qk_norm": [
        ("claim %k_out_tiles[%s, %kh, %c0]",
         "claim %k_out_tiles[%s, %h, %c0]", "claim.bounds"),
        ("ceildiv(S, 16)", "div(S, 16)", "out.covered"),
        ("cmpi slt, %h, %HQ", "cmpi sle, %h, %HQ", "load.bounds")],
    "rope": [("pos + S <= T", "pos <= T, S <= T", "load.bounds"),
             ("%c0 to %c2", "%c0 to %c1", "out.covered"),
             ("ceildiv(H, 16)", "div(H, 16)", "out.covered")],
    "rope_dynamic": [
        ("within(%pos, 0, T - S + 1)", "within(%pos, 0, T)", "load.bounds")],
    "kv_append": [
        ("pos + S <= T", "pos <= T, S <= T", "claim.bounds"),
        ("grid [S, H]", "grid [S, H, 2]", "claim.disjoint")],
    "kv_append_dynamic": [
        ("within(%pos, 0, T - S + 1)", "within(%pos, 0, T)", "claim.bounds"),
        ("within(%pos, 0, T - S + 1)", "within(%pos, -1, T - S + 1)",
         "claim.bounds")],
    "kv_append_paged": [
        (", distinct(%slots)", "", "claim.disjoint"),
        ("within(%slots, 0, 64 * N)", "within(%slots, 0, 64 * N + 1)",
         "claim.bounds"),
        ("remsi %slot, %c64", "divsi %slot, %c64", "claim.bounds")],
    "qk_norm_rope_append": [
        ("pos + S <= T", "pos + S <= T + 1", "view.slice"),
        ("ceildiv(S, 16)", "div(S, 16)", "out.covered"),
        ("%kh = arith.subi %h, %HQ", "%kh = arith.addi %h, %HQ",
         "load.bounds")],
    "grout_kv_append_wide": [
        ("16 * N <= S", "16 * N <= S + 15", "load.pad"),
        ("16 * PB + 16 * N <= T", "16 * PB <= T, 16 * N <= T", "claim.bounds"),
        ("grid [N, H]", "grid [N, H, 2]", "claim.disjoint")],
    "grout_qk_norm_rope_decode": [
        ("within(%pos, 0, T)", "within(%pos, 0, T + 1)", "load.bounds"),
        ("%kh = arith.subi %h, %NQ", "%kh = arith.addi %h, %c0",
         "claim.bounds"),
        ("N == 2 * NQ + 4 * NK", "N == 2 * NQ + 2 * NK", "load.bounds")],
    "attention": [
        ("%n = arith.ceildivsi %T", "%n = arith.addi %T",
         "load.bounds"),
        ("grid [B, H, ceildiv(S, 64)]", "grid [B, H, div(S, 64)]",
         "out.covered")],
    "attention_gqa": [
        ("%n = arith.ceildivsi %T", "%n = arith.addi %T", "load.bounds"),
        ("divsi %h, %R", "remsi %h, %R", "load.bounds"),
        ("H == G * R", "H == G + R", "index.division")],
    "attention_causal": [
        ("%full = arith.divsi %i, %c2", "%full = arith.divsi %i, %c1",
         "load.bounds"),
        ("%i = arith.subi %less, %c1", "%i = arith.subi %less, %c2",
         "claim.bounds"),
        ("claim %y_tiles[%b, %h, %i, %c0]",
         "claim %y_tiles[%h, %b, %i, %c0]",
         "claim.bounds")],
    "attention_prefill_gqa": [
        ("arith.ceildivsi %last, %c128", "arith.ceildivsi %sum_1, %c128",
         "load.bounds"),
        ("divsi %h, %R", "remsi %h, %R", "load.bounds"),
        ("%R = tile.symbol \"R\"", "%R = tile.symbol \"pos\"",
         "index.division")],
    "attention_prefill_gqa_lpt": [
        ("%i = arith.subi %less, %c1", "%i = arith.subi %less, %c0",
         "claim.bounds"),
        ("%hg = arith.remsi %t, %groups", "%hg = arith.remsi %t, %n",
         "claim.bounds"),
        ("arith.ceildivsi %last, %c128", "arith.ceildivsi %sum_1, %c128",
         "load.bounds")],
    "grout_prefill_lpt": [
        ("W <= G * C, ", "", "index.width")],
    "attention_prefill_gqa_split": [
        ("%end = arith.minsi %sum_2, %tiles",
         "%end = arith.maxsi %sum_2, %tiles", "load.bounds")],
    "attention_decode_gqa": [
        ("R <= 16, ", "", "out.covered"),
        (", L <= T", "", "view.slice"),
        ("grid [G, B]", "grid [G, B, 2]", "claim.disjoint")],
    "attention_decode_gqa_split": [
        ("R <= 16, ", "", "out.covered"),
        ("%end = arith.minsi %sum, %tiles",
         "%end = arith.maxsi %sum, %tiles", "load.bounds"),
        (", L <= T", "", "view.slice")],
    "attention_decode_gqa_ragged": [
        ("within(%lengths, 0, T + 1)", "within(%lengths, 0, T + 2)",
         "view.slice"),
        ("within(%lengths, 0, T + 1)", "within(%lengths, -1, T + 1)",
         "index.division")],
    "attention_decode_paged": [
        ("within(%table, 0, N)", "within(%table, 0, N + 1)", "load.bounds"),
        ("within(%lengths, 0, 64 * M + 1)", "within(%lengths, 0, 64 * M + 2)",
         "load.bounds"),
        ("load %table_tiles[%b, %j]", "load %table_tiles[%j, %b]", "load.bounds")],
    "attention_decode_paged_whole": [
        ("within(%table, 0, N)", "within(%table, 0, N + 1)", "load.bounds"),
        ("within(%lengths, 0, 64 * M + 1)", "within(%lengths, 0, 64 * M + 2)",
         "load.bounds")],
    "attention_step": [
        ("%row = arith.minsi %most, %less", "%row = arith.maxsi %most, %less",
         "view.slice"),
        ("grid [G]", "grid [G, 2]", "claim.disjoint"),
        ("R <= 8", "R <= 17", "out.covered")],
    "attention_step_split": [
        ("%row = arith.minsi %most, %less", "%row = arith.maxsi %most, %less",
         "view.slice"),
        ("%least = arith.minsi %sum, %tiles", "%least = arith.maxsi %sum, %tiles",
         "load.bounds"),
        ("grid [P, G]", "grid [P, G, 2]", "claim.disjoint")],
    "attention_step_merge": [
        ("grid [H + G]", "grid [H + G + 1]", "claim.bounds"),
        ("arith.cmpi slt, %h, %H", "arith.cmpi sle, %h, %H", "claim.bounds"),
        ("arith.minsi %most, %less", "arith.maxsi %most, %less", "claim.bounds")],
    "attention_merge": [("grid [H, B]", "grid [H, B, 2]", "claim.disjoint"),
                        ("%c0 to %n step %c1 iter_args(%higher",
                         "%c0 to %b step %c1 iter_args(%higher", "load.bounds")],
    "gemm": [("ceildiv(M, 128)", "div(M, 128)", "out.covered"),
             ("load %b_tiles[%k, %j]", "load %b_tiles[%j, %k]", "load.bounds")],
    "gemm_small": [("ceildiv(N, 128)", "div(N, 128)", "out.covered"),
                   ("claim %c_tiles[%i, %j]", "claim %c_tiles[%j, %i]", "claim.bounds")],
    "gemm_by_size": [
        ("ceildiv(N, 128)", "div(N, 128)", "out.covered"),
        ("ceildiv(M, 128)", "ceildiv(M, 64)", "claim.bounds")],
    "gemm_bf16": [
        ("ceildiv(N, 32)", "div(N, 32)", "out.covered"),
        ("arith.cmpi slt, %i, %gm", "arith.cmpi sle, %i, %gm", "claim.bounds")],
    "linear": [
        ("ceildiv(N, 32)", "div(N, 32)", "out.covered"),
        ("load %weight_tiles[%j, %k]", "load %weight_tiles[%k, %j]",
         "load.bounds")],
    "linear_panels": [
        ("W == 320", "W == 328", "out.covered"),
        ("W == 320", "W <= 320", "load.bounds"),
        ("ceildiv(M, 256)", "ceildiv(M, 128)", "load.bounds")],
    "linear_silu_mul": [
        ("ceildiv(N, 64)", "div(N, 64)", "out.covered"),
        ("load %w_tiles[%c1, %j, %k]", "load %w_tiles[%c1, %k, %j]",
         "load.bounds")],
    "linear_silu_mul_panels": [
        ("W == 160", "W == 168", "out.covered"),
        ("W == 160", "W <= 160", "load.bounds"),
        ("ceildiv(M, 128)", "ceildiv(M, 64)", "load.bounds")],
    "linear_split_k": [
        ("grid [ceildiv(N, 64), S", "grid [ceildiv(N, 64), S + 1",
         "claim.bounds"),
        ("arith.minsi %sum, %n", "arith.maxsi %sum, %n", "load.bounds")],
    "skinny": [
        ("M <= 8, P", "M <= 9, P", "out.covered"),
        ("step %P", "step %c1", "claim.disjoint")],
    "skinny_f16": [
        ("M <= 8, P", "M <= 9, P", "out.covered"),
        ("load %w_tiles[%t, %k]", "load %w_tiles[%k, %t]", "load.bounds")],
    "skinny_silu_mul": [
        ("[%c1, %t, %k]", "[%c1, %k, %t]", "load.bounds"),
        ("M <= 8, P", "M <= 9, P", "out.covered")],
    "skinny_split_k": [
        ("arith.minsi %sum, %n", "arith.maxsi %sum, %n", "load.bounds"),
        ("grid [P, S]", "grid [P, S + 1]", "claim.bounds")],
    "skinny_f8": [
        ("M <= 8, P", "M <= 9, P", "out.covered"),
        ("load %w_tiles[%t, %k]", "load %w_tiles[%k, %t]", "load.bounds")],
    "skinny_silu_mul_f8": [
        ("load %scale_tiles[%c1, %t]", "load %scale_tiles[%t, %c1]",
         "load.bounds"),
        ("step %P", "step %c1", "claim.disjoint")],
    "skinny_split_k_f8": [
        ("arith.minsi %sum, %n", "arith.maxsi %sum, %n", "load.bounds"),
        ("load %scale_tiles[%t]", "load %scale_tiles[%s]", "load.bounds")],
    "skinny_int4": [
        ("M <= 8, P", "M <= 9, P", "out.covered"),
        ("load %scale_tiles[%t, %g]", "load %scale_tiles[%g, %t]", "load.bounds")],
    "skinny_silu_mul_int4": [
        ("[%c1, %t, %g]", "[%c1, %g, %t]", "load.bounds"),
        ("step %P", "step %c1", "claim.disjoint")],
    "skinny_split_k_int4": [
        ("arith.minsi %sum, %G", "arith.maxsi %sum, %G", "load.bounds"),
        ("grid [P, S]", "grid [P, S + 1]", "claim.bounds")],
    "add_rms_norm_split_k": [
        ("N <= 1024", "N <= 1025", "out.covered"),
        ("grid [M]", "grid [M, 2]", "claim.disjoint")],
    "linear_f8": [
        ("ceildiv(N, 64)", "div(N, 64)", "out.covered"),
        ("load %scale_tiles[%j] pad(zero)", "load %scale_tiles[%i] pad(zero)",
         "load.bounds")],
    "linear_int4": [
        ("ceildiv(N, 64)", "div(N, 64)", "out.covered"),
        ("K == 128 * G", "K == 64 * G", "load.bounds"),
        ("load %weight_tiles[%j, %g, %c0]", "load %weight_tiles[%g, %j, %c0]",
         "load.bounds")],
    "gemm_batched": [
        ("claim %c_tiles[%z, %i, %j]", "claim %c_tiles[%i, %z, %j]",
         "claim.bounds"),
        ("ceildiv(M, 128)", "div(M, 128)", "out.covered")],
    "gemm_grouped_order": [
        ("arith.cmpi slt, %i, %gm", "arith.cmpi sle, %i, %gm", "claim.bounds"),
        ("ceildiv(M, 1024)", "div(M, 1024)", "out.covered"),
        ("divsi %rest, %c8", "divsi %rest, %gn", "claim.bounds")],
    "gemm_swizzled": [
        ("minsi %less, %G", "maxsi %less, %G", "claim.bounds"),
        ("G >= 1, G <= 1024", "G <= 1024", "index.division")],
    "gemv": [
        ("step %P", "step %c1", "claim.disjoint"),
        ("P >= 1, ", "", "out.covered"),
        ("load %x_tiles[%k] pad(zero)", "load %x_tiles[%k]", "load.pad")],
    "gemv_by_depth": [
        ("step %P", "step %c1", "claim.disjoint"),
        ("load %x_tiles[%k] pad(zero)", "load %x_tiles[%k]", "load.pad")],
    "gemv_f16": [
        ("step %P", "step %c1", "claim.disjoint"),
        ("load %x_tiles[%k] pad(zero)", "load %x_tiles[%k]", "load.pad")],
    "gemv_add": [
        ("step %P", "step %c1", "claim.disjoint"),
        ("P >= 1, ", "", "out.covered")],
    "gemv_add_f8": [
        ("step %P", "step %c1", "claim.disjoint"),
        ("P >= 1, ", "", "out.covered")],
    "gemv_add_int4": [
        ("step %P", "step %c1", "claim.disjoint"),
        ("load %x_tiles[%g, %c1, %c0]", "load %x_tiles[%c1, %g, %c0]",
         "load.bounds"),
        ("load %scale_tiles[%t, %g] pad(zero)", "load %scale_tiles[%g, %t] pad(zero)",
         "load.bounds"),
        ("P >= 1, ", "", "out.covered")],
    "gemv_norm_int4": [
        ("load %w_tiles[%t, %g, %c0]", "load %w_tiles[%g, %t, %c0]", "load.bounds"),
        ("load %gain_tiles[%g, %c0, %c0]", "load %gain_tiles[%t, %c0, %c0]",
         "load.bounds")],
    "gemv_norm_silu_int4": [
        ("load %scale_tiles[%c1, %t, %g] pad(zero)",
         "load %scale_tiles[%g, %t, %c1] pad(zero)", "load.bounds")],
    "gemv_norm_f8": [
        ("load %w_tiles[%t, %k]", "load %w_tiles[%k, %t]", "load.bounds")],
    "gemv_norm_silu_f8": [
        ("load %up_scale_tiles[%t] pad(zero)",
         "load %up_scale_tiles[%n] pad(zero)", "load.bounds")],
    "gemv_norm": [
        ("step %P", "step %c1", "claim.disjoint"),
        ("load %gain_tiles[%k] pad(zero)", "load %gain_tiles[%k]", "load.pad")],
    "gemv_norm_silu": [
        ("step %P", "step %c1", "claim.disjoint"),
        ("load %w_tiles[%c1, %t, %k] pad(zero)",
         "load %w_tiles[%n, %t, %k] pad(zero)", "load.bounds")],
    "gemm_persistent": [
        ("step %P", "step %c1", "claim.disjoint"),
        ("arith.cmpi slt, %i, %rows", "arith.cmpi sle, %i, %rows", "claim.bounds")],
    "gemm_persistent_swizzled": [
        ("remsi %p, %G :", "remsi %p, %columns :", "map.inverse")],
    "gemm_moe": [
        ("within(%experts, 0, E)", "within(%experts, 0, E + 1)", "load.bounds"),
        ("NB == ceildiv(P, 128)", "NB == div(P, 128)", "load.bounds"),
        ("ceildiv(P, 1024)", "div(P, 1024)", "out.covered")],
    "gemm_moe_gather": [
        ("cmpi slt, %row_1, %lanes", "cmpi sle, %row_1, %lanes", "gather.bounds"),
        ("cmpi slt, %column, %lanes_1", "cmpi sle, %column, %lanes_1", "gather.bounds"),
        ("within(%ids, 0, T + 1)", "within(%ids, -1, T + 1)", "gather.bounds")],
    "gather_tokens": [
        ("cmpi slt, %row, %lanes", "cmpi sle, %row, %lanes", "gather.bounds"),
        ("ceildiv(P, 16)", "div(P, 16)", "out.covered")],
    "mxfp8": [("K == 32 * KS", "K >= 32 * KS", "load.bounds")],
    "nvfp4": [("KB == 8 * KS", "KB >= 8 * KS", "load.bounds")],
    "gemm_mxfp8": [("K == 32 * KS", "K >= 32 * KS", "load.bounds")],
    "gemm_nvfp4": [("K == 16 * KS", "K >= 16 * KS", "bytes.whole")],
    "transpose": [
        ("claim %y_tiles[%j, %i]", "claim %y_tiles[%i, %j]", "claim.bounds")],
    "permute_heads": [
        ("claim %y_tiles[%b, %h, %s, %d]", "claim %y_tiles[%h, %b, %s, %d]",
         "claim.bounds")],
    "stacked_to_contiguous": [
        ("muli %h, %L", "muli %b, %L", "claim.bounds"),
        ("R == B * L", "R == B * H", "load.bounds")],
    "contiguous_to_stacked": [
        ("muli %b, %L", "muli %h, %L", "claim.bounds"),
        ("F == H * L", "F == H * B", "load.bounds")],
}


def run(*command):
    return subprocess.run([str(c) for c in command], capture_output=True,
                          text=True)


def complaint(binaries, kernel, bug):
    old, new, rule = bug
    text = kernel.read_text()
    if text.count(old) < 1:
        return "is not in the kernel"
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, kernel.name)
        at = text.rindex(old)
        path.write_text(text[:at] + new + text[at + len(old):])
        done = run(binaries / "tile-verify", path)
        out = done.stdout + done.stderr
        if done.returncode != 1 or f"[{rule}]" not in out:
            return f"exit code {done.returncode}, not [{rule}]:\n{out}"
        for replay in re.findall(r"replay: (tile-exec .*)", out):
            words = shlex.split(replay)
            again = run(binaries / words[0], *words[1:])
            if again.returncode != 1:
                return f"exit code {again.returncode} of {replay}"
    return ""


def main(binaries, kernel):
    kernel = pathlib.Path(kernel)
    bugs = BUGS.get(kernel.stem, [])
    wrong = 0
    for bug in bugs:
        text = complaint(pathlib.Path(binaries), kernel, bug)
        if text:
            wrong += 1
            print(f"{kernel.stem}: {bug[0]!r} -> {bug[1]!r}: {text}")
    print(f"{kernel.stem}: {len(bugs)} bugs, {wrong} not refused as they are to be")
    return wrong != 0 or not bugs


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
