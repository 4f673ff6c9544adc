# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checked launches of verified kernels from Python.

    import girih, torch
    gemm = girih.load("gemm")
    a, b = (torch.randn(512, 512, device="cuda").bfloat16() for _ in "ab")
    c = torch.empty(512, 512, device="cuda")
    gemm(a=a, b=b, c=c)

Arguments are torch tensors on the GPU, objects with __cuda_array_interface__ or
__dlpack__ (CuPy's, JAX's), NumPy arrays (copied to the GPU, and back where the
kernel writes; uint16 are the bits of bf16), numbers for float scalars, and integers for launch symbols:
whatever has __index__, NumPy's integers too, but no bool and no array. Extents
need not be given. A call that the contract refuses raises girih.Refused before
anything is launched, and so does an argument that would have to be taken for
another: a number that is none or too large, elements or strides in another
order or unit of bytes, memory that is read-only, masked, lazily negated or
conjugated, or on another device than the kernel. A launch that was prepared is
refused once an argument lies elsewhere, or has another shape, than then.

Torch is told of tensors that a launch wrote, as of those that its own in-place
operations write: a backward pass that saved one fails. No gradient passes
through a launch, so a tensor that requires one is written under torch.no_grad()
alone; of what is only read nothing is said. What a CUDA graph writes when it is
replayed torch does not see.

Where a kernel's contract gives something about the contents of a tensor, those
of a NumPy array are looked through; for a tensor on the GPU say who knows:

    embedding(ids=girih.validated(ids), ...)  # looked up there at each launch
    embedding(ids=girih.vouched(ids), ...)    # you know; graphs need this one

While a CUDA graph is captured neither validated tensors nor NumPy arrays can be
launched with; that is refused, and the capture goes on. What is the caller's:
that a stream which is given is alive, that the work of other streams on the
arguments has ended, or is waited for, where the launch begins, and that memory
which is not torch's lives until the launch has ended. Torch's allocator is told
of a stream that is given and is not the current one (record_stream).

The contract is checked before the GPU is asked for anything, so that a call
that it refuses is refused with the same words on a machine without one;
Kernel.check does no more than that.

The library libgirih_runtime.so is looked for in this package, where the loader
looks, and in the build folders of the source tree.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.machinery
import importlib.util
import os
import pathlib
import sys

from girih import arguments as arguments_of
from girih import manifest as manifest_of
from girih.arguments import refuse
from girih.dlpack import DLPackArray
from girih.errors import Refused


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


def _find_library():
    name = "libgirih_runtime.so"
    here = pathlib.Path(__file__).resolve().parent
    for packed in here.glob("lib/" + name + "*"):
        return ctypes.CDLL(str(packed))
    try:
        return ctypes.CDLL(name)
    except OSError:
        for built in sorted(here.parents[2].glob("build/*/lib/" + name)):
            return ctypes.CDLL(str(built))
        raise


def _library():
    library = _find_library()
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    address = ctypes.c_uint64
    for function, types in {
            "girih_open": [ctypes.c_char_p, ctypes.POINTER(pointer)],
            "girih_open_signed": [ctypes.c_char_p, ctypes.c_char_p,
                                  ctypes.POINTER(pointer)],
            "girih_mode": [pointer, ctypes.c_char_p],
            "girih_check": [pointer, ctypes.POINTER(_Argument), size,
                            ctypes.POINTER(_Symbol), size],
            "girih_prepare": [pointer, ctypes.POINTER(_Argument), size,
                              ctypes.POINTER(_Symbol), size,
                              ctypes.POINTER(pointer)],
            "girih_run": [pointer, pointer],
            "girih_close": [pointer], "girih_release": [pointer],
            "girih_captured": [pointer, pointer,
                               ctypes.POINTER(ctypes.c_int)],
            "girih_wait": [pointer, pointer],
            "girih_believed": [pointer, size],
            "girih_allocate": [size, ctypes.POINTER(address)],
            "girih_free": [address],
            "girih_upload": [address, pointer, size],
            "girih_download": [pointer, address, size]}.items():
        getattr(library, function).argtypes = types
    library.girih_error.restype = ctypes.c_char_p
    library.girih_believed.restype = ctypes.c_char_p
    return library


_lib = _library()


