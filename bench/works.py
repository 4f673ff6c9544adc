# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches of the library's kernels at any size of one of their extents, for a
GPU with PyTorch: tensors by the manifest, what the outputs have to be, and what
the library of the vendor calls the same."""

import dataclasses
import functools
import json
import pathlib
import sys
import types
from typing import Callable

import torch
from torch.nn import functional

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "tests/library")]
import bench  # finds girih
import girih
import givens
import references
from wanted import (EPS, SCALARS, SCALE, angles, appended, attended, dropped, fused,
                    merged, mxfp8, none_found, normed, nvfp4, paged, prefilled,
                    routed, stretches, sums, turned)

DTYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16,
          "i8": torch.int8, "i32": torch.int32, "i64": torch.int64}
MOST_SETS = 512
TOLERANCE = 1e-2


@dataclasses.dataclass
class Work:
    """A kernel of which `extent` varies between low and high. `symbols` has those
    of a size. Functions of a launch (its tensors and symbols by name): `wanted`
    gives outputs by name, before it; `made` tensors that are not random normal
    numbers or any integers; `result` what to compare in place of outputs; `peer`
    a call of another library."""
    kernel: str
    extent: str
    low: int
    high: int
    symbols: Callable
    wanted: Callable
    made: dict = dataclasses.field(default_factory=dict)
    result: Callable | None = None
    peer: tuple | None = None


def integers(low, high, dtype, *shape):
    return torch.randint(low, max(high, low + 1), shape, device="cuda", dtype=dtype)


def below(high):
    """Indices below a function of the launch."""
    return lambda t, shape, dtype: integers(0, high(t), dtype, *shape)


def of_splits(t):
    """A residual and sums of splits, and their norm."""
    total = t.residual.float() + t.partial.sum(0)
    return {"sum": total, "y": normed(total, t.weight)}


def constant(value):
    return lambda t, shape, dtype: torch.full(shape, value(t), device="cuda",
                                              dtype=dtype)


def ascending(t, shape, dtype):
    return torch.arange(*shape, device="cuda", dtype=dtype)


def shuffled(t, shape, dtype):
    return torch.randperm(*shape, device="cuda").to(dtype)


@functools.cache
def loaded(folder):
    return (girih.load(folder),
            json.loads((folder / "manifest.json").read_text()))


class Launches:
    """Launches of a work at one size, on as many sets of tensors as it takes to
    pass the L2 cache twice over."""

    def __init__(self, work, artefacts, size):
        self.work = work
        self.kernel, self.manifest = loaded(artefacts / work.kernel)
        self.given = {g["tensor"] for v in self.manifest["variants"]
                      for g in v["given"]}
        self.symbols = work.symbols(size)
        first = self.tensors()
        self.bytes = sum(getattr(first, a["name"]).nbytes
                         for a in self.manifest["arguments"]
                         if a["kind"] == "tensor")
        l2 = torch.cuda.get_device_properties(0).L2_cache_size
        more = min(MOST_SETS, max(1, 2 * l2 // self.bytes))
        self.sets = [first, *(self.tensors() for _ in range(more))]

    def tensors(self):
        t = types.SimpleNamespace(**self.symbols)
        for argument in self.manifest["arguments"]:
            name = argument["name"]
            if argument["kind"] == "scalar":
                continue
            shape = [givens.evaluate(d, self.symbols) for d in argument["dims"]]
            dtype = DTYPES[argument["dtype"]]
            if argument["mode"] == "out":
                made = torch.empty(shape, device="cuda", dtype=dtype)
            elif name in self.work.made:
                made = self.work.made[name](t, shape, dtype)
            elif dtype.is_floating_point:
                made = torch.randn(shape, device="cuda", dtype=dtype)
            else:
                made = integers(0, 100, dtype, *shape)
            setattr(t, name, made)
        return t

    def ready(self, t):
        arguments = {}
        for argument in self.manifest["arguments"]:
            name = argument["name"]
            if argument["kind"] == "scalar":
                arguments[name] = SCALARS[name]
            else:
                tensor = getattr(t, name)
                arguments[name] = (girih.vouched(tensor) if name in self.given
                                   else tensor)
        callers = {s["name"]: self.symbols[s["name"]]
                   for s in self.manifest["symbols"] if s["source"] == "caller"}
        launch = self.kernel.prepare(**arguments, **callers)
        stream = torch.cuda.current_stream().cuda_stream
        return lambda: launch(stream)

    def calls(self):
        return [self.ready(t) for t in self.sets]

    def peers(self):
        return [functools.partial(self.work.peer[1], t) for t in self.sets]

    def wrong(self):
        """What is wrong with the outputs of one launch, or nothing."""
        t = self.sets[0]
        wanted = self.work.wanted(t)
        for argument in self.manifest["arguments"]:
            if argument["kind"] == "tensor" and argument["mode"] == "out":
                tensor = getattr(t, argument["name"])
                tensor.fill_(float("nan") if tensor.is_floating_point() else -1)
        self.ready(t)()
        torch.cuda.synchronize()
        for name, expected in wanted.items():
            got = self.work.result(t) if self.work.result else getattr(t, name)
            expected = expected.double()
            away = ((got.double() - expected).norm() /
                    expected.norm().clamp(min=1e-30)).item()
            if not away <= TOLERANCE:
                return f"{name} is {away} away"
        return None


# The table

MM_F32 = ("cuBLAS", lambda t: torch.mm(t.a, t.b, out_dtype=torch.float32, out=t.c))
MM = ("cuBLAS", lambda t: torch.matmul(t.a, t.b, out=t.c))
LINEAR = ("cuBLAS", lambda t: torch.mm(t.x, t.weight.t(), out=t.y))
SOFTMAX = ("torch", lambda t: torch.softmax(t.x, -1))
NORM = ("torch", lambda t: functional.rms_norm(t.x, (t.N,), t.weight, EPS))


def varied(sizes, extent):
    return lambda n: {**sizes, extent: n}


def products(kernel, peer=MM, wanted=lambda t: {"c": t.a.float() @ t.b.float()},
             size=2048, **callers):
    for extent, low in (("M", 16), ("N", 64), ("K", 64)):
        yield Work(kernel, extent, low, 8192,
                   varied({"M": size, "N": size, "K": size, **callers}, extent),
                   wanted, peer=peer)


def all_alike(kernel, peer=MM):
    return Work(kernel, "M, N, K", 256, 6144, lambda n: {"M": n, "N": n, "K": n},
                lambda t: {"c": t.a.float() @ t.b.float()}, peer=peer)


def linears():
    yield from products("linear", LINEAR, lambda t: {
        "y": t.x.float() @ t.weight.float().T}, size=4096)
    yield Work("linear", "N, few rows", 1024, 65536,
               lambda n: {"M": 16, "N": n, "K": 2560},
               lambda t: {"y": t.x.float() @ t.weight.float().T}, peer=LINEAR)


def experts(kernel, extent, low, **sizes):
    def symbols(n):
        s = {"P": 2048, "T": 1024, "E": 8, "K": 1024, "N": 2048, **sizes, extent: n}
        return {**s, "NB": -(-s["P"] // 128)}
    return Work(kernel, extent, low, 8192, symbols, routed,
                {"ids": below(lambda t: t.T + 1), "experts": below(lambda t: t.E)})


def flat(kernel, wanted, made={}, low=1 << 16, high=1 << 25, **callers):
    return Work(kernel, "N", low, high, varied(callers, "N"), wanted, made)


def table():
    # Sums and fills, one element after the other.
    yield flat("add", lambda t: {"z": t.x + t.y})
    yield flat("saxpy", lambda t: {"y": SCALARS["alpha"] * t.x + t.y})
    yield flat("dropout", dropped, seed=7, threshold=1 << 60)
    for kernel in ("fill", "fill_bf16", "fill_f16"):
        yield flat(kernel, lambda t: {"y": torch.full_like(t.y, SCALARS["value"])})
    yield flat("fill_i32", lambda t: {"y": torch.full_like(t.y, 7)}, value=7)
    yield flat("arange", lambda t: {"y": 0.5 + 0.25 * torch.arange(
        t.N, device="cuda", dtype=torch.float32)})
    yield flat("arange_i32", lambda t: {"y": 3 + 2 * torch.arange(
        t.N, device="cuda")}, first=3, step=2)
    for kernel in ("randn", "randn_bf16", "randn_f16"):
        yield dataclasses.replace(
            flat(kernel, lambda t: {"y": torch.tensor(
                references.normals(4096, t.seed), device="cuda")}, seed=11),
            result=lambda t: t.y[:4096])
    # Rows.
    for kernel, high in (("softmax", 65536), ("softmax_row", 8191)):
        yield Work(kernel, "N", 16, high, varied({"M": 2048}, "N"),
                   lambda t: {"y": torch.softmax(t.x.double(), -1)}, peer=SOFTMAX)
    for kernel, high in (("rms_norm", 32768), ("rms_norm_row", 8191)):
        yield Work(kernel, "N", 16, high, varied({"M": 4096}, "N"),
                   lambda t: {"y": normed(t.x, t.weight)}, peer=NORM)
    for kernel, wanted in (
            ("softmax", lambda t: {"y": torch.softmax(t.x.double(), -1)}),
            ("rms_norm", lambda t: {"y": normed(t.x, t.weight)})):
        yield Work(kernel, "M", 64, 65536, varied({"N": 1024}, "M"), wanted)
    yield Work("add_rms_norm", "N", 16, 32768, varied({"M": 2048}, "N"),
               lambda t: {"y": normed(t.x + t.residual, t.weight)})
    yield Work("silu_mul", "N", 64, 32768,
               lambda n: {"M": 2048, "W": 2 * n, "N": n},
               lambda t: {"y": functional.silu(t.x[:, :t.N].float()) *
                          t.x[:, t.N:].float()})
    yield Work("sort_rows", "N", 2, 127, varied({"M": 65536}, "N"),
               lambda t: {"y": torch.sort(t.x, 1)[0]})
    yield Work("argmax_blocks", "V", 4096, 200000,
               lambda n: {"B": 32, "V": n, "NB": -(-n // 4096)},
               lambda t: stretches(t.logits, 4096))
    yield Work("argmax_reduce", "N", 16, 8192, varied({"B": 1024}, "N"),
               lambda t: {"token": t.index.gather(
                   1, t.max.argmax(1, keepdim=True))[:, 0]})
    # Layouts.
    for extent in "MN":
        yield Work("transpose", extent, 64, 16384,
                   varied({"M": 2048, "N": 2048}, extent), lambda t: {"y": t.x.T})
    for extent, high in (("S", 8192), ("H", 128), ("D", 512)):
        yield Work("permute_heads", extent, 8, high,
                   varied({"B": 2, "S": 1024, "H": 32, "D": 128}, extent),
                   lambda t: {"y": t.x.transpose(1, 2)})
    yield Work("stacked_to_contiguous", "E", 64, 16384, lambda n: {
        "R": 256, "B": 16, "H": 8, "L": 16, "F": 128, "E": n},
        lambda t: {"y": t.x.unflatten(0, (t.B, t.L)).transpose(1, 2).flatten(1, 2)})
    yield Work("contiguous_to_stacked", "E", 64, 16384, lambda n: {
        "R": 256, "B": 16, "H": 8, "L": 16, "F": 128, "E": n},
        lambda t: {"y": t.x.unflatten(1, (t.H, t.L)).transpose(1, 2).flatten(0, 1)})
    # Tables and searches.
    yield Work("gather_row", "N", 1 << 16, 1 << 23, varied({"M": 4, "r": 2}, "N"),
               lambda t: {"y": t.x[2]})
    yield Work("embedding", "N", 1 << 16, 1 << 23, varied({"V": 4}, "N"),
               lambda t: {"y": t.table[t.id[0].item()]},
               {"id": below(lambda t: t.V)})
    for extent, low in (("N", 64), ("M", 256)):
        yield Work("embedding_batch", extent, low, 16384,
                   varied({"M": 4096, "V": 32768, "N": 1024}, extent),
                   lambda t: {"y": t.table[t.ids.long()]},
                   {"ids": below(lambda t: t.V)})
    for extent, low in (("N", 64), ("T", 256)):
        yield Work("embedding_backward", extent, low, 8192,
                   varied({"T": 2048, "V": 8192, "N": 1024}, extent), sums,
                   {"ids": below(lambda t: t.V)})
    yield flat("histogram", lambda t: {"hist": t.hist + torch.bincount(
        t.x, minlength=t.V)}, {"x": below(lambda t: t.V)}, V=4096)
    yield Work("searchsorted", "N", 1024, 1 << 24, varied({"M": 1 << 16}, "N"),
               lambda t: {"y": torch.searchsorted(t.s, t.x)}, {"s": ascending})
    for width in ("", "_i64"):
        yield flat(f"validate_within{width}", none_found, P=264, least=0, most=100)
        yield flat(f"validate_sorted{width}", none_found, {"t": ascending}, P=264)
        yield flat(f"validate_distinct{width}", none_found, {"t": shuffled},
                   low=256, high=16384, P=264)
    # Heads and positions.
    for extent, low, high in (("S", 64, 8192), ("HQ", 1, 64)):
        yield Work("qk_norm", extent, low, high,
                   varied({"S": 4096, "HQ": 32, "HK": 8}, extent),
                   lambda t: {"q_out": normed(t.q, t.q_weight),
                              "k_out": normed(t.k, t.k_weight)})
    for extent, low, high in (("S", 64, 8192), ("H", 1, 64)):
        for kernel, pos in (("rope", {"pos": 0}), ("rope_dynamic", {})):
            yield Work(kernel, extent, low, high, varied(
                {"S": 2048, "H": 32, "T": 8200, **pos}, extent),
                lambda t: {"y": turned(t.x.float(), *angles(t, t.S))},
                {"pos": constant(lambda t: 0)})
    for kernel, pos in (("kv_append", {"pos": 0}), ("kv_append_dynamic", {})):
        yield Work(kernel, "S", 64, 8192, varied({"H": 8, "T": 8200, **pos}, "S"),
                   lambda t: appended(t, k_cache=t.k, v_cache=t.v),
                   {"pos": constant(lambda t: 0)})
    yield Work("kv_append_paged", "S", 64, 8192, varied({"H": 8, "N": 130}, "S"),
               lambda t: {"k_cache": t.k}, {"slots": lambda t, shape, dtype:
                                            torch.randperm(64 * t.N, device="cuda")[
                                                :t.S].to(dtype)},
               result=lambda t: t.k_cache.flatten(0, 1)[t.slots])
    yield Work("qk_norm_rope_append", "S", 64, 8192, varied(
        {"HQ": 32, "HK": 8, "T": 8200, "pos": 0}, "S"),
        lambda t: {"q_out": fused(t, t.q, t.q_weight), **appended(
            t, k_cache=fused(t, t.k, t.k_weight), v_cache=t.v)})
    yield Work("grout_kv_append_wide", "H", 1, 64, varied(
        {"S": 2048, "T": 2048, "N": 128, "PB": 0}, "H"),
        lambda t: appended(t, k_cache=fused(t, t.k, t.weight), v_cache=t.v))
    yield Work("grout_qk_norm_rope_decode", "NQ", 8, 512, lambda n: {
        "N": 2 * n + 32, "T": 1024, "NQ": n, "NK": 8},
        lambda t: {"q_out": fused(t, t.qkv.view(1, -1, 128)[:, :t.NQ],
                                  t.q_weight)[0]},
        {"pos": constant(lambda t: 0)})
    # Attention.
    for extent in "ST":
        yield Work("attention", extent, 64, 4096,
                   varied({"B": 1, "H": 16, "S": 1024, "T": 1024}, extent),
                   lambda t: {"y": attended(t.q, t.k, t.v)})
    yield Work("attention_causal", "S", 64, 4096, varied({"B": 1, "H": 16}, "S"),
               lambda t: {"y": functional.scaled_dot_product_attention(
                   t.q.float(), t.k.float(), t.v.float(), is_causal=True,
                   scale=SCALE)})
    for kernel, sizes, result in (
            ("attention_prefill_gqa", {"R": 4}, None),
            ("attention_prefill_gqa_lpt", {"C": 1}, None),
            ("grout_prefill_lpt", {"C": 1, "W": 4}, None),
            ("attention_prefill_gqa_split", {"R": 4, "P": 4}, merged)):
        both = {"H": 32, "G": 8, **sizes}
        yield Work(kernel, "S", 64, 4096, lambda n, both=both: {
            **both, "S": n, "T": n, "pos": 0}, prefilled, result=result)
        yield Work(kernel, "pos", 128, 8192, lambda n, both=both: {
            **both, "S": 64, "T": n + 64, "pos": n}, prefilled, result=result)
    decode = {"B": 8, "G": 8, "R": 4, "P": 8}
    yield Work("attention_decode_gqa_split", "L", 64, 16384,
               lambda n: {**decode, "T": n, "L": n},
               lambda t: {"partial": attended(t.q, t.k, t.v)}, result=merged)
    yield Work("attention_decode_gqa_ragged", "T", 64, 16384,
               varied(decode, "T"),
               lambda t: {"partial": attended(t.q, t.k, t.v)},
               {"lengths": constant(lambda t: t.T)}, merged)
    yield Work("attention_decode_paged", "M", 2, 256,
               lambda n: {**decode, "M": n, "N": 8 * n}, paged,
               {"lengths": constant(lambda t: 64 * t.M),
                "table": below(lambda t: t.N)}, merged)
    yield Work("attention_decode_gqa_split", "R", 1, 15, lambda n: {
        **decode, "R": n, "T": 4096, "L": 4096},
        lambda t: {"partial": attended(t.q, t.k, t.v)}, result=merged)
    for extent, low, high in (("M", 2, 256), ("B", 1, 31)):
        yield Work("attention_decode_paged_whole", extent, low, high,
                   lambda n, extent=extent: (lambda s: {**s, "N": s["B"] * s["M"]})(
                       {"B": 8, "G": 8, "R": 4, "M": 32, extent: n}),
                   lambda t: {"y": paged(t)["partial"]},
                   {"lengths": constant(lambda t: 64 * t.M),
                    "table": below(lambda t: t.N)})
    for extent, low, high in (("P", 2, 128), ("B", 8, 1024), ("H", 4, 128)):
        yield Work("attention_merge", extent, low, high,
                   varied({"B": 128, "P": 8, "H": 32}, extent),
                   lambda t: {"y": merged(t)})
    # Products.
    few = {"M": 8, "N": 9728, "K": 2560, "P": 264}
    for extent, low, high in (("N", 1024, 65536), ("M", 1, 15)):
        yield Work("skinny", extent, low, high, varied(few, extent),
                   lambda t: {"y": t.x.float() @ t.w.float().T})
        yield Work("skinny_silu_mul", extent, low, high, varied(few, extent),
                   lambda t: {"y": functional.silu(t.x.float() @ t.w[0].float().T)
                              * (t.x.float() @ t.w[1].float().T)})
    yield Work("skinny_split_k", "N", 1024, 8191,
               varied({**few, "P": 66, "S": 4, "K": 9728}, "N"),
               lambda t: {"partial": t.x.float() @ t.w.float().T},
               result=lambda t: t.partial.sum(0))
    yield Work("add_rms_norm_split_k", "N", 1024, 8191,
               varied({"M": 256, "S": 3}, "N"), of_splits)
    for kernel, callers in (("gemm", {}), ("gemm_small", {}), ("gemm_by_size", {}),
                            ("gemm_persistent", {"P": 132}),
                            ("gemm_persistent_swizzled", {"P": 132, "G": 8})):
        yield from products(kernel, MM_F32, **callers)
    for kernel, callers in (("gemm_grouped_order", {}), ("gemm_swizzled", {"G": 8})):
        yield from products(kernel, **callers)
    yield from products("gemm_bf16", size=4096)
    yield all_alike("gemm_bf16")
    yield from products("gemm_batched", size=1024, Z=8)
    yield from linears()
    for extent, low in (("P", 128), ("N", 64), ("K", 64)):
        yield experts("gemm_moe", extent, low)
        yield experts("gemm_moe_gather", extent, low)
    for extent, low, high in (("V", 4096, 160000), ("K", 64, 8192), ("B", 1, 64)):
        yield Work("lm_head_argmax", extent, low, high, lambda n, extent=extent: (
            lambda s: {**s, "NB": -(-s["V"] // 128)})(
                {"V": 32768, "K": 2048, "B": 16, extent: n}),
            lambda t: stretches(t.hidden.float() @ t.weights.float().T, 128))
    for kernel, depth, wanted, ones in (
            ("mxfp8", {"K": 1024, "KS": 32}, mxfp8, 120),
            ("nvfp4", {"KB": 512, "KS": 64}, nvfp4, 52)):
        scales = dict.fromkeys(
            ("x_scales", "y_scales"), lambda t, shape, dtype, ones=ones:
            integers(ones, ones + 8, dtype, *shape))
        for extent in "MN":
            yield Work(kernel, extent, 64, 4096, varied(
                {"M": 1024, "N": 1024, **depth}, extent), wanted, scales)


WORKS = {f"{work.kernel}, {work.extent}": work for work in table()}
