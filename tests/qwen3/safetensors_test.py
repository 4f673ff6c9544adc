#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of tensors beside the package safetensors, whose format it is.

usage: safetensors_test.py QWEN3 PACKAGES [DRAWS]

A model that the package writes is read whole. Of files that are changed at random
what the package refuses is refused, and what it reads is read; the other way about
only where one of RULES says why.
"""

import ctypes
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.argv[2])
import safetensors  # noqa: E402

SEED, DRAWS = 7, 400
#: What is refused here, though the package reads it: as the message says it.
RULES = ["names a key twice", "is no element that is known", "has the unknown key",
         "has more than 8 axes"]
CONFIG = {
    "architectures": ["Qwen3ForCausalLM"], "attention_bias": False,
    "attention_dropout": 0.0, "bos_token_id": 151643, "eos_token_id": 151645,
    "head_dim": 128, "hidden_act": "silu", "hidden_size": 128,
    "initializer_range": 0.02, "intermediate_size": 192,
    "max_position_embeddings": 40960, "max_window_layers": 2,
    "model_type": "qwen3", "num_attention_heads": 2, "num_hidden_layers": 2,
    "num_key_value_heads": 1, "rms_norm_eps": 1e-06, "rope_scaling": None,
    "rope_theta": 1000000, "sliding_window": None, "tie_word_embeddings": True,
    "torch_dtype": "bfloat16", "transformers_version": "4.51.0",
    "use_cache": True, "use_sliding_window": False, "vocab_size": 300}


def tensors():
    width, inner, depth = 128, 192, 128
    shapes = {"model.embed_tokens": (300, width), "model.norm": (width,)}
    for layer in range(2):
        for name, shape in {
                "input_layernorm": (width,), "post_attention_layernorm": (width,),
                "self_attn.q_proj": (2 * depth, width),
                "self_attn.k_proj": (depth, width),
                "self_attn.v_proj": (depth, width),
                "self_attn.o_proj": (width, 2 * depth),
                "self_attn.q_norm": (depth,), "self_attn.k_norm": (depth,),
                "mlp.gate_proj": (inner, width), "mlp.up_proj": (inner, width),
                "mlp.down_proj": (width, inner)}.items():
            shapes[f"model.layers.{layer}.{name}"] = shape
    return {f"{name}.weight": list(shape) for name, shape in shapes.items()}


def written(shapes):
    buffers, specs = [], {}
    for name, shape in shapes.items():
        count = 2 * math.prod(shape)
        buffer = (ctypes.c_ubyte * count)(*(k * 11 % 256 for k in range(count)))
        buffers.append(buffer)
        specs[name] = safetensors.TensorSpec(
            dtype="bfloat16", shape=shape, data_ptr=ctypes.addressof(buffer),
            data_len=count)
    return bytes(safetensors.serialize(specs, {"format": "pt"}))


def inspected(tool, folder):
    done = subprocess.run([tool, "inspect", str(folder)], capture_output=True,
                          text=True, errors="replace")
    return done.returncode, done.stdout + done.stderr


def changed(source, honest):
    out = bytearray(honest)
    for _ in range(source.randint(1, 2)):
        if len(out) < 2:
            break
        at = source.randrange(len(out))
        byte = source.choice([*b"0123456789{}[],:\"-. ", source.randrange(256)])
        kind = source.randrange(4)
        if kind == 0:
            out[at] = byte
        elif kind == 1:
            out.insert(at, byte)
        elif kind == 2:
            del out[at]
        else:
            del out[source.randrange(1, len(out)):]
    return bytes(out)


def is_read(data):
    try:
        safetensors.deserialize(data)
        return True
    except safetensors.SafetensorError:
        return False


def main(tool, _, draws=DRAWS):
    wrong, read = [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "config.json").write_text(json.dumps(CONFIG))
        file = folder / "model.safetensors"
        file.write_bytes(written(tensors()))
        code, said = inspected(tool, folder)
        if code or "2 layers of 128" not in said or "24 tensors" not in said:
            wrong.append(f"what the package writes: {code}: {said}")
        # In files of a few tensors most changes meet the header.
        small = written({"a": [2, 3], "b": [4]})
        source = random.Random(SEED)
        for number in range(int(draws)):
            data = changed(source, small)
            file.write_bytes(data)
            code, said = inspected(tool, folder)
            refused = "model.safetensors: " in said
            theirs = is_read(data)
            read += theirs
            if code != 3 or refused == theirs and not (
                    refused and any(rule in said for rule in RULES)):
                wrong.append(f"draw {number}: {'read' if theirs else 'refused'} "
                             f"by the package: {code}: {said} {data[:200]}")
    print("".join(f"{line}\n" for line in wrong[:20]) +
          f"{draws} changed files, {read} read by the package, "
          f"{len(wrong)} failures")
    return bool(wrong) or read < int(draws) // 50


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
