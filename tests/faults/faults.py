#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants one mistake at a time and counts the tests that turn red.

The tree is copied, built and tested there; the mistakes are in faults.toml for
the verifier, in emitter.toml for the back end, in import.toml for what it imports,
in border.toml for the runtime's border, in host.toml for its host library and in
embed.toml for kernels in C++. Each must turn tests red, at least two of the
verifier, of the host library and of kernels in C++; one with `only = "gpu"` is
left to runs on a GPU.
Prints the table as JSON.

  faults.py --check                 every planted text occurs once in its file
  faults.py [--list LIST] [--only ID ...] [--report FILE] [--work DIR]
            [--all-tests]
  faults.py --fuzzers [--only ID ...] [--report FILE] [--work DIR] [--record]

With --fuzzers the mistakes that name a `fuzzer`, a command or one of FUZZERS,
are planted, and that command alone must find each within ten minutes: it fails. --record
puts what came of them into bench/results/fuzzers.json.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


class Alone(str):
    """A filter of tests that each have a process of their own."""


FAMILIES = sorted(f.stem for f in (ROOT / "proofs/kernels").glob("*.cpp"))


def kernels_of(family):
    """The suite of tests/embed that has kernels of a family."""
    return (f"embed_{family}", ["/usr/bin/python3", "-B", "tests/embed/check.py",
                                "{bin}", "{bin}/embed_" + family])


# By list: what runs, cheapest first, and how many tests must turn red; without
# --all-tests the rest is left out as soon as so many are. A suite is a program
# of GoogleTest with a filter, or a command: lines `FAIL: NAME: ...` name its
# tests, without such it is one test. A target that is not in the tree is skipped.
LISTS = {
    "faults": {
        "suites": [
            ("property_facts", "Spoiled.*:*SanitiserOf*"),
            ("checker", "Verdicts*"),
            ("proofs_unit", "*"),
            ("checker", "*-Verdicts*"),
            ("property_facts", "*-Spoiled.*:*SanitiserOf*:Texts.*"),
            ("property_verdicts", "*"),
            ("unit_coq", "Obligations.ofTheKernelsOfTheRepository"),
            ("property_facts", "Texts.*"),
            ("unit_ir", "Elements.*:Reader.*"),
        ],
        "targets": ["girih_search"],
        "needed": 2,
    },
    "emitter": {
        "suites": [
            ("tile-compile", ["/usr/bin/python3", "-B",
                              "tests/tileir/oracle.py", "{bin}", "--few",
                              "--shapes=5", "--first"]),
            ("tile-compile", ["/usr/bin/python3", "-B",
                              "tests/tileir/oracle.py", "{bin}", "--shapes=2",
                              "--in-kernel-checks",
                              "proofs/kernels/gemm/gemm.mlir",
                              "tests/tileir/kernels/atomic_lanes.mlir",
                              "tests/tileir/kernels/atomics.mlir",
                              "tests/tileir/kernels/lanes.mlir",
                              "tests/corpus/girih/views/view_fix.good.mlir"]),
            ("tileir_bytecode", "*"),
            ("tileir_readback", "*"),
        ],
        "targets": ["girih_search", "tile-exec", "tileir_accesses"],
        "needed": 1,
    },
    "import": {
        "suites": [("import_lift", "*")],
        "targets": [],
        "needed": 1,
    },
    "host": {
        "suites": [
            ("unit_holes", "*"),
            ("unit_host", "*"),
            ("unit_stress", "Stress.*"),
            ("unit_graph", "*Contents*"),
        ],
        "targets": ["simulated_driver"],
        "needed": 2,
    },
    "embed": {
        "suites": [
            # A mistake may crash a test, which would hide what follows.
            ("unit_embed", Alone("*")),
            ("embed_library_gemm",
             ["/usr/bin/python3", "-B", "proofs/kernels/regenerate.py",
              "--check", *("{bin}/embed_library_" + f for f in FAMILIES)]),
            ("unit_program_execute", "*"),
            # A kernel's type is compiled once a process, and some take the time.
            ("unit_program", Alone("*-*FirstCallsAreShort:*LaterCallsCostLittle")),
            kernels_of("forms"),
            kernels_of("rows"),
            kernels_of("attention"),
            kernels_of("products"),
            ("embed_places",
             ["/usr/bin/python3", "-B", "tests/embed/places.py", "{bin}",
              "{tree}/tests/embed/places/refused.cpp", "{bin}/embed_places"]),
            ("girih_kernel",
             ["/usr/bin/python3", "-B", "tests/embed/random_kernels.py", "{bin}",
              "{bin}/../ir/embed/libgirih_kernel.a", "g++", "--seeds=0:18"]),
        ],
        "targets": ["girih_search", "tile-compile", "tile-exec", "tile-verify",
                    *(f"embed_library_{f}" for f in FAMILIES)],
        "needed": 2,
    },
    "border": {
        "suites": [
            ("unit_runtime", "Border*:Calls*:Cubin*:Run*"),
            ("girih_c", ["/usr/bin/env", "LD_LIBRARY_PATH={bin}/../tests/unit/"
                         "runtime/driver:{bin}/../lib",
                         "PYTHONPATH=runtime/python", "/usr/bin/python3", "-B",
                         "tests/unit/runtime/border.py", "600"]),
        ],
        "targets": ["fake_driver", "girih_python_launch"],
        "needed": 1,
    },
}
# By name: a command that many mistakes name, and what is built for it. Seeds are
# none that the tests draw.
FUZZERS = {
    "border": {
        "command": ["/usr/bin/env", "LD_LIBRARY_PATH={bin}/../tests/unit/"
                    "runtime/driver:{bin}/../lib", "PYTHONPATH=runtime/python",
                    "/usr/bin/python3", "-B", "tests/unit/runtime/border.py",
                    "8000", "--seed=1000000", "--drawn"],
        "targets": ["girih_c", "girih_python_launch", "fake_driver"],
    },
    "calls": {
        "command": ["/usr/bin/env", "GIRIH_CALLS=200000", "GIRIH_SEED=1000000",
                    "{bin}/unit_runtime",
                    "--gtest_filter=Calls.ComeToWhatAModelSays"],
        "targets": ["unit_runtime", "fake_driver"],
    },
}
# What a suite may take, in seconds and times what it takes without a mistake;
# longer counts as red.
SECONDS, TIMES = 120, 10
FUZZ_SECONDS = 600  # in which a fuzzer must find a mistake, on two cores


