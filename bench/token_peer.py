#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One token of a model like Qwen3-4B or 32B by PyTorch, as decode_times makes it,
on a GPU.

usage: token_peer.py [--model=4B|32B] [--layers=N] [--keys=N] [--batch=N]
                     [--prompt=N] [--attention]

With --batch a token of each of as many sequences, with --prompt a prompt of so many
tokens, causal, whose last one's logits are computed. All matrices are distinct in memory; of each layer the products of q, k and v of a
norm, norms and angles of heads, the caches' new row at a position in device
memory, attention over all keys (the last position is the new one), and products
with residuals; then the logits and the largest. Once as it stands, its products
by cuBLAS, and once by torch.compile, either as one CUDA graph. Prints JSON:
microseconds a replay, medians of interleaved rounds, and the largest difference of
the two's logits over the largest logit. With --attention in place of that,
attention of one query a sequence as decode_times --attention has it, by each
backend of scaled_dot_product_attention, many calls in a graph.
"""

import argparse
import json
import statistics
import time

import torch
from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel

VOCABULARY, SHARED, DEPTH = 151936, 8, 128
MODELS = {"4B": (2560, 9728, 32, 36), "32B": (5120, 25600, 64, 64)}
ROUNDS, REPLAYS = 20, 10


def normal(*shape):
    """With the variance 1 / columns."""
    return torch.randn(*shape, device="cuda", dtype=torch.bfloat16).mul_(
        shape[-1] ** -0.5)


class Model:
    def __init__(self, sizes, layers, keys, batch, prompt):
        width, inner, self.heads, of_model = sizes
        self.batch, self.prompt = batch, prompt
        # Rows of x are tokens: one of each sequence, or those of one prompt.
        rows, keys = prompt or batch, prompt or keys
        self.layers = [
            (normal((self.heads + 2 * SHARED) * DEPTH, width),
             normal(width, self.heads * DEPTH), normal(2 * inner, width),
             normal(width, inner),
             *(torch.zeros(batch, SHARED, keys, DEPTH, device="cuda",
                           dtype=torch.bfloat16) for _ in "kv"))
            for _ in range(layers or of_model)]
        self.head, self.x = normal(VOCABULARY, width), normal(rows, width)
        self.tokens = torch.zeros(rows, device="cuda", dtype=torch.int64)
        self.embedding = normal(VOCABULARY, width) if prompt else None
        self.gain, self.head_gain = normal(width), normal(DEPTH)
        angles = (prompt, 1, DEPTH // 2) if prompt else (1, DEPTH // 2)
        self.cos = torch.full(angles, 0.8, device="cuda")
        self.sin = torch.full(angles, 0.6, device="cuda")
        self.position = torch.arange(keys, device="cuda")[0 if prompt else -1:]

    def turned(self, head):
        low, high = functional.rms_norm(
            head, (DEPTH,), self.head_gain, 1e-6).float().chunk(2, -1)
        return torch.cat((low * self.cos - high * self.sin,
                          high * self.cos + low * self.sin), -1).bfloat16()

    def outside(self, heads):
        """[batch, heads, positions, depth] of [rows, heads, depth]."""
        return heads.transpose(0, 1)[None] if self.prompt else heads[:, :, None]

    def normed(self, x):
        return functional.rms_norm(x, x.shape[-1:], self.gain, 1e-6)

    def behind(self, x, qkv, out, gate_up, down, keys, values):
        """x behind a layer."""
        q, k, v = functional.linear(self.normed(x), qkv).view(
            x.shape[0], -1, DEPTH).split((self.heads, SHARED, SHARED), 1)
        keys.index_copy_(2, self.position, self.outside(self.turned(k)))
        values.index_copy_(2, self.position, self.outside(v))
        mean = functional.scaled_dot_product_attention(
            self.outside(self.turned(q)), keys, values, enable_gqa=True,
            is_causal=bool(self.prompt))
        if self.prompt:
            mean = mean.transpose(1, 2)
        x = x + functional.linear(mean.reshape(x.shape[0], -1), out)
        gate, up = functional.linear(self.normed(x), gate_up).chunk(2, -1)
        return x + functional.linear(functional.silu(gate) * up, down)

    def chosen(self, x):
        logits = functional.linear(self.normed(x[-1:] if self.prompt else x), self.head)
        return logits.argmax(-1), logits

    def token(self, behind, chosen):
        x = functional.embedding(self.tokens, self.embedding) if self.prompt else self.x
        for layer in self.layers:
            x = behind(x, *layer)
        return chosen(x)


def graph_of(step):
    """A graph of what the step does, and what it gives."""
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        out = step()
    return graph, out


def microseconds(graph):
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(REPLAYS):
        graph.replay()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) * 1e6 / REPLAYS


def first_token(graph, model, best, tokens):
    """Microseconds from tokens of a prompt on the host to the one behind them there,
    once the device is idle. The tokens are in pinned memory."""
    torch.cuda.synchronize()
    start = time.perf_counter()
    model.tokens.copy_(tokens, non_blocking=True)
    graph.replay()
    best.item()
    return (time.perf_counter() - start) * 1e6


def attention(batch, keys):
    """Microseconds a call by backend: of caches of their own, as many as pass the
    cache many times over."""
    heads, size = 32, batch * SHARED * keys * DEPTH * 4
    count = 1_000_000_000 // size + 2
    q = normal(batch, heads, 1, DEPTH)
    caches = [[normal(batch, SHARED, keys, DEPTH) for _ in "kv"]
              for _ in range(count)]
    out = {}
    for backend in (SDPBackend.FLASH_ATTENTION, SDPBackend.CUDNN_ATTENTION):
        def step():
            now = q
            for k, v in caches:
                now = functional.scaled_dot_product_attention(
                    now, k, v, enable_gqa=True)
            return now
        with sdpa_kernel(backend):
            graph, _ = graph_of(step)
        out[backend.name] = round(statistics.median(
            microseconds(graph) for _ in range(ROUNDS)) / count, 2)
    return {"batch": batch, "keys": keys, "us": out, "torch": torch.__version__}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", choices=MODELS, default="4B")
    parser.add_argument("--layers", type=int, default=0)
    parser.add_argument("--keys", type=int, default=128)
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--prompt", type=int, default=0)
    parser.add_argument("--attention", action="store_true")
    asked = parser.parse_args()
    torch.manual_seed(1)
    torch.set_grad_enabled(False)
    if asked.attention:
        for batch in (1, 8):
            for keys in (1024 << i for i in range(7)):
                print(json.dumps(attention(batch, keys)), flush=True)
        return
    model = Model(MODELS[asked.model], asked.layers, asked.keys, asked.batch,
                  asked.prompt)
    # A layer is compiled once: all have the same shapes.
    compiled = [torch.compile(f, dynamic=False)
                for f in (model.behind, model.chosen)]
    graphs = {
        "cuBLAS": graph_of(lambda: model.token(model.behind, model.chosen)),
        "torch.compile": graph_of(lambda: model.token(*compiled))}
    times = {name: [] for name in graphs}
    for _ in range(ROUNDS):
        for name, (graph, _) in graphs.items():
            times[name].append(microseconds(graph))
    one, other = (out[1].float() for _, out in graphs.values())
    print(json.dumps({
        "model": asked.model, "layers": len(model.layers), "keys": asked.keys,
        "batch": asked.batch, "prompt": asked.prompt,
        "us": {name: round(statistics.median(t), 1) for name, t in times.items()},
        "difference": float((one - other).abs().max() / one.abs().max()),
        "torch": torch.__version__}))


if __name__ == "__main__":
    main()
