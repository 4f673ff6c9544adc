#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes bytecode/NAME.tilebc of each row of kernels.json: what cuTile Python's
compiler makes of a published kernel, without a GPU. Not run by tests: it needs
the package cuda-tile and checkouts of both repositories at the commits that
kernels.json names.

  compile.py CUTILE_PYTHON TILEGYM [NAME ...]

A parameter "f16 2" is an array of f16 with two axes whose last stride is 1 and
whose address is a multiple of 16, "i32" a number of the launch; all else is a
constant of the kernel.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import sys
import types

import cuda.tile as ct
from cuda.tile.compilation import (ArrayConstraint, CallingConvention,
                                   KernelSignature, ScalarConstraint,
                                   export_kernel)

HERE = pathlib.Path(__file__).resolve().parent
ELEMENTS = {
    "f8E4M3FN": ct.float8_e4m3fn, "f8E8M0FNU": ct.float8_e8m0fnu,
    "f16": ct.float16, "bf16": ct.bfloat16, "f32": ct.float32, "i8": ct.int8,
    "i32": ct.int32,
}
ABSENT = {"torch", "triton", "pytest", "einops", "cupy", "transformers"}


class Base:
    """What a class of an absent module is derived from."""
    apply = None


class Absent(types.ModuleType):
    """A module that kernels name and that compiling them does not need."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        module = Absent(f"{self.__name__}.{name}")
        setattr(self, name, module)
        return module

    def __call__(self, *arguments, **_):
        if len(arguments) == 1 and callable(arguments[0]):
            return arguments[0]
        return lambda function: function

    def __mro_entries__(self, _):
        return (Base,)

    def __or__(self, _):
        return self

    __ror__ = __or__


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds TileGym's own modules, and absent ones for all others."""

    def __init__(self, tilegym):
        self.source = tilegym / "src"

    def find_spec(self, name, _path, _target=None):
        parts = name.split(".")
        if parts[0] == "tilegym":
            file = self.source.joinpath(*parts).with_suffix(".py")
            if parts[:3] == ["tilegym", "ops", "cutile"] and file.exists():
                return importlib.util.spec_from_file_location(name, file)
        elif parts[0] not in ABSENT:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        module = Absent(spec.name)
        if spec.name == "torch":
            for word in ("int32", "int64", "float32", "float16", "bfloat16"):
                setattr(module, word, getattr(ct, word))
        return module

    def exec_module(self, module):
        module.__path__ = [str(self.source.joinpath(*module.__name__.split(".")))]


def load(root, file):
    """The module of a file; what stands beside it is found, too."""
    if file.startswith("src/tilegym"):
        return importlib.import_module(file[len("src/"):-3].replace("/", "."))
    top = file.split("/", maxsplit=1)[0]
    sys.path.insert(0, str(root / top))
    for name in [n for n in sys.modules
                 if n.split(".")[0] in ("utils", "util", "kernels")]:
        del sys.modules[name]
    name = "kernel_of_" + file[:-3].replace("/", "_")
    spec = importlib.util.spec_from_file_location(name, root / file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    sys.path.pop(0)
    return module


def constraint(parameter):
    if not isinstance(parameter, str):
        return parameter
    element, *axes = parameter.split()
    if not axes:
        return ScalarConstraint(ELEMENTS[element])
    axes = int(axes[0])
    return ArrayConstraint(
        ELEMENTS[element], axes, index_dtype=ct.int32,
        stride_lower_bound_incl=0, alias_groups=(), may_alias_internally=False,
        stride_constant=(None,) * (axes - 1) + (1,), base_addr_divisible_by=16)


def main(cutile, tilegym, *names):
    roots = {"NVIDIA/cutile-python": pathlib.Path(cutile).resolve(),
             "NVIDIA/TileGym": pathlib.Path(tilegym).resolve(), "here": HERE}
    sys.meta_path.insert(0, Finder(roots["NVIDIA/TileGym"]))
    os.chdir(HERE)
    for row in json.loads((HERE / "kernels.json").read_text())["kernels"]:
        if names and row["name"] not in names:
            continue
        module = load(roots[row["repository"]], row["file"])
        signature = KernelSignature(
            [constraint(p) for p in row["parameters"]],
            CallingConvention.cutile_python_v1(), symbol=row["function"])
        unspecific = row["version"] >= "13.3"
        export_kernel(getattr(module, row["function"]), [signature],
                      f"bytecode/{row['name']}.tilebc",
                      output_format="tileir_bytecode",
                      bytecode_version=row["version"],
                      gpu_code=None if unspecific else "sm_100")


if __name__ == "__main__":
    main(*sys.argv[1:])
