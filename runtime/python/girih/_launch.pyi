# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What LaunchModule.cpp has: callable bases, for girih/launch.py alone."""

class CallableKernel:
    def __call__(self, **arguments: object) -> None: ...
    def _ready(self, handle: int, names_and_modes: list[tuple[str, int]],
               known: type, vouched: int, /) -> None: ...

class CallableLaunch:
    def __call__(self, stream: object = None) -> None: ...
    def _ready(self, handle: int, device: int,
               tensors: list[tuple[object, bool, str, int, tuple[int, ...],
                                   tuple[int, ...]]], /) -> None: ...
