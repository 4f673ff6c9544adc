# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How calls fail: nothing else leaves the functions of this package."""

from __future__ import annotations

import typing

if typing.TYPE_CHECKING:
    from girih.results import Diagnostic, Verification


class Error(Exception):
    """Why a call has no result; it has done nothing. The text is what the tools
    print, with source lines where there are any."""

    def __init__(self, code: int, reason: str, kind: str = "",
                 diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(reason)
        #: What a tool would exit with: 1 (artefact, assembler, failed launch),
        #: 2 (not proved), 3 (contract, usage, malformed input), 77 (no GPU).
        self.code = code
        #: `malformed`, `refused`, `usage`, `file`, `missing`, `limit`,
        #: `failed`; or empty.
        self.kind = kind
        #: Of malformed kernels: what is wrong, and where.
        self.diagnostics = diagnostics


class Malformed(Error):
    """The input is no kernel of the language, or no certificate file."""


class Refused(Error):
    """The contract does not admit the call, or an argument would have to be
    taken for another."""


class NotVerified(Error):
    """A kernel that is to be compiled is not VERIFIED."""

    def __init__(self, verification: Verification) -> None:
        super().__init__(verification.exit_code or 1, str(verification),
                         "refused")
        #: What is known of it.
        self.verification = verification


def from_library(kind: str, message: str,
                 diagnostics: tuple[Diagnostic, ...], text: str) -> Error:
    """The exception for an error of the libraries."""
    of = {"malformed": Malformed, "refused": Refused, "usage": Refused}
    code = 1 if kind in ("failed", "limit") else 3
    return of.get(kind, Error)(code, (text or message).rstrip("\n"), kind,
                               diagnostics)
