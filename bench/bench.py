#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Speed of shipped kernels beside the libraries, on a GPU with PyTorch.

usage: bench.py ARTEFACTS OUT.json [--seconds=S] [WORK ...]

ARTEFACTS is a folder with an artefact a kernel. Ours, the library and a device
copy are interleaved in one process, on random normal data, each call on another
set of buffers so that none finds its data in the L2 cache. Calls are queued
while the GPU still waits, so that what the host does is hidden. Times are
medians over rounds, with the 10th and 90th percentile. Before that, the results
of all are compared with one of higher precision, ours on outputs that were
filled with NaN.
"""

import datetime
import json
import pathlib
import random
import re
import subprocess
import sys
import traceback

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] /
                       "runtime/python"))
import girih

ROUNDS = 30
HALF = torch.bfloat16


class Work:
    """One job and those who do it.

    sets: tuples of tensors, the output last, which together pass the L2 cache.
    contestants: by name, how much a call does (in `unit` times seconds) and a
    function from a set to a call; a call returns its result or writes the
    output. expected: from a set to the result in higher precision; tolerance:
    how far ours may be away, as the norm of the difference over the norm. read:
    from a set and a result to what is compared, if that is not all of it.
    """

    def __init__(self, unit, sets, contestants, expected, tolerance, read=None):
        self.unit, self.sets, self.contestants = unit, sets, contestants
        self.expected, self.tolerance = expected, tolerance
        self.read = read or (lambda tensors, result: result)


def rotating(make):
    """As many sets as it takes to pass the L2 cache twice over."""
    first = make()
    size = sum(t.nbytes for t in first)
    l2 = torch.cuda.get_device_properties(0).L2_cache_size
    return [first] + [make() for _ in range(max(1, 2 * l2 // size))]


def normal(*shape, dtype=torch.float32):
    return torch.randn(*shape, device="cuda", dtype=dtype)


def empty(*shape, dtype=torch.float32):
    return torch.empty(*shape, device="cuda", dtype=dtype)


def girihs(artefact, names, vouched=(), **symbols):
    """Our contestant: each set's call is checked once, then repeated. Names that
    are None are no arguments; `vouched` are those of which we know the contents."""
    kernel = girih.load(artefact)

    def ready(tensors):
        named = {name: girih.vouched(tensor) if name in vouched else tensor
                 for name, tensor in zip(names, tensors) if name}
        launch = kernel.prepare(**named, **symbols)
        stream = torch.cuda.current_stream().cuda_stream
        return lambda: launch(stream)
    return ready


def copy(source, target):
    return lambda s: lambda: s[target].copy_(s[source])


def gemm(artefacts, n):
    work = 2 * n ** 3 / 1e12
    narrow = empty(n, n, dtype=HALF)
    # As few programs as need no further round over the tiles.
    tiles = -(-n // 128) * -(-n // 256)
    processors = torch.cuda.get_device_properties(0).multi_processor_count
    programs = -(-tiles // -(-tiles // processors))
    # Where gemm_by_size has its border.
    small = {"girih gemm_small": (work, girihs(artefacts / "gemm_small",
                                               "abc"))} if n <= 2048 else {}
    return Work(
        "TFLOP/s",
        rotating(lambda: (normal(n, n, dtype=HALF), normal(n, n, dtype=HALF),
                          empty(n, n))),
        {"cuBLAS, f32 out": (work, lambda s: lambda: torch.mm(
            s[0], s[1], out_dtype=torch.float32, out=s[2])),
         "cuBLAS, bf16 out": (work, lambda s: lambda: torch.mm(
             s[0], s[1], out=narrow)),
         "girih gemm": (work, girihs(artefacts / "gemm", "abc")),
         "girih gemm_persistent": (work, girihs(
             artefacts / "gemm_persistent", "abc", P=programs)), **small},
        lambda s: s[0].float() @ s[1].float(), 1e-4)


def add(artefacts):
    n = 1 << 28
    return Work(
        "TB/s", rotating(lambda: (normal(n), normal(n), empty(n))),
        {"device copy": (8 * n / 1e12, copy(0, 2)),
         "torch": (12 * n / 1e12,
                   lambda s: lambda: torch.add(s[0], s[1], out=s[2])),
         "girih add": (12 * n / 1e12, girihs(artefacts / "add", "xyz"))},
        lambda s: s[0] + s[1], 0)


def softmax(artefacts):
    m, n = 16384, 8192
    work = 8 * m * n / 1e12
    return Work(
        "TB/s", rotating(lambda: (normal(m, n), empty(m, n))),
        {"device copy": (work, copy(0, 1)),
         "torch": (work, lambda s: lambda: torch.softmax(s[0], -1)),
         "girih softmax": (work, girihs(artefacts / "softmax", "xy"))},
        lambda s: torch.softmax(s[0].double(), -1), 1e-6)


def rms_norm(artefacts):
    m, n, eps = 16384, 8192, 1e-6
    work = 4 * m * n / 1e12
    return Work(
        "TB/s",
        rotating(lambda: (normal(m, n, dtype=HALF), normal(n, dtype=HALF),
                          empty(m, n, dtype=HALF))),
        {"device copy": (work, copy(0, 2)),
         "torch": (work, lambda s: lambda: torch.nn.functional.rms_norm(
             s[0], (n,), s[1], eps)),
         "girih rms_norm": (work, girihs(
             artefacts / "rms_norm", ("x", "weight", "y"), eps=eps))},
        lambda s: torch.nn.functional.rms_norm(
            s[0].double(), (n,), s[1].double(), eps), 3e-3)


WORKS = {
    "gemm bf16 1024": lambda a: gemm(a, 1024),
    "gemm bf16 2048": lambda a: gemm(a, 2048),
    "gemm bf16 4096": lambda a: gemm(a, 4096),
    "gemm bf16 8192": lambda a: gemm(a, 8192),
    "add f32 2^28": add,
    "softmax f32 16384x8192": softmax,
    "rms_norm bf16 16384x8192": rms_norm,
}


def distance(result, expected):
    """The norm of the difference over the norm; NaN anywhere gives NaN."""
    difference = (result.double() - expected.double()).norm()
    return (difference / expected.double().norm()).item()


def check(work):
    """Distances from the expected result; drops contestants that cannot run.
    `wrong` says what is wrong with ours."""
    tensors = work.sets[0]
    expected = work.expected(tensors)
    distances, wrong = {}, {}
    for name, (_, ready) in list(work.contestants.items()):
        ours = name.startswith("girih")
        try:
            tensors[-1].fill_(float("nan"))
            result = ready(tensors)()
            torch.cuda.synchronize()
            result = work.read(tensors,
                               tensors[-1] if result is None else result)
            if name != "device copy":
                distances[name] = distance(result, expected)
            if ours and not distances[name] <= work.tolerance:
                wrong[name] = f"its distance is {distances[name]}"
        except (RuntimeError, TypeError, girih.Refused) as error:
            print(f"{name}: {error}", flush=True)
            del work.contestants[name]
            if ours:
                wrong[name] = str(error)
    return distances, wrong


def elapsed(calls, count, first):
    """Queues calls between two events; gives the events."""
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    for c in range(count):
        calls[(first + c) % len(calls)]()
    end.record()
    return begin, end


def measure(work, seconds):
    """Microseconds a call by contestant: lists, one number a round."""
    return interleaved({name: [ready(s) for s in work.sets]
                        for name, (_, ready) in work.contestants.items()}, seconds)


def interleaved(calls, seconds, rounds=ROUNDS, wait=20):
    """The same of calls by contestant, one on each of its sets; `wait`: for how
    many microseconds a call the GPU waits while the host queues."""
    counts = {}
    for name in calls:
        elapsed(calls[name], len(calls[name]), 0)
        begin, end = elapsed(calls[name], 5, 0)
        torch.cuda.synchronize()
        once = begin.elapsed_time(end) / 5e3
        share = seconds / rounds / len(calls)
        counts[name] = max(1, min(200, int(share / once)))
    times = {name: [] for name in calls}
    names = list(calls)
    shuffle = random.Random(1).shuffle
    for number in range(rounds):
        # Whoever runs after one that leaves the GPU cool finds higher clocks.
        order = names[:]
        shuffle(order)
        # About 2,000 cycles are a microsecond.
        torch.cuda._sleep(1_000_000 + 2_000 * wait * sum(counts.values()))
        pairs = {name: elapsed(calls[name], counts[name], number)
                 for name in order}
        torch.cuda.synchronize()
        for name, (begin, end) in pairs.items():
            times[name].append(1e3 * begin.elapsed_time(end) / counts[name])
    return times


def compact(result):
    """As JSON, with lists and objects that have none within on a line each."""
    text = json.dumps(result, indent=1)
    for pattern in (r"\[[^][{}]*\]", r"{[^{}]*}"):
        text = re.sub(pattern, lambda m: " ".join(m[0].split()), text)
    return text + "\n"


def percentile(values, part):
    values = sorted(values)
    return values[round(part * (len(values) - 1))]


def run(name, make, artefacts, seconds):
    work = make(artefacts)
    distances, wrong = check(work)
    rows = {}
    for contestant, values in measure(work, seconds).items():
        median = percentile(values, 0.5)
        rows[contestant] = {
            "microseconds": {
                "median": round(median, 3),
                "low": round(percentile(values, 0.1), 3),
                "high": round(percentile(values, 0.9), 3)},
            work.unit: round(work.contestants[contestant][0] / median * 1e6, 4)}
        if contestant in distances:
            # JSON has no NaN.
            number = distances[contestant]
            rows[contestant]["distance"] = number if number == number else None
    ratios = {}
    for ours in rows:
        if ours.startswith("girih"):
            ratios[ours] = {
                other: round(rows[ours][work.unit] / rows[other][work.unit], 4)
                for other in rows if not other.startswith("girih")}
    for contestant, row in rows.items():
        against = ", ".join(f"{ratio:.3f} of {other}" for other, ratio in
                            ratios.get(contestant, {}).items())
        print(f"{name:26} {contestant:22} "
              f"{row['microseconds']['median']:10.2f} us "
              f"{row[work.unit]:9.3f} {work.unit:8} {against}", flush=True)
    for contestant, what in wrong.items():
        print(f"{name}: {contestant} is wrong: {what}", flush=True)
    return {"unit": work.unit, "rounds": ROUNDS, "sets": len(work.sets),
            "tolerance": work.tolerance, "contestants": rows,
            "ratios": ratios, "wrong": wrong}


def main():
    options = [a for a in sys.argv[1:] if a.startswith("--")]
    words = [a for a in sys.argv[1:] if not a.startswith("--")]
    if len(words) < 2 or any(not o.startswith("--seconds=") for o in options) \
            or any(w not in WORKS for w in words[2:]):
        sys.exit(__doc__ + "\nWORK is one of: " + ", ".join(WORKS))
    seconds = float(options[-1].split("=")[1]) if options else 4.0
    artefacts, out = pathlib.Path(words[0]), pathlib.Path(words[1])
    torch.manual_seed(1)
    device = torch.cuda.get_device_properties(0)
    driver = subprocess.run(
        ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"],
        capture_output=True, text=True).stdout.strip()
    result = {
        "command": "bench/bench.py ARTEFACTS " + " ".join(
            [out.name, *options, *words[2:]]),
        "date": datetime.date.today().isoformat(),
        "machine": device.name,
        "multiprocessors": device.multi_processor_count,
        "versions": {"torch": torch.__version__, "cuda": torch.version.cuda,
                     "driver": driver,
                     "compiler": {p.parent.name: json.loads(p.read_text())[
                         "producer"] for p in
                         sorted(artefacts.glob("*/manifest.json"))}},
        "works": {}}
    failed = False
    for name in words[2:] or WORKS:
        try:
            result["works"][name] = run(name, WORKS[name], artefacts, seconds)
            failed |= bool(result["works"][name]["wrong"])
        except (RuntimeError, TypeError, OSError, girih.Refused) as error:
            traceback.print_exc()
            result["works"][name] = {"error": str(error)}
            failed = True
        torch.cuda.empty_cache()
        out.write_text(json.dumps(result, indent=1) + "\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
