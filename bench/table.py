#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables in the documents are what bench/results says.

  table.py             compares; exit code 1 when one differs
  table.py --update    rewrites them
"""

import json
import math
import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[1]
CLASSES = ["bounds", "disjoint", "covered", "pads", "width", "other"]


def results(name):
    return json.loads((ROOT / f"bench/results/{name}.json").read_text())


def headline():
    """The figures of the front page, one line a claim."""
    groups = results("verify_times")["groups"]
    shipped = groups["shipped"]["kernels"].values()
    obligations = sum(sum(k["obligations"].values()) for k in shipped)
    verified = sum(k["verdict"] == "VERIFIED" for k in shipped)
    drawn, device = results("campaign"), results("h200_correctness")
    ratios = []
    for name, work in results("h200_speed")["works"].items():
        if name.startswith("gemm bf16") and int(name.split()[-1]) >= 2048:
            speed = {n: c[work["unit"]] for n, c in work["contestants"].items()}
            ours = max(v for n, v in speed.items() if n.startswith("girih"))
            ratios.append(ours / speed["cuBLAS, bf16 out"])
    mean = results("h200_cutile")["geometric_mean"]
    return "\n".join([
        "| what | measured |", "|---|---|",
        f"| library | {verified} of {len(shipped)} kernels VERIFIED, {obligations:,} "
        f"obligations; median {groups['shipped']['median']:.0f} ms a kernel with "
        f"stored certificates, {groups['searched']['median']:.0f} ms without |",
        f"| random kernels | {drawn['wrong']} wrong verdicts of "
        f"{drawn['generated']:,}; {drawn['safeVerified'] / drawn['safe']:.1%} of "
        "the safe ones VERIFIED |",
        f"| on an H200 | {len(device['cases']):,} launches of "
        f"{len(device['kernels'])} kernels; "
        f"{sum(c['verdict'] == 'ok' for c in device['cases']):,} end as on the "
        "reference executor |",
        f"| speed on an H200 | bf16 GEMM of 2048 to 8192, all three extents "
        f"alike: {min(ratios):.2f} to {max(ratios):.2f} of cuBLAS (other sizes are "
        "not in this figure); geometric mean over cuTile Python's own kernels: "
        f"{mean:.2f} |"])


def speeds():
    results = json.loads((ROOT / "bench/results/h200_speed.json").read_text())
    versions = results["versions"]
    lines = ["| on one " + results["machine"] + " | ours | beside it |",
             "|---|---|---|"]
    for name, work in results["works"].items():
        unit, all_ = work["unit"], work["contestants"]
        libraries = {n: c for n, c in all_.items() if not n.startswith("girih")}
        for ours, measured in all_.items():
            if not ours.startswith("girih"):
                continue
            ratios = ", ".join(
                f"{measured[unit] / other[unit]:.3f} of {library}"
                for library, other in libraries.items())
            lines.append(f"| {name}, `{ours.removeprefix('girih ')}` | "
                         f"{measured[unit]:.4g} {unit} | {ratios} |")
    lines += ["", "Medians of " + str(next(iter(
        results["works"].values()))["rounds"]) + " interleaved rounds in one "
        f"process on {results['date']}; torch {versions['torch']}, driver "
        f"{versions['driver']}, {versions['compiler']['gemm']}."]
    return "\n".join(lines)


def facts():
    path = ROOT / "bench/results/h200_facts.json"
    if not path.exists():
        return "Not measured yet."
    measured = json.loads(path.read_text())
    others = list(measured["geometric_means"])
    lines = ["| on one " + measured["machine"] + ", time over that with facts | "
             "with facts | " + " | ".join(others) + " |",
             "|---|---|" + "---|" * len(others)]
    for kernel, row in measured["kernels"].items():
        time = row["microseconds"]["facts"]["median"]
        lines.append(f"| `{kernel}` | {time:.1f} us | " + " | ".join(
            f"{row['ratios'][o]:.3f}" for o in others) + " |")
    lines.append("| geometric mean | | " + " | ".join(
        f"{measured['geometric_means'][o]:.3f}" for o in others) + " |")
    lines += ["", f"Medians of {measured['rounds']} interleaved rounds in one "
              f"process, `{measured['command']}`, {measured['date']}; "
              f"{measured['compiler']}."]
    return "\n".join(lines)


def cutile():
    path = ROOT / "bench/results/h200_cutile.json"
    if not path.exists():
        return "Not measured yet."
    measured = json.loads(path.read_text())
    runs = max(len(w["microseconds"]["girih"]) for w in
               measured["works"].values() if "ratio" in w)
    lines = ["| on one " + measured["machine"] + " | ours | theirs | their time "
             f"over ours | of {runs} runs |", "|---|---|---|---|---|"]
    for name, row in measured["works"].items():
        if "ratio" in row:
            lines.append(f"| {name} | `{row['girih']}` | `{row['cutile']}` | "
                         f"{row['ratio']:.3f} | {row['lowest']:.3f} to "
                         f"{row['highest']:.3f} |")
    lines.append(f"| geometric mean | | | {measured['geometric_mean']:.3f} | |")
    lines += ["", f"Medians of runs of {measured['rounds']} interleaved rounds, "
              f"`{measured['command']}`, {measured['date']}; cuda-tile "
              f"{measured['cuda-tile']}, {measured['compiler']}."]
    return "\n".join(lines)


def outside():
    suites = json.loads((ROOT / "bench/results/outside.json").read_text())["suites"]
    lines = ["| suite | cases | left out | kernels | VERIFIED | REFUTED | UNKNOWN |",
             "|---|---|---|---|---|---|---|"]
    for name, c in suites.items():
        lines.append(
            f"| [{c['title']}](corpus/{name}.json) | {c['cases']} | "
            f"{c['excluded']} | {c['kernels']} | {c['verified']} | "
            f"{c['refuted']} | {len(c['unknown'])} |")
    return "\n".join(lines)


def library():
    measured = json.loads((ROOT / "bench/results/verify_times.json").read_text())
    replayed, searched = (measured["groups"][group]["kernels"]
                          for group in ("shipped", "searched"))
    there = {str(path.relative_to(ROOT))
             for path in (ROOT / "proofs/kernels").glob("*/*.mlir")}
    if there != set(replayed) or there != set(searched):
        sys.exit("table.py: error: bench/results/verify_times.json is of other "
                 "kernels than proofs/kernels has")
    lines = ["| kernel | obligations | " + " | ".join(CLASSES) +
             " | replayed | searched | certificates |", "|---|" + "---|" * 10]
    for path, row in replayed.items():
        obligations = row["obligations"]
        lines.append("| " + " | ".join([
            f"[{pathlib.Path(path).stem}]"
            f"({pathlib.Path(path).relative_to('proofs/kernels')})",
            str(sum(obligations.values())),
            *(str(obligations.get(c, 0)) for c in CLASSES),
            f"{row['milliseconds']:.0f} ms",
            f"{searched[path]['milliseconds']:.0f} ms"
            if searched[path]["verdict"] == "VERIFIED" else "more --steps",
            f"{row['certificate_bytes'] / 1000:.1f} kB"]) + " |")
    lines += ["", f"Medians of {measured['runs']} cold processes, with the stored "
              f"certificates and without, on two cores of an {measured['machine']}, "
              f"{measured['date']}."]
    return "\n".join(lines)


def mutants():
    measured = json.loads((ROOT / "bench/results/mutants.json").read_text())
    columns = ["killed", "unknown", "equivalent", "different"]
    lines = ["| mistake | mutants | REFUTED | UNKNOWN | VERIFIED, same outputs | "
             "VERIFIED, other outputs |", "|---|---|---|---|---|---|"]
    rows = [*sorted(measured["kinds"].items()), ("all", measured)]
    for name, row in rows:
        count = sum(row[c] for c in columns)
        lines.append(f"| {name} | {count} | " +
                     " | ".join(str(row[c]) for c in columns) + " |")
    lines += ["", f"Wrong verdicts: {measured['wrong']}. `{measured['command']}`, "
              f"{measured['date']}."]
    return "\n".join(lines)


def campaign():
    measured = json.loads((ROOT / "bench/results/campaign.json").read_text())
    lines = ["| random kernels | VERIFIED | REFUTED | UNKNOWN |", "|---|---|---|---|"]
    indices = (measured["random"], measured["randomVerified"],
               measured["randomRefuted"])
    for name, count, verified, refuted in (
            ("safe by construction", measured["safe"], measured["safeVerified"], 0),
            ("one mistake in a safe one", measured["nearMisses"],
             measured["nearVerifiedAndEquivalent"],
             measured["nearRefuted"]),
            ("index arithmetic at random", *indices),
            ("indices from memory, safe", measured.get("memorySafe", 0),
             measured.get("memoryVerified", 0), 0),
            ("indices from memory, one mistake",
             measured.get("memoryMistakes", 0), 0,
             measured.get("memoryRefuted", 0))):
        if count == 0:
            continue
        lines.append(f"| {count:,} {name} | {verified} | {refuted} | "
                     f"{count - verified - refuted} |")
    lines += ["", f"Wrong verdicts: {measured['wrong']}. `{measured['command']}`, "
              f"{measured['date']}."]
    return "\n".join(lines)


def fuzzers():
    measured = json.loads((ROOT / "bench/results/fuzzers.json").read_text())
    listed = {fault["id"] for path in (ROOT / "tests/faults").glob("*.toml")
              for fault in tomllib.loads(path.read_text())["fault"]
              if "fuzzer" in fault}
    rows = {row["id"]: row for row in measured["fuzzers"]}
    if set(rows) != listed:
        sys.exit("table.py: error: bench/results/fuzzers.json is of other "
                 "mistakes than tests/faults lists: "
                 + ", ".join(sorted(set(rows) ^ listed)))
    lines = ["| mistake | class | found by | clean | planted |",
             "|---|---|---|---|---|"]
    for name, row in rows.items():
        found = (f"{row['planted']['seconds']:.0f} s" if row["found"]
                 else "not found")
        lines.append(f"| `{name}` | {row['class']} | `{row['command']}` | "
                     f"{row['clean']['seconds']:.0f} s | {found} |")
    lines += ["", f"`{measured['command']}`, two cores of an "
              f"{measured['machine']} that others used, too, "
              f"{measured['date']}."]
    return "\n".join(lines)


def strategies():
    measured = json.loads((ROOT / "bench/results/strategies.json").read_text())
    source = (ROOT / "checker/search/Strategies.def").read_text()
    described = re.findall(r'^STRATEGY\(\w+, "([^"]+)",\s*((?:"[^"]*"\s*)+)\)',
                           source, re.M)
    rows = {row["name"]: row for row in measured["strategies"]}
    if [name for name, _ in described] != list(rows):
        sys.exit("table.py: error: bench/results/strategies.json is of other "
                 "strategies than Strategies.def; bench/strategies.py")
    lines = ["| strategy | what it does | discharged | open without it | "
             "steps without it |", "|---|---|---|---|---|"]
    for name, description in described:
        text = "".join(re.findall(r'"([^"]*)"', description))
        without = rows[name]["without"]
        lines.append(f"| `{name}` | {text} | {rows[name]['discharged']} | "
                     f"{without['open'] - measured['open']} | "
                     f"{without['steps_ratio']:.2f} |")
    shares = "; ".join(
        f"{row['option']} {row['value']}: {row['open'] - measured['open']} open, "
        f"{row['steps_ratio']:.2f}" for row in measured["shares"])
    lines += ["", f"{measured['obligations']:,} obligations of "
              f"{measured['kernels']} kernels (library and maps), "
              f"{measured['steps']:,} steps. Shares of steps other than 2000 at "
              f"first and 4 times as many each time: {shares}. "
              f"`{measured['command']}`, {measured['date']}."]
    return "\n".join(lines)


def launches():
    """Host time of launches from C++, of graphs and of calls from Python."""
    measured, graphs = results("h100_launches"), results("h100_graphs")
    calls = results("h100_python_calls")
    times = measured["launches"]
    lines = [f"| on one {measured['device']}, microseconds | ours | the driver's |",
             "|---|---|---|"]
    for name, what in (("queued", "a launch, queued"),
                       ("waited", "a launch, waited for"),
                       ("chained", "a launch on what the last one wrote")):
        lines.append(f"| {what} | {times[name]:.2f} | {times[name + '_raw']:.2f} |")
    for case in graphs["cases"]:
        if case["nodes"] == 100:
            lines.append(f"| a replay, 100 nodes, {case['shape']} | "
                         f"{case['ours_us']:.2f} | {case['driver_us']:.2f} |")
    for case in calls["cases"]:
        tensors = f"{case['tensors']} tensor{'s' * (case['tensors'] > 1)}"
        lines.append(f"| from Python, {tensors}: a call, and prepared | "
                     f"{case['call']:.2f}, {case['prepared']:.2f} | "
                     f"{case['driver']:.2f}; `torch.add` {case['torch_add']:.2f} |")
    best = max(measured["products"], key=lambda p: p["over_waiting"])
    overlap = max(c["ratio"] for c in measured["overlap"])
    lines += ["", "300 launches beside work of the host reach "
              f"{overlap:.2f} times the rate of waiting for each; 2,000 products, "
              f"80 % of 512^3 and 20 % of 2048^3, {best['over_waiting']:.2f} times "
              f"on {best['streams']} streams, {best['over_one_stream']:.2f} times "
              f"the rate of one stream. Medians, {measured['date']}, driver "
              f"{measured['driver']}."]
    return "\n".join(lines)


def ledger():
    """What the ledger costs a launch, by mode and number of arguments."""
    measured = results("ledger_times")
    times = measured["nanoseconds"]
    counts = list(times["checks"])
    lines = ["| ledger | " + " | ".join(
        f"{n} argument{'s' * (n != '1')}" for n in counts) + " |",
        "|---|" + "---|" * len(counts)]
    for mode in ("checks", "orders"):
        lines.append(f"| `{mode.capitalize()}` | " + " | ".join(
            f"{times[mode][n]:.0f} ns" for n in counts) + " |")
    lines += ["", "Acquire and release of a launch, one argument written, "
              f"launches in one stream; the least of five medians, on "
              f"{measured['machine']}, {measured['date']}."]
    return "\n".join(lines)


def embed():
    """What a file of kernels in C++ costs."""
    measured = results("embed_times")
    compilers = list(measured["compilers"])
    lines = ["| file | " + " | ".join(compilers) + " |",
             "|---|" + "---|" * len(compilers)]
    for name, by in {**measured["seconds"],
                     "standard headers alone": measured["standard_headers"]}.items():
        lines.append(f"| {name} | " + " | ".join(f"{by[c]:.2f} s" for c in compilers) + " |")
    times = sorted(row["median"] for row in measured["microseconds"].values())
    first = max(row["first"] for row in measured["microseconds"].values())
    lines += ["", f"Recording takes {times[0] / 1000:.2f} to {times[-1] / 1000:.2f} ms a "
              f"kernel ({len(times)} kernels), at most {first / 1000:.2f} ms the first "
              f"time. CPU times, medians, on {measured['machine']}, {measured['date']}."]
    return "\n".join(lines)


def peers():
    measured = results("h200_peers")
    lines = [f"| ours over the faster peer, on one {measured['machine']} | goal | "
             "listed shapes: mean, least | drawn shapes: mean, least |",
             "|---|---|---|---|"]
    for name, work in measured["works"].items():
        cells = []
        for kind in ("listed", "drawn"):
            ratios = [row["ratio"] for row in work["shapes"]
                      if row["kind"] == kind]
            least = min((r for r in work["shapes"] if r["kind"] == kind),
                        key=lambda r: r["ratio"])
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            cells.append(f"{mean:.2f}, {least['ratio']:.2f} ({least['shape']})")
        lines.append(f"| {name} | {work['goal']:.2f} | {cells[0]} | {cells[1]} |")
    versions = measured["versions"]
    return "\n".join([*lines, "", f"Medians, {measured['date']}; torch "
                      f"{versions['torch']}; `{measured['command']}`."])


def sizes():
    """What an element more costs, where it is more than twice."""
    measured = results("h200_sizes")
    works = {}
    for pair in measured["pairs"]:
        works.setdefault((pair["kernel"], pair["extent"]), []).append(pair)
    lines = [f"| kernel, extent, on one {measured['machine']} | pairs | n: time at "
             "n + 1 over that at n, where above 2 (over the next multiple of 64; of "
             "cuBLAS at n and n + 1) |", "|---|---|---|"]
    for (kernel, extent), pairs in works.items():
        over = sorted((p for p in pairs if p["cost"] > 2), key=lambda p: p["n"])
        cells = []
        for pair in over:
            beside = [f"{pair['over 64']:.1f}"] if "over 64" in pair else []
            if "of cuBLAS" in pair:
                beside.append(", ".join(f"{r:.2f}" for r in pair["of cuBLAS"]))
            cells.append(f"{pair['n']}: **{pair['cost']:.1f}** ({'; '.join(beside)})")
        if over:
            lines.append(f"| `{kernel}`, {extent} | {len(pairs)} | "
                         f"{', '.join(cells)} |")
    costs = [p["cost"] for p in measured["pairs"]]
    over = sum(c > 2 for c in costs)
    return "\n".join([
        *lines, "", f"{over} of {len(costs)} pairs of "
        f"{len({kernel for kernel, _ in works})} kernels cost more than twice "
        f"({over / len(costs):.1%}; goal: at most 5%). Medians, {measured['date']}; "
        f"torch {measured['versions']['torch']}; `{measured['command']}`."])


def rows():
    """What is reached of a device copy of the same bytes."""
    measured = results("h200_rows")
    contestants = ["rows", "Tile IR", "torch.compile"]
    lines = ["| the copy's time over ours | " + " | ".join(contestants) + " |",
             "|---|---|---|---|"]
    by_kernel = {}
    for row in measured["rows"]:
        by_kernel.setdefault(row["kernel"], []).append(row)
    for kernel, cases in by_kernel.items():
        for case in cases[:2]:
            cells = (f"{case[who]['ratio']:.2f}" for who in contestants)
            lines.append(f"| `{kernel}`, {case['shape'][0]} x "
                         f"{case['shape'][1]} | {' | '.join(cells)} |")
        cells = []
        for who in contestants:
            ratios = [case[who]["ratio"] for case in cases[2:]]
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            cells.append(f"{mean:.2f}, {min(ratios):.2f}")
        lines.append(f"| {len(cases) - 2} drawn shapes: mean, least | "
                     f"{' | '.join(cells)} |")
    return "\n".join([*lines, "", f"Medians on one {measured['machine']}, "
                      f"{measured['date']}; torch "
                      f"{measured['versions']['torch']}; "
                      f"`{measured['command']}`."])


def skinny():
    """Products of 8 rows, and of one in f16."""
    measured = results("h200_skinny")
    lines = ["| product | rows of x | MB | us | share of the read limit |",
             "|---|---|---|---|---|"]
    for row in sorted(measured["products"], key=lambda row: (
            row["kernel"].startswith("gemv"), row["kernel"].endswith("_f8"),
            row["kernel"].endswith("_f16"), row["bytes"])):
        splits = f", {row['splits']} splits" if row["splits"] != 1 else ""
        few = 1 if row["kernel"].startswith("gemv") else 8
        lines.append(f"| `{row['kernel']}`, {row['rows']} x {row['columns']}{splits} "
                     f"| {few} | {row['bytes'] / 1e6:.0f} | {row['us']:.1f} | "
                     f"{row['share']:.2f} |")
    limits = [row["limit"] / 1e12 for row in measured["products"]]
    return "\n".join([*lines, "", f"Medians on two {measured['machine']}, "
                      f"4 bits on one of them, {measured['date']}, up to 264 blocks, "
                      "of 4 bits 256, early edges; the limit "
                      f"is {min(limits):.2f} to {max(limits):.2f} TB/s by bulk copies "
                      f"in between; `{measured['command'].split('; ')[0]}`."])


def decode():
    """Products of decode and a whole token."""
    measured, goals = results("h200_decode"), (
        0.60, 0.69, 0.77, 0.85, 0.93, 0.96, 0.97)
    of = {(r["by"], r["bytes"], r["blocks"] == 264 or r["blocks"] == 132): r
          for r in measured["products"]}

    def share(row, kind):
        return f"{row['bytes'] / row[kind] / row['limit'] * 1e6:.2f}"

    lines = ["| share of the read limit | goal | 256 blocks, early edges | 264 "
             "| plain edges | Tile IR |", "|---|---|---|---|---|---|"]
    shapes = [r for key, r in of.items() if key[::2] == ("schedule", True)]
    for r, goal in zip(shapes, goals):
        size = r["bytes"]
        lines.append(
            f"| {r['rows']} x {r['columns']}, {size / 1e6:.0f} MB | {goal:.2f} | "
            f"{share(of['schedule', size, False], 'early_us')} | "
            f"{share(r, 'early_us')} | {share(r, 'full_us')} | "
            f"{share(of['Tile IR', size, True], 'full_us')} |")
    lines += ["", "| a token | by | tokens/s | share of the roofline, early edges "
              "| plain edges |", "|---|---|---|---|---|"]
    for r in measured["tokens"]:
        what = "" if r["attention"] else ", without attention"
        lines.append(
            f"| {r['model']}, after {r['keys'] - 1}{what} | {r['by']}, "
            f"{r['blocks']} blocks | {1e6 / r['early_us']:.1f} | "
            f"{share(r, 'early_us')} | {share(r, 'full_us')} |")
    for r in measured["peers"]:
        lines += [f"| {r['model']}, after {r['keys'] - 1} | PyTorch {r['torch']}, "
                  f"{by}, one graph | {1e6 / us:.1f} | | |"
                  for by, us in r["us"].items()]
    limits = [r["limit"] / 1e12 for r in [*measured["products"],
                                          *measured["tokens"]]]
    return "\n".join([*lines, "", f"Medians on NVIDIA H200s, {measured['date']}; "
                      "the limit is what bulk copies read in between, at the depth "
                      "that is fastest, on one GPU or another: "
                      f"{min(limits):.2f} to {max(limits):.2f} TB/s; "
                      f"`{measured['command']}`."])


def attention():
    """Attention of one query a sequence, in graphs."""
    measured = results("h200_attention")
    peers = {(r["batch"], r["keys"]): r for r in measured["peers"]}
    lines = ["| sequences, keys of each | splits | us | as plain edges | fastest of "
             "torch's backends, us | over ours | share of the read limit |",
             "|---|---|---|---|---|---|---|"]
    for r in measured["rows"]:
        peer = peers[r["batch"], r["keys"]]["us"]
        name, us = min(peer.items(), key=lambda item: item[1])
        share = r["bytes"] / r["early_us"] / r["limit"] * 1e6
        lines.append(
            f"| {r['batch']}, {r['keys']} | {r['splits']} | {r['early_us']} | "
            f"{r['full_us']} | {us}, {name.split('_')[0]} | "
            f"{us / r['early_us']:.2f} | {share:.2f} |")
    return "\n".join([*lines, "", f"Medians on NVIDIA H200s, {measured['date']}; "
                      f"torch {measured['peers'][0]['torch']}; "
                      f"`{measured['command']}`."])


def engine():
    """The engine for Qwen3 beside PyTorch and transformers."""
    measured = results("h200_qwen3")

    def name(r):
        return r["model"] + (", f8" if r.get("weights") == "f8" else "")
    lines = ["| model | what | engine | | PyTorch with torch.compile | over it | cuBLAS "
             "| share |", "|---|---|---|---|---|---|---|---|"]
    for r in measured["times"]:
        us = r["us"]
        if r["kind"] == "decode":
            what = (f"{r['sequences']} sequence{'s' * (r['sequences'] > 1)} after "
                    f"{r['keys']} tokens")
            rate = f"{1e6 * r['sequences'] / us['engine']:.0f} tokens/s"
        else:
            what = f"prompt of {r['tokens']}"
            rate = f"{1e6 * r['tokens'] / us['engine']:.0f} tokens/s"
        lines.append(
            f"| {name(r)} | {what} | {us['engine'] / 1e3:.2f} ms | {rate} | "
            f"{us['torch.compile'] / 1e3:.2f} ms | "
            f"{us['torch.compile'] / us['engine']:.2f} | "
            f"{us['cuBLAS'] / 1e3:.2f} ms | {r['share']:.2f} of {r['of']} |")
    lines += ["", "| model | prompt | engine, at once | by steps | transformers in "
              "bf16, eager | SDPA |", "|---|---|---|---|---|---|"]
    for r in measured["logits"]:
        lines.append(f"| {name(r)} | {r['tokens']} tokens | "
                     + " | ".join(f"{e:.4f}" for e in r["error"].values()) + " |")
    formats, large = measured["formats"], measured["large"]
    columns = {"step_us": "a token after 128 tokens", "of_8_us": "of each of 8",
               "of_16_us": "of 16", "of_32_us": "of 32 sequences",
               "prompt_us": "a prompt of 128", "prompt_512_us": "of 512",
               "prompt_2048_us": "of 2048"}
    lines += ["", f"| weights of the {formats['model']} | "
              + " | ".join(columns.values()) + " |",
              "|---" * (len(columns) + 1) + "|"]
    for r in formats["of"]:
        lines.append(f"| {r['weights']} | " + " | ".join(
            f"{r[name] / 1e3:.2f} ms" for name in columns) + " |")
    lines += ["", f"| model, {large['layers']} layers | machine | a token | share of "
              "the read limit |", "|---|---|---|---|"]
    for r in large["of"]:
        lines.append(f"| {large['model']} after {r['keys']} tokens | {r['machine']} | "
                     f"{r['us'] / 1e3:.2f} ms | {r['share']:.3f} of "
                     f"{r['limit'] / 1e12:.3f} TB/s |")
    soak, host = measured["soak"], measured["host"]
    other = measured["prompts"]["another_machine"]
    ends = soak["ends"]

    queued = ", ".join(f"{r['queued_us'] / 1e3:.2f} ms for {r['tokens']}"
                       for r in measured["times"] if "queued_us" in r)
    between, launch = (" and ".join(f"{r[name]:.1f}" for r in host["runs"])
                       for name in ("between_us", "launch_us"))
    return "\n".join([
        *lines, "", "The share is of the read limit of bulk copies, "
        f"{measured['limit'] / 1e12:.2f} TB/s in the same run, of one sequence "
        f"{measured['times'][0]['limit'] / 1e12:.2f}, for weights and caches "
        "that a token reads, and of the data sheet's 989 TFLOP/s for prompts. A prompt is "
        "timed from its tokens on the host to the next token there, right behind another "
        "one, of the engine and of the peer; replays of the peer's graph queued one behind "
        f"the other, without tokens, take {queued}. Errors of logits are root mean "
        "squares over those of transformers in f32, which stand at 0. Of "
        f"{soak['requests']} requests of {soak['clients']} clients at once, for a model "
        f"of {soak['parameters'] / 1e6:.0f} million parameters, "
        f"{ends['LENGTH']} were answered and {ends['CANCELLED']} cancelled as their "
        f"clients asked, in {soak['seconds']} s; {soak['again']} were asked again, "
        f"alone, and {soak['others'] or 'none'} got another bit; "
        f"the device had {soak['bytes'] or 'no'} bytes less free memory "
        "afterwards. From one cuGraphLaunch to the next the engine's thread takes "
        f"{between} us a token of one sequence beside the wait for the device, in two "
        f"runs, and cuGraphLaunch itself {launch} us; "
        f"{host['allocations'] or 'nothing'} is allocated on the device "
        f"(`{host['command']}`, on another machine). All of it is older than a mend of "
        "`attention_decode_paged_whole` for scales below 0, which changes what more than "
        "132 blocks run, those of 32 and 64 sequences. Prompts and tokens of one "
        f"sequence are of {measured['prompts']['date']}, on three machines: on another "
        f"one a prompt of {other['tokens']} took {other['us']['engine'] / 1e3:.2f} ms for "
        f"{other['us']['torch.compile'] / 1e3:.2f}; formats of weights "
        f"are of {formats['date']}, on several: `{formats['command']}`; "
        f"{formats['older']}. The {large['model']}, of {large['date']}: "
        f"`{large['command']}`. Weights are random. "
        f"NVIDIA H200, {measured['date']}, torch {measured['versions']['torch']}; "
        f"`{measured['command']}`."])


def ranks():
    """The engine on two GPUs."""
    measured = results("h200_qwen3")["ranks"]
    return "\n".join([
        f"| | one GPU | {measured['devices']} GPUs | over it |", "|---|---|---|---|",
        *(f"| {r['model']}, {r['what']} | {r['one_us'] / 1e3:.2f} ms | "
          f"{r['us'] / 1e3:.2f} ms | {r['one_us'] / r['us']:.2f} |"
          for r in measured["of"]),
        "", "| an all-reduce of | in symmetric memory | in other memory |",
        "|---|---|---|",
        *(f"| {r['bytes'] // 1024} KB | {r['symmetric_us']:.1f} us | {r['us']:.1f} us |"
          for r in measured["all_reduces"]["of"]),
        "", f"NCCL {measured['nccl']}, {measured['date']}; `{measured['command']}`; "
        f"{measured['all_reduces']['command']}."])


def tune():
    """Regret of what tile-tune chooses."""
    measured = results("h200_tune")

    def regret(row, use="hold"):
        held = row and row[use]
        return f"{held['mean']:.3f}, {held['worst']:.2f}" if held else "-"
    lines = [f"| space, on one {measured['machine']} | candidates | launches | GPU | "
             "held out: mean, worst | as the sources are | listed | as the sources "
             "are | variants |", "|---|---|---|---|---|---|---|---|---|"]
    spaces = measured["spaces"].items()
    for name, row in spaces:
        lines.append(
            f"| [{name}](spaces/{name}.json) | {row['candidates']} | "
            f"{row['launches']} | {row['seconds']:.0f} s | "
            f"{regret(row['found'])} | {regret(row['shipped'])} | "
            f"{regret(row['listed'], 'tune')} | "
            f"{regret(row['listed_shipped'], 'tune')} | "
            f"{row['variants']} |")
    total = sum(row["seconds"] for _, row in spaces)
    return "\n".join([*lines, "", f"Together {total / 60:.1f} minutes of GPU, "
                      f"{measured['date']}, driver "
                      f"{measured['versions']['driver']}."])


# By document: name and maker of each of its tables.
TABLES = {
    "README.md": {"headline": headline},
    "bench/README.md": {"speed": speeds, "peers": peers, "sizes": sizes, "facts": facts, "cutile": cutile,
                        "launches": launches, "embed": embed},
    "bench/qwen3/README.md": {"engine": engine, "ranks": ranks},
    "checker/search/README.md": {"strategies": strategies},
    "lower/hopper/README.md": {"decode": decode, "rows": rows, "skinny": skinny,
                               "attention": attention},
    "lower/tune/README.md": {"tune": tune},
    "proofs/kernels/README.md": {"library": library},
    "runtime/README.md": {"ledger": ledger},
    "tests/README.md": {"outside": outside, "mutants": mutants,
                        "campaign": campaign},
    "tests/faults/README.md": {"fuzzers": fuzzers},
}


def main():
    for document, tables in TABLES.items():
        path = ROOT / document
        text = new = path.read_text()
        for name, table in tables.items():
            block = re.compile(
                rf"(<!-- bench/table.py {name} -->\n\n).*?(<!-- end -->)", re.S)
            new, count = block.subn(lambda m: m[1] + table() + "\n\n" + m[2], new)
            if count != 1:
                sys.exit(f"table.py: error: {document} has no place for {name}")
        if "--update" in sys.argv[1:]:
            path.write_text(new)
        elif new != text:
            sys.exit(f"table.py: error: {document} differs from bench/results; "
                     "bench/table.py --update")
    return 0


if __name__ == "__main__":
    sys.exit(main())
