# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifying, executing and compiling kernels. A source is a path, or the text of
a kernel: a str with a line break or a brace is text, any other str and every
os.PathLike is a path.

Nobody's numbers are taken for others: options and symbols are exact integers,
flags are bool, arrays have the elements of the kernel (girih.arrays)."""

from __future__ import annotations

import dataclasses
import inspect
import os
import typing

from girih import arguments as arguments_of
from girih import arrays, assembler
from girih.arguments import refuse
from girih.errors import NotVerified
from girih.results import (Artefact, Counterexample, Execution, Signature,
                           TensorResult, TileIr, Verification)

try:
    from girih import _core
except ImportError as error:
    raise ImportError(
        "girih verifies, executes and compiles through an extension that is "
        "not here; install the wheel: pip install . in the source tree "
        f"({error})") from error

Text = typing.Union[str, "os.PathLike[str]"]
__version__: str = _core.version()


def architectures() -> tuple[str, ...]:
    """What can be compiled for: `sm_80` to `sm_121`."""
    return _core.architectures()


def _flag(what: str, value: bool) -> bool:
    if not isinstance(value, bool):
        refuse(what, f": {value!r} is neither True nor False")
    return value


def _count(what: str, value: int, low: int = 0,
           high: int = (1 << 32) - 1) -> int:
    return arguments_of.integer(what, value, low, high)


def _path(what: str, value: Text) -> bytes:
    try:
        path = os.fsencode(value)
    except Exception:
        refuse("", f"{value!r} is no path")
    return arguments_of.text(what, path)


def _source(source: Text | KernelFile) -> tuple[bytes, bytes | None]:
    """Name and text; without a text it is read from the path."""
    if isinstance(source, KernelFile):
        return source._source
    if isinstance(source, str) and ("\n" in source or "{" in source):
        try:
            return b"kernel.mlir", source.encode()
        except UnicodeEncodeError as error:
            refuse("kernel.mlir", f": {error}")
    if not isinstance(source, (str, os.PathLike)):
        refuse("", f"a {type(source).__name__} is neither a kernel's text nor "
               "a path")
    return _path("source", source), None


def verify(source: Text | KernelFile, *, certificates: str | None = None,
           stored: bool = True, search: bool = True, steps: int = 150_000,
           cross_check: bool = False, suggest: bool = True,
           index_width: int = 64, threads: int = 1) -> Verification:
    """Verifies the kernels of a file for every launch that their contracts
    admit. A kernel that breaks its rules is no error but REFUTED.

    certificates: the text of a certificate file, instead of NAME.cert beside
    the file, which `stored` says is read. search: certificates that are missing
    are searched for, at `steps` steps an obligation. cross_check: every
    obligation is put to Z3 as well. suggest: looks for the launch condition
    under which a kernel would be VERIFIED. index_width: bits of `index`."""
    name, text = _source(source)
    return _core.verify(
        name, text,
        None if certificates is None else
        arguments_of.encoded("certificates", certificates),
        stored=_flag("stored", stored), search=_flag("search", search),
        cross_check=_flag("cross_check", cross_check),
        suggest=_flag("suggest", suggest),
        index_width=_count("index_width", index_width),
        steps=_count("steps", steps, high=(1 << 63) - 1),
        threads=_count("threads", threads, 1, 1024))


@dataclasses.dataclass(frozen=True)
class ExecuteOptions:
    """How a launch is executed, and what it may cost. They are positional, so
    that a kernel's arguments may have any name."""

    #: Of the blocks: `sequential`, `reverse`, `random` (each to its end) or
    #: `interleaved` (up to 64 at once, switched before each access).
    order: str = "sequential"
    seed: int = 1  #: of orders and random numbers
    #: True: what is left out holds random numbers that keep what the contract
    #: gives. False: it is refused, as a launch would refuse it.
    random: bool = False
    #: Of integer tensors: what they hold, in row-major order.
    contents: typing.Mapping[str, typing.Sequence[int]] = dataclasses.field(
        default_factory=dict)
    variant: str = ""  #: of a list; empty: the first one whose `when` holds
    #: Only these blocks; then nobody asks whether outputs are covered.
    blocks: typing.Sequence[typing.Sequence[int]] | None = None
    index_width: int = 64
    values: bool = True  #: False: accesses and indices alone
    max_steps: int = 1 << 26
    max_bytes: int = 1 << 31
    max_faults: int = 1
    max_result_elements: int = 1 << 22  #: larger tensors have no result

    def __post_init__(self) -> None:
        most = (1 << 63) - 1
        for name, low, high in (
                ("seed", 0, most), ("index_width", 8, 64),
                ("max_steps", 0, most), ("max_bytes", 0, most),
                ("max_faults", 1, most), ("max_result_elements", 0, most)):
            object.__setattr__(
                self, name, _count(name, getattr(self, name), low, high))
        for name in ("random", "values"):
            _flag(name, getattr(self, name))
        if self.order not in _ORDERS:
            refuse("order", f": {self.order!r} is none of {_ORDERS}")
        arguments_of.encoded("variant", self.variant)
        if self.blocks is not None:
            if not isinstance(self.blocks, (list, tuple)):
                refuse("blocks", f": {self.blocks!r} is no list")
            object.__setattr__(self, "blocks", [
                arguments_of.integers("blocks", b) for b in self.blocks])
        if not isinstance(self.contents, typing.Mapping):
            refuse("contents", f": {self.contents!r} is no mapping")
        for name in self.contents:
            arguments_of.encoded("contents", name)
        object.__setattr__(self, "contents", {
            name: arguments_of.integers(f"contents of {name}", numbers)
            for name, numbers in self.contents.items()})

    @property
    def order_number(self) -> int:
        """As the library counts orders."""
        return _ORDERS.index(self.order)