def load(name):
    with open(HERE / f"{name}.toml", "rb") as f:
        return tomllib.load(f)["fault"]


def check(root, faults):
    """What is wrong with the list itself."""
    problems = []
    ids = [f["id"] for f in faults]
    problems += [f"{i} is listed twice" for i in set(ids) if ids.count(i) > 1]
    problems += [f"{f['id']}: no fuzzer is called {f['fuzzer']}" for f in faults
                 if isinstance(f.get("fuzzer"), str) and
                 f["fuzzer"] not in FUZZERS]
    for f in faults:
        path = root / f["file"]
        count = path.read_text().count(f["old"]) if path.exists() else 0
        if count != 1:
            problems.append(f"{f['id']}: text occurs {count} times in "
                            f"{f['file']}")
        if f["old"] == f["new"]:
            problems.append(f"{f['id']} changes nothing")
    return problems


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True,
                          errors="replace", **options)


def build(folder, targets):
    return run(["ninja", "-C", str(folder), *targets])


def red_lines(folder, tree, suite, command, limit):
    """What a command says of tests that fail."""
    command = [word.format(bin=folder / "bin", tree=tree) for word in command]
    try:
        done = run(command, cwd=tree, timeout=limit)
    except subprocess.TimeoutExpired:
        return [f"{suite} (takes too long)"]
    names = [line.split(": ")[1] for line in done.stdout.splitlines()
             if line.startswith("FAIL: ")]
    return names or ([f"{suite} (exit {done.returncode})"]
                     if done.returncode else [])


def tests_of(program, pattern):
    """The names of the tests of a program of GoogleTest."""
    done = run([str(program), f"--gtest_filter={pattern}", "--gtest_list_tests"])
    names, group = [], ""
    for line in done.stdout.splitlines():
        word = line.split("#")[0].strip()
        if not line.startswith(" "):
            group = word
        else:
            names.append(group + word)
    return names


