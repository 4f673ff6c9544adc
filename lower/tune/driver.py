# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The CUDA driver and the runtime's C interface (runtime/girih.h), through
ctypes."""

import ctypes
import pathlib
import re

from .errors import Failed, NoGpu
from .tools import file_digest

_u64, _size, _pointer = ctypes.c_uint64, ctypes.c_size_t, ctypes.c_void_p
# Of CUdevice_attribute.
_PROCESSORS, _L2, _MAJOR, _MINOR = 16, 38, 75, 76
_NO_DEVICE = {3, 100}  # not initialized, no device
_FUNCTIONS = {
    "cuInit": [ctypes.c_uint],
    "cuDeviceGetCount": [_pointer],
    "cuDeviceGet": [_pointer, ctypes.c_int],
    "cuDeviceGetName": [_pointer, ctypes.c_int, ctypes.c_int],
    "cuDeviceGetAttribute": [_pointer, ctypes.c_int, ctypes.c_int],
    "cuDriverGetVersion": [_pointer],
    "cuDevicePrimaryCtxRetain": [_pointer, ctypes.c_int],
    "cuCtxSetCurrent": [_pointer],
    "cuMemAlloc_v2": [_pointer, _size],
    "cuMemFree_v2": [_u64],
    "cuMemGetInfo_v2": [_pointer, _pointer],
    "cuMemcpyHtoD_v2": [_u64, _pointer, _size],
    "cuMemcpyDtoH_v2": [_pointer, _u64, _size],
    "cuMemcpyDtoDAsync_v2": [_u64, _u64, _size, _pointer],
    "cuMemsetD8Async": [_u64, ctypes.c_ubyte, _size, _pointer],
    "cuStreamCreate": [_pointer, ctypes.c_uint],
    "cuStreamSynchronize": [_pointer],
    "cuEventCreate": [_pointer, ctypes.c_uint],
    "cuEventRecord": [_pointer, _pointer],
    "cuEventSynchronize": [_pointer],
    "cuEventElapsedTime": [_pointer, _pointer, _pointer],
    "cuMemHostAlloc": [_pointer, _size, ctypes.c_uint],
    "cuMemHostGetDevicePointer_v2": [_pointer, _pointer, ctypes.c_uint],
    "cuStreamWaitValue32_v2": [_pointer, _u64, ctypes.c_uint32, ctypes.c_uint],
    "cuGetErrorName": [ctypes.c_int, _pointer],
}


class Driver:
    """Calls by their names without cu and version: driver.MemAlloc(...). A call
    that fails raises Failed."""

    def __init__(self):
        try:
            self.library = ctypes.CDLL("libcuda.so.1")
        except OSError:
            raise NoGpu("tile-tune: no CUDA driver") from None
        self.functions = {}
        for name, types in _FUNCTIONS.items():
            plain = re.sub(r"_v\d$", "", name)
            function = getattr(self.library, name,
                               getattr(self.library, plain, None))
            if function is not None:
                function.argtypes = types
                self.functions[plain[2:]] = function
        code = self.functions["Init"](0)
        count = ctypes.c_int()
        if code == 0:
            self.DeviceGetCount(ctypes.byref(count))
        if code in _NO_DEVICE or code == 0 and not count.value:
            raise NoGpu("tile-tune: the CUDA driver sees no GPU")
        self._check("Init", code)
        self.device, context = ctypes.c_int(), _pointer()
        self.DeviceGet(ctypes.byref(self.device), 0)
        self.DevicePrimaryCtxRetain(ctypes.byref(context), self.device)
        self.CtxSetCurrent(context)

    def _check(self, name, code):
        if code:
            text = ctypes.c_char_p()
            if "GetErrorName" in self.functions:
                self.functions["GetErrorName"](code, ctypes.byref(text))
            raise Failed(f"tile-tune: error: cu{name}: "
                         f"{(text.value or b'').decode() or code}")

    def __getattr__(self, name):
        function = self.__dict__["functions"].get(name)
        if function is None:
            raise AttributeError(name)

        def call(*arguments):
            self._check(name, function(*arguments))
        return call

    def has(self, *names):
        return all(n in self.functions for n in names)

    def attribute(self, which):
        value = ctypes.c_int()
        self.DeviceGetAttribute(ctypes.byref(value), which, self.device)
        return value.value

    def properties(self):
        """What tells one kind of device from another; nothing that tells two of
        one kind apart."""
        name, version = ctypes.create_string_buffer(256), ctypes.c_int()
        self.DeviceGetName(name, 256, self.device)
        self.DriverGetVersion(ctypes.byref(version))
        return {"name": name.value.decode(),
                "processors": self.attribute(_PROCESSORS),
                "l2": self.l2(), "memory": self.memory()[1],
                "arch": f"sm_{self.attribute(_MAJOR)}{self.attribute(_MINOR)}",
                "cuda": version.value, "driver": _kernel_driver()}

    def l2(self):
        return self.attribute(_L2)

    def allocate(self, size):
        address = _u64()
        self.MemAlloc(ctypes.byref(address), max(size, 256))
        return address.value

    def free(self, address):
        self.MemFree(address)

    def memory(self):
        """Bytes: free, and in all."""
        free, total = _size(), _size()
        self.MemGetInfo(ctypes.byref(free), ctypes.byref(total))
        return free.value, total.value


def _kernel_driver():
    try:
        text = pathlib.Path("/proc/driver/nvidia/version").read_text()
        return re.search(r"\b\d+\.\d+(\.\d+)?\b", text)[0]
    except (OSError, TypeError):
        return "unknown"


class Argument(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("element", ctypes.c_char_p),
                ("address", _u64), ("rank", _size),
                ("extents", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("value", ctypes.c_double), ("evidence", ctypes.c_int),
                ("contents", _pointer)]


class Symbol(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("value", ctypes.c_int64)]


CONTENTS = 1  # of GIRIH_CONTENTS


def tensor(name, element, address, extents, strides, contents=None):
    """An argument; contents: bytes of a tensor about which facts are given."""
    rank = len(extents)
    kept = None if contents is None else ctypes.create_string_buffer(
        contents, len(contents))
    found = Argument(name=name.encode(), element=element.encode(),
                     address=address, rank=rank,
                     extents=(ctypes.c_int64 * rank)(*extents),
                     strides=(ctypes.c_int64 * rank)(*strides),
                     evidence=CONTENTS if contents is not None else 0,
                     contents=ctypes.cast(kept, _pointer) if kept else None)
    return found, kept


def scalar(name, value):
    return Argument(name=name.encode(), value=value), None


class Runtime:
    """libgirih_runtime.so: beside this package's ../../lib, where the loader
    looks, or in a build of the source tree."""

    def __init__(self):
        name, here = "libgirih_runtime.so", pathlib.Path(__file__).resolve()
        called = pathlib.Path(__file__).absolute()
        places = [*sorted((called.parents[3] / "lib").glob(name + "*")),
                  *sorted((here.parents[3] / "lib").glob(name + "*")), name,
                  *sorted(here.parents[2].glob(f"build/*/lib/{name}"))]
        for place in places:
            try:
                self.library = ctypes.CDLL(str(place))
                break
            except OSError:
                continue
        else:
            raise Failed(f"tile-tune: error: no {name}")
        self.library.girih_error.restype = ctypes.c_char_p
        for function, types in {
                "girih_open": [ctypes.c_char_p, _pointer],
                "girih_prepare": [_pointer, _pointer, _size, _pointer, _size,
                                  _pointer],
                "girih_run": [_pointer, _pointer],
                "girih_release": [_pointer], "girih_close": [_pointer]}.items():
            getattr(self.library, function).argtypes = types
        self.run = self.library.girih_run

    def hash(self):
        for line in pathlib.Path("/proc/self/maps").read_text().splitlines():
            if "libgirih_runtime.so" in line:
                return file_digest(line.split(maxsplit=5)[5])
        return "unknown"

    def check(self, code, what):
        if code:
            text = self.library.girih_error().decode()
            raise (NoGpu if code == 77 else Failed)(
                f"tile-tune: error: {what}: {text}")

    def open(self, folder):
        handle = _pointer()
        self.check(self.library.girih_open(str(folder).encode(),
                                           ctypes.byref(handle)), folder)
        return handle

    def prepare(self, kernel, arguments, symbols, what):
        """A launch. arguments: of `tensor` and `scalar`."""
        given = (Argument * len(arguments))(*(a for a, _ in arguments))
        values = (Symbol * len(symbols))(
            *(Symbol(n.encode(), v) for n, v in symbols.items()))
        handle = _pointer()
        self.check(self.library.girih_prepare(
            kernel, given, len(given), values, len(values),
            ctypes.byref(handle)), what)
        return handle

    def release(self, launch):
        self.library.girih_release(launch)
