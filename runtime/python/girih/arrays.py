# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy arrays for the reference executor: taken as a launch takes them, or
refused, and handed back in the types that NumPy has.

bf16 is uint16, its bits, as for a launch; or, as all floats that NumPy lacks,
float32 or float64 with numbers that the format has, or the type of ml_dtypes."""

from __future__ import annotations

import typing

from girih import arguments as arguments_of
from girih.arguments import refuse
from girih.results import Argument, Execution, Signature

if typing.TYPE_CHECKING:
    import numpy

    from girih.kernels import ExecuteOptions

# Of results, by element; narrower floats are float32.
_RESULT = {"i1": "bool", "i4": "int8", "i8": "int8", "i16": "int16",
           "i32": "int32", "i64": "int64", "f16": "float16", "f32": "float32",
           "f64": "float64"}
_ML_DTYPES = {"bf16": "bfloat16", "f8E4M3FN": "float8_e4m3fn",
              "f8E5M2": "float8_e5m2", "f8E8M0FNU": "float8_e8m0fnu",
              "f4E2M1FN": "float4_e2m1fn"}


def _numpy() -> typing.Any:
    import numpy
    return numpy


def numbers(parts: tuple[str, tuple[int, ...], bool, bytes]
            ) -> numpy.ndarray:
    """An array from the bytes of doubles or 64-bit integers."""
    numpy = _numpy()
    element, shape, floats, data = parts
    wide = numpy.frombuffer(data, numpy.float64 if floats else numpy.int64)
    return wide.reshape(shape).astype(_RESULT.get(element, numpy.float32))


def _integers_fit(what: str, element: str, array: numpy.ndarray) -> None:
    """That the numbers of an int8 array are i4."""
    if element == "i4" and array.size and not (
            -8 <= array.min() and array.max() <= 7):
        refuse(what, " holds numbers that are no i4")


class _Tensor:
    """An array that is passed for a tensor."""

    def __init__(self, argument: Argument, given: typing.Any) -> None:
        self.argument, self.what = argument, "%" + argument.name
        self.written = argument.mode != "shared"
        numpy = _numpy()
        if not isinstance(given, numpy.ndarray):
            refuse(self.what, f": a {type(given).__name__} is no NumPy array")
        element = argument.element
        if given.dtype.name == _ML_DTYPES.get(element):
            self.as_given = given.dtype
            # Of the memory all rules hold that hold for its bits.
            arguments_of.HostArray(
                self.what, given.view(f"i{given.dtype.itemsize}"), self.written)
            self.array = given
        elif element in _ML_DTYPES and given.dtype.name in ("float32",
                                                            "float64"):
            host = arguments_of.HostArray(self.what, given, self.written)
            self.array, self.as_given = host.array, given.dtype
        else:
            host = arguments_of.HostArray(self.what, given, self.written)
            self.array, self.as_given = host.array, given.dtype
            if host.element != element and (element, host.element) != (
                    "i4", "i8"):
                refuse(self.what, f" holds {host.element}, the kernel has "
                       f"{element}")
            _integers_fit(self.what, element, self.array)

    def to_library(self) -> tuple[list[int], bool, bytes]:
        """Shape, whether the numbers are floats, and their bytes."""
        numpy = _numpy()
        floats = self.argument.element.startswith(("f", "bf"))
        array = self.array
        if self.as_given.name == "uint16":  # the bits of bf16
            array = (array.astype(numpy.uint32) << 16).view(numpy.float32)
        wide = array.astype(numpy.float64 if floats else numpy.int64)
        return list(array.shape), floats, wide.tobytes()

    def write(self, values: numpy.ndarray,
              defined: numpy.ndarray | None) -> None:
        """Puts a result where the array is; what is undefined stays."""
        numpy = _numpy()
        if self.as_given.name == "uint16":
            bits = numpy.asarray(values, numpy.float32).view(numpy.uint32)
            values = (bits >> 16).astype(numpy.uint16)
        numpy.copyto(self.array, values.astype(self.as_given),
                     where=True if defined is None else defined)


class Call:
    """The arguments of an execution, as the library takes them."""

    def __init__(self, signature: Signature, arguments: dict[str, object],
                 options: ExecuteOptions) -> None:
        self._tensors: dict[str, _Tensor] = {}
        self.scalars: dict[str, float] = {}
        self.symbols: dict[str, int] = {}
        self._sources: dict[str, str] = {}
        by_name = {a.name: a for a in signature.arguments}
        known = {s.name for s in signature.symbols}
        for name, value in arguments.items():
            argument = by_name.get(name)
            if argument is None:
                if name not in known:
                    refuse("", f"contract: the kernel has no argument or "
                           f"symbol {name}")
                self._bind(name, arguments_of.integer(name, value),
                           "the caller")
            elif argument.is_tensor:
                self._tensors[name] = _Tensor(argument, value)
            else:
                self.scalars[name] = arguments_of.real("%" + name, value)
        if not options.random:
            self._complete(signature, options)
        for tensor in self._tensors.values():
            self._extents(tensor)
        self._refuse_shared()
        #: `out` tensors start undefined.
        self.inputs = {name: tensor.to_library()
                       for name, tensor in self._tensors.items()
                       if tensor.argument.mode != "out"}

    def _complete(self, signature: Signature,
                  options: ExecuteOptions) -> None:
        for argument in signature.arguments:
            if (argument.name not in {**self._tensors, **self.scalars,
                                      **options.contents} and
                    argument.mode != "out"):
                refuse("", f"contract: argument %{argument.name} is missing")

    def _bind(self, symbol: str, value: int, source: str) -> None:
        known = self.symbols.setdefault(symbol, value)
        before = self._sources.setdefault(symbol, source)
        if known != value:
            refuse("", f"contract: {symbol} is {known} for {before} and "
                   f"{value} for {source}")

    def _extents(self, tensor: _Tensor) -> None:
        dims, shape = tensor.argument.dims, tensor.array.shape
        if len(dims) != len(shape):
            refuse("", f"contract: {tensor.what} has {len(shape)} axes, the "
                   f"kernel has {len(dims)}")
        for axis, (dim, extent) in enumerate(zip(dims, shape)):
            source = f"axis {axis} of {tensor.what}"
            if dim.isdecimal():
                if extent != int(dim):
                    refuse("", f"contract: {source} is {extent}, the kernel "
                           f"has {dim}")
            else:
                self._bind(dim, extent, source)

    def _refuse_shared(self) -> None:
        """A launch would refuse what shares memory with a written tensor."""
        tensors = list(self._tensors.values())
        if not tensors:
            return
        numpy = _numpy()
        for k, one in enumerate(tensors):
            for other in tensors[:k]:
                if not (one.written or other.written):
                    continue
                try:
                    shared = numpy.shares_memory(one.array, other.array, 10000)
                except RuntimeError:  # too hard a question
                    shared = True
                if shared:
                    a, b = (one, other) if one.written else (other, one)
                    refuse("the written array ", f"{a.what} shares memory "
                           f"with {b.what}")

    def write_back(self, done: Execution) -> None:
        """Into the arrays of the caller, as a launch does."""
        for name, tensor in self._tensors.items():
            result = done.tensors.get(name)
            if not tensor.written:
                continue
            if result is None:
                refuse(tensor.what, " has too many elements for a result; "
                       "raise max_result_elements")
            tensor.write(result.values, result.defined)
