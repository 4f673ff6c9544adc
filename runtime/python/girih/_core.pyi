# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C++ libraries, as girih.kernels calls them. Texts and paths are bytes, and
arrays the bytes of doubles or of 64-bit integers."""

import typing

from girih.results import Artefact, Execution, Signature, TileIr, Verification

# Element, shape, whether the numbers are floats, and their bytes.
_Array = tuple[str, tuple[int, ...], bool, bytes]

class VerifiedKernels:
    """Kernels that are all VERIFIED: only `verify` makes one."""

class Executor:
    def __init__(self, name: bytes, text: bytes | None) -> None: ...
    @property
    def signature(self) -> Signature: ...
    def run(self, symbols: dict[str, int], scalars: dict[str, float],
            inputs: dict[str, tuple[list[int], bool, bytes]],
            contents: typing.Mapping[str, typing.Sequence[int]],
            options: object) -> tuple[
                Execution,
                dict[str, tuple[_Array, _Array | None, _Array | None]]]:
        """What became of the launch, and its tensors: values, bounds, what is
        defined."""

def version() -> str: ...
def architectures() -> tuple[str, ...]: ...
def verify(name: bytes, text: bytes | None, certificates: bytes | None,
           stored: bool, search: bool, cross_check: bool, suggest: bool,
           index_width: int, steps: int, threads: int) -> Verification: ...
def tile_ir(kernels: VerifiedKernels, architectures: list[str],
            allow_trust: bool) -> tuple[TileIr, ...]: ...
def compile(kernels: VerifiedKernels, folder: bytes, architectures: list[str],
            allow_trust: bool, line_info: bool, tileiras: bytes,
            time_limit: int, cache: bytes | None,
            signing_key: bytes) -> Artefact: ...
