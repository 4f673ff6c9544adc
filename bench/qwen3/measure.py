#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times of the engine beside PyTorch, on a GPU, in one process.

  measure.py LIBRARY KERNELS MODEL --like=4B|32B [--cases=...] [--rounds=N]
             [--weights=bf16|f8|int4]

A case is decode:SEQUENCES:KEYS, a token of each of as many sequences, or
prefill:TOKENS, a prompt up to its first token. The peer is token_peer.py's model of
the same shapes as one CUDA graph, its products by cuBLAS and by torch.compile. A
prompt is timed from tokens on the host to the next token there, of both, right
behind one that is not timed, as another's buffers leave caches and translations of
addresses to nobody else; "queued" is a replay of the peer's graph behind others.
Rounds of both are interleaved. Prints a line of JSON for each case: medians in
microseconds.
"""

import argparse
import json
import pathlib
import statistics
import sys
import time

import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE / "python")]
import token_peer  # noqa: E402
from qwen3.engine import WEIGHTS, Engine, Event  # noqa: E402

#: Tokens of an answer that are timed; keys are those in the middle of it.
ANSWER = 48


def events(request):
    while request.next()[0] == Event.TOKEN:
        pass


def prompt(length, k):
    return [(t * 7919 + 13 + k) % 1000 for t in range(length)]


def first_token(engine, length):
    """Microseconds."""
    tokens = prompt(length, 0)
    start = time.perf_counter()
    request = engine.submit(tokens, 1)
    request.next()
    taken = time.perf_counter() - start
    events(request)
    return taken * 1e6


def step(engine, sequences, keys):
    """Microseconds a token of each sequence, once all of them run: the last one
    begins last."""
    requests = [engine.submit(prompt(keys - ANSWER // 2, k), ANSWER + sequences - k)
                for k in range(sequences)]
    requests[-1].next()
    start = time.perf_counter()
    events(requests[-1])
    taken = time.perf_counter() - start
    for request in requests:
        events(request)
    return taken * 1e6 / ANSWER


def medians(times):
    return {name: round(statistics.median(t), 1) for name, t in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library")
    parser.add_argument("kernels")
    parser.add_argument("model")
    parser.add_argument("--like", choices=token_peer.MODELS, required=True)
    parser.add_argument("--layers", type=int, default=0)
    parser.add_argument("--cases", default="decode:1:128,decode:1:2048,decode:8:128,"
                        "decode:32:128,prefill:128,prefill:512,prefill:2048,"
                        "prefill:8192")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--weights", choices=WEIGHTS, default="bf16")
    asked = parser.parse_args()
    torch.manual_seed(1)
    torch.set_grad_enabled(False)
    for case in asked.cases.split(","):
        kind, *numbers = case.split(":")
        batch, size = (1, *map(int, numbers))[-2:]
        is_prompt = kind == "prefill"
        peer = token_peer.Model(token_peer.MODELS[asked.like], asked.layers, size,
                                batch, size if is_prompt else 0)
        compiled = [torch.compile(f, dynamic=False)
                    for f in (peer.behind, peer.chosen)]
        graphs = {
            "cuBLAS": token_peer.graph_of(
                lambda m=peer: m.token(m.behind, m.chosen)),
            "torch.compile": token_peer.graph_of(
                lambda m=peer, c=compiled: m.token(*c))}
        times = {"engine": [], **{name: [] for name in graphs}}
        queued = {name: [] for name in graphs}
        tokens = torch.tensor(prompt(size, 0)).pin_memory()
        with Engine(asked.library, asked.model, asked.kernels,
                    positions=size + ANSWER + batch, sequences=batch,
                    weights=asked.weights) as engine:
            for _ in range(asked.rounds):
                if is_prompt:
                    first_token(engine, size)
                times["engine"].append(first_token(engine, size) if is_prompt
                                       else step(engine, batch, size))
                for name, (graph, (best, _)) in graphs.items():
                    queued[name].append(token_peer.microseconds(graph))
                    times[name].append(
                        token_peer.first_token(graph, peer, best, tokens)
                        if is_prompt else queued[name][-1])
            parameters = engine.report()["model"]["parameters"]
        print(json.dumps({
            "model": asked.like, "layers": len(peer.layers), "kind": kind,
            "sequences": batch, "tokens" if is_prompt else "keys": size,
            "parameters": parameters, "weights": asked.weights,
            "us": medians(times), "queued_us": medians(queued),
            "torch": torch.__version__}), flush=True)
        del peer, compiled, graphs
        torch._dynamo.reset()
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