def red_tests(folder, tree, suite, pattern, limit=None):
    """Names of the tests of one suite that fail; a crash is one of them."""
    if isinstance(pattern, list):
        return red_lines(folder, tree, suite, pattern, limit)
    if isinstance(pattern, Alone):
        return [name for test in tests_of(folder / "bin" / suite, pattern)
                for name in red_tests(folder, tree, suite, test, limit)]
    report = folder / f"{suite}.json"
    report.unlink(missing_ok=True)
    env = dict(os.environ, RC_PARAMS="seed=1 max_success=30")
    try:
        done = run([str(folder / "bin" / suite), f"--gtest_filter={pattern}",
                    f"--gtest_output=json:{report}"],
                   cwd=tree, env=env, timeout=limit)
    except subprocess.TimeoutExpired:
        return [f"{suite} (takes too long)"]
    if not report.exists():
        return [f"{suite} (exit {done.returncode})"]
    with open(report) as f:
        suites = json.load(f)["testsuites"]
    return [f"{suite}.{s['name']}.{t['name']}" for s in suites
            for t in s["testsuite"] if "failures" in t]


def prepare(work, faults, what):
    """A copy of the tree with a build beside it; the suites that it has."""
    tree, folder = work / "tree", work / "build"
    if tree.exists():
        shutil.rmtree(tree)
    shutil.copytree(ROOT, tree, symlinks=True,
                    ignore=shutil.ignore_patterns(".git", "build"))
    # An earlier run may have left an object with a mistake in the build.
    for path in {tree / f["file"] for f in faults}:
        path.touch()
    done = run(["cmake", "--preset", "default", "-B", str(folder)], cwd=tree)
    if done.returncode:
        sys.exit("faults.py: error: cannot configure\n" + done.stdout)
    known = run(["ninja", "-C", str(folder), "-t", "targets", "all"]).stdout
    suites = [s for s in what["suites"] if f"\n{s[0]}: " in known]
    targets = sorted({s[0] for s in suites}) + what["targets"]
    done = build(folder, targets) if targets else done
    if done.returncode:
        sys.exit("faults.py: error: cannot build\n" + done.stdout[-4000:])
    return tree, folder, suites, targets


def plant(fault, tree, folder, suites, targets, baseline, limits, enough):
    start = time.time()
    path = tree / fault["file"]
    text = path.read_text()
    path.write_text(text.replace(fault["old"], fault["new"]))
    row = {"id": fault["id"], "class": fault["class"], "file": fault["file"],
           "red": []}
    try:
        done = build(folder, targets)
        if done.returncode:
            row["error"] = "does not build: " + done.stdout[-2000:]
        for (suite, pattern), limit in (zip(suites, limits)
                                        if not done.returncode else []):
            red = red_tests(folder, tree, suite, pattern, limit)
            row["red"] += [t for t in red if t not in baseline]
            if len(row["red"]) >= enough:
                break
    finally:
        path.write_text(text)
    row["count"] = len(row["red"])
    row["red"] = row["red"][:6]
    row["seconds"] = round(time.time() - start, 1)
    return row


def fuzzer_of(fault):
    """The command of a mistake's fuzzer, and the targets that it needs."""
    if isinstance(fault["fuzzer"], str):
        named = FUZZERS[fault["fuzzer"]]
        return named["command"], named["targets"]
    return fault["fuzzer"], [pathlib.Path(fault["fuzzer"][0]).name]


def fuzz(fault, tree, folder, clean):
    """Plants a mistake and waits for its fuzzer to find it. `clean` keeps, by
    command, what came of it without a mistake."""
    path = tree / fault["file"]
    text = path.read_text()
    words, targets = fuzzer_of(fault)
    shown = " ".join(w.replace("{bin}/", "") for w in words
                     if not w.startswith(("/usr/bin/env", "LD_LIBRARY_PATH")))
    row = {"id": fault["id"], "class": fault["class"], "command": shown}
    if shown in clean:
        row["clean"] = clean[shown]
    command = [word.format(bin=folder / "bin") for word in words]
    try:
        for key in ("clean", "planted"):
            if key in row:
                continue
            path.write_text(text.replace(fault["old"], fault["new"])
                            if key == "planted" else text)
            done = build(folder, [*targets, "girih_search"])
            if done.returncode:
                row["error"] = "does not build: " + done.stdout[-2000:]
                break
            start = time.time()
            try:
                code = run(command, cwd=tree,
                           timeout=FUZZ_SECONDS).returncode
            except subprocess.TimeoutExpired:
                code = None
            row[key] = {"exit": code, "seconds": round(time.time() - start, 1)}
        clean[shown] = row.get("clean", {})
    finally:
        path.write_text(text)
    # A clean run may not get to its end in time; it must find nothing till
    # then.
    row["found"] = (row.get("clean", {}).get("exit", 1) in (0, None) and
                    row.get("planted", {}).get("exit") not in (0, None))
    return row