_ORDERS = ["sequential", "reverse", "random", "interleaved"]


class KernelFile:
    """The kernels of a file, read and ready to run; they need not be
    verified."""

    def __init__(self, source: Text, name: str = "") -> None:
        """name: what diagnostics call a text, `kernel.mlir` by default."""
        self._source = _source(source)
        if name:
            self._source = (arguments_of.encoded("name", name), self._source[1])
        self._executor = _core.Executor(*self._source)
        #: How they are called.
        self.signature: Signature = self._executor.signature
        self.__signature__ = _shown(self.signature)

    def __repr__(self) -> str:
        return "\n".join(self.signature.contracts)

    def verify(self, **options: typing.Any) -> Verification:
        """As `girih.verify`."""
        return verify(self, **options)

    def execute(self, options: ExecuteOptions | None = None, /,
                **arguments: object) -> Execution:
        """As `girih.execute`."""
        options = ExecuteOptions() if options is None else options
        if not isinstance(options, ExecuteOptions):
            refuse("", f"a {type(options).__name__} is no ExecuteOptions; "
                   "arguments go by name")
        call = arrays.Call(self.signature, arguments, options)
        done, tensors = self._executor.run(call.symbols, call.scalars,
                                           call.inputs, options.contents,
                                           options)
        for name, (values, bounds, defined) in tensors.items():
            done.tensors[name] = TensorResult(
                values[0], arrays.numbers(values),
                bounds and arrays.numbers(bounds),
                defined and arrays.numbers(defined))
        if done:
            call.write_back(done)
        return done

    # A KernelFile may be called as the loaded artefact is.
    __call__ = execute

    def compile(self, folder: Text, **options: typing.Any) -> Artefact:
        """As `girih.compile`."""
        return compile(self, folder, **options)


