# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a space to its candidates and launches, and why each of the others is
none. Nothing is compiled."""

import concurrent.futures
import itertools
import math
import os
import pathlib
import tempfile
from dataclasses import dataclass, replace

from . import bounds, cost, kernel, space as space_of
from .errors import Malformed
from .tools import digest

TUNE, HOLD = "tune", "hold"
HELD = 3  # of so many drawn launches the last one is held out


@dataclass(frozen=True)
class Candidate:
    id: str
    source: str
    text: str
    contract: kernel.Contract
    launches: tuple  # numbers of those that it is measured on

    @property
    def is_own(self):
        """Whether its hints are the source's."""
        return self.id == pathlib.Path(self.source).stem

    @property
    def text_digest(self):
        return digest(self.text.encode())


@dataclass(frozen=True)
class Source:
    """A kernel of a file; when: behind which it stands in a list of variants."""
    path: str
    text: str
    contract: kernel.Contract
    when: tuple
    refused: object  # why it is no candidate, or None

    @property
    def name(self):
        return pathlib.Path(self.path).stem


@dataclass(frozen=True)
class Launch:
    values: dict
    number: int  # of its class
    use: str  # TUNE or HOLD


@dataclass(frozen=True)
class Plan:
    space: space_of.Space
    arch: str
    candidates: tuple  # the incumbent first
    pruned: tuple  # (id, why)
    launches: tuple
    shipped: tuple = ()  # of the first file's list: (candidate, when)

    def class_names(self):
        return [*self.space.classes, space_of.OTHERS]


def target(space, arch):
    """The target that is tuned for."""
    if arch:
        return arch
    if len(space.hints) > 1:
        raise Malformed("tile-tune: error: say for which of " +
                        ", ".join(sorted(space.hints)) + ": --arch=sm_90")
    return next(iter(space.hints), "sm_90")


def combinations(hints):
    """Every choice of one value a hint."""
    names = sorted(hints)
    for values in itertools.product(*(hints[n] for n in names)):
        yield dict(zip(names, values))


def with_combination(text, contract, arch, combination):
    """The text with a combination in place of its own hints for the target."""
    own = dict(contract.hints.get(arch, {}))
    for name, value in combination.items():
        if value is None:
            own.pop(name, None)
        else:
            own[name] = value
    hints = {**contract.hints, arch: own}
    return kernel.with_hints(text, hints), replace(contract, hints=hints)


def label(combination):
    return "".join(f"+{name}={'no' if value is None else value}"
                   for name, value in combination.items())


def candidates_of(path, text, contract, hints, arch):
    """A source with its own hints, then with each combination."""
    stem = pathlib.Path(path).stem
    yield Candidate(stem, path, text, contract, ())
    seen = [contract.hints.get(arch, {})]
    for combination in combinations(hints):
        new, changed = with_combination(text, contract, arch, combination)
        if changed.hints[arch] not in seen:
            seen.append(changed.hints[arch])
            yield Candidate(stem + label(combination), path, new, changed, ())


def signature_difference(a, b):
    for what, one, other in (("arguments", a.arguments, b.arguments),
                             ("symbols", a.symbols, b.symbols)):
        if one != other:
            return (f"signature: {what} {one or 'none'}, and of the first "
                    f"source {other or 'none'}")
    return None


def _read_kernel(path, source, tools, when=()):
    contract = kernel.read(tools.canonical(path), source)
    verdict = tools.verdict(path)["verdict"]
    return Source(source, pathlib.Path(path).read_text(), contract, when,
                  None if verdict == "VERIFIED" else
                  f"not VERIFIED but {verdict}")


def _read_source(path, tools):
    """Its kernels: each variant of a list is one, called what it is called."""
    tools.canonical(path)
    text = pathlib.Path(path).read_text()
    parts, when = kernel.singles(text), dict(kernel.choices(text))
    if not parts:
        return [_read_kernel(path, path, tools)]
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name, alone in parts:
            file = pathlib.Path(folder, f"{name}.mlir")
            file.write_text(alone)
            source = str(pathlib.Path(path).with_name(file.name))
            found.append(_read_kernel(str(file), source, tools, when[name]))
    return found


def _unique(space, sources):
    names = {}
    for k, kernels in enumerate(sources):
        for source in kernels:
            name = source.name
            if name in names:
                space.fail(("sources", k), f"'{name}' is the name of a kernel of "
                           f"sources[{names[name]}] too")
            names[name] = k


