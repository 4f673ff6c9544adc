# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From times at launches to an ordered list of candidates, each behind
comparisons, where nobody gave classes: a few candidates that together are good
everywhere, and a tree that says where each of them is taken."""

import math

from . import splits, tree

# What a launch costs that is chosen badly: the logarithm of the regret, and much
# more where it is beyond a tenth.
BAD = math.log(1.1)
LEAST_GAIN = 0.002  # in loss, on average, for which a candidate more is taken
# What somebody lists is what runs: together they count as so many of the others.
LISTED = 0.5


def loss(regret):
    value = math.log(regret)
    return value * (1 + value / BAD)


def losses_of(times, names, weights):
    """Of each launch a list, of each candidate its loss, or None."""
    found = []
    for row, weight in zip(times, weights):
        best = min(row.values())
        found.append([weight * loss(row[n] / best) if n in row else None
                      for n in names])
    return found


def portfolio(losses):
    """Numbers of few candidates, the incumbent first, of which the best one at
    each launch is about as good as the best of all: one at a time, the one that
    gains most."""
    chosen, current = [0], [row[0] for row in losses]
    while True:
        best = None
        for c in range(1, len(losses[0])):
            if c not in chosen:
                total = sum(now if row[c] is None else min(now, row[c])
                            for now, row in zip(current, losses))
                if best is None or total < best[0]:
                    best = total, c
        if best is None or \
                sum(current) - best[0] < LEAST_GAIN * len(losses):
            return chosen
        chosen.append(best[1])
        current = [now if row[best[1]] is None else min(now, row[best[1]])
                   for now, row in zip(current, losses)]


def find(contracts, needs, whens, arch, launches, times, names, is_listed,
         shipped):
    """An ordered list of (comparisons, number of a candidate), the last one, of
    the incumbent's requirements alone, for all that are left.

    contracts, needs, names: of each candidate, the incumbent first; needs: what
    it requires beyond the incumbent. whens: comparisons behind which sources
    stand. launches, times: values, and {name: time}; is_listed: whether somebody
    listed the launch. shipped: the list as it was,
    or None; it stays where the losses of what is found are no less."""
    weight = max(1.0, LISTED * is_listed.count(False) / max(
        is_listed.count(True), 1))
    weights = [weight if x else 1.0 for x in is_listed]
    losses = losses_of(times, names, weights)
    few = portfolio(losses)
    found, mean = tree.fit(
        splits.listed([contracts[c] for c in few], whens, arch), launches,
        [[row[c] for c in few] for row in losses], [needs[c] for c in few],
        weights)
    if shipped is not None:
        as_was = [losses[k][taken(shipped, x)] for k, x in enumerate(launches)]
        # A candidate may have been wrong somewhere.
        if None not in as_was and sum(as_was) / sum(weights) <= mean:
            return shipped
    return merged([(when, few[c]) for when, c in tree.listed(found)])


def taken(listed, values):
    return next(c for when, c in listed if tree.holds(when, values))


def merged(listed):
    """Without those behind which the same candidate stands for more launches."""
    found = []
    for when, candidate in reversed(listed):
        if not (found and found[-1][1] == candidate and
                set(found[-1][0]) <= set(when)):
            found.append((when, candidate))
    return found[::-1]