def _find_extension():
    """girih._launch: of this package, or of a build of the source tree; None
    where there is none for this Python."""
    try:
        from girih import _launch
        return _launch
    except ImportError:
        if "girih._launch" in sys.modules:  # None: not wanted
            return None
    name = "_launch" + importlib.machinery.EXTENSION_SUFFIXES[0]
    tree = pathlib.Path(__file__).resolve().parents[3]
    for built in sorted(tree.glob("build/*/lib/" + name)):
        spec = importlib.util.spec_from_file_location("girih._launch", built)
        try:
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        except ImportError:
            continue
        sys.modules["girih._launch"] = module
        return module
    return None


class _Callable:
    """What is called of a kernel and of a launch without the extension."""

    def __call__(self, *arguments, **named):
        return self._call_slowly(*arguments, **named)

    def _ready(self, *_):
        pass


_extension = _find_extension()
_CallableKernel, _CallableLaunch = (
    (_extension.CallableKernel, _extension.CallableLaunch) if _extension else
    (_Callable, _Callable))


def _check(code):
    if code:
        raise Refused(code, _lib.girih_error().decode())


class _Known:
    """A tensor whose contents somebody knows."""

    def __init__(self, tensor, evidence):
        if isinstance(tensor, _Known):
            refuse("", "a tensor is vouched for or validated, once")
        self.tensor, self.evidence = tensor, evidence


def vouched(tensor: object) -> object:
    """The tensor, of whose contents the caller knows, for as long as they are
    launched with, that they are what the kernel's contract gives."""
    return _Known(tensor, _VOUCHED)


def validated(tensor: object) -> object:
    """The tensor, whose contents are looked up on the GPU before each launch,
    which then waits for the stream."""
    return _Known(tensor, _VALIDATED)


class _Copy:
    """A NumPy array's copy: packed on the host, then on the GPU; `back` brings
    it home."""

    def __init__(self, array):
        import numpy
        self.array, self.address = array, None
        self.packed = numpy.ascontiguousarray(array)

    def upload(self):
        address = ctypes.c_uint64()
        _check(_lib.girih_allocate(self.packed.nbytes, ctypes.byref(address)))
        self.address = address.value
        _check(_lib.girih_upload(self.address, self.packed.ctypes.data,
                                 self.packed.nbytes))

    def back(self):
        import numpy
        packed = numpy.empty(self.array.shape, self.array.dtype)
        _check(_lib.girih_download(packed.ctypes.data, self.address,
                                   packed.nbytes))
        self.array[...] = packed

    def __del__(self):
        if self.address:
            _lib.girih_free(self.address)


def _refuse_captured(launch, stream):
    """NumPy arrays are copied, which no graph can repeat."""
    captured = ctypes.c_int()
    _check(_lib.girih_captured(launch, stream, ctypes.byref(captured)))
    torch = sys.modules.get("torch")
    if captured.value or (torch is not None and torch.cuda.is_initialized() and
                          torch.cuda.is_current_stream_capturing()):
        refuse("", "NumPy arrays are copied for each launch, which cannot be "
               "captured into a graph; give tensors on the GPU")


