# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The GPU as measure.py sees it: results compared with the incumbent's, and
times by events. Each call has another set of buffers, so that none finds its
data in the L2 cache, and is queued while the GPU still waits, so that what the
host does is hidden."""

import ctypes
import pathlib

from . import compare, contents, driver as driver_of, kernel
from .errors import Failed, Malformed
from .kernel import BITS, Tensor

MAX_SETS = 64
MAX_REPEATS = 200  # below what a stream holds before it blocks the host
SAMPLE = 1000.0  # microseconds of a sample
FILL = 0xFF  # of outputs: NaN in every float that has one


def _expression(value):
    return tuple(map(_expression, value)) if isinstance(value, list) else value


def unlike(a, b, width):
    """How many elements of so many bytes differ; halves without a difference
    are not looked through."""
    if a == b:
        return 0
    if len(a) <= 4096 * width:
        return sum(a[k:k + width] != b[k:k + width]
                   for k in range(0, len(a), width))
    half = len(a) // width // 2 * width
    return unlike(a[:half], b[:half], width) + unlike(a[half:], b[half:], width)


class Gate:
    """Work that is queued waits until it opens. Where the driver has no such
    wait it is always open."""

    def __init__(self, driver, stream):
        self.driver, self.stream, self.value, self.word = driver, stream, 0, None
        if driver.has("MemHostAlloc", "MemHostGetDevicePointer",
                      "StreamWaitValue32"):
            host, self.address = ctypes.c_void_p(), ctypes.c_uint64()
            driver.MemHostAlloc(ctypes.byref(host), 4, 2)
            driver.MemHostGetDevicePointer(ctypes.byref(self.address), host, 0)
            self.word = ctypes.c_uint32.from_address(host.value)
            self.word.value = 0
            try:
                self.close()
                self.open()
            except Failed:  # a device without it
                self.word = None

    def close(self):
        if self.word is not None:
            self.value += 1
            self.driver.StreamWaitValue32(self.stream, self.address.value,
                                          self.value, 0)

    def open(self):
        if self.word is not None:
            self.word.value = self.value


class Bench:
    def __init__(self, plan, seed):
        self.driver, self.library = driver_of.Driver(), driver_of.Runtime()
        self.seed, self.properties = seed, self.driver.properties()
        if self.properties["arch"] != plan["arch"]:
            raise Malformed(f"tile-tune: error: the archive is for "
                            f"{plan['arch']}, the GPU is "
                            f"{self.properties['arch']}")
        d = self.driver
        self.stream = ctypes.c_void_p()
        d.StreamCreate(ctypes.byref(self.stream), 0)
        self.events = [ctypes.c_void_p(), ctypes.c_void_p()]
        for event in self.events:
            d.EventCreate(ctypes.byref(event), 0)
        self.gate = Gate(d, self.stream)
        self.flushed = 2 * d.l2()
        self.scratch = d.allocate(self.flushed)
        self.kernels, self.pools = {}, {}

    def device(self):
        return self.properties

    def runtime(self):
        return {"runtime": self.library.hash()}

    def kernel(self, folder):
        if folder not in self.kernels:
            self.kernels[folder] = self.library.open(folder)
        return self.kernels[folder]

    def pool(self, element):
        """(address, bytes) of random elements on the device."""
        if element not in self.pools:
            data = contents.pool(element, self.seed)
            address = self.driver.allocate(len(data))
            self.driver.MemcpyHtoD(address, data, len(data))
            self.pools[element] = address, len(data)
        return self.pools[element]

    def wait(self):
        self.driver.StreamSynchronize(self.stream)

    def copy(self, to, source, size):
        if size:
            self.driver.MemcpyDtoDAsync(to, source, size, self.stream)

    def download(self, address, size):
        found = ctypes.create_string_buffer(max(size, 1))
        if size:
            self.driver.MemcpyDtoH(found, address, size)
        return memoryview(found).cast("B")[:size]

    def session(self, plan, launch, folder, names):
        return Session(self, plan, launch, pathlib.Path(folder), names)


class Session:
    """A launch on all candidates. Its memory is one allocation: sets of buffers,
    one behind the other."""

    def __init__(self, bench, plan, launch, folder, names):
        self.bench, self.plan, self.launch = bench, plan, launch
        self.folder, self.incumbent = folder, names[0]
        self.tensors = [Tensor(t["name"], t["element"], t["mode"],
                               _expression(t["dims"]), _expression(t["strides"]),
                               0) for t in plan["tensors"]]
        self.prepared, self.repeats, self.turn = {}, {}, 0
        self.is_expected, self.loaded = False, set()

    def __enter__(self):
        d, at, self.offsets = self.bench.driver, 0, []
        self.sizes = [kernel.span(t, self.launch) for t in self.tensors]
        for size in self.sizes:
            self.offsets.append(at)
            at += -(-max(size, 1) // 256) * 256
        self.size = at
        wanted = 1 + max(1, self.bench.flushed // self.size)
        # Beside them: what a check expects.
        room = int(d.memory()[0] * 0.9) - 2 * self.size
        self.count = min(wanted, MAX_SETS, room // self.size)
        if self.count < 2:
            raise Failed(f"tile-tune: error: {self.launch}: two sets of "
                         f"{self.size} bytes do not fit the device")
        self.is_flushed = self.count * self.size < self.bench.flushed
        self.base = d.allocate((self.count + 1) * self.size)
        self.last = self.base + (self.count - 1) * self.size
        self.expected = self.base + self.count * self.size
        self.contents = {}
        try:
            for k, tensor in enumerate(self.tensors):
                self.fill(k, tensor)
            for number in range(1, self.count):
                self.bench.copy(self.base + number * self.size, self.base,
                                self.size)
            self.bench.wait()
        except BaseException:
            d.free(self.base)
            raise
        return self

    def __exit__(self, *_):
        self.bench.wait()
        for launches in self.prepared.values():
            for handle in launches:
                self.bench.library.release(handle)
        self.bench.driver.free(self.base)

    def fill(self, k, tensor):
        """The contents before the launch, in the first set."""
        address, size = self.base + self.offsets[k], self.sizes[k]
        given = contents.facts(self.plan["given"], tensor.name, self.launch)
        if tensor.mode.startswith("out") or not size:
            self.bench.driver.MemsetD8Async(address, FILL, max(size, 1),
                                            self.bench.stream)
        elif given:
            self.contents[k] = contents.integers(
                tensor.element, contents.elements(size, tensor.element), given,
                self.bench.seed)
            self.bench.driver.MemcpyHtoD(address, self.contents[k], size)
        else:
            pool, period = self.bench.pool(tensor.element)
            done = min(period, size)
            self.bench.copy(address, pool, done)
            while done < size:
                more = min(done - done % period, size - done)
                self.bench.copy(address + done, address, more)
                done += more

    def prepare(self, name, number):
        """The launch of a candidate on a set."""
        base, given = self.base + number * self.size, []
        for k, tensor in enumerate(self.tensors):
            given.append(driver_of.tensor(
                tensor.name, tensor.element, base + self.offsets[k],
                kernel.extent_values(tensor, self.launch),
                [kernel.expression.evaluate(s, self.launch)
                 for s in tensor.strides], self.contents.get(k)))
        given += [driver_of.scalar(n, float(self.launch[n]))
                  for n in self.plan["scalars"]]
        extents = {d for t in self.tensors for d in t.dims}
        symbols = {n: self.launch[n] for n in self.plan["symbols"]
                   if n not in extents}
        return self.bench.library.prepare(
            self.bench.kernel(self.folder / name), given, symbols, name)

    def launches(self, name):
        if name not in self.prepared:
            self.prepared[name] = []
            for number in range(self.count):
                self.prepared[name].append(self.prepare(name, number))
        return self.prepared[name]

    def run(self, handle, name):
        self.bench.library.check(
            self.bench.library.run(handle, self.bench.stream), name)

    def results(self, name):
        """Runs a candidate on the last set, with the contents of the first."""
        self.bench.copy(self.last, self.base, self.size)
        self.run(self.launches(name)[self.count - 1], name)
        self.bench.wait()
        self.loaded.add(name)

    def check(self, name):
        """(wrong elements, message) of a candidate's results beside the
        incumbent's."""
        if not self.is_expected:
            self.results(self.incumbent)
            self.bench.copy(self.expected, self.last, self.size)
            self.is_expected = True
        try:
            self.results(name)
        except Failed as error:
            return 1, str(error)
        total, messages = 0, []
        for k, tensor in enumerate(self.tensors):
            wrong = self.differences(k) if tensor.is_written else 0
            if wrong:
                total += wrong
                count = contents.elements(self.sizes[k], tensor.element)
                messages.append(f"{wrong} of {count} elements of "
                                f"%{tensor.name} are not the incumbent's")
        return total, "; ".join(messages)

    def differences(self, k):
        """How many elements of a tensor of the last set are too far from what is
        expected, by the kernel that compares, or unlike where there is none."""
        element, size = self.tensors[k].element, self.sizes[k]
        found, wanted = (base + self.offsets[k]
                         for base in (self.last, self.expected))
        name = compare.NAME.format(element)
        if name not in self.plan["compare"]:
            return unlike(self.bench.download(found, size),
                          self.bench.download(wanted, size),
                          -(-BITS[element] // 8))
        d, library = self.bench.driver, self.bench.library
        count = contents.elements(size, element)
        if not count:
            return 0
        tiles = -(-count // compare.TILE)
        counts = d.allocate(4 * tiles)
        absolute, relative = self.plan["tolerance"]
        try:
            launch = library.prepare(
                self.bench.kernel(self.folder / name),
                [driver_of.tensor("x", element, found, [count], [1]),
                 driver_of.tensor("y", element, wanted, [count], [1]),
                 driver_of.tensor("wrong", "f32", counts, [tiles], [1]),
                 driver_of.scalar("absolute", absolute),
                 driver_of.scalar("relative", relative)], {}, name)
            self.run(launch, name)
            self.bench.wait()
            library.release(launch)
            return int(sum(self.bench.download(counts, 4 * tiles).cast("f")))
        finally:
            d.free(counts)

    def sample(self, name, repeats):
        """Microseconds of so many calls."""
        bench, d, launches = self.bench, self.bench.driver, self.launches(name)
        run, stream = bench.library.run, bench.stream
        begin, end = bench.events
        if self.is_flushed:
            d.MemsetD8Async(bench.scratch, 0, bench.flushed, stream)
        try:
            bench.gate.close()
            d.EventRecord(begin, stream)
            codes = [run(launches[(self.turn + k) % self.count], stream)
                     for k in range(repeats)]
            d.EventRecord(end, stream)
        finally:
            bench.gate.open()
        self.turn = (self.turn + repeats) % self.count
        bench.library.check(max(codes), name)
        d.EventSynchronize(end)
        elapsed = ctypes.c_float()
        d.EventElapsedTime(ctypes.byref(elapsed), begin, end)
        return 1000.0 * elapsed.value

    def time(self, name):
        limit = self.count if self.is_flushed else MAX_REPEATS
        if name not in self.repeats:
            # The code is loaded by the first launch, which may wait for the
            # device: not behind the gate.
            if name not in self.loaded:
                self.run(self.launches(name)[0], name)
                self.bench.wait()
            once = self.sample(name, 1)
            if once > SAMPLE:  # a sample as it is
                self.repeats[name] = 1
                return once, 1
            once = self.sample(name, min(3, limit)) / min(3, limit)
            self.repeats[name] = max(1, min(limit, int(SAMPLE / max(once, 1))))
        repeats = self.repeats[name]
        return max(self.sample(name, repeats), 1e-3) / repeats, repeats
