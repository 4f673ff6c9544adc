#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains the model of tests/qwen3/tiny: a Qwen3 of 4 layers that is small enough
to lie in the repository, and whose answers are not noise, on the text of Python's
standard library. Run once, with torch, transformers and tokenizers:

  train_tiny.py FOLDER [--text=/usr/lib/python3.11] [--minutes=N] [--batch=N]

FOLDER is written at the end, as Hugging Face has it. Progress is a line each 20
steps, in nats a token; then the loss on files that were not trained on. A CPU is
enough; where it is shared, OMP_NUM_THREADS=1 is faster than more. The model of the
tests has 22 minutes of one busy core: 590 steps, from 7.67 to 2.86 nats.
"""

import argparse
import ast
import json
import pathlib
import random
import sys
import time

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
VOCABULARY, LENGTH, SEED = 2048, 256, 7
#: Words, numbers and spaces as the tokenizer of Qwen3 parts them.
WORDS = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
         r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
#: Not text but tables, or not of Python.
LEFT_OUT = {"encodings", "dist-packages", "pydoc_data", "test", "__pycache__"}
#: Fewer characters have no 2,048 tokens.
MIN_TEXT = 1_000_000
#: One file of so many is for the loss at the end.
HELD_OUT = 25
#: Of Qwen3's kind: tools and thoughts are left out of it.
TEMPLATE = """\
{%- if messages[0].role == 'system' %}
    {{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}
{%- endif %}
{%- for message in messages %}
    {%- if message.role == 'assistant' or message.role == 'user' \
or (message.role == 'system' and not loop.first) %}
        {{- '<|im_start|>' + message.role + '\\n' + message.content \
+ '<|im_end|>\\n' }}
    {%- elif message.role != 'system' %}
        {{- raise_exception('the role ' + message.role + ' is unknown') }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
{%- endif %}"""


def chats_of(text):
    """Each function with a docstring, as a question and its answer."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node):
            question = ast.get_docstring(node).splitlines()[0]
            code = ast.get_source_segment(text, node)
            if len(code) < 2000:
                yield (f"<|im_start|>user\n{node.name}: {question}<|im_end|>\n"
                       f"<|im_start|>assistant\n{code}<|im_end|>\n")


def documents(root):
    """Texts to train on, and those to measure with."""
    train, held = [], []
    files = [path for path in sorted(root.rglob("*.py"))
             if not LEFT_OUT & set(path.relative_to(root).parts)]
    for number, path in enumerate(files):
        text = path.read_text(encoding="utf-8", errors="ignore")
        if number % HELD_OUT == 0:
            held.append(text)
        else:
            train.append(text)
            train += chats_of(text)
    random.Random(SEED).shuffle(train)
    return train, held


def tokenizer_of(texts):
    """A byte-level BPE of VOCABULARY tokens, the special ones last."""
    from tokenizers import (Regex, Tokenizer, decoders, models, normalizers,
                            pre_tokenizers, trainers)
    out = Tokenizer(models.BPE())
    out.normalizer = normalizers.NFC()
    out.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(WORDS), behavior="isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    out.decoder = decoders.ByteLevel()
    out.train_from_iterator(texts, trainers.BpeTrainer(
        vocab_size=VOCABULARY - len(SPECIAL), show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    out.add_special_tokens(SPECIAL)
    assert out.get_vocab_size() == VOCABULARY
    return out


def save_tokenizer(tokenizer, folder):
    tokenizer.save(str(folder / "tokenizer.json"))
    end, start, stop = (tokenizer.token_to_id(text) for text in SPECIAL)
    added = {str(number): {"content": text, "lstrip": False, "normalized": False,
                           "rstrip": False, "single_word": False, "special": True}
             for text, number in zip(SPECIAL, (end, start, stop))}
    write(folder / "tokenizer_config.json", {
        "add_bos_token": False, "add_prefix_space": False,
        "added_tokens_decoder": added, "bos_token": None,
        "chat_template": TEMPLATE, "clean_up_tokenization_spaces": False,
        "eos_token": SPECIAL[2], "errors": "replace",
        "model_max_length": 2048, "pad_token": SPECIAL[0],
        "split_special_tokens": False, "tokenizer_class": "Qwen2Tokenizer",
        "unk_token": None})
    write(folder / "generation_config.json", {
        "bos_token_id": end, "do_sample": True, "eos_token_id": [stop, end],
        "pad_token_id": end, "temperature": 0.6, "top_k": 20, "top_p": 0.95})


def write(path, value):
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def config_of(tokenizer):
    """As config.json of Qwen3-0.6B. The MLP of 576 keeps the weights below 8 MB."""
    return {
        "architectures": ["Qwen3ForCausalLM"], "attention_bias": False,
        "attention_dropout": 0.0,
        "bos_token_id": tokenizer.token_to_id(SPECIAL[0]),
        "eos_token_id": tokenizer.token_to_id(SPECIAL[2]), "head_dim": 128,
        "hidden_act": "silu", "hidden_size": 256, "initializer_range": 0.02,
        "intermediate_size": 576, "max_position_embeddings": 2048,
        "max_window_layers": 4, "model_type": "qwen3", "num_attention_heads": 4,
        "num_hidden_layers": 4, "num_key_value_heads": 2, "rms_norm_eps": 1e-6,
        "rope_scaling": None, "rope_theta": 1000000, "sliding_window": None,
        "tie_word_embeddings": True, "torch_dtype": "bfloat16",
        "transformers_version": "4.51.0", "use_cache": True,
        "use_sliding_window": False, "vocab_size": VOCABULARY}


def rate(share):
    """Of the optimisers, by the share of the time that is gone: up within 3%, then
    constant, and down to 0 in the last 45%."""
    return max(0.0, min(1.0, 0.05 + share / 0.03, (1 - share) / 0.45))


def orthogonal(matrix):
    """matrix with its singular values moved near 1, by five steps of the quintic
    iteration of Newton and Schulz with the constants of Muon (Jordan, 2024); in f32,
    as CPUs are slow in bf16."""
    x = matrix.T if matrix.shape[0] > matrix.shape[1] else matrix
    x = x / (x.norm() + 1e-7)
    for _ in range(5):
        square = x @ x.T
        x = 3.4445 * x + (2.0315 * square @ square - 4.7750 * square) @ x
    x = x.T if matrix.shape[0] > matrix.shape[1] else x
    return x * max(1, matrix.shape[0] / matrix.shape[1]) ** 0.5


class Muon:
    """Momentum whose steps are made orthogonal; for the matrices of the layers."""

    def __init__(self, matrices, lr=0.02, momentum=0.95):
        self.lr, self.momentum = lr, momentum
        self.sums = {p: p.detach() * 0 for p in matrices}

    def step(self, scale):
        for p, total in self.sums.items():
            total.mul_(self.momentum).add_(p.grad)
            step = orthogonal(p.grad + self.momentum * total)
            p.data.mul_(1 - 0.05 * self.lr * scale)
            p.data.add_(step, alpha=-self.lr * scale)


def train(model, tokens, minutes, batch):
    """tokens: i64[n]. Muon for the matrices of the layers, Adam for the rest."""
    import torch
    named = list(model.named_parameters())
    matrices = [p for name, p in named if p.ndim == 2 and "embed" not in name]
    others = [p for name, p in named if p.ndim != 2 or "embed" in name]
    muon = Muon(matrices)
    adam = torch.optim.AdamW(others, betas=(0.9, 0.98), weight_decay=0.0)
    rows = rows_of(tokens)
    source = torch.Generator().manual_seed(SEED)
    order, step, shown = torch.empty(0, dtype=torch.int64), 0, []
    began = time.time()
    while (gone := time.time() - began) < 60 * minutes:
        if len(order) < batch:
            order = torch.randperm(len(rows), generator=source)
        chosen, order = order[:batch], order[batch:]
        loss = loss_of(model, rows[chosen])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scale = rate(gone / (60 * minutes))
        adam.param_groups[0]["lr"] = 4e-3 * scale
        adam.step()
        muon.step(scale)
        model.zero_grad()
        step += 1
        shown.append(loss.item())
        if step % 20 == 0 or step == 1:
            print(f"step {step}, {gone:.0f} s: {sum(shown) / len(shown):.3f} nats",
                  flush=True)
            shown = []


def rows_of(tokens):
    """i64[rows, LENGTH + 1] of i64[n], without what is left over."""
    count = len(tokens) // (LENGTH + 1)
    return tokens[:count * (LENGTH + 1)].view(count, LENGTH + 1)


def loss_of(model, rows):
    """Nats a token. rows: i64[b, n + 1]."""
    import torch
    logits = model(rows[:, :-1], use_cache=False).logits
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1),
                                             rows[:, 1:].flatten())


def save_model(model, config, folder):
    """In bf16; the head is the embedding and not written."""
    import torch
    from safetensors.torch import save_file
    tensors = {name: p.detach().to(torch.bfloat16).contiguous()
               for name, p in model.named_parameters()}
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    write(folder / "config.json", config)


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(3, f"train_tiny: error: {message}\n")


def main():
    parser = Parser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--text", type=pathlib.Path,
                        default=pathlib.Path("/usr/lib/python3.11"))
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--batch", type=int, default=8)
    arguments = parser.parse_args()

    if not (arguments.minutes > 0 and arguments.batch > 0):
        parser.error("--minutes and --batch are above 0")
    texts, held = documents(arguments.text)
    if sum(map(len, texts)) < MIN_TEXT:
        parser.error(f"{arguments.text} has less than {MIN_TEXT} characters of Python")

    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM
    torch.manual_seed(SEED)
    tokenizer = tokenizer_of(texts)
    config = config_of(tokenizer)

    def tokens_of(texts):
        return torch.tensor([number for text in texts for number in
                             [*tokenizer.encode(text).ids, config["bos_token_id"]]])
    tokens = tokens_of(texts)
    print(f"{len(texts)} texts, {len(tokens)} tokens", flush=True)
    model = Qwen3ForCausalLM(Qwen3Config(
        **{key: value for key, value in config.items() if key != "torch_dtype"}))
    model.float()
    train(model, tokens, arguments.minutes, arguments.batch)

    for parameter in model.parameters():
        parameter.data = parameter.data.to(torch.bfloat16).float()
    with torch.no_grad():
        losses = [loss_of(model, rows).item()
                  for rows in rows_of(tokens_of(held))[:128].split(8)]
    arguments.folder.mkdir(parents=True, exist_ok=True)
    save_tokenizer(tokenizer, arguments.folder)
    save_model(model, config, arguments.folder)
    print(f"on files that were not trained on: {sum(losses) / len(losses):.3f} nats")


if __name__ == "__main__":
    main()