class Launch(_CallableLaunch):
    """A call that passed the contract. It may run often, on any thread, and be
    captured into a CUDA graph; it keeps its arguments alive. A graph does not:
    hold the launch for as long as the graph is replayed."""

    def __init__(self, handle, kernel, arguments, copies, device):
        self._handle, self._kernel, self._arguments = handle, kernel, arguments
        self._copies, self._device = copies, device
        #: What nobody looks up: the kernel's opt-outs, what is vouched for.
        self.believed: list[str] = []
        while text := _lib.girih_believed(handle, len(self.believed)):
            self.believed.append(text.decode())
        if arguments and all(isinstance(a, arguments_of.TorchTensor)
                             for a in arguments):
            self._ready(handle.value, device.index, [
                (a.tensor, a.written, a.element, a.state["address"],
                 a.state["shape"], a.state["strides"]) for a in arguments])

    def _call_slowly(self, stream: object = None) -> None:
        given = stream
        stream = (_current_stream(self._device) if given is None else
                  arguments_of.stream(given, self._device))
        behind = self._order(stream)
        for argument in self._arguments:
            argument.check(behind)
        if self._copies:
            _refuse_captured(self._handle, stream)
        if given is not None:
            self._record(stream)
        _check(_lib.girih_run(self._handle, stream))
        for argument in self._arguments:
            argument.queued()
        if self._copies:
            _check(_lib.girih_wait(self._handle, stream))
            for argument, copy in self._copies:
                if argument.written:
                    copy.back()

    def _order(self, stream):
        """The stream that waits for whoever fills the arrays that DLPack brought,
        0 is 1 there; None while a graph is captured, which would be ruined."""
        captured = ctypes.c_int()
        if not any(isinstance(a, DLPackArray)
                   for a in self._arguments):
            return None
        _check(_lib.girih_captured(self._handle, stream,
                                   ctypes.byref(captured)))
        return None if captured.value else stream or 1

    def _record(self, stream):
        """Tells torch's allocator of a stream that is not the current one: else
        it would give the memory of a tensor that goes to others, at once."""
        if self._device is None or stream == _current_stream(self._device):
            return
        cuda = sys.modules["torch"].cuda
        used = (cuda.default_stream(self._device) if stream in (0, 1) else
                cuda.ExternalStream(stream, self._device))
        for argument in self._arguments:
            if isinstance(argument, arguments_of.TorchTensor):
                argument.tensor.record_stream(used)

    def __del__(self):
        _lib.girih_release(self._handle)


def _current_stream(device):
    """Torch's for its tensors, else the default one."""
    if device is None:
        return 0
    return sys.modules["torch"].cuda.current_stream(device).cuda_stream


def _one_device(tensors):
    """The device of the torch tensors, if there are any."""
    first = None
    for tensor in tensors:
        if isinstance(tensor, arguments_of.TorchTensor):
            if first is not None and tensor.device != first.device:
                refuse(tensor.what, f" is on {tensor.device}, {first.what} on "
                       f"{first.device}")
            first = first or tensor
    return first and first.device


def _refuse_shared(hosts):
    """Copies would not show that memory is shared."""
    for k, one in enumerate(hosts):
        for other in hosts[:k]:
            if one.shares(other):
                written, beside = (one, other) if one.written else (other, one)
                refuse("the written array ", f"{written.what} shares memory "
                       f"with {beside.what}")


class _Call:
    """What a call hands to the library."""

    def __init__(self, tensors, given, symbols, copies):
        self.tensors, self.copies = tensors, copies
        self.hosts = [tensor for tensor in tensors if tensor.copied]
        self._given, self._symbols = given, symbols

    def lists(self):
        """Made anew, of what the entries are now."""
        given, symbols = self._given, self._symbols
        return ((_Argument * len(given))(*given), len(given),
                (_Symbol * len(symbols))(*symbols), len(symbols))


def _path(what, value):
    try:
        path = os.fsencode(value)
    except Exception:
        refuse("", f"{value!r} is no path")
    return arguments_of.text(what, path)


