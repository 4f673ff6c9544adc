# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `choose` does: from space and journal to a kernel's file with variants,
and its table. It needs no GPU and compiles nothing."""

import pathlib

from . import choose as chooser, halving
from .errors import Failed, Malformed, Unfinished
from .plan import TUNE
from .tools import digest, write, write_json


# The assembler may be another one than here: then there are several contexts.
TOOLS = ("tile-verify", "tile-compile")


def contexts(journal, hashes):
    """Those of the tools at hand: a record of another one does not count."""
    return {i: (device, tools) for i, (device, tools) in
            journal.contexts().items()
            if all(tools.get(k) == hashes[k] for k in TOOLS)}


def pick_context(journal, hashes, plan, wanted):
    found = contexts(journal, hashes)
    texts = {c.text_digest for c in plan.candidates}
    found = {i: v for i, v in found.items()
             if v[0].get("arch") == plan.arch and
             any(t in texts for t, _, _ in journal.kernels(i).values())}
    if wanted:
        found = {i: v for i, v in found.items() if i.startswith(wanted)}
    if not found:
        raise Malformed(f"{journal.path}: error: no record of these sources, "
                        f"these tools and {plan.arch}"
                        f"{' in context ' + wanted if wanted else ''}; "
                        f"{journal.count()} of others")
    if len(found) > 1:
        listed = "\n".join(f"  --context={i[:12]}: {d['name']}, driver "
                           f"{d['driver']}" for i, (d, _) in found.items())
        raise Malformed(f"{journal.path}: error: records of several devices; "
                        f"say which\n{listed}")
    return next(iter(found.items()))


def kernels_of(journal, context, plan):
    """The kernel of each candidate, and those that were never measured. Of a
    text that was compiled more than once to other code, nobody can say which
    record counts."""
    by_text = {}
    for k, (text, proof, manifest) in journal.kernels(context).items():
        by_text.setdefault(text, []).append((k, proof, manifest))
    found = {}
    for c in plan.candidates:
        listed = by_text.get(c.text_digest, [])
        if len(listed) > 1:
            raise Malformed(f"{journal.path}: error: {c.id} was measured with "
                            f"{len(listed)} artefacts of one source; measure "
                            "into a new journal")
        if listed:
            found[c.id] = listed[0]
    return found


def wrong_ones(journal, context, plan):
    """Candidates that were wrong somewhere, and where first."""
    by_text = {c.text_digest: c.id for c in plan.candidates}
    found = {}
    for text, launch, message in journal.wrong(context):
        if text in by_text:
            found.setdefault(by_text[text], f"at {launch}: {message}")
    return found


def times(journal, context, plan, kernels, wrong):
    """For each launch {candidate: time over the incumbent's}, of those that are
    right everywhere; None for a launch that lacks batches."""
    incumbent, found = plan.candidates[0].id, []
    for k, launch in enumerate(plan.launches):
        names = {kernels[c.id][0]: c.id for c in plan.candidates
                 if k in c.launches and c.id in kernels}
        if incumbent not in names.values():
            found.append(None)
            continue
        samples = {(names[i], r, n): us for (i, r, n), us in
                   journal.samples(context, names, launch.values).items()}
        # Who was wrong at this launch has no sample, and nobody waits for one.
        left = [c.id for c in plan.candidates if c.id in names.values() and (
            c.id not in wrong or (c.id, 0, 0) in samples)]
        if halving.next_batch(samples, left, incumbent, 0, ""):
            found.append(None)
        else:
            # Nobody measures the incumbent against itself.
            found.append({c: 1.0 if c == incumbent else
                          halving.estimate(samples, c)
                          for c in left if c not in wrong})
    return found


def run(plan, tools, journal, folder, wanted=None):
    """Writes FOLDER/NAME.mlir and FOLDER/NAME.json; the lines to print."""
    hashes = tools.hashes()
    context, (device, used) = pick_context(journal, hashes, plan, wanted)
    kernels = kernels_of(journal, context, plan)
    wrong = wrong_ones(journal, context, plan)
    found = times(journal, context, plan, kernels, wrong)
    absent = [c.id for c in plan.candidates
              if c.id not in kernels and c.id not in wrong]
    missing = sum(row is None for row in found)
    enough = {x.number for x, row in zip(plan.launches, found)
              if x.use == TUNE and row is not None}
    if len(enough) < len(plan.class_names()):
        raise Unfinished(f"{journal.path}: error: {missing} of {len(found)} "
                         "launches are not measured to the end; tile-tune "
                         "measure goes on")
    listed = chooser.given(plan, [
        chooser.winner(plan, found, k) for k in range(len(plan.class_names()))
    ]) if plan.space.classes else chooser.found(plan, found)
    rows = chooser.table(plan, found, listed)
    text, names = chooser.emit(plan, listed)
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{plan.space.name}.mlir"
    part = folder / f".{plan.space.name}.part.mlir"
    part.write_text(text)
    try:
        verdict = tools.verdict(part)["verdict"]
        if verdict != "VERIFIED":
            raise Failed(f"{target}: error: the variants are not VERIFIED but "
                         f"{verdict}")
    finally:
        part.unlink()
    write(target, text)
    write_json(folder / f"{plan.space.name}.json", {
        "format": "girih.tune.choice", "version": 1, "name": plan.space.name,
        "arch": plan.arch, "device": device, "tools": used, "context": context,
        "text": digest(text.encode()), "wrong": wrong,
        "not measured": absent,
        "variants": [
            {"kernel": name, "candidate": v.candidate.id, "when": list(v.when),
             "classes": list(v.classes), "source": {
                 "text": v.candidate.text_digest,
                 "proof": kernels[v.candidate.id][1],
                 "manifest": kernels[v.candidate.id][2]}}
            for name, v in zip(names, listed)],
        "regret": rows,
        "launches": [
            {"values": x.values, "class": name, "use": x.use,
             "chosen": listed[chooser.taken(listed, x.values)].candidate.id,
             "best": min(row, key=row.get), "over_incumbent": row}
            for x, row, name in zip(plan.launches, found, chooser.classes_of(
                plan, listed)) if row is not None]})
    yield from report(plan, device, names, listed, rows, wrong, absent)
    if missing:
        yield (f"{missing} of {len(found)} launches are not measured to the end "
               "and not used")
    yield f"VERIFIED {target}"


def report(plan, device, names, listed, rows, wrong, missing):
    yield f"{plan.space.name} on {device['name']}, driver {device['driver']}"
    for name, variant in zip(names, listed):
        when = f" when {', '.join(variant.when)}" if variant.when else ""
        yield f"  @{name}: {variant.candidate.id}{when}"
    yield from chooser.lines(rows)
    if missing:
        yield f"not measured: {', '.join(missing)}"
    held = chooser.total(rows)["hold"]
    if held["launches"]:
        fine = (held["mean"] <= chooser.MAX_MEAN and
                held["worst"] <= chooser.MAX_WORST)
        yield (f"held-out launches: {'within' if fine else 'NOT within'} "
               f"{chooser.MAX_MEAN:.2f} on average and "
               f"{chooser.MAX_WORST:.2f} at worst")
    for name, message in sorted(wrong.items()):
        yield f"wrong, never chosen: {name} {message}"
