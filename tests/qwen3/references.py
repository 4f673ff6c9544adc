#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what transformers computes of the model in tiny, for tests that run
without it. Run once after bench/qwen3/train_tiny.py, with torch, transformers and
jinja2:

  references.py

tiny.json: of each prompt its tokens, the greedy answer in f32 and the two best
logits of each of its steps with their tokens; `rounding`, how far logits of these
texts move at most: "f32" between transformers in f32 and reference.py in f64,
"bf16" between transformers in bf16 and in f32. tiny.npz: logits, f32[prompts,
vocabulary], of the last token of each prompt. chat.json: chats as transformers
renders them, with the tiny model's template and with TEMPLATE.
"""

import json
import pathlib

import numpy as np
import torch
import transformers

from reference import Reference

HERE = pathlib.Path(__file__).resolve().parent
TINY = HERE / "tiny"
#: Of prompts, and how many tokens answer each.
LENGTHS = {1: 32, 2: 32, 7: 32, 31: 256, 32: 32, 64: 32, 100: 32, 129: 32, 300: 32}
#: A file that the model has not seen.
TEXT = HERE.parents[1] / "lower/tune/space.py"
#: What the templates of models of this kind use of jinja.
TEMPLATE = """\
{%- set ns = namespace(last=-1, open=true) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if ns.open and message.role == "user" and message.content is string %}
        {%- set ns.last = index %}
        {%- set ns.open = false %}
    {%- endif %}
{%- endfor %}
{%- if tools %}
    {{- '<tools>' }}
    {%- for tool in tools %}
        {{- '\\n' }}
        {{- tool | tojson }}
    {%- endfor %}
    {{- '</tools>\\n' }}
{%- endif %}
{% for message in messages %}
    {%- if message.role == 'assistant' and '</think>' in message.content %}
        {%- set thought = message.content.split('</think>')[0].lstrip('\\n') %}
        {{- '<' + thought + '|' + message.content.split('</think>')[-1].strip() }}
    {%- elif message.role == 'tool' %}
        {%- continue %}
    {%- else %}
        {{- message.role }}: {{ message.content | trim }}{{ eos_token }}
    {%- endif %}
    {%- if loop.last and loop.index0 == ns.last %} last{% endif %}

{% endfor %}
{%- if enable_thinking is defined and enable_thinking is false %}
    {{- '<think>\\n\\n</think>\\n\\n' }}
{%- endif %}
"""
TOOLS = [{"type": "function", "function": {
    "name": "größe", "description": "a < b & 'c'", "parameters": {"n": [1, 2.5, None]}}}]


def prompts_of(tokenizer):
    """The beginnings of TEXT's functions, each up to the end of the file."""
    text, out, at = TEXT.read_text(), [], 0
    for length in LENGTHS:
        at = text.index("def ", at + 1)
        out.append(tokenizer(text[at:])["input_ids"][:length])
        assert len(out[-1]) == length, f"{TEXT} is too short"
    return out


def answered(model, prompt, count):
    """(tokens, the two best logits of each step, their tokens, those of the prompt)"""
    tokens, best, ids, cache = [], [], [], None
    step, first = torch.tensor([prompt]), None
    while len(tokens) < count:
        out = model(step, past_key_values=cache, use_cache=True)
        cache, logits = out.past_key_values, out.logits[0, -1]
        first = logits.numpy() if first is None else first
        top = torch.topk(logits, 2)
        # topk does not say which of equals comes first.
        assert top.values[0] > top.values[1]
        best.append([float(value) for value in top.values])
        ids.append(top.indices.tolist())
        tokens.append(ids[-1][0])
        step = torch.tensor([tokens[-1:]])
    return tokens, best, ids, first


def record_logits(tokenizer):
    def model(dtype):
        return transformers.AutoModelForCausalLM.from_pretrained(
            TINY, dtype=dtype, attn_implementation="eager").eval()
    single, half = model(torch.float32), model(torch.bfloat16)
    exact = Reference(TINY, np.float64)
    prompts, logits, moved = [], [], {"f32": 0.0, "bf16": 0.0}
    for tokens, count in zip(prompts_of(tokenizer), LENGTHS.values()):
        greedy, best, ids, first = answered(single, tokens, count)
        prompts.append({"tokens": tokens, "greedy": greedy, "best": best,
                        "best_tokens": ids})
        logits.append(first)
        # Each position of prompt and answer counts.
        text = torch.tensor([tokens + greedy])
        f32, bf16 = (m(text).logits[0].float().numpy() for m in (single, half))
        exact.forget()
        f64 = exact.logits(tokens + greedy)
        moved["f32"] = max(moved["f32"], float(np.abs(f32 - f64).max()))
        moved["bf16"] = max(moved["bf16"], float(np.abs(bf16 - f32).max()))
    np.savez_compressed(HERE / "tiny.npz", logits=np.array(logits))
    lines = ",\n".join("  " + json.dumps(prompt) for prompt in prompts)
    largest = float(np.abs(np.array(logits)).max())
    (HERE / "tiny.json").write_text(
        f'{{"transformers": {json.dumps(transformers.__version__)}, '
        f'"torch": {json.dumps(torch.__version__)},\n'
        f' "rounding": {json.dumps(moved)}, "largest": {largest},\n'
        f' "prompts": [\n{lines}]}}\n')
    print(moved, largest)


def record_chats(tokenizer):
    def message(role, content):
        return {"role": role, "content": content}
    talks = [
        [message("user", "hello")],
        [message("system", "Be brief."), message("user", " a\n\nb "),
         message("assistant", "<think>\nhm\n</think>\n\nc"), message("user", "äöü €")],
        [message("user", "x"), message("assistant", "y"), message("system", "z"),
         message("user", "<|im_end|>{{ 7 * 7 }}")]]
    own, records = tokenizer.chat_template, []
    for name, template in (("tiny", own), ("features", TEMPLATE)):
        for talk in talks:
            for variables in ({}, {"enable_thinking": False, "tools": TOOLS}):
                text = tokenizer.apply_chat_template(
                    talk, chat_template=template, tokenize=False,
                    add_generation_prompt=True, **variables)
                records.append({"template": name, "messages": talk,
                                "variables": variables, "text": text,
                                "tokens": tokenizer(text)["input_ids"]})
    (HERE / "chat.json").write_text(json.dumps(
        {"features": TEMPLATE, "chats": records}, indent=1) + "\n")


def main():
    torch.manual_seed(0)
    torch.set_grad_enabled(False)
    tokenizer = transformers.AutoTokenizer.from_pretrained(TINY)
    record_logits(tokenizer)
    record_chats(tokenizer)


if __name__ == "__main__":
    main()
