# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From times to winners: a candidate for each class, the list of variants that
they make, and what the choice costs at each launch (regret). Plain data, no
files.

times: for each launch {candidate: time over the incumbent's}, of all that were
measured there and are right.
"""

import math
from dataclasses import dataclass

from . import expression, kernel, space as space_of
from .plan import HOLD, TUNE

MAX_MEAN, MAX_WORST = 1.02, 1.10  # what a choice may cost on held-out launches


@dataclass(frozen=True)
class Variant:
    candidate: object
    when: tuple  # texts of comparisons; empty for all that are left
    classes: tuple  # names, for a reader


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def regrets(name, times, launches):
    """Of a candidate at each of these launches: its time over the best."""
    return [times[k][name] / min(times[k].values()) for k in launches]


def winner(plan, times, number):
    """The candidate of the class with the least geometric mean over the class's
    launches to tune on, of those that were measured at all of them; of equal
    ones the incumbent, then the first."""
    launches = [k for k, x in enumerate(plan.launches)
                if x.number == number and x.use == TUNE]
    able = [c for c in plan.candidates
            if all(c.id in times[k] for k in launches)]
    return min(able, key=lambda c: geometric_mean(
        regrets(c.id, times, launches)))


def extra(contract, incumbent):
    """What a candidate requires beyond the incumbent."""
    own = {text for text, _ in incumbent.requires}
    return tuple(text for text, _ in contract.requires if text not in own)


def _bound(text):
    """(symbol, bound) of "N <= 1024", or None."""
    op, left, right = expression.parse_condition(text)
    if op in ("<", "<=") and isinstance(left, str) and isinstance(right, int):
        return left, right - (op == "<")
    return None


def is_implied(text, others):
    """Whether a comparison follows from one of the others, as it stands or as a
    larger bound of the same symbol. What is not seen stands twice, no more."""
    bound = _bound(text)
    return text in others or bound is not None and any(
        other and other[0] == bound[0] and other[1] <= bound[1]
        for other in map(_bound, others))


def variants(plan, winners):
    """The list: a launch that a winner does not admit falls through to the next
    whose conditions hold, at last to the incumbent."""
    incumbent = plan.candidates[0]
    found = []
    for number, candidate in enumerate(winners):
        name = plan.class_names()[number]
        when = () if number == len(plan.space.classes) else tuple(
            expression.split(name))
        found.append(Variant(candidate, when + tuple(
            t for t in extra(candidate.contract, incumbent.contract)
            if not is_implied(t, when)), (name,)))
    if found[-1].when:
        found.append(Variant(incumbent, (), (space_of.OTHERS,)))
    # Whoever stands before the last one and is the same says nothing.
    while len(found) > 1 and found[-2].candidate == found[-1].candidate:
        last = found.pop()
        found[-1] = Variant(last.candidate, last.when,
                            found[-1].classes + last.classes)
    return found


def taken(found, values):
    """The variant that a launch takes."""
    for variant in found:
        if all(space_of.holds(t, values) for t in variant.when):
            return variant
    raise AssertionError("the last variant is for all launches")


def table(plan, times, found):
    """The regret table: of each class, and of all, tuned and held out."""
    rows = []
    for number, name in [*enumerate(plan.class_names()), (None, "all")]:
        row = {"class": name}
        for use in (TUNE, HOLD):
            launches = [k for k, x in enumerate(plan.launches)
                        if x.use == use and number in (None, x.number)]
            chosen = [times[k][taken(found, plan.launches[k].values)
                               .candidate.id] for k in launches]
            best = [min(times[k].values()) for k in launches]
            over = [c / b for c, b in zip(chosen, best)]
            row[use] = {
                "launches": len(launches), "mean": geometric_mean(over),
                "worst": max(over, default=None),
                "incumbent": geometric_mean(1 / b for b in best),
                "gain": geometric_mean(1 / c for c in chosen)}
        rows.append(row)
    return rows


def emit(plan, found):
    """The kernel's file with the variants, and the names of the kernels."""
    name, names, texts = plan.space.name, [], []
    for k, variant in enumerate(found):
        own = variant.candidate.contract.name
        if len(found) == 1:
            own = name
        elif own == name or own in names:
            own = next(n for n in (f"{own}_{i}" for i in range(k + 1, 1000))
                       if n not in names and n != name)
        names.append(own)
        texts.append(kernel.renamed(variant.candidate.text, own, f"_{k + 1}"
                                    if len(found) > 1 else ""))
    head = []
    if len(found) > 1:
        listed = ", ".join(
            f"@{n}" + (f" when ({', '.join(v.when)})" if v.when else "")
            for n, v in zip(names, found))
        head = [f"// chosen by tile-tune for {plan.arch}",
                f"tile.variants @{name} [{listed}]"]
    return "\n".join(head + [t.rstrip("\n") for t in texts]) + "\n", names


def show(number):
    return "-" if number is None else f"{number:.3f}"


def lines(rows):
    """The table for a reader: regret is the chosen time over the best known
    one; gain the incumbent's time over the chosen one."""
    head = ["class", "tuned", "mean", "worst", "held out", "mean", "worst",
            "gain"]
    body = [[r["class"],
             str(r[TUNE]["launches"]), show(r[TUNE]["mean"]),
             show(r[TUNE]["worst"]),
             str(r[HOLD]["launches"]), show(r[HOLD]["mean"]),
             show(r[HOLD]["worst"]),
             show(r[HOLD]["gain"] or r[TUNE]["gain"])] for r in rows]
    widths = [max(len(x[k]) for x in [head, *body]) for k in range(len(head))]
    for row in [head, *body]:
        yield "  ".join(x.ljust(w) if not k else x.rjust(w)
                        for k, (x, w) in enumerate(zip(row, widths))).rstrip()
