# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What callers hand over, taken for what it is or refused: nothing is
rounded, cut to 64 bits, copied in silence or believed without a look. Numbers
are exact Python integers until the library has them."""

import decimal
import numbers
import operator
import reprlib
import sys
import typing

from girih.errors import Refused


def _shown(value):
    try:
        return reprlib.repr(value)
    except Exception:
        return f"a {type(value).__name__}"


def refuse(what: str, reason: str) -> typing.NoReturn:
    raise Refused(3, f"{what}{reason}")


def text(what, value):
    """The bytes of a name or a path, for C."""
    try:
        data = value if isinstance(value, bytes) else value.encode()
    except (AttributeError, UnicodeEncodeError):
        refuse(what, f": {_shown(value)} is no text")
    if b"\0" in data:
        refuse(what, f": {_shown(value)} contains a null")
    return data


def encoded(what, value):
    """The same of a str, which may contain a null."""
    if not isinstance(value, str):
        refuse(what, f": {_shown(value)} is no str")
    try:
        return value.encode()
    except UnicodeEncodeError:
        refuse(what, f": {_shown(value)} is no text")


class Shown(str):
    """A text that `inspect.signature` shows as it is."""

    def __repr__(self):
        return str(self)


def _is_flag(value):
    numpy = sys.modules.get("numpy")
    return isinstance(value, bool) or (
        numpy is not None and isinstance(value, numpy.bool_))


def _is_array(value):
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.generic):
        return False
    try:
        return any(hasattr(value, name) for name in (
            "__cuda_array_interface__", "__array_interface__", "__dlpack__",
            "data_ptr"))
    except Exception:  # an attribute that fails to say whether it is there
        return True


def integer(what, value, low=-1 << 63, high=(1 << 63) - 1):
    """Whatever has __index__ (NumPy's integers, say), except for flags, which
    count nothing, and arrays, which may wait for a GPU to say what they are."""
    if _is_flag(value) or _is_array(value):
        refuse(what, f": {_shown(value)} is no integer")
    try:
        # An int of its own, where a subclass would compare as it likes.
        number = int.__pos__(operator.index(value))
    except Exception:
        refuse(what, f": {_shown(value)} is no integer")
    if not low <= number <= high:
        refuse(what, f": {_shown(number)} is outside {low}..{high}")
    return number


def integers(what, values):
    """A list of them, of anything that can be listed."""
    try:
        listed = list(values)
    except Exception:
        refuse(what, f": {_shown(values)} is no list")
    return [integer(what, value) for value in listed]


def real(what, value):
    """A number as the nearest double; an integer must be one."""
    if (_is_flag(value) or _is_array(value) or
            not isinstance(value, (numbers.Real, decimal.Decimal))):
        refuse(what, f": {_shown(value)} is no number")
    try:
        number = float.__pos__(float(value))
        exact = (not isinstance(value, numbers.Integral) or
                 int(number) == operator.index(value))
    except Exception:
        refuse(what, f": {_shown(value)} is beyond every double")
    if not exact:
        refuse(what, f": {_shown(value)} is no double, the nearest is "
               f"{int(number)}")
    return number


# NumPy's names of types; bf16 has none, its bits are uint16.
_ELEMENTS = {"b1": "i1", "i1": "i8", "i2": "i16", "i4": "i32", "i8": "i64",
             "u2": "bf16", "f2": "f16", "f4": "f32", "f8": "f64"}
_TORCH = {"bool": "i1", "int8": "i8", "int16": "i16", "int32": "i32",
          "int64": "i64", "float16": "f16", "bfloat16": "bf16",
          "float32": "f32", "float64": "f64", "float8_e4m3fn": "f8E4M3FN",
          "float8_e5m2": "f8E5M2", "float8_e8m0fnu": "f8E8M0FNU",
          "float4_e2m1fn_x2": "f4E2M1FN"}


def _element(what, types, name):
    if name not in types:
        refuse(what, f": no kernel has elements of type {name}")
    return types[name]


def _typestr(what, name):
    """The element and its bytes of `<f4`."""
    if not isinstance(name, str) or len(name) < 3:
        refuse(what, f": {_shown(name)} is no type of elements")
    element = _element(what, _ELEMENTS, name[1:])
    size = int(name[2:])
    if name[0] != "<" and (name[0] != "|" or size > 1):
        refuse(what, f" holds {name}, the kernel reads the lowest byte first")
    return element, size


def _unchanged(what, now, then):
    for key, value in then.items():
        if now[key] != value:
            refuse(what, f" has changed since prepare: {key} "
                   f"{_shown(now[key])}, was {_shown(value)}")


def in_elements(what, kind, extents, strides):
    """Extents and strides of one of torch's types in the kernel's elements."""
    if not kind.endswith("_x2"):
        return list(extents), list(strides)
    # Two numbers along the last axis.
    if not extents or (strides[-1] != 1 and extents[-1] > 1):
        refuse(what, f" has strides {list(strides)} of pairs, the last axis of "
               "which must be packed")
    return ([*extents[:-1], extents[-1] * 2],
            [*(2 * n for n in strides[:-1]), 1])


class TorchTensor:
    """A torch tensor on a GPU."""

    copied = False

    def __init__(self, what, tensor, written):
        self.what, self.tensor, self.written = what, tensor, written
        torch = self.torch = sys.modules["torch"]
        if (getattr(type(tensor), "__torch_dispatch__", None) !=
                getattr(torch.Tensor, "__torch_dispatch__", None)):
            refuse(what, f" is a {type(tensor).__name__}, whose elements may "
                   "be elsewhere; give the tensor that holds them")
        if not tensor.is_cuda:
            refuse(what, " is not on the GPU")
        if tensor.layout is not torch.strided:
            refuse(what, f" has the layout {tensor.layout}, not torch.strided")
        if written and not hasattr(torch.autograd.graph, "increment_version"):
            refuse(what, " is written, and torch before 2.1 cannot be told")
        self.check_gradient()
        self.state = self.now()
        # What the tensor is made to hold later does not end this memory.
        self.storage = tensor.untyped_storage()
        self.device = tensor.device
        self.address = self.state["address"]
        kind = str(tensor.dtype).removeprefix("torch.")
        self.element = _element(what, _TORCH, kind)
        self.extents, self.strides = in_elements(
            what, kind, [integer(what, n, 0) for n in self.state["shape"]],
            [integer(what, n) for n in self.state["strides"]])

    def now(self):
        t = self.tensor
        if t.is_neg() or t.is_conj():
            lazily, resolve = (("negated", "neg") if t.is_neg() else
                               ("conjugated", "conj"))
            refuse(self.what, f" is {lazily} lazily, its memory is not; give "
                   f"its resolve_{resolve}()")
        try:
            address = t.data_ptr()
        except Exception as error:
            refuse(self.what, f" has no memory: {error}")
        return {"address": address, "shape": tuple(t.shape),
                "strides": tuple(t.stride()), "dtype": t.dtype,
                "device": t.device}

    def check_gradient(self):
        if (self.written and self.tensor.requires_grad and
                self.torch.is_grad_enabled()):
            refuse(self.what, " is written and requires a gradient, which "
                   "torch would compute as if it were not; give its detach(), "
                   "or call under torch.no_grad()")

    def check(self, behind):
        """That it is still what was prepared. `behind`: the stream that is to
        wait for whoever fills it, for what comes through DLPack."""
        _unchanged(self.what, self.now(), self.state)
        self.check_gradient()

    def queued(self):
        """Tells torch that the tensor has changed, as its own operations do: a
        backward pass that saved it is refused, not wrong. Tensors of inference
        mode are in no such pass and have no version."""
        if self.written and not self.tensor.is_inference():
            self.torch.autograd.graph.increment_version(self.tensor)


def packed(what, extents):
    """The strides of a row-major array in elements."""
    strides, step = [], 1
    for extent in reversed(extents):
        strides.insert(0, step)
        step *= max(extent, 1)
    # Beyond 64 bits there are far more elements than memory.
    integer(what + " shape", step)
    return strides


class DeviceArray:
    """An object with __cuda_array_interface__, versions 0 to 3."""

    copied = False

    def __init__(self, what, array, written):
        self.what, self.array, self.written = what, array, written
        self.state = self.now()
        self.element, self.extents, self.strides, self.address = (
            self.state[k] for k in ("element", "shape", "strides", "address"))

    def now(self):
        what = self.what
        try:
            given = self.array.__cuda_array_interface__
        except Exception as error:
            refuse(what, f": its __cuda_array_interface__ fails: {error}")
        if not isinstance(given, dict):
            refuse(what, f": its __cuda_array_interface__ is {_shown(given)}, "
                   "no dict")
        for key in ("shape", "typestr", "data", "version"):
            if key not in given:
                refuse(what, f": its __cuda_array_interface__ lacks {key}")
        integer(what + " version", given["version"], 0, 3)
        if given.get("mask") is not None:
            refuse(what, " has a mask, of which no kernel knows")
        element, size = _typestr(what, given["typestr"])
        shape = self.numbers("shape", given["shape"], 0)
        if given.get("strides") is None:
            strides = packed(what, shape)
        else:
            in_bytes = self.numbers("strides", given["strides"], -1 << 63)
            if len(in_bytes) != len(shape):
                refuse(what, f" has {len(shape)} extents and {len(in_bytes)} "
                       "strides")
            for n in in_bytes:
                if n % size:
                    refuse(what, f" has a stride of {n} bytes, which its "
                           f"elements of {size} bytes do not divide")
            strides = [n // size for n in in_bytes]
        data = given["data"]
        if not isinstance(data, (tuple, list)) or len(data) != 2:
            refuse(what, f" has the data {_shown(data)}, not (address, "
                   "read-only)")
        if not _is_flag(data[1]):
            refuse(what, f": {_shown(data[1])} does not say whether it is "
                   "read-only")
        if self.written and data[1]:
            refuse(what, " is written and read-only")
        stream = given.get("stream")
        return {"address": integer(what + " address", data[0], 0,
                                   (1 << 64) - 1),
                "shape": shape, "strides": strides, "element": element,
                "stream": None if stream is None else integer(
                    what + " stream", stream, 1, (1 << 64) - 1)}

    def numbers(self, key, values, low):
        if not isinstance(values, (tuple, list)):
            refuse(self.what, f" has the {key} {_shown(values)}, no tuple")
        return [integer(f"{self.what} {key}", n, low) for n in values]

    def check(self, behind):
        # The stream of whoever used it last may differ each time.
        _unchanged(self.what, self.now(), {k: v for k, v in self.state.items()
                                           if k != "stream"})

    def queued(self):
        pass


def _shares_itself(array):
    """Whether two elements may share memory."""
    reach = 0
    for stride, extent in sorted((abs(s), n) for s, n in
                                 zip(array.strides, array.shape) if n > 1):
        if stride < reach + array.itemsize:
            return array.size > 0
        reach += stride * (extent - 1)
    return False


class HostArray:
    """A NumPy array, which is copied to the GPU once it is prepared, and back
    after each launch that writes it."""

    copied = True

    def __init__(self, what, array, written):
        self.what, self.given, self.written = what, array, written
        self.numpy = sys.modules["numpy"]
        if isinstance(array, self.numpy.ma.MaskedArray):
            refuse(what, " has a mask, of which no kernel knows")
        self.array = self.plain()
        self.element, _ = _typestr(what, self.array.dtype.str)
        if written and _shares_itself(self.array):
            refuse(what, " is written, and its elements share memory")
        self.state = self.now()
        self.extents = list(self.array.shape)
        self.strides = packed(what, self.extents)
        self.address = None

    def plain(self):
        # Of the class itself: a subclass may say anything.
        return self.numpy.ndarray.view(self.given, self.numpy.ndarray)

    def now(self):
        array = self.plain()
        if self.written and not array.flags.writeable:
            refuse(self.what, " is written and read-only")
        return {"address": array.ctypes.data, "shape": array.shape,
                "strides": array.strides, "dtype": array.dtype}

    def shares(self, other):
        """Whether one is written and they may share memory."""
        if not (self.written or other.written):
            return False
        try:
            return self.numpy.shares_memory(self.array, other.array, 10000)
        except RuntimeError:  # too hard a question
            return True

    def check(self, behind):
        _unchanged(self.what, self.now(), self.state)

    def queued(self):
        pass


def is_jax(value):
    jax = sys.modules.get("jax")
    return jax is not None and isinstance(value, getattr(jax, "Array", ()))


def _has_interface(value):
    """Whether __cuda_array_interface__ is there; of what DLPack can say as well,
    whether it has a name for the elements. That of JAX knows no stream."""
    if is_jax(value):
        return False
    of_class = hasattr(type(value), "__cuda_array_interface__")
    if not hasattr(value, "__dlpack__"):
        return of_class or hasattr(value, "__cuda_array_interface__")
    try:
        return value.__cuda_array_interface__["typestr"][1:] in _ELEMENTS
    except Exception:
        return False


def array(what, value, written):
    """The argument as a tensor."""
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    try:
        if torch is not None and isinstance(value, torch.Tensor):
            return TorchTensor(what, value, written)
        if _has_interface(value):
            return DeviceArray(what, value, written)
        if numpy is not None and isinstance(value, numpy.ndarray):
            return HostArray(what, value, written)
        if hasattr(value, "__dlpack__"):
            from girih.dlpack import DLPackArray
            return DLPackArray(what, value, written)
    except Refused:
        raise
    except Exception as error:
        raise Refused(3, f"{what}: {type(error).__name__}: {error}") from error
    refuse(what, f": {_shown(value)} is no array")


def stream(value, device):
    """A stream's handle: an integer, or torch's object."""
    if not hasattr(value, "cuda_stream"):
        return integer("stream", value, 0, (1 << 64) - 1)
    if device is not None and value.device != device:
        refuse("stream", f" is of {value.device}, the tensors are on {device}")
    return integer("stream", value.cuda_stream, 0, (1 << 64) - 1)