def _shown(signature: Signature) -> inspect.Signature:
    """What `inspect.signature` shows: arguments and symbols by keyword."""
    extents = {d for a in signature.arguments for d in a.dims}
    return inspect.Signature([
        *(inspect.Parameter(a.name, inspect.Parameter.KEYWORD_ONLY,
                            annotation=arguments_of.Shown(a))
          for a in signature.arguments),
        *(inspect.Parameter(s.name, inspect.Parameter.KEYWORD_ONLY,
                            annotation=arguments_of.Shown(s),
                            default=arguments_of.Shown("inferred")
                            if s.name in extents else
                            inspect.Parameter.empty)
          for s in signature.symbols)])


def read(source: Text) -> KernelFile:
    """Reads kernels: their signature, and how they are run."""
    return KernelFile(source)


def execute(kernel: Text | KernelFile, options: ExecuteOptions | None = None,
            /, **arguments: object) -> Execution:
    """Runs one launch on the reference executor, which needs no GPU and finds
    every fault element by element. Arguments go by name: NumPy arrays for
    tensors, numbers for float scalars, integers for launch symbols that are no
    extents. What the contract does not admit raises `Refused`; a rule that the
    launch breaks is a fault of the result. Arrays that the kernel writes are
    written where there is no fault; `out` tensors may be left out, all results
    are in `Execution.tensors`."""
    file = kernel if isinstance(kernel, KernelFile) else KernelFile(kernel)
    return file.execute(options, **arguments)


def replay(kernel: Text | KernelFile,
           counterexample: Counterexample) -> Execution:
    """Runs the launch of a counterexample: its faults break the rule."""
    file = kernel if isinstance(kernel, KernelFile) else KernelFile(kernel)
    return file.execute(
        ExecuteOptions(random=True, contents=counterexample.contents,
                       values=False),
        **counterexample.symbols)


def _verified(source: Text | KernelFile | Verification) -> _core.VerifiedKernels:
    """What the compiler takes: kernels that are all VERIFIED."""
    found = source if isinstance(source, Verification) else verify(source)
    if found._verified is None:
        raise NotVerified(found)
    return found._verified


def _wanted(arch: str | typing.Sequence[str]) -> list[str]:
    names = [arch] if isinstance(arch, str) else list(arch)
    for name in names:
        arguments_of.encoded("arch", name)
    return names


def compile(source: Text | KernelFile | Verification, folder: Text, *,
            arch: str | typing.Sequence[str] = ("sm_90", "sm_100", "sm_120"),
            allow_trust: bool = False, line_info: bool = False,
            tileiras: Text | None = None, time_limit: int = 300,
            cache: Text | None = None, sign: Text | None = None) -> Artefact:
    """Compiles kernels, which are verified first, to the artefact in `folder`:
    whole, or not at all. `NotVerified` if one is not VERIFIED; `Refused` if they
    rest on opt-outs and `allow_trust` is False; an `Error` of kind `missing`
    without the assembler `tileiras`, which is looked for in the package
    nvidia-cuda-tileiras and on PATH. cache: the folder for cubins of earlier
    times; by default that of the tools, "" for none. sign: the file of a secret
    key of Ed25519, with which the artefact is signed."""
    found = assembler.packaged() or "" if tileiras is None else tileiras
    place = _path("folder", folder)
    kept = None if cache is None else _path("cache", cache)
    key = b"" if sign is None else _path("sign", sign)
    flags = (_flag("allow_trust", allow_trust), _flag("line_info", line_info))
    limit = _count("time_limit", time_limit, 1)
    wanted = _wanted(arch)
    return _core.compile(_verified(source), place, wanted, *flags,
                         _path("tileiras", found), limit, kept, key)


def tile_ir(source: Text | KernelFile | Verification, *,
            arch: str | typing.Sequence[str] = ("sm_90", "sm_100", "sm_120"),
            allow_trust: bool = False) -> tuple[TileIr, ...]:
    """CUDA Tile IR of each kernel, which needs no assembler. Errors as of
    `compile`."""
    wanted, trust = _wanted(arch), _flag("allow_trust", allow_trust)
    return _core.tile_ir(_verified(source), wanted, trust)
