# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Objects with __dlpack__ over memory of the fake driver, of any version, and
whatever they are made to say. They count what is given back."""

import ctypes

from girih import dlpack

_new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p,
                         ctypes.c_void_p)(("PyCapsule_New", ctypes.pythonapi))
_kept = {}  # by address: what a capsule points to
counts = {"made": 0, "returned": 0, "twice": 0}


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _return(address):
    if _kept.pop(address, None) is None:
        counts["twice"] += 1
    counts["returned"] += 1


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _destroy(capsule):
    """As a producer does: what nobody took is given back."""
    for name in (b"dltensor", b"dltensor_versioned"):
        if _valid(capsule, name):
            _return(_pointer(capsule, name))


# A capsule that goes is no object any more: by address.
_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_IsValid", ctypes.pythonapi))
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi))


def capsule(address, shape, strides=None, *, versioned=True, major=1, flags=0,
            kind=(2, 32), lanes=1, device=(2, 0), ndim=None, offset=0,
            no_shape=False, name=None, deleter=True):
    """A capsule with a tensor, as told."""
    managed = (dlpack._Versioned if versioned else dlpack._Managed)()
    tensor = managed.tensor
    tensor.data, tensor.offset = address, offset
    tensor.device_type, tensor.device = device
    tensor.ndim = len(shape) if ndim is None else ndim
    (tensor.code, tensor.bits), tensor.lanes = kind, lanes
    lists = []
    for numbers in (() if no_shape else shape, strides):
        if numbers is not None:
            lists.append((ctypes.c_int64 * max(len(numbers), 1))(*numbers))
    if not no_shape:
        tensor.shape = ctypes.cast(lists[0], ctypes.POINTER(ctypes.c_int64))
    if strides is not None:
        tensor.strides = ctypes.cast(lists[1], ctypes.POINTER(ctypes.c_int64))
    if versioned:
        managed.major, managed.minor, managed.flags = major, 1, flags
    if deleter:
        managed.deleter = ctypes.cast(_return, ctypes.c_void_p)
        counts["made"] += 1
    at = ctypes.addressof(managed)
    _kept[at] = managed, lists
    name = name or (b"dltensor_versioned" if versioned else b"dltensor")
    return _new(at, name, ctypes.cast(_destroy, ctypes.c_void_p))


class Array:
    """Facts are attributes, which a test may change at any time."""

    def __init__(self, address, shape, strides=None, **facts):
        self.given = {"address": address, "shape": shape, "strides": strides}
        self.facts, self.asked = facts, []
        self.says = self.gives = None
        self.device = facts.pop("on", facts.get("device", (2, 0)))

    def __dlpack_device__(self):
        if isinstance(self.device, BaseException):
            raise self.device
        return self.device

    def __dlpack__(self, **options):
        self.asked.append(options.get("stream"))
        if self.says is not None:
            self.says()
        if isinstance(self.gives, BaseException):
            raise self.gives
        return capsule(**self.given, **self.facts) if self.gives is None else (
            self.gives)


class Old(Array):
    """Of before 1.0: it takes a stream and no more."""

    def __dlpack__(self, *, stream=None):
        self.facts["versioned"] = False
        return super().__dlpack__(stream=stream)
