# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""As much of torch as girih.py asks for, on memory of the fake driver. What it
does is what tests/gpu/torch_test.py finds real torch to do."""

import contextlib
import sys
import types

strided, sparse = "torch.strided", "torch.sparse_coo"
_grad = [True]


class Device(str):
    pass


class Tensor:
    """Facts are attributes, which a test may change at any time."""
    __torch_dispatch__ = None

    def __init__(self, address, shape, strides, dtype="torch.float32",
                 device="cuda:0"):
        self.address, self.shape, self.strides = address, shape, strides
        self.dtype, self.device, self.layout = dtype, Device(device), strided
        self.negated = self.conjugated = self.requires_grad = False
        self.inference, self.version, self.fails = False, 0, False

    is_cuda = property(lambda self: self.device.startswith("cuda"))
    is_neg = lambda self: self.negated
    is_conj = lambda self: self.conjugated
    is_inference = lambda self: self.inference
    stride = lambda self: self.strides
    untyped_storage = lambda self: object()

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


@contextlib.contextmanager
def no_grad():
    before, _grad[0] = _grad[0], False
    try:
        yield
    finally:
        _grad[0] = before


def install():
    module = sys.modules["torch"] = types.ModuleType("torch")
    module.Tensor, module.strided = Tensor, strided
    module.is_grad_enabled = lambda: _grad[0]
    module.no_grad = no_grad
    module.autograd = types.SimpleNamespace(
        graph=types.SimpleNamespace(increment_version=increment_version))
    module.cuda = types.SimpleNamespace(
        is_initialized=lambda: True,
        is_current_stream_capturing=lambda: current["captured"],
        current_stream=lambda device: Stream(current["handle"], device))
    return module