def run_fuzzers(options, work):
    """Runs the fuzzers of all lists; the table."""
    faults = [f for name in LISTS for f in load(name) if "fuzzer" in f and
              (not options.only or f["id"] in options.only)]
    tree, folder, _, _ = prepare(work, faults, {"suites": [], "targets": []})
    rows, clean = [], {}
    for fault in faults:
        rows.append(fuzz(fault, tree, folder, clean))
        print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    return {"missed": [r["id"] for r in rows if not r["found"]],
            "fuzzers": rows}


def record_fuzzers(rows):
    """Those that were run in place of what was known of them, as listed."""
    sys.path.insert(0, str(ROOT / "bench"))
    import record
    path = ROOT / "bench/results/fuzzers.json"
    known = json.loads(path.read_text())["fuzzers"] if path.exists() else []
    # Each says which tree it was run on: they need not all be run at once.
    tree = record.versions()["girih"]
    rows = [{**row, "tree": tree} for row in rows]
    known = {row["id"]: row for row in [*known, *rows]}
    listed = [f["id"] for name in LISTS for f in load(name) if "fuzzer" in f]
    record.save("fuzzers", "faults.py --fuzzers",
                {"fuzzers": [known[i] for i in listed if i in known]})


def write(table, report):
    text = json.dumps(table, indent=1)
    if report:
        report.write_text(text + "\n")
    else:
        print(text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--list", choices=LISTS, default="faults")
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--report", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--all-tests", action="store_true")
    parser.add_argument("--fuzzers", action="store_true")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    problems = []
    for name in LISTS:
        problems += check(ROOT, load(name))
    for p in problems:
        print("faults.py: error:", p, file=sys.stderr)
    if options.check or problems:
        return 1 if problems else 0
    faults, what = load(options.list), LISTS[options.list]
    needed = what["needed"]
    enough = 1 << 30 if options.all_tests else needed

    temporary = None
    if not options.work:
        temporary = tempfile.TemporaryDirectory(prefix="girih-faults-")
    work = (options.work or pathlib.Path(temporary.name)).resolve()
    work.mkdir(parents=True, exist_ok=True)
    if options.fuzzers:
        table = run_fuzzers(options, work)
        write(table, options.report)
        if options.record:
            record_fuzzers(table["fuzzers"])
        return 1 if table["missed"] else 0
    tree, folder, suites, targets = prepare(work, faults, what)
    baseline, limits = [], []
    for suite, pattern in suites:
        start = time.time()
        baseline += red_tests(folder, tree, suite, pattern)
        limits.append(max(SECONDS, TIMES * (time.time() - start)))
    for name in baseline:
        print("faults.py: error: red without a mistake:", name,
              file=sys.stderr)
    rows = []
    for fault in faults:
        if options.only and fault["id"] not in options.only:
            continue
        if "only" in fault:
            continue
        row = plant(fault, tree, folder, suites, targets, baseline,
                    limits, enough)
        rows.append(row)
        mark = "ok " if row["count"] >= needed else "BAD"
        print(mark, f"{row['count']:3}", f"{row['seconds']:5}", row["id"],
              row.get("error", "")[:300], file=sys.stderr, flush=True)
    survivors = [r["id"] for r in rows if r["count"] < needed]
    elsewhere = [f["id"] for f in faults if "only" in f]
    table = {"onlyOnGpu": elsewhere, "suites": sorted({s for s, _ in suites}),
             "baselineRed": baseline,
             "planted": len(rows), "survivors": survivors, "faults": rows}
    write(table, options.report)
    return 1 if survivors or baseline else 0


if __name__ == "__main__":
    sys.exit(main())
