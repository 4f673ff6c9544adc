# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in C++: the structs of <girih/kernel.h> that a file lists,

    template struct girih::kernel::Listed<axpy<128>>;

as kernels of Python. The file is compiled with a compiler of C++20 (g++ 12 or
clang 16 and newer), against the headers in this package, to a program that
writes their texts."""

from __future__ import annotations

import collections.abc
import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile
import threading
import typing

from girih import kernels
from girih.arguments import refuse
from girih.errors import Error, Malformed
from girih.launch import Kernel, load

_PACKAGE = pathlib.Path(__file__).resolve().parent


def _compiler(given: str | None) -> list[str]:
    command = shlex.split(given or os.environ.get("CXX", ""))
    for name in (command[0],) if command else ("c++", "g++", "clang++"):
        found = shutil.which(name)
        if found:
            return [found, *command[1:]]
    raise Error(3, f"{command[0]} cannot be run" if command else
                "there is no compiler of C++: neither c++, g++ nor clang++ is "
                "on PATH", "missing")


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True,
                          errors="replace", stdin=subprocess.DEVNULL)
    if done.returncode:
        raise Malformed(3, f"{command[0]} exits with {done.returncode}:\n"
                        f"{done.stderr.rstrip()}", "malformed")


def record(*files: kernels.Text, cxx: str | None = None,
           options: typing.Sequence[str] = ()) -> dict[str, kernels.KernelFile]:
    """The kernels that files in C++ list, by name: `gemm_128_256` for
    `gemm<128, 256>`. Each is a KernelFile, to be verified, executed and
    compiled. cxx: the compiler, by default that of the variable CXX, or `c++`.
    options: more options of it, `["-Iinclude", "-DBLOCK=128"]`. What the
    compiler or the recorder refuses raises Error with their words."""
    if not files:
        refuse("", "no file is given")
    for file in files:
        if not isinstance(file, (str, os.PathLike)):
            refuse("", f"a {type(file).__name__} is no path")
    if isinstance(options, str):
        refuse("options", ": a str is no list of options")
    with tempfile.TemporaryDirectory(prefix="girih-") as scratch:
        program, texts = f"{scratch}/record", pathlib.Path(scratch, "texts")
        _run([*_compiler(cxx), "-std=c++20", "-O0",
              f"-I{_PACKAGE}/include", *options,
              *(os.path.abspath(os.fspath(f)) for f in files),
              f"{_PACKAGE}/lib/libgirih_record_main.a",
              f"{_PACKAGE}/lib/libgirih_kernel.a", "-o", program])
        _run([program, str(texts)])
        names = (texts / "kernels.txt").read_text().split()
        return {name: kernels.KernelFile(
            (texts / f"{name}.mlir").read_text(), f"{name}.mlir")
            for name in names}


class Module(collections.abc.Mapping[str, Kernel]):
    """Kernels in C++ by name, as attributes and as a mapping: each is verified,
    compiled and loaded when it is asked for first."""

    def __init__(self, texts: dict[str, kernels.KernelFile],
                 folder: pathlib.Path, options: dict[str, typing.Any]) -> None:
        #: The kernels as text.
        self.texts = texts
        self._folder, self._options = folder, options
        self._kernels: dict[str, Kernel] = {}
        self._lock = threading.Lock()

    def __getitem__(self, name: str) -> Kernel:
        with self._lock:
            if name not in self._kernels:
                self._kernels[name] = load(self.texts[name].compile(
                    self._folder / name, **self._options))
            return self._kernels[name]

    def __iter__(self) -> typing.Iterator[str]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)

    def __getattr__(self, name: str) -> Kernel:
        if name.startswith("_") or name not in self.texts:
            raise AttributeError(f"no kernel {name!r} is listed, but "
                                 f"{', '.join(self.texts)}")
        return self[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.texts]

    def __repr__(self) -> str:
        return "\n".join(map(repr, self.texts.values()))


def load_module(*files: kernels.Text, folder: kernels.Text,
                cxx: str | None = None, options: typing.Sequence[str] = (),
                **compile_options: typing.Any) -> Module:
    """The kernels that files in C++ list, ready to be called with torch tensors
    or arrays: `load_module("k.cpp", folder="build").axpy_128(a=2, x=x, y=y)`.
    Their artefacts come into `folder`, each when its kernel is asked for first;
    cubins are kept in the cache. Further options are those of
    `girih.compile`."""
    return Module(record(*files, cxx=cxx, options=options),
                  pathlib.Path(os.fspath(folder)), compile_options)
