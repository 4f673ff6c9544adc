# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The one exception of this package, apart so that each file may raise it."""

#: Codes of Error, which are the exit codes of the tools.
REFUSED, FAILED = 3, 4


class Error(Exception):
    """What cannot be done, with the tool's exit code: REFUSED for bad input, FAILED
    for a broken engine."""

    def __init__(self, message, code=REFUSED):
        super().__init__(message)
        self.code = code
