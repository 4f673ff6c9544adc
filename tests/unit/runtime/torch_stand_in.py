# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""As much of torch as girih.py asks for, on memory of the fake driver. What it
does is what tests/gpu/torch_test.py finds real torch to do."""

import contextlib
import ctypes
import sys
import types

strided, sparse = "torch.strided", "torch.sparse_coo"
_grad = [True]


class Device(str):
    index = property(lambda self: int(self.partition(":")[2] or -1))


class Tensor:
    """Facts are attributes, which a test may change at any time."""
    __torch_dispatch__ = None

    def __init__(self, address, shape, strides, dtype="torch.float32",
                 device="cuda:0"):
        self.address, self.shape, self.strides = address, shape, strides
        self.dtype, self.device, self.layout = dtype, Device(device), strided
        self.negated = self.conjugated = self.requires_grad = False
        self.inference, self.version, self.fails = False, 0, False
        self.used_on = []  # handles of streams of which torch was told

    is_cuda = property(lambda self: self.device.startswith("cuda"))
    is_neg = lambda self: self.negated
    is_conj = lambda self: self.conjugated
    is_inference = lambda self: self.inference
    stride = lambda self: self.strides
    untyped_storage = lambda self: object()

    def record_stream(self, stream):
        self.used_on.append(stream.cuda_stream)

    def data_ptr(self):
        if self.fails:
            raise RuntimeError("no storage")
        return self.address


class Wrapper(Tensor):
    __torch_dispatch__ = classmethod(lambda *_: None)


class Stream:
    def __init__(self, handle, device):
        self.cuda_stream, self.device = handle, Device(device)


current = {"handle": 0, "captured": False}


def increment_version(tensor):
    assert not tensor.inference
    tensor.version += 1


def increment_versions(tensors):
    """As torch._C has it: of an iterable, or an error."""
    for tensor in tensors:
        if tensor.inference:
            raise RuntimeError("Inference tensors do not track version counter")
    for tensor in tensors:
        increment_version(tensor)


@contextlib.contextmanager
def no_grad():
    before, _grad[0] = _grad[0], False
    try:
        yield
    finally:
        _grad[0] = before


@contextlib.contextmanager
def device(which):
    """Makes the primary context of a device current."""
    number = getattr(which, "index", which)
    if number not in (0, 1):
        raise RuntimeError("CUDA error: invalid device ordinal")
    driver = ctypes.CDLL("libcuda.so.1")
    driver.fakeContext.restype = ctypes.c_void_p
    driver.cuCtxPushCurrent_v2(ctypes.c_void_p(
        driver.fakeContext(number, 0)))
    try:
        yield
    finally:
        driver.cuCtxPopCurrent_v2(ctypes.byref(ctypes.c_void_p()))


class _View(ctypes.Structure):
    """DLPack's DLTensor."""
    _fields_ = [("data", ctypes.c_uint64), ("kind", ctypes.c_int32),
                ("device", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("offset", ctypes.c_uint64)]


_viewed = []  # what views point to, for a while


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(_View))
def _view(tensor, out):
    """As torch fills it in; -1 for what has no memory, or none that 64 bits
    can say. Only complex tensors are conjugated lazily."""
    try:
        view, n = out[0], len(tensor.shape)
        if tensor.layout != strided or tensor.fails:
            return -1
        lists = [(ctypes.c_int64 * n)(*numbers) for numbers in
                 (tensor.shape, tensor.strides)]
        _viewed[:] = [*_viewed[-8:], lists]
        if not 0 <= tensor.address < 1 << 64:
            return -1
        code = {"torch.float32": (2, 32), "torch.float16": (2, 16)}.get(
            "" if tensor.conjugated else tensor.dtype, (5, 64))
        view.data, view.offset, view.ndim = tensor.address, 0, n
        view.kind = 2 if tensor.is_cuda else 1
        view.device = max(tensor.device.index, 0)
        (view.code, view.bits), view.lanes = code, 1
        view.shape, view.strides = (
            ctypes.cast(numbers, ctypes.POINTER(ctypes.c_int64))
            for numbers in lists)
        return 0
    except Exception:
        return -1


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32,
                  ctypes.POINTER(ctypes.c_void_p))
def _stream(kind, device, out):
    out[0] = current["handle"]
    return 0


class _Exchange(ctypes.Structure):
    """DLPack's DLPackExchangeAPI."""
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32),
                ("previous", ctypes.c_void_p), ("allocate", ctypes.c_void_p),
                ("managed_from", ctypes.c_void_p),
                ("managed_to", ctypes.c_void_p), ("view", ctypes.c_void_p),
                ("stream", ctypes.c_void_p)]


_table = _Exchange(1, 3, None, None, None, None,
                   ctypes.cast(_view, ctypes.c_void_p),
                   ctypes.cast(_stream, ctypes.c_void_p))


def _capsule():
    make = ctypes.pythonapi.PyCapsule_New
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return make(ctypes.addressof(_table), b"dlpack_exchange_api", None)


def install(exchange=False):
    """`exchange`: with the C functions that torch has since 2.10."""
    if exchange:
        Tensor.__dlpack_c_exchange_api__ = _capsule()
    module = sys.modules["torch"] = types.ModuleType("torch")
    if exchange:
        module._C = types.SimpleNamespace(_increment_version=increment_versions)
    module.Tensor, module.strided = Tensor, strided
    module.is_grad_enabled = lambda: _grad[0]
    module.no_grad = no_grad
    module.autograd = types.SimpleNamespace(
        graph=types.SimpleNamespace(increment_version=increment_version))
    module.cuda = types.SimpleNamespace(
        is_initialized=lambda: True,
        is_current_stream_capturing=lambda: current["captured"],
        default_stream=lambda device: Stream(0, device), ExternalStream=Stream,
        device=device,
        current_stream=lambda device: Stream(current["handle"], device))
    return module
