# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is known of kernels and launches, as plain data. The fields are those of
the C++ headers girih/checker.h, girih/executor.h and girih/compiler.h."""

from __future__ import annotations

import dataclasses
import enum
import os
import typing

if typing.TYPE_CHECKING:
    import numpy

    from girih import _core


class Verdict(enum.Enum):
    """What is known of a kernel."""

    VERIFIED = "VERIFIED"  #: the judge accepted all certificates
    REFUTED = "REFUTED"  #: a launch breaks a rule; the executor has run it
    UNKNOWN = "UNKNOWN"  #: neither
    UNSATISFIABLE = "UNSATISFIABLE"  #: no launch meets the contract

    def __str__(self) -> str:
        return self.value


class Status(enum.Enum):
    """What is known of one obligation."""

    PROVED = "proved"  #: the judge accepted its certificate
    REFUTED = "refuted"  #: a counterexample breaks it
    UNKNOWN = "unknown"  #: neither
    BLOCKED = "blocked"  #: it rests on an obligation that is not proved

    def __str__(self) -> str:
        return self.value


@dataclasses.dataclass(frozen=True)
class SourceRange:
    """A place in a source. Numbers start at 1; 0 says that it is unknown."""

    line: int
    column: int  #: in bytes
    columns: int  #: how many bytes of the line are meant; 0 for a point


@dataclasses.dataclass(frozen=True)
class Note:
    """A sentence that belongs to a diagnostic."""

    kind: str  #: `counterexample`, `help`, `rule`, `replay`, ...; or empty
    text: str


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """What is wrong with a kernel, and where."""

    severity: str  #: `error` or `warning`
    rule: str  #: by its name in spec/Rules.def; empty for what the reader says
    message: str
    at: SourceRange
    other: SourceRange | None  #: the second place of a clash
    notes: tuple[Note, ...]


@dataclasses.dataclass(frozen=True)
class Obligation:
    """Something that the kernel must keep at every launch."""

    rule: str  #: `claim.bounds`
    label: str  #: which instance of it: `axis 0, upper`
    location: str  #: `file:line:column`
    text: str = dataclasses.field(repr=False)  #: the formula
    hash: str = dataclasses.field(repr=False)  #: SHA-256 of rule and formula
    status: Status
    certificate: str = dataclasses.field(repr=False)  #: empty unless proved
    reason: str  #: why it is not proved; or empty


@dataclasses.dataclass(frozen=True)
class Counterexample:
    """A launch that breaks a rule; `girih.replay` runs it."""

    obligation: int  #: its number in `KernelVerdict.obligations`
    rule: str
    symbols: dict[str, int]  #: a value for each launch symbol
    grid: tuple[int, ...]
    #: What integer tensors hold, in row-major order, as far as it matters.
    contents: dict[str, tuple[int, ...]]
    block: tuple[int, ...]  #: the block that breaks the rule
    trips: tuple[int, ...]  #: of its loops, outermost first, from 0
    other_block: tuple[int, ...]  #: of a clash: the other block; or empty
    other_trips: tuple[int, ...]
    tensor: str  #: the tensor concerned; or empty
    element: tuple[int, ...]  #: its first element concerned
    message: str  #: what the block does
    replay: str  #: the command that shows it


@dataclasses.dataclass(frozen=True)
class OptOut:
    """Something that a kernel asks to be believed."""

    form: str  #: `raw`, `trust` or `given`
    text: str
    location: str


@dataclasses.dataclass(frozen=True)
class KernelVerdict:
    """What is known of one kernel of a file."""

    name: str  #: without `@`
    variants: str  #: the list that names it; or empty
    verdict: Verdict
    obligations: tuple[Obligation, ...] = dataclasses.field(repr=False)
    counterexamples: tuple[Counterexample, ...]
    diagnostics: tuple[Diagnostic, ...] = dataclasses.field(repr=False)
    diagnostics_left_out: int
    model: dict[str, int] | None  #: a launch that meets the contract
    opt_outs: tuple[OptOut, ...]  #: what a VERIFIED kernel rests on
    witnesses: tuple[str, ...] = dataclasses.field(repr=False)
    disagreements: tuple[int, ...]  #: of judge and Z3, with `cross_check`
    digest: str = dataclasses.field(repr=False)  #: of a VERIFIED kernel's text
    text: str = dataclasses.field(repr=False)  #: what `tile-verify` prints

    @property
    def counterexample(self) -> Counterexample | None:
        """The first one, of a REFUTED kernel."""
        return self.counterexamples[0] if self.counterexamples else None

    @property
    def exit_code(self) -> int:
        """What `tile-verify` exits with for this kernel."""
        if self.verdict is Verdict.VERIFIED:
            return 2 if self.opt_outs else 0
        return {Verdict.REFUTED: 1, Verdict.UNKNOWN: 2}.get(self.verdict, 3)

    def __str__(self) -> str:
        return self.text.rstrip("\n")


@dataclasses.dataclass(frozen=True)
class Verification:
    """What became of a file. As a condition it is true when every kernel is
    VERIFIED without opt-outs, as exit code 0 of `tile-verify`; printed, it is
    what `tile-verify` prints."""

    kernels: tuple[KernelVerdict, ...]  #: in the order of the file's list
    #: What `tile-verify --save` writes.
    certificates: str = dataclasses.field(repr=False)
    #: What `girih.compile` takes; only for kernels that are all VERIFIED.
    _verified: _core.VerifiedKernels | None = dataclasses.field(repr=False, compare=False)

    @property
    def exit_code(self) -> int:
        """What `tile-verify` exits with: 3 beats 1 beats 2 beats 0."""
        return max((k.exit_code for k in self.kernels),
                   key=(0, 2, 1, 3).index)

    @property
    def verdict(self) -> Verdict:
        """Of all kernels: the worst one."""
        return max(self.kernels, key=lambda kernel: [
            Verdict.VERIFIED, Verdict.UNKNOWN, Verdict.REFUTED,
            Verdict.UNSATISFIABLE].index(kernel.verdict)).verdict

    @property
    def obligations(self) -> tuple[Obligation, ...]:
        """Of all kernels, in order."""
        return tuple(o for kernel in self.kernels for o in kernel.obligations)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Of all kernels, in order."""
        return tuple(d for kernel in self.kernels for d in kernel.diagnostics)

    @property
    def counterexamples(self) -> tuple[Counterexample, ...]:
        """Of all kernels, in order."""
        return tuple(c for kernel in self.kernels
                     for c in kernel.counterexamples)

    @property
    def counterexample(self) -> Counterexample | None:
        """The first one."""
        return next(iter(self.counterexamples), None)

    def __bool__(self) -> bool:
        return self.exit_code == 0

    def __str__(self) -> str:
        return "\n".join(map(str, self.kernels))


