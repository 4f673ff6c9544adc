# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of random weights for tests, with sizes other than the small model's."""

import json
import pathlib

import numpy as np

TINY = pathlib.Path(__file__).resolve().parent / "tiny"


def bf16(values):
    """Bits, to nearest even."""
    bits = values.astype(np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def write(folder, seed, **sizes):
    """A model with a head of its own, whose config.json has these sizes in place of
    the small model's. Norms are about 1, the rest has a deviation of 0.1."""
    config = json.loads((TINY / "config.json").read_text())
    config |= sizes | {"tie_word_embeddings": False}
    (folder / "config.json").write_text(json.dumps(config))
    width, inner = config["hidden_size"], config["intermediate_size"]
    queries = 128 * config["num_attention_heads"]
    keys = 128 * config["num_key_value_heads"]
    shapes = {"model.embed_tokens": (config["vocab_size"], width),
              "model.norm": (width,), "lm_head": (config["vocab_size"], width)}
    for layer in range(config["num_hidden_layers"]):
        for name, shape in {
                "input_layernorm": (width,), "post_attention_layernorm": (width,),
                "self_attn.q_proj": (queries, width),
                "self_attn.k_proj": (keys, width),
                "self_attn.v_proj": (keys, width),
                "self_attn.o_proj": (width, queries),
                "self_attn.q_norm": (128,), "self_attn.k_norm": (128,),
                "mlp.gate_proj": (inner, width), "mlp.up_proj": (inner, width),
                "mlp.down_proj": (width, inner)}.items():
            shapes[f"model.layers.{layer}.{name}"] = shape
    rng = np.random.default_rng(seed)
    header, data = {}, bytearray()
    for name, shape in shapes.items():
        values = rng.normal(size=shape) * 0.1 + (len(shape) == 1)
        bits = bf16(values).tobytes()
        header[f"{name}.weight"] = {
            "dtype": "BF16", "shape": list(shape),
            "data_offsets": [len(data), len(data) + len(bits)]}
        data += bits
    text = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(
        len(text).to_bytes(8, "little") + text + data)