class Kernel(_CallableKernel):
    """A loaded artefact. Calling it checks a launch and queues it on torch's
    current stream, or on the default one."""

    def __init__(self, folder: str | bytes | os.PathLike, *,
                 policy: str | bytes | os.PathLike | None = None) -> None:
        self._handle = None
        path = _path("folder", folder)
        handle = ctypes.c_void_p()
        _check(_lib.girih_open(path, ctypes.byref(handle)) if policy is None
               else _lib.girih_open_signed(path, _path("policy", policy),
                                           ctypes.byref(handle)))
        self._handle = handle
        self._manifest = manifest_of.read(path)
        #: How it is called: what `inspect.signature` and `help` show.
        self.__signature__ = manifest_of.signature(self._manifest)
        names = [(a["name"], _lib.girih_mode(handle, a["name"].encode()))
                 for a in self._manifest["arguments"]]
        names += [(s["name"], -1) for s in self._manifest["symbols"]]
        self._ready(handle.value, names, _Known, _VOUCHED)

    def __del__(self):
        if self._handle:
            _lib.girih_close(self._handle)

    def __repr__(self):
        return "\n".join(manifest_of.contracts(self._manifest))

    @property
    def name(self) -> str:
        """The kernel's name, or that of the list."""
        return self._manifest["name"]

    @property
    def contracts(self) -> tuple[str, ...]:
        """Of each variant: arguments, grid, what is required and given."""
        return manifest_of.contracts(self._manifest)

    @property
    def architectures(self) -> tuple[str, ...]:
        """What it was compiled for."""
        return tuple(self._manifest["variants"][0]["cubins"])

    def _sort(self, arguments):
        """Tensors with their evidence, scalars, and symbols, by name."""
        tensors, scalars, symbols = {}, {}, {}
        for name, value in arguments.items():
            mode = _lib.girih_mode(self._handle,
                                   arguments_of.text("argument", name))
            evidence = _NOTHING
            if isinstance(value, _Known):
                evidence, value = value.evidence, value.tensor
                if mode not in (0, 1, 2):
                    refuse(name, ": only a tensor is vouched for or validated")
            if mode == 3:
                scalars[name] = arguments_of.real("%" + name, value)
            elif mode in (0, 1, 2):
                tensors[name] = evidence, arguments_of.array(
                    "%" + name, value, mode != 0)
            else:
                symbols[name] = arguments_of.integer(name, value)
        return tensors, scalars, symbols

    def _call(self, arguments):
        """The arguments as the library takes them. Copies are where nothing
        else is until they are made."""
        tensors, scalars, symbols = self._sort(arguments)
        given, copies = [], []
        for name, (evidence, tensor) in tensors.items():
            entry = _Argument(name=name.encode(), evidence=evidence,
                              element=tensor.element.encode(),
                              address=tensor.address or 0,
                              rank=len(tensor.extents))
            if tensor.copied:
                entry.address = (1 << 62) + (len(copies) << 50)
                copies.append((entry, tensor, _Copy(tensor.array)))
                if not evidence:
                    entry.evidence = _CONTENTS
                    entry.contents = copies[-1][2].packed.ctypes.data
            entry.extents = (ctypes.c_int64 * entry.rank)(*tensor.extents)
            entry.strides = (ctypes.c_int64 * entry.rank)(*tensor.strides)
            given.append(entry)
        given += [_Argument(name=name.encode(), value=value)
                  for name, value in scalars.items()]
        values = [_Symbol(name.encode(), value)
                  for name, value in symbols.items()]
        return _Call([tensor for _, tensor in tensors.values()], given, values,
                     copies)

    def check(self, **arguments: object) -> None:
        """Checks a call against the contract alone: the GPU is not asked, and
        need not be there. Raises what `prepare` would raise."""
        call = self._call(arguments)
        _one_device(call.tensors)
        _check(_lib.girih_check(self._handle, *call.lists()))
        _refuse_shared(call.hosts)

    def prepare(self, **arguments: object) -> Launch:
        """Checks a call; the launch that is returned can be repeated."""
        call = self._call(arguments)
        found, hosts = call.tensors, call.hosts
        device = _one_device(found)
        if hosts:
            _check(_lib.girih_check(self._handle, *call.lists()))
            _refuse_captured(None, _current_stream(device))
        # Beside tensors of torch, on their device.
        with (contextlib.nullcontext() if device is None or not hosts else
              sys.modules["torch"].cuda.device(device)):
            for entry, _, copy in call.copies:
                copy.upload()
                entry.address = copy.address
        handle = ctypes.c_void_p()
        _check(_lib.girih_prepare(self._handle, *call.lists(),
                                  ctypes.byref(handle)))
        copies = [(tensor, copy) for _, tensor, copy in call.copies]
        launch = Launch(handle, self, found, copies, device)
        _refuse_shared(hosts)
        for _, copy in copies:
            copy.packed = None
        for tensor in found:
            if isinstance(tensor, arguments_of.DeviceArray):
                made_on = tensor.state["stream"]
                if made_on is not None:
                    _check(_lib.girih_wait(handle, made_on))
        return launch

    def _call_slowly(self, **arguments: object) -> None:
        self.prepare(**arguments)._call_slowly()


def load(folder: str | bytes | os.PathLike, *,
         policy: str | bytes | os.PathLike | None = None) -> Kernel:
    """Loads and checks an artefact; needs no GPU. policy: a file that says by
    whom it is signed; any other artefact is refused."""
    return Kernel(folder, policy=policy)
