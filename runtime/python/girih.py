# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checked launches of verified kernels from Python.

    import girih, torch
    gemm = girih.load("gemm")
    a, b = (torch.randn(512, 512, device="cuda").bfloat16() for _ in "ab")
    c = torch.empty(512, 512, device="cuda")
    gemm(a=a, b=b, c=c)

Arguments are torch tensors on the GPU, objects with __cuda_array_interface__,
NumPy arrays (copied to the GPU, and back where the kernel writes; uint16 are
the bits of bf16), numbers for float scalars, and integers for launch symbols.
Extents need not be given. A call that the contract refuses raises
girih.Refused before anything is launched.

Where a kernel's contract gives something about the contents of a tensor, those
of a NumPy array are looked through; for a tensor on the GPU say who knows:

    embedding(ids=girih.validated(ids), ...)  # looked up there at each launch
    embedding(ids=girih.vouched(ids), ...)    # you know; graphs need this one

The library libgirih_runtime.so is looked for where the loader looks, beside
this file, and in the build folders of the source tree.
"""

import ctypes
import pathlib
import sys


class Refused(Exception):
    """code is 1 (artefact, failed launch), 3 (contract, usage) or 77 (no GPU)."""

    def __init__(self, code, reason):
        super().__init__(reason)
        self.code = code


class _Argument(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("element", ctypes.c_char_p),
                ("address", ctypes.c_uint64), ("rank", ctypes.c_size_t),
                ("extents", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("value", ctypes.c_double), ("evidence", ctypes.c_int),
                ("contents", ctypes.c_void_p)]


# As girih.h has them.
_NOTHING, _CONTENTS, _VOUCHED, _VALIDATED = range(4)


class _Symbol(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("value", ctypes.c_int64)]


def _library():
    name = "libgirih_runtime.so"
    try:
        library = ctypes.CDLL(name)
    except OSError:
        here = pathlib.Path(__file__).resolve().parent
        places = [here / name,
                  *sorted(here.parents[1].glob("build/*/lib/" + name))]
        found = next((p for p in places if p.exists()), None)
        if not found:
            raise
        library = ctypes.CDLL(str(found))
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    address = ctypes.c_uint64
    for function, types in {
            "girih_open": [ctypes.c_char_p, ctypes.POINTER(pointer)],
            "girih_mode": [pointer, ctypes.c_char_p],
            "girih_prepare": [pointer, ctypes.POINTER(_Argument), size,
                              ctypes.POINTER(_Symbol), size,
                              ctypes.POINTER(pointer)],
            "girih_run": [pointer, pointer],
            "girih_believed": [pointer, size],
            "girih_allocate": [size, ctypes.POINTER(address)],
            "girih_free": [address],
            "girih_upload": [address, pointer, size],
            "girih_download": [pointer, address, size],
            "girih_synchronize": []}.items():
        getattr(library, function).argtypes = types
    library.girih_error.restype = ctypes.c_char_p
    library.girih_believed.restype = ctypes.c_char_p
    for function in ("girih_close", "girih_release"):
        getattr(library, function).argtypes = [pointer]
        getattr(library, function).restype = None
    return library


_lib = _library()


def _check(code):
    if code:
        raise Refused(code, _lib.girih_error().decode())


# NumPy's names of types; bf16 has none, its bits are uint16.
_ELEMENTS = {"b1": "i1", "i1": "i8", "i2": "i16", "i4": "i32", "i8": "i64",
             "u2": "bf16", "f2": "f16", "f4": "f32", "f8": "f64"}
_TORCH = {"bool": "i1", "int8": "i8", "int16": "i16", "int32": "i32",
          "int64": "i64", "float16": "f16", "bfloat16": "bf16",
          "float32": "f32", "float64": "f64", "float8_e4m3fn": "f8E4M3FN",
          "float8_e5m2": "f8E5M2", "float8_e8m0fnu": "f8E8M0FNU",
          "float4_e2m1fn_x2": "f4E2M1FN"}


def _element(types, name, what):
    if name not in types:
        raise Refused(3, f"{what}: no kernel has elements of type {name}")
    return types[name]


def _number(kind, name, value):
    try:
        return kind(value)
    except (TypeError, ValueError) as error:
        raise Refused(3, f"{name}: {value!r} is neither an array nor a "
                      "number") from error


class _Known:
    """A tensor whose contents somebody knows."""

    def __init__(self, tensor, evidence):
        if isinstance(tensor, _Known):
            raise Refused(3, "a tensor is vouched for or validated, once")
        self.tensor, self.evidence = tensor, evidence


def vouched(tensor):
    """The tensor, of whose contents the caller knows, for as long as they are
    launched with, that they are what the kernel's contract gives."""
    return _Known(tensor, _VOUCHED)


def validated(tensor):
    """The tensor, whose contents are looked up on the GPU before each launch,
    which then waits for the stream."""
    return _Known(tensor, _VALIDATED)