@dataclasses.dataclass(frozen=True)
class Argument:
    """A parameter of a kernel: a tensor, or a floating-point scalar."""

    name: str  #: without `%`
    element: str  #: `f32`, ...
    is_tensor: bool
    mode: str  #: of a tensor: `shared`, `own`, `out`, `raw`, `atomic<add>`
    dims: tuple[str, ...]  #: of a tensor: numbers or launch symbols

    def __str__(self) -> str:
        if not self.is_tensor:
            return self.element
        return f"{self.mode} {self.element}[{', '.join(self.dims)}]"


@dataclasses.dataclass(frozen=True)
class Symbol:
    """An integer that a launch is given."""

    name: str
    type: str  #: `index`, `i32`, ...

    def __str__(self) -> str:
        return self.type


@dataclasses.dataclass(frozen=True)
class Signature:
    """How the kernels of a file are called; kernels of one list share it."""

    variants: str  #: the name of the list; or empty
    kernels: tuple[str, ...]  #: in the order of the list, without `@`
    arguments: tuple[Argument, ...]
    symbols: tuple[Symbol, ...]  #: extents by first occurrence, then the others
    #: Of each kernel its header as the language writes it: arguments with
    #: their types, grid, `requires`, `given`.
    contracts: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Fault:
    """A rule that the launch breaks, and where."""

    rule: str
    headline: str
    message: str
    at: SourceRange
    block: tuple[int, ...]  #: empty for faults of the whole launch
    trips: tuple[int, ...]
    tensor: str
    element: tuple[int, ...]
    other_block: tuple[int, ...]  #: of a clash: the earlier claim's
    other_trips: tuple[int, ...]
    other_at: SourceRange | None
    other_message: str
    text: str = dataclasses.field(repr=False)  #: what `tile-exec` prints

    def __str__(self) -> str:
        return self.text.rstrip("\n")


@dataclasses.dataclass(frozen=True, eq=False)
class TensorResult:
    """A tensor at the end of a launch."""

    element: str
    #: Of the type that NumPy has for the element; bf16 and narrower floats as
    #: float32, which holds each of them. Undefined elements are NaN or 0.
    values: numpy.ndarray
    #: How far each element may be from the exact result; None where all are
    #: exact, or where no bound holds.
    bounds: numpy.ndarray | None
    defined: numpy.ndarray | None  #: None where all elements are


@dataclasses.dataclass(frozen=True, eq=False)
class Execution:
    """What became of a launch. As a condition it is true when the launch kept
    all rules; `execution["z"]` are the values of a tensor."""

    kernel: str  #: the kernel that ran, without `@`
    grid: tuple[int, ...]
    blocks: int  #: how many blocks ran
    steps: int  #: ops that were executed
    faults: tuple[Fault, ...]
    bounds_hold: bool
    tensors: dict[str, TensorResult]

    def __getitem__(self, name: str) -> numpy.ndarray:
        return self.tensors[name].values

    def __bool__(self) -> bool:
        return not self.faults


@dataclasses.dataclass(frozen=True)
class TileIr:
    """A kernel as CUDA Tile IR."""

    kernel: str
    bytecode: bytes = dataclasses.field(repr=False)
    text: str = dataclasses.field(repr=False)


@dataclasses.dataclass(frozen=True)
class Artefact(os.PathLike[str]):
    """A folder with cubins, manifest and proofs: what `girih.load` takes."""

    folder: str
    name: str
    assembler: str

    def __fspath__(self) -> str:
        return self.folder