def _launches(space, sources):
    first = sources[0].contract
    found = [Launch(dict(v), 0, TUNE) for v in space.launches]
    for k, launch in enumerate(found):
        why = kernel.refusal(first, launch.values)
        if not why and not kernel.blocks(first, launch.values):
            why = "no block"
        if why:
            space.fail(("launches", k), f"the first source does not admit it: "
                       f"{why}")
    drawn = space_of.drawn(space, first)
    sides = bounds.launches(space, first, [
        (s.when + tuple(t for t, _ in s.contract.requires)) for s in sources
        if not s.refused], drawn)
    found += [Launch(v, 0, TUNE) for v in sides]
    found += [Launch(v, 0, HOLD if k % HELD == HELD - 1 else TUNE)
              for k, v in enumerate(drawn)]
    found = [replace(x, number=space_of.class_of(space.classes, x.values))
             for x in found]
    for k, name in enumerate([*space.classes, space_of.OTHERS]):
        if not any(x.number == k and x.use == TUNE for x in found):
            space.fail(("classes", k) if k < len(space.classes) else (),
                       f"no launch to tune on is of the class '{name}'")
    return found


def _admitted(candidate, launches, most, processors):
    """Numbers of the launches that it is measured on, or why there is none."""
    admitted, refusals = [], []
    for k, launch in enumerate(launches):
        why = kernel.refusal(candidate.contract, launch.values)
        refusals += [why] * bool(why)
        if not why:
            admitted.append(k)
    if not admitted:
        return (), f"no launch that it admits: {refusals[0]}"
    busy = [k for k in admitted if not cost.is_idle(
        kernel.blocks(candidate.contract, launches[k].values), most[k],
        processors)]
    if not busy:
        counts = [kernel.blocks(candidate.contract, launches[k].values)
                  for k in admitted]
        return (), (f"too few blocks: at most {max(counts)} for {processors} "
                    f"multiprocessors, where another has "
                    f"{max(most[k] for k in admitted)}")
    return tuple(admitted), None


def make(space, tools, arch=None):
    """The plan of a space."""
    arch = target(space, arch)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        listed = list(pool.map(lambda path: _read_source(path, tools),
                               space.sources))
    _unique(space, listed)
    sources = [s for kernels in listed for s in kernels]
    count = len(sources) * (1 + math.prod(
        map(len, space.hints.get(arch, {}).values())))
    if count > space_of.MAX_CANDIDATES:
        space.fail(("hints", arch), f"{count} candidates of at most "
                   f"{space_of.MAX_CANDIDATES}")
    first = sources[0].contract
    if sources[0].refused:
        space.fail(("sources", 0), f"the first source is {sources[0].refused}")
    space = space_of.with_packed_strides(space, first)
    space_of.check_symbols(space, first)
    sources = [replace(s, refused=s.refused or
                       signature_difference(s.contract, first))
               for s in sources]
    launches = _launches(space, sources)
    found, pruned = [], []
    for source in sources:
        if source.refused:
            pruned.append((source.name, source.refused))
            continue
        found += candidates_of(source.path, source.text, source.contract,
                               space.hints.get(arch, {}), arch)
    most = [max([kernel.blocks(c.contract, x.values) for c in found
                 if not kernel.refusal(c.contract, x.values)], default=0)
            for x in launches]
    processors = cost.TARGETS[arch].processors if arch in cost.TARGETS else 1
    kept = [replace(found[0], launches=tuple(range(len(launches))))]
    for candidate in found[1:]:
        # What its author wrote is measured, whatever the estimate says.
        why = None if candidate.is_own else cost.excess(candidate.contract, arch)
        admitted = ()
        if not why:
            admitted, why = _admitted(candidate, launches, most, processors)
        if why:
            pruned.append((candidate.id, why))
        else:
            kept.append(replace(candidate, launches=admitted))
    return Plan(space, arch, tuple(kept), tuple(pruned), tuple(launches),
                tuple((s.name, s.when) for s in reversed(listed[0])))


def report(plan):
    """The plan as lines."""
    yield (f"{plan.space.name} for {plan.arch}: {len(plan.candidates)} "
           f"candidates, {len(plan.pruned)} pruned")
    for k, c in enumerate(plan.candidates):
        yield (f"  {c.id}: {len(c.launches)} of {len(plan.launches)} launches"
               f"{', the incumbent' if not k else ''}")
    for name, why in plan.pruned:
        yield f"  pruned {name}: {why}"
    for use, what in ((TUNE, "to tune on"), (HOLD, "held out")):
        chosen = [x for x in plan.launches if x.use == use]
        yield f"{len(chosen)} launches {what}"
        for x in chosen:
            values = ", ".join(f"{n}={v}" for n, v in sorted(x.values.items()))
            yield f"  {values}: {plan.class_names()[x.number]}"