class _Copy:
    """A NumPy array's copy on the GPU; `back` brings it home."""

    def __init__(self, array, written):
        import numpy
        self.array, self.written, self.address = array, written, None
        packed = self.packed = numpy.ascontiguousarray(array)
        address = ctypes.c_uint64()
        _check(_lib.girih_allocate(packed.nbytes, ctypes.byref(address)))
        self.address = address.value
        _check(_lib.girih_upload(self.address, packed.ctypes.data,
                                 packed.nbytes))

    def back(self):
        if self.written:
            import numpy
            packed = numpy.empty(self.array.shape, self.array.dtype)
            _check(_lib.girih_download(packed.ctypes.data, self.address,
                                       packed.nbytes))
            self.array[...] = packed

    def __del__(self):
        if self.address is not None:
            _lib.girih_free(self.address)


def _packed(shape):
    strides, step = [], 1
    for extent in reversed(shape):
        strides.insert(0, step)
        step *= extent
    return strides


class Launch:
    """A call that passed the contract. It may run often, and be captured into
    a CUDA graph; it keeps its arguments alive. A graph does not: hold the
    launch for as long as the graph is replayed."""

    def __init__(self, handle, keep, stream):
        self._handle, self._keep, self._stream = handle, keep, stream
        self._copies = [k for k in keep if isinstance(k, _Copy)]
        for copy in self._copies:
            copy.packed = None
        #: What nobody looks up: the kernel's opt-outs, what is vouched for.
        self.believed = []
        while text := _lib.girih_believed(handle, len(self.believed)):
            self.believed.append(text.decode())

    def __call__(self, stream=None):
        _check(_lib.girih_run(self._handle,
                              self._stream() if stream is None else stream))
        if self._copies:
            _check(_lib.girih_synchronize())
            for copy in self._copies:
                copy.back()

    def __del__(self):
        _lib.girih_release(self._handle)


class Kernel:
    """A loaded artefact. Calling it checks a launch and queues it on torch's
    current stream, or on the default one."""

    def __init__(self, folder):
        self._handle = None
        handle = ctypes.c_void_p()
        _check(_lib.girih_open(str(folder).encode(), ctypes.byref(handle)))
        self._handle = handle

    def __del__(self):
        if self._handle:
            _lib.girih_close(self._handle)

    def _tensor(self, name, value, keep):
        """(element, address, extents, strides) of an array."""
        if hasattr(value, "data_ptr"):
            if not value.is_cuda:
                raise Refused(3, f"%{name} is not on the GPU")
            kind = str(value.dtype).removeprefix("torch.")
            extents, strides = list(value.shape), list(value.stride())
            if kind.endswith("_x2"):  # two numbers along the last axis
                extents[-1] *= 2
                strides = [2 * s for s in strides[:-1]] + strides[-1:]
            return (_element(_TORCH, kind, "%" + name), value.data_ptr(),
                    extents, strides)
        device = getattr(value, "__cuda_array_interface__", None)
        shape = list(device["shape"] if device else value.shape)
        kind = (device["typestr"] if device else value.dtype.str)[1:]
        element = _element(_ELEMENTS, kind, "%" + name)
        strides = _packed(shape)
        if not device:
            mode = _lib.girih_mode(self._handle, name.encode())
            keep.append(_Copy(value, mode in (1, 2)))
            return element, keep[-1].address, shape, strides
        if device.get("strides"):
            size = int(kind[1:])
            strides = [s // size for s in device["strides"]]
        return element, device["data"][0], shape, strides

    def prepare(self, **arguments):
        """Checks a call; the launch that is returned can be repeated."""
        tensors, symbols, keep, stream = [], [], [self], lambda: None
        for name, value in arguments.items():
            argument = _Argument(name=name.encode())
            if isinstance(value, _Known):
                argument.evidence, value = value.evidence, value.tensor
            if hasattr(value, "shape") and hasattr(value, "dtype"):
                keep.append(value)
                element, argument.address, extents, strides = self._tensor(
                    name, value, keep)
                argument.element = element.encode()
                if isinstance(keep[-1], _Copy) and not argument.evidence:
                    argument.evidence = _CONTENTS
                    argument.contents = keep[-1].packed.ctypes.data
                argument.rank = len(extents)
                argument.extents = (ctypes.c_int64 * len(extents))(*extents)
                argument.strides = (ctypes.c_int64 * len(strides))(*strides)
                if hasattr(value, "data_ptr"):
                    torch = sys.modules["torch"]
                    stream = lambda d=value.device: (
                        torch.cuda.current_stream(d).cuda_stream)
            elif _lib.girih_mode(self._handle, name.encode()) == 3:
                argument.value = _number(float, name, value)
            else:
                symbols.append(_Symbol(name.encode(),
                                       _number(int, name, value)))
                continue
            tensors.append(argument)
        handle = ctypes.c_void_p()
        _check(_lib.girih_prepare(
            self._handle, (_Argument * len(tensors))(*tensors), len(tensors),
            (_Symbol * len(symbols))(*symbols), len(symbols),
            ctypes.byref(handle)))
        return Launch(handle, keep, stream)

    def __call__(self, **arguments):
        self.prepare(**arguments)()


def load(folder):
    """Loads and checks an artefact; needs no GPU."""
    return Kernel(folder)
