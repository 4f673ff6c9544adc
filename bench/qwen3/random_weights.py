#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model of random weights in the shapes of a Qwen3, to measure with where there
is no checkpoint. As Hugging Face has it: several files of bf16 with an index, drawn
as transformers initialises them, so that logits stay finite.

  random_weights.py FOLDER --like=0.6B|4B|32B [--layers=N] [--seed=N]

Needs NumPy and safetensors, and memory for one file at a time. The tokenizer is
that of the small model of the tests. FOLDER must not exist; it appears when it is
whole.
"""

import argparse
import json
import pathlib
import shutil
import sys
import zlib

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / ".tools"))
import safetensors  # noqa: E402

#: hidden, MLP, layers, heads of queries, whether the head is the embedding
SHAPES = {"0.6B": (1024, 3072, 28, 16, True), "4B": (2560, 9728, 36, 32, True),
          "32B": (5120, 25600, 64, 64, False)}
VOCABULARY, DEPTH, KEY_HEADS, STD = 151936, 128, 8, 0.02
MAX_FILE = 1 << 30  # bytes of tensors, unless one alone has more
CHUNK = 1 << 22  # numbers that are f32 at a time
MAX_LAYERS = 1024


def config_of(like, layers):
    width, inner, own_layers, heads, is_tied = SHAPES[like]
    layers = layers or own_layers
    return {
        "architectures": ["Qwen3ForCausalLM"], "attention_bias": False,
        "attention_dropout": 0.0, "bos_token_id": 151643, "eos_token_id": 151645,
        "head_dim": DEPTH, "hidden_act": "silu", "hidden_size": width,
        "initializer_range": STD, "intermediate_size": inner,
        "max_position_embeddings": 40960, "max_window_layers": layers,
        "model_type": "qwen3", "num_attention_heads": heads,
        "num_hidden_layers": layers, "num_key_value_heads": KEY_HEADS,
        "rms_norm_eps": 1e-06, "rope_scaling": None, "rope_theta": 1000000,
        "sliding_window": None, "tie_word_embeddings": is_tied,
        "torch_dtype": "bfloat16", "transformers_version": "4.51.0",
        "use_cache": True, "use_sliding_window": False, "vocab_size": VOCABULARY}


def shapes_of(config):
    """By name, in the order of the files."""
    width, inner = config["hidden_size"], config["intermediate_size"]
    queries, keys = config["num_attention_heads"] * DEPTH, KEY_HEADS * DEPTH
    out = {"model.embed_tokens": (VOCABULARY, width)}
    for layer in range(config["num_hidden_layers"]):
        for name, shape in {
                "input_layernorm": (width,), "post_attention_layernorm": (width,),
                "self_attn.q_proj": (queries, width),
                "self_attn.k_proj": (keys, width), "self_attn.v_proj": (keys, width),
                "self_attn.q_norm": (DEPTH,), "self_attn.k_norm": (DEPTH,),
                "self_attn.o_proj": (width, queries),
                "mlp.gate_proj": (inner, width), "mlp.up_proj": (inner, width),
                "mlp.down_proj": (width, inner)}.items():
            out[f"model.layers.{layer}.{name}"] = shape
    out["model.norm"] = (width,)
    if not config["tie_word_embeddings"]:
        out["lm_head"] = (VOCABULARY, width)
    return {f"{name}.weight": shape for name, shape in out.items()}


def files_of(shapes):
    """Lists of names whose tensors make one file each."""
    out, size = [[]], 0
    for name, shape in shapes.items():
        count = 2 * int(np.prod(shape))
        if out[-1] and size + count > MAX_FILE:
            out.append([])
            size = 0
        out[-1].append(name)
        size += count
    return out


def rounded(values):
    """The bits of bf16, to nearest even. values: f32, finite."""
    bits = values.view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def drawn(name, shape, seed):
    """u16 of a shape: bits of bf16. A name has the same ones in every folder of its
    seed and shape."""
    if len(shape) == 1:
        return np.full(shape, 0x3F80, np.uint16)  # norms: 1
    source = np.random.default_rng([seed, zlib.crc32(name.encode())])
    out = np.empty(int(np.prod(shape)), np.uint16)
    for at in range(0, out.size, CHUNK):
        part = out[at:at + CHUNK]
        part[:] = rounded(source.standard_normal(part.size, np.float32)
                          * np.float32(STD))
    return out.reshape(shape)


def write_file(path, names, shapes, seed):
    arrays = {name: drawn(name, shapes[name], seed) for name in names}
    safetensors.serialize_file({
        name: safetensors.TensorSpec(
            dtype="bfloat16", shape=list(array.shape), data_ptr=array.ctypes.data,
            data_len=array.nbytes) for name, array in arrays.items()},
        str(path), {"format": "pt"})


def write(folder, config, seed, tokenizer):
    for file in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copyfile(tokenizer / file, folder / file)
    shapes = shapes_of(config)
    files, where = files_of(shapes), {}
    for number, names in enumerate(files, 1):
        file = f"model-{number:05}-of-{len(files):05}.safetensors"
        write_file(folder / file, names, shapes, seed)
        where.update(dict.fromkeys(names, file))
        print(f"{file}: {len(names)} tensors", flush=True)
    total = sum(2 * int(np.prod(shape)) for shape in shapes.values())
    for file, value in {
            "config.json": config,
            "model.safetensors.index.json": {
                "metadata": {"total_size": total}, "weight_map": where},
            # No token ends an answer: what is measured has its length.
            "generation_config.json": {"do_sample": False, "eos_token_id": []},
            }.items():
        (folder / file).write_text(json.dumps(value, indent=2) + "\n")


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(3, f"random_weights: error: {message}\n")


def main():
    parser = Parser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--like", choices=SHAPES, required=True)
    parser.add_argument("--layers", type=int, help="default: as many as it has")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tokenizer", type=pathlib.Path, metavar="FOLDER",
                        default=ROOT / "tests/qwen3/tiny")
    given = parser.parse_args()
    if given.layers is not None and not 1 <= given.layers <= MAX_LAYERS:
        parser.error(f"--layers is {given.layers}, not from 1 to {MAX_LAYERS}")
    if given.seed < 0:
        parser.error(f"--seed is {given.seed}, below 0")
    if given.folder.exists():
        parser.error(f"{given.folder} exists")
    part = given.folder.with_name(given.folder.name + ".part")
    try:
        part.mkdir(parents=True)
        try:
            write(part, config_of(given.like, given.layers), given.seed,
                  given.tokenizer)
            part.rename(given.folder)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as error:
        parser.error(str(error))
    except safetensors.SafetensorError as error:
        parser.error(f"{part}: {error}")


if __name__ == "__main__":
    main()
