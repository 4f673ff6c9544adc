# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Qwen3 in NumPy, to be read beside the engine: what each layer computes, one
line each, in f32 or f64. Source: transformers, modeling_qwen3. Slow, and right."""

import json
import pathlib

import numpy as np
import safetensors


def tensors_of(folder):
    """f32 arrays by name, of one file or of those that an index names."""
    folder = pathlib.Path(folder)
    index = folder / "model.safetensors.index.json"
    files = ["model.safetensors"]
    if index.exists():
        files = sorted(set(json.loads(index.read_text())["weight_map"].values()))
    out = {}
    for file in files:
        for name, tensor in safetensors.deserialize((folder / file).read_bytes()):
            assert tensor["dtype"] == "BF16", f"{name} is {tensor['dtype']}"
            bits = np.frombuffer(tensor["data"], "<u2").astype(np.uint32) << 16
            out[name] = bits.view(np.float32).reshape(tensor["shape"])
    return out


#: The numbers of f8E4M3FN from 0 on, by their bytes.
E4M3 = np.array([(c & 7) * 2.0 ** -9 if c < 8 else (8 + (c & 7)) * 2.0 ** ((c >> 3) - 10)
                 for c in range(127)])


def nearest_f8(x):
    """To even; of at most 448."""
    size = np.abs(x)
    above = np.searchsorted(E4M3, size).clip(1, 126)
    low, high = size - E4M3[above - 1], E4M3[above] - size
    up = (high < low) | ((high == low) & (above % 2 == 0))
    return np.sign(x) * E4M3[np.where(up, above, above - 1)]


def in_f8(matrix):
    """f32[rows, columns], rounded to f8E4M3FN with a scale a row."""
    scale = np.abs(matrix).max(-1, keepdims=True) / np.float32(448)
    scale[scale == 0] = 1
    return nearest_f8(matrix / scale).astype(np.float32) * scale


def in_bf16(numbers):
    """To nearest, ties to even, of numbers that are none of NaN."""
    bits = np.ascontiguousarray(numbers, np.float32).view(np.uint32).astype(np.uint64)
    bits = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16
    return bits.astype(np.uint32).view(np.float32)


def in_int4(matrix):
    """f32[rows, columns], rounded to whole numbers from -7 to 7 with a scale in bf16
    for each group of 128 columns."""
    rows, columns = matrix.shape
    groups = np.pad(matrix, ((0, 0), (0, -columns % 128))).reshape(rows, -1, 128)
    scale = in_bf16(np.abs(groups).max(-1, keepdims=True) / np.float32(7))
    numbers = np.rint(groups / np.where(scale == 0, 1, scale)).clip(-7, 7) * scale
    return numbers.astype(np.float32).reshape(rows, -1)[:, :columns]


class Reference:
    """A model of a folder. Keys and values of the tokens so far are kept: each call
    goes on where the last one ended. `weights`: bf16, as they are; f8: those of
    products, the head's too; int4: the same, but the head's in f8."""

    def __init__(self, folder, dtype=np.float32, weights="bf16"):
        self.config = json.loads((pathlib.Path(folder) / "config.json").read_text())
        self.dtype = dtype
        self.weights = {name: array.astype(dtype)
                        for name, array in tensors_of(folder).items()}
        self.head = ("model.embed_tokens" if self.config["tie_word_embeddings"]
                     else "lm_head")
        if weights != "bf16":
            self.weights["f8.weight"] = self.weights[f"{self.head}.weight"]
            self.head = "f8"
            for name, array in self.weights.items():
                if array.ndim == 2 and name != "model.embed_tokens.weight":
                    to = (in_int4 if weights == "int4" and name != "f8.weight"
                          else in_f8)
                    self.weights[name] = to(array.astype(np.float32)).astype(dtype)
        self.forget()

    def forget(self):
        self.keys = [None] * self.config["num_hidden_layers"]
        self.values = list(self.keys)
        self.position = 0

    def norm(self, x, name):
        """x: [..., n], by its root mean square."""
        square = np.mean(x * x, axis=-1, keepdims=True, dtype=self.dtype)
        scale = self.dtype(1) / np.sqrt(square + self.dtype(self.config["rms_norm_eps"]))
        return self.weights[f"{name}.weight"] * (x * scale)

    def linear(self, x, name):
        return x @ self.weights[f"{name}.weight"].T

    def heads(self, x, count):
        """[tokens, count * depth] to [count, tokens, depth]"""
        return x.reshape(len(x), count, -1).swapaxes(0, 1)

    def turned(self, x):
        """x: [heads, tokens, depth], pairs (i, i + depth / 2) by their angle."""
        depth = x.shape[-1]
        exponents = np.arange(0, depth, 2).astype(self.dtype) / self.dtype(depth)
        frequencies = self.dtype(1) / self.dtype(self.config["rope_theta"]) ** exponents
        positions = np.arange(self.position, self.position + x.shape[1])
        angles = positions.astype(self.dtype)[:, None] * frequencies
        cos, sin = np.cos(angles), np.sin(angles)
        low, high = x[..., :depth // 2], x[..., depth // 2:]
        return np.concatenate([low * cos - high * sin, high * cos + low * sin], -1)

    def attention(self, x, layer):
        at = f"model.layers.{layer}.self_attn"
        heads = self.config["num_attention_heads"]
        key_heads = self.config["num_key_value_heads"]
        q = self.turned(self.norm(self.heads(self.linear(x, f"{at}.q_proj"), heads),
                                  f"{at}.q_norm"))
        k = self.turned(self.norm(self.heads(self.linear(x, f"{at}.k_proj"),
                                             key_heads), f"{at}.k_norm"))
        v = self.heads(self.linear(x, f"{at}.v_proj"), key_heads)
        if self.position:
            k = np.concatenate([self.keys[layer], k], 1)
            v = np.concatenate([self.values[layer], v], 1)
        self.keys[layer], self.values[layer] = k, v
        k, v = (np.repeat(a, heads // key_heads, 0) for a in (k, v))
        scores = q @ k.swapaxes(1, 2) / self.dtype(q.shape[-1]) ** self.dtype(0.5)
        queries = self.position + np.arange(len(x))
        scores[:, np.arange(k.shape[1]) > queries[:, None]] = -np.inf
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        return self.linear((weights @ v).swapaxes(0, 1).reshape(len(x), -1),
                           f"{at}.o_proj")

    def mlp(self, x, layer):
        at = f"model.layers.{layer}.mlp"
        gate = self.linear(x, f"{at}.gate_proj")
        return self.linear(gate / (1 + np.exp(-gate)) * self.linear(x, f"{at}.up_proj"),
                           f"{at}.down_proj")

    def logits(self, tokens):
        """[tokens, vocabulary], of each token that follows those so far."""
        x = self.weights["model.embed_tokens.weight"][np.asarray(tokens)]
        for layer in range(self.config["num_hidden_layers"]):
            at = f"model.layers.{layer}"
            x = x + self.attention(self.norm(x, f"{at}.input_layernorm"), layer)
            x = x + self.mlp(self.norm(x, f"{at}.post_attention_layernorm"), layer)
        self.position += len(x)
        return self.linear(self.norm(x, "model.norm"), self.head)

    def greedy(self, tokens, count):
        """The next count tokens, each the first of the largest logit."""
        self.forget()
        out, step = [], tokens
        while len(out) < count:
            out.append(int(np.argmax(self.logits(step)[-1])))
            step = out[-1:]
        return out
