# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of others through DLPack 1, the ABI of dlpack.h: what is taken is
owned, as the protocol asks, and given back once."""

from __future__ import annotations

import contextlib
import ctypes
import sys

from girih import arguments as arguments_of
from girih.arguments import integer, packed, refuse


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("offset", ctypes.c_uint64)]


class _Managed(ctypes.Structure):
    """Of before 1.0."""
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p)]


class _Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32),
                ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
                ("flags", ctypes.c_uint64), ("tensor", _Tensor)]


_READ_ONLY, _COPIED = 1, 2
_CUDA, _CUDA_MANAGED = 2, 13
_MAX_RANK = 64

# By code and bits. Integers without a sign are bits of bf16, as in NumPy.
_ELEMENTS = {(6, 8): "i1", (0, 8): "i8", (0, 16): "i16", (0, 32): "i32",
             (0, 64): "i64", (1, 16): "bf16", (2, 16): "f16", (2, 32): "f32",
             (2, 64): "f64", (4, 16): "bf16", (10, 8): "f8E4M3FN",
             (12, 8): "f8E5M2", (14, 8): "f8E8M0FNU"}

_deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_api = {name: ctypes.PYFUNCTYPE(result, ctypes.py_object, *more)(
            ("PyCapsule_" + name, ctypes.pythonapi))
        for name, result, more in (
            ("IsValid", ctypes.c_int, [ctypes.c_char_p]),
            ("GetPointer", ctypes.c_void_p, [ctypes.c_char_p]),
            ("SetName", ctypes.c_int, [ctypes.c_char_p]))}
# A capsule points to its name, for as long as the process lives.
_USED = {b"dltensor": b"used_dltensor",
         b"dltensor_versioned": b"used_dltensor_versioned"}
for _name in _USED.values():
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(_name))


class _Owned:
    """What a capsule held, given back with this object."""

    def __init__(self, what, capsule):
        self._pointer = None
        for name, kind in ((b"dltensor_versioned", _Versioned),
                           (b"dltensor", _Managed)):
            if _api["IsValid"](capsule, name):
                break
        else:
            refuse(what, f": its __dlpack__ gave {arguments_of._shown(capsule)}"
                   ", no capsule of a tensor, or one that was used already")
        pointer = _api["GetPointer"](capsule, name)
        _api["SetName"](capsule, _USED[name])
        self._pointer = pointer
        self.managed = kind.from_address(pointer)

    def __del__(self, deleter=_deleter):
        if self._pointer and self.managed.deleter:
            deleter(self.managed.deleter)(self._pointer)


def _current(device):
    """A context in which it is torch's current device: torch exports tensors of
    that one alone."""
    torch = sys.modules.get("torch")
    cuda = getattr(torch, "cuda", None)
    if cuda is None or not hasattr(cuda, "device") or not cuda.is_initialized():
        return contextlib.nullcontext()
    return cuda.device(device)


class DLPackArray:
    """An object with __dlpack__, on a CUDA device."""

    copied = False

    def __init__(self, what, array, written):
        self.what, self.array, self.written = what, array, written
        self._is_jax = arguments_of.is_jax(array)
        if written and self._is_jax:
            refuse(what, " is written, and JAX takes its arrays for immutable")
        self.state, self._owned = self._ask(self._unordered())
        self.element, self.extents, self.strides, self.address = (
            self.state[k] for k in ("element", "shape", "strides", "address"))

    def _unordered(self):
        """The stream that asks for no order. JAX does not know it, and waits
        itself where none is given."""
        return None if self._is_jax else -1

    def _capsule(self, stream, device):
        array = self.array
        try:
            with _current(device):
                try:
                    return array.__dlpack__(stream=stream, max_version=(1, 3),
                                            copy=False)
                except TypeError:  # of before 1.0
                    return array.__dlpack__(stream=stream)
        except arguments_of.Refused:
            raise
        except Exception as error:
            refuse(self.what, f": its __dlpack__ fails: {error}")

    def _device(self):
        what = self.what
        try:
            device = self.array.__dlpack_device__()
        except Exception as error:
            refuse(what, f": its __dlpack_device__ fails: {error}")
        if not isinstance(device, tuple) or len(device) != 2:
            refuse(what, f": its __dlpack_device__ is "
                   f"{arguments_of._shown(device)}, no type and number")
        kind, number = (integer(what + " device", n, 0, 1 << 31)
                        for n in device)
        if kind not in (_CUDA, _CUDA_MANAGED):
            refuse(what, f" is not on the GPU: its device of DLPack is of type "
                   f"{kind}")
        return kind, number

    def _ask(self, stream):
        """What the array is now, and what keeps that alive."""
        what, device = self.what, self._device()
        owned = _Owned(what, self._capsule(stream, device[1]))
        managed, tensor = owned.managed, owned.managed.tensor
        if isinstance(managed, _Versioned):
            if managed.major != 1:
                # Of another version only the deleter is where it was.
                refuse(what, f" has version {managed.major} of DLPack, not 1")
            if managed.flags & _COPIED:
                refuse(what, " would be a copy, which nobody asked for")
            if self.written and managed.flags & _READ_ONLY:
                refuse(what, " is written and read-only")
        elif self.written:
            refuse(what, " is written, and DLPack before 1.0 does not say "
                   "whether it is read-only")
        if (tensor.device_type, tensor.device) != device:
            refuse(what, f" is on device {device} by its __dlpack_device__ and "
                   f"on {(tensor.device_type, tensor.device)} by its "
                   "__dlpack__")
        kind = (tensor.code, tensor.bits)
        if kind not in _ELEMENTS or tensor.lanes != 1:
            refuse(what, ": no kernel has elements of DLPack's type "
                   f"{(*kind, tensor.lanes)}")
        rank = integer(what + " rank", tensor.ndim, 0, _MAX_RANK)
        if rank and not tensor.shape:
            refuse(what, " has no shape")
        shape = [integer(what + " shape", n, 0) for n in tensor.shape[:rank]]
        strides = (list(tensor.strides[:rank]) if tensor.strides else
                   packed(what, shape))
        address = integer(what + " address", (tensor.data or 0) + tensor.offset,
                          0, (1 << 64) - 1)
        return {"element": _ELEMENTS[kind], "shape": shape, "strides": strides,
                "address": address, "device": device}, owned

    def check(self, behind):
        """As other arrays; the stream `behind` waits for whoever fills this one,
        if there is any."""
        now, _ = self._ask(self._unordered() if behind is None else behind)
        arguments_of._unchanged(self.what, now, self.state)

    def queued(self):
        pass
