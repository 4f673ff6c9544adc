# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an artefact's manifest says of its contract, for a reader. What is
checked is the library's own reading of it."""

from __future__ import annotations

import inspect
import json
import os

from girih.arguments import Shown, refuse


def read(folder: bytes) -> dict:
    """The manifest in a folder that the library has accepted."""
    try:
        with open(os.path.join(folder, b"manifest.json"), "rb") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        refuse("", f"{os.fsdecode(folder)} has changed since: {error}")


def _expression(value: int | dict) -> str:
    if isinstance(value, int):
        return str(value)
    if "symbol" in value:
        return value["symbol"]
    a, b = map(_expression, value["args"])
    op = value["op"]
    return f"({a} {op} {b})" if op in "+-*" else f"{op}({a}, {b})"


def _factors(value: int | dict) -> tuple[int, tuple[str, ...]] | None:
    """A product as its number and its symbols; None for what is no product."""
    if isinstance(value, int):
        return value, ()
    if "symbol" in value:
        return 1, (value["symbol"],)
    a, b = map(_factors, value["args"])
    if value["op"] != "*" or a is None or b is None:
        return None
    return a[0] * b[0], tuple(sorted(a[1] + b[1]))


def _packed(dims: list) -> list:
    """The strides of a packed tensor, as products."""
    strides: list[tuple] = []
    number, symbols = 1, tuple[str, ...]()
    for dim in reversed(dims):
        strides.insert(0, (number, tuple(sorted(symbols))))
        more, others = _factors(dim) or (1, ())
        number, symbols = number * more, symbols + others
    return strides


def _argument(argument: dict) -> str:
    if argument["kind"] == "scalar":
        return argument["dtype"]
    dims, strides = argument["dims"], argument["strides"]
    text = (f"{argument['mode']}{' partial' if argument['partial'] else ''} "
            f"{argument['dtype']}[{', '.join(map(_expression, dims))}]")
    if list(map(_factors, strides)) != _packed(dims):
        text += f" strides [{', '.join(map(_expression, strides))}]"
    if argument["align"] != 16:
        text += f" align {argument['align']}"
    return text


def signature(manifest: dict) -> inspect.Signature:
    """Arguments by keyword; extents need not be given."""
    parameters = [inspect.Parameter(
        a["name"], inspect.Parameter.KEYWORD_ONLY,
        annotation=Shown(_argument(a))) for a in manifest["arguments"]]
    parameters += [inspect.Parameter(
        s["name"], inspect.Parameter.KEYWORD_ONLY,
        annotation=Shown(s["type"]), default=inspect.Parameter.empty
        if s["source"] == "caller" else Shown("inferred"))
        for s in manifest["symbols"]]
    return inspect.Signature(parameters)


def contracts(manifest: dict) -> tuple[str, ...]:
    """Of each variant a line."""
    call = ", ".join(f"{a['name']}: {_argument(a)}"
                     for a in manifest["arguments"])
    # Extents are in the types.
    symbols = ", ".join(f"{s['name']} : {s['type']}" for s in
                        manifest["symbols"] if s["source"] == "caller")
    # Of a kernel's entry points the last one takes whatever the contract does.
    kernels = {variant["digest"]: variant for variant in manifest["variants"]}
    return tuple(_contract(variant, call, symbols)
                 for variant in kernels.values())


def _contract(variant: dict, call: str, symbols: str) -> str:
    line = f"@{variant['name']}({call})"
    for word, texts in (
            ("symbols", [symbols] if symbols else []),
            ("grid", list(map(_expression, variant["grid"]))),
            ("when", [c["text"] for c in variant["when"]]),
            ("requires", [c["text"] for c in variant["requires"]]),
            ("given", [g["text"] + " assumed" * g["assumed"]
                       for g in variant["given"]])):
        if texts:
            line += f" {word} [{', '.join(texts)}]"
    return line
