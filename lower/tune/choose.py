# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From times to variants: a candidate for each class that is given, or classes
that are found, and what the choice costs at each launch (regret). Plain data, no
files.

times: for each launch {candidate: time over the incumbent's}, of all that were
measured there and are right.
"""

import math
from dataclasses import dataclass

from . import classes, expression, kernel, space as space_of, tree
from .plan import HOLD, TUNE

ALL, SHIPPED = "all", "as the sources are"
LISTED, LISTED_SHIPPED = "listed", "listed, as the sources are"
MAX_MEAN, MAX_WORST = 1.02, 1.10  # what a choice may cost on held-out launches


@dataclass(frozen=True)
class Variant:
    candidate: object
    when: tuple  # texts of comparisons; empty for all that are left
    classes: tuple  # names, for a reader; of those that are given


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
    launches = [k for k, x in enumerate(plan.launches) if x.number == number
                and x.use == TUNE and times[k] is not None]
    able = [c for c in plan.candidates
            if all(c.id in times[k] for k in launches)]
    return min(able, key=lambda c: geometric_mean(
        regrets(c.id, times, launches)))


def extra(contract, incumbent):
    """What a candidate requires beyond the incumbent."""
    own = {text for text, _ in incumbent.requires}
    return tuple(text for text, _ in contract.requires if text not in own)


def shipped(plan):
    """The choice of the sources as they are: (comparisons, number of the
    candidate); None where there is none, or one of its kernels was pruned."""
    numbers = {c.id: k for k, c in enumerate(plan.candidates)}
    if len(plan.shipped) < 2 or any(n not in numbers for n, _ in plan.shipped):
        return None
    return [(when, numbers[name]) for name, when in plan.shipped]


def found(plan, times):
    """Variants by classes that are found. times: of launches that were measured
    to the end, else None."""
    known = [k for k, x in enumerate(plan.launches)
             if x.use == TUNE and times[k] is not None]
    first = plan.candidates[0].contract
    listed = classes.find(
        [c.contract for c in plan.candidates],
        [extra(c.contract, first) for c in plan.candidates],
        [when for _, when in plan.shipped if when], plan.arch,
        [plan.launches[k].values for k in known], [times[k] for k in known],
        [c.id for c in plan.candidates],
        [plan.launches[k].values in plan.space.launches for k in known],
        shipped(plan))
    return [Variant(plan.candidates[c], when, ()) for when, c in listed]


def given(plan, winners):
    """Variants by the classes of the space: a launch that a winner does not admit
    falls through to the next whose conditions hold, at last to the incumbent."""
    incumbent = plan.candidates[0]
    found = []
    for number, candidate in enumerate(winners):
        name = plan.class_names()[number]
        when = () if number == len(plan.space.classes) else tuple(
            expression.split(name))
        found.append(Variant(candidate, when + tuple(
            t for t in extra(candidate.contract, incumbent.contract)
            if not tree.is_implied(t, when)), (name,)))
    if found[-1].when:
        found.append(Variant(incumbent, (), (space_of.OTHERS,)))
    # Whoever stands before the last one and is the same says nothing.
    while len(found) > 1 and found[-2].candidate == found[-1].candidate:
        last = found.pop()
        found[-1] = Variant(last.candidate, last.when,
                            found[-1].classes + last.classes)
    return found


def taken(found, values):
    """The number of the variant that a launch takes."""
    return next(k for k, variant in enumerate(found)
                if all(space_of.holds(t, values) for t in variant.when))


def classes_of(plan, found):
    """Of each launch the name of its class: of the space, or the comparisons that
    were found."""
    if plan.space.classes:
        return [plan.class_names()[x.number] for x in plan.launches]
    return [", ".join(found[taken(found, x.values)].when) or space_of.OTHERS
            for x in plan.launches]


def _row(name, plan, times, choice, inside):
    """choice: of a launch's number the candidate's id. inside: numbers."""
    row = {"class": name}
    for use in (TUNE, HOLD):
        launches = [k for k in inside if plan.launches[k].use == use]
        chosen = [times[k][choice(k)] for k in launches]
        best = [min(times[k].values()) for k in launches]
        over = [c / b for c, b in zip(chosen, best)]
        row[use] = {
            "launches": len(launches), "mean": geometric_mean(over),
            "worst": max(over, default=None),
            "incumbent": geometric_mean(1 / b for b in best),
            "gain": geometric_mean(1 / c for c in chosen)}
    return row


def table(plan, times, found):
    """The regret table: of each class, of all, of those that are listed, and of
    the choice as the sources ship it; tuned and held out; of launches that were
    measured to the end."""
    known = [k for k, row in enumerate(times) if row is not None]
    names = classes_of(plan, found)

    def choice(k):
        return found[taken(found, plan.launches[k].values)].candidate.id
    rows = [_row(name, plan, times, choice,
                 [k for k in known if names[k] == name])
            for name in dict.fromkeys(
                plan.class_names() if plan.space.classes else
                [", ".join(v.when) or space_of.OTHERS for v in found])]
    rows.append(_row(ALL, plan, times, choice, known))
    listed = [k for k in known
              if plan.launches[k].values in plan.space.launches]
    if len(listed) not in (0, len(known)):
        rows.append(_row(LISTED, plan, times, choice, listed))
    as_was = shipped(plan)
    if as_was is not None:
        def before(k):
            return plan.candidates[classes.taken(
                as_was, plan.launches[k].values)].id
        for name, inside in ((SHIPPED, known), (LISTED_SHIPPED, listed)):
            rows.append(_row(name, plan, times, before, [
                k for k in inside if before(k) in times[k]]))
    return rows


def total(rows):
    """The row of all launches."""
    return next(r for r in rows if r["class"] == ALL)


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


WIDTH = 40  # of a class's comparisons; NAME.json has all


def _shortened(name):
    return name if len(name) <= WIDTH else name[:WIDTH - 3] + "..."


def lines(rows):
    """The table for a reader: regret is the chosen time over the best known
    one; gain the incumbent's time over the chosen one."""
    head = ["class", "tuned", "mean", "worst", "held out", "mean", "worst",
            "gain"]
    body = [[_shortened(r["class"]),
             str(r[TUNE]["launches"]), show(r[TUNE]["mean"]),
             show(r[TUNE]["worst"]),
             str(r[HOLD]["launches"]), show(r[HOLD]["mean"]),
             show(r[HOLD]["worst"]),
             show(r[HOLD]["gain"] or r[TUNE]["gain"])] for r in rows]
    widths = [max(len(x[k]) for x in [head, *body]) for k in range(len(head))]
    for row in [head, *body]:
        yield "  ".join(x.ljust(w) if not k else x.rjust(w)
                        for k, (x, w) in enumerate(zip(row, widths))).rstrip()
