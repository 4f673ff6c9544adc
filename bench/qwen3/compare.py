#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Logits of the engine beside those of transformers, on a GPU.

  compare.py LIBRARY KERNELS MODEL [--tokens=N] [--sequences=N] [--seed=N]
             [--weights=bf16|f8|int4]

Of a prompt of random tokens: how far the logits of its last token are from those
of transformers in f32, as the root mean square of the differences over that of the
logits, by the engine, which takes the prompt at once or token by token, and by
transformers in bf16, with the two ways it has to compute attention. Prints JSON.
"""

import argparse
import json
import pathlib
import sys

import torch
import transformers

sys.path.append(str(pathlib.Path(__file__).resolve().parent / "python"))
from qwen3.engine import WEIGHTS, Engine  # noqa: E402


def peer(model, tokens, dtype, attention):
    """f64[vocabulary] on the CPU."""
    network = transformers.AutoModelForCausalLM.from_pretrained(
        model, dtype=dtype, attn_implementation=attention).cuda()
    with torch.no_grad():
        ids = torch.tensor([tokens], device="cuda")
        logits = network(ids, logits_to_keep=1).logits[0, -1].double().cpu()
    del network
    torch.cuda.empty_cache()
    return logits


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library")
    parser.add_argument("kernels")
    parser.add_argument("model")
    parser.add_argument("--tokens", type=int, default=100)
    parser.add_argument("--sequences", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", choices=WEIGHTS, default="bf16")
    asked = parser.parse_args()
    # Products in f32, not in tf32.
    torch.set_float32_matmul_precision("highest")
    config = transformers.AutoConfig.from_pretrained(asked.model)
    torch.manual_seed(asked.seed)
    tokens = torch.randint(config.vocab_size, (asked.tokens,)).tolist()
    exact = peer(asked.model, tokens, torch.float32, "eager")

    def error(logits):
        logits = torch.as_tensor(logits, dtype=torch.float64)
        return round(float((logits - exact).pow(2).mean().sqrt()
                           / exact.pow(2).mean().sqrt()), 5)

    with Engine(asked.library, asked.model, asked.kernels,
                positions=asked.tokens + 1, sequences=asked.sequences,
                weights=asked.weights) as engine:
        errors = {"engine, at once": error(engine.logits(tokens)),
                  "engine, by steps": error(engine.logits(tokens, by_step=True))}
    for attention in ("eager", "sdpa"):
        errors[f"transformers, bf16, {attention}"] = error(
            peer(asked.model, tokens, torch.bfloat16, attention))
    print(json.dumps({"layers": config.num_hidden_layers,
                      "width": config.hidden_size, "tokens": len(tokens),
                      "sequences": asked.sequences, "weights": asked.weights,
                      "error": errors}))


if __name__ == "__main__":
    main()
