# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ends the tool, by its exit code."""


class TuneError(Exception):
    """The message names file and place where there is one."""

    code = 1


class Failed(TuneError):
    """A tool failed, or a result is wrong."""


class Unfinished(TuneError):
    """Something is left to do: the same command goes on."""

    code = 2


class Malformed(TuneError):
    """Usage, or input that is not what it should be."""

    code = 3


class NoGpu(TuneError):
    code = 77
