# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Classes that are found: a tree of comparisons over launches, with a candidate
at each leaf, that keeps the loss of the choice small. Plain data, no files.

losses: of each launch a list, of each candidate what it costs there, None where
it is not admitted. Leaves are split one at a time, the one that gains most first
(Breiman and others, 1984); then each comparison is chosen again, given all
others (alternating optimization, Carreira-Perpinan and Tavallali, 2018). How
many leaves there are is said by cross-validation: a part of the launches judges
what the others chose.
"""

import random
import statistics
from dataclasses import dataclass
from itertools import accumulate

from . import expression
from .splits import Fixed

NEVER = 1e6  # the loss of who is not admitted
FEWEST = 3  # launches of a leaf
SIZES = (1, 2, 3, 4, 6, 8, 11, 14, 18, 23, 28)  # leaves that are tried
FOLDS = 5
SURE = 1.5  # standard errors
SWEEPS = 4  # over all comparisons of a tree
FEW = 8  # of so many launches one: then they are sorted and not looked through
GAP = 1.002  # of two fractions between which there may be a cut


@dataclass(frozen=True)
class Leaf:
    candidate: int


@dataclass(frozen=True)
class Node:
    texts: tuple  # comparisons that all hold on the first side
    then: object
    otherwise: object


def bound_of(text):
    """(symbol, bound) of "N <= 1024", or None."""
    op, left, right = expression.parse_condition(text)
    if op in ("<", "<=") and isinstance(left, str) and isinstance(right, int):
        return left, right - (op == "<")
    return None


def is_implied(text, others):
    """Whether a comparison follows from one of the others, as it stands or as a
    larger bound of the same symbol. What is not seen stands twice, no more."""
    if text in others:
        return True
    bound = bound_of(text)
    return bound is not None and any(
        other and other[0] == bound[0] and other[1] <= bound[1]
        for other in map(bound_of, others))


def allowed(needs, path):
    """The candidates of which all that they need follows from a path."""
    return [k for k, texts in enumerate(needs)
            if all(is_implied(t, path) for t in texts)]


def is_allowed(tree, needs, path):
    """Whether all that the leaves need follows from their paths."""
    if isinstance(tree, Leaf):
        return all(is_implied(t, path) for t in needs[tree.candidate])
    return (is_allowed(tree.then, needs, path + tree.texts) and
            is_allowed(tree.otherwise, needs, path))


class Table:
    """Of each split its truths, or its ranks in order, at all launches: whoever
    sorts some of them only looks through these. Fractions that hardly differ have
    one rank."""

    def __init__(self, splits, launches):
        self.rows = []
        for split in splits:
            try:
                self.rows.append((split, *self._of(split, launches)))
            except expression.BadExpression:
                pass  # it has no value at some launch

        self.launches, self.known = launches, {}

    def truth(self, texts):
        """Of comparisons at all launches."""
        if texts not in self.known:
            self.known[texts] = [holds(texts, x) for x in self.launches]
        return self.known[texts]

    @staticmethod
    def _of(split, launches):
        if isinstance(split, Fixed):
            return [holds(split.texts, x) for x in launches], None, None
        values = [split.value(x) for x in launches]
        ranks, named = {}, []
        for value in sorted(set(values)):
            if not named or isinstance(value, int) or \
                    value > named[-1][1] * GAP:
                named.append([value, value])
            named[-1][1] = value
            ranks[value] = len(named) - 1
        found = [ranks[v] for v in values]
        return found, sorted(range(len(found)), key=found.__getitem__), named


@dataclass(frozen=True)
class Split:
    loss: float
    texts: tuple
    first: list
    rest: list


class Grower:
    def __init__(self, table, losses, needs):
        self.table, self.needs = table, needs
        self.losses = [[NEVER if x is None else float(x) for x in row]
                       for row in losses]
        self.named = {t for texts in needs for t in texts}
        self.dear = [float("inf")] * len(losses)

    def best(self, launches, path, around=()):
        """(loss, candidate) of a leaf. Where there are few launches those around
        them have a say, as one launch has."""
        columns = list(zip(*map(self.losses.__getitem__, launches)))
        able, beside = allowed(self.needs, path), {}
        if len(launches) < FEWEST and around:
            beside = {c: sum(self.losses[i][c] for i in around) / len(around)
                      for c in able}
        own = {c: sum(columns[c]) if columns else 0.0 for c in able}
        candidate = min(able, key=lambda c: (own[c] + beside.get(c, 0.0), c))
        return own[candidate], candidate

    def able(self, path, symbol):
        """Candidates of which all that they need follows from a path and from a
        bound of the symbol."""
        return [c for c, texts in enumerate(self.needs) if all(
            is_implied(t, path) or (bound_of(t) or " ")[0] == symbol
            for t in texts)]

    def cut(self, row, launches, inside, first, rest):
        """The best cut of a quantity, or None. first, rest: functions from
        launches in order to columns of losses, of which the least counts on that
        side."""
        split, ranks, order, named = row
        if len(launches) * FEW < len(order):
            order = sorted(launches, key=ranks.__getitem__)
        else:
            order = [i for i in order if inside[i]]
        count, ranked = len(order), [ranks[i] for i in order]
        if ranked[FEWEST - 1] == ranked[-FEWEST]:
            return None
        below = list(map(min, self.dear, *map(accumulate, first(order))))
        order.reverse()
        above = list(map(min, self.dear, *map(accumulate, rest(order))))
        order.reverse()
        loss, k = min(((a + b, k) for a, b, k, here, there in zip(
            below[FEWEST - 1:], above[count - FEWEST - 1::-1],
            range(FEWEST, count - FEWEST + 1), ranked[FEWEST - 1:],
            ranked[FEWEST:]) if here < there), default=(NEVER, 0))
        if not k:
            return None
        return loss, split, (named[ranked[k - 1]][1], named[ranked[k]][0]), \
            order[:k], order[k:]

    def columns(self, candidates):
        return lambda order: [
            c for k, c in enumerate(zip(*map(self.losses.__getitem__, order)))
            if k in candidates]

    def split(self, launches, path):
        """The best Split of a leaf, or None."""
        if len(launches) < 2 * FEWEST:
            return None
        found, otherwise = None, allowed(self.needs, path)
        inside = [False] * len(self.losses)
        for i in launches:
            inside[i] = True
        rest = self.columns(set(otherwise))
        for row in self.table.rows:
            split = row[0]
            if isinstance(split, Fixed):
                first = [i for i in launches if row[1][i]]
                other = [i for i in launches if not row[1][i]]
                # What a candidate needs has to be said, however few do not
                # keep it.
                if len(first) < FEWEST or len(other) < FEWEST and \
                        not self.named & set(split.texts):
                    continue
                loss = (self.best(first, path + split.texts, launches)[0] +
                        self.best(other, path, launches)[0])
                if found is None or loss < found[0]:
                    found = loss, split.texts, first, other
            else:
                able = set(self.able(path, split.left if split.right == 1
                                     else None))
                cut = self.cut(row, launches, inside, self.columns(able), rest)
                if cut and (found is None or cut[0] < found[0]):
                    texts = (split.at_most(*cut[2]),)
                    # What a bound allows that is found may be less.
                    loss = (self.best(cut[3], path + texts, launches)[0] +
                            self.best(cut[4], path, launches)[0])
                    if found is None or loss < found[0]:
                        found = loss, texts, *cut[3:]
        return found and Split(*found)

    def grow(self, launches, sizes):
        """Trees of so many leaves, or fewer where nothing gains."""
        launches = list(launches)
        nodes = {(): (launches, (), *self.best(launches, ()))}
        splits, done, trees = {}, {}, []

        def tree(place):
            if place in done:
                return Node(done[place], tree(place + (0,)), tree(place + (1,)))
            return Leaf(nodes[place][3])
        for size in sizes:
            while len(nodes) < size:
                best = None
                for place, (inside, path, loss, _) in nodes.items():
                    if place not in splits:
                        splits[place] = self.split(inside, path) \
                            if loss > 1e-9 else None
                    split = splits[place]
                    if split and (best is None or loss - split.loss > best[0]):
                        best = loss - split.loss, place, split
                if best is None or best[0] <= 1e-9:
                    break
                _, place, split = best
                around, path, _, _ = nodes.pop(place)
                done[place] = split.texts
                for side, inside, along in (
                        (0, split.first, path + split.texts),
                        (1, split.rest, path)):
                    nodes[place + (side,)] = (
                        inside, along, *self.best(inside, along, around))
            trees.append(tree(()))
        return trees

    # Each comparison again, given the others.

    def costs(self, tree, launches):
        """What each launch costs behind a tree."""
        found = {}
        for candidate, inside in self.sorted_out(tree, launches):
            for i in inside:
                found[i] = self.losses[i][candidate]
        return found

    def sorted_out(self, tree, launches):
        if isinstance(tree, Leaf):
            return [(tree.candidate, launches)]
        first, rest = self.sides(tree.texts, launches)
        return (self.sorted_out(tree.then, first) +
                self.sorted_out(tree.otherwise, rest))

    def sides(self, texts, launches):
        truth = self.table.truth(texts)
        return ([i for i in launches if truth[i]],
                [i for i in launches if not truth[i]])

    def improved(self, tree, launches):
        if isinstance(tree, Leaf):
            return tree
        for _ in range(SWEEPS):
            new = self.again(tree, launches, ())
            if new == tree:
                break
            tree = new
        return self.pruned(tree, launches, ())

    def pruned(self, tree, launches, path, around=()):
        """Without sides that few launches are left on, where that can be."""
        if isinstance(tree, Leaf):
            return Leaf(self.best(launches, path, around)[1]) \
                if len(launches) < FEWEST else tree
        first, rest = self.sides(tree.texts, launches)
        if len(first) < FEWEST:
            return self.pruned(tree.otherwise, launches, path, around)
        if len(rest) < FEWEST and is_allowed(tree.then, self.needs, path):
            return self.pruned(tree.then, launches, path, around)
        return Node(tree.texts,
                    self.pruned(tree.then, first, path + tree.texts, launches),
                    self.pruned(tree.otherwise, rest, path, launches))

    def again(self, tree, launches, path, around=()):
        """The tree with each comparison and leaf chosen again."""
        if isinstance(tree, Leaf):
            if len(launches) < FEWEST:
                return tree
            loss, candidate = self.best(launches, path, around)
            old = sum(self.losses[i][tree.candidate] for i in launches)
            return Leaf(candidate) if loss < old - 1e-9 else tree
        first, rest = self.sides(tree.texts, launches)
        tree = Node(tree.texts, self.again(tree.then, first, path + tree.texts,
                                           launches),
                    self.again(tree.otherwise, rest, path, launches))
        if len(launches) < 2 * FEWEST:
            return tree
        left, right = (self.costs(t, launches)
                       for t in (tree.then, tree.otherwise))
        best = sum(left[i] for i in first) + sum(right[i] for i in rest) - 1e-9
        inside = [False] * len(self.losses)
        for i in launches:
            inside[i] = True
        for row in self.table.rows:
            split = row[0]
            if isinstance(split, Fixed):
                chosen = [i for i in launches if row[1][i]]
                if not FEWEST <= len(chosen) <= len(launches) - FEWEST:
                    continue
                loss = sum((left if row[1][i] else right)[i] for i in launches)
                texts = split.texts
            else:
                cut = self.cut(row, launches, inside,
                               lambda order: [[left[i] for i in order]],
                               lambda order: [[right[i] for i in order]])
                if not cut or cut[0] >= best:
                    continue
                loss, texts = cut[0], (split.at_most(*cut[2]),)
            if loss < best and is_allowed(tree.then, self.needs, path + texts):
                best, tree = loss - 1e-9, Node(texts, tree.then, tree.otherwise)
        return tree


def holds(texts, values):
    return all(expression.evaluate(expression.parse_condition(t), values)
               for t in texts)


def leaf_of(tree, values):
    """The candidate of a launch."""
    while isinstance(tree, Node):
        tree = tree.then if holds(tree.texts, values) else tree.otherwise
    return tree.candidate


def simplified(tree):
    """Without comparisons of which both sides choose the same."""
    if isinstance(tree, Leaf):
        return tree
    then, otherwise = simplified(tree.then), simplified(tree.otherwise)
    return then if then == otherwise else Node(tree.texts, then, otherwise)


def listed(tree, path=()):
    """The tree as an ordered list: (comparisons, candidate). A launch behind the
    first side of a node is on its other one, so that nothing has to be said. What
    a smaller bound implies is left out."""
    if isinstance(tree, Leaf):
        return [(path, tree.candidate)]
    own = [t for t in dict.fromkeys(tree.texts) if not is_implied(t, path)]
    left = [t for t in path if not is_implied(t, own)]
    return (listed(tree.then, (*left, *own)) + listed(tree.otherwise, path))


def fit(splits, launches, losses, needs, weights, seed=1):
    """The tree of a cross-validated size, and the mean loss at launches that it
    was not fitted to. losses: each as often as its launch's weight says."""
    table = Table(splits, launches)
    grower = Grower(table, losses, needs)
    order = list(range(len(launches)))
    random.Random(seed).shuffle(order)
    if len(order) < FOLDS * FEWEST:
        tree = grower.grow(order, (1,))[0]
        return tree, sum(grower.costs(tree, order).values()) / sum(weights)
    judged = [[0.0] * len(order) for _ in SIZES]
    for k in range(FOLDS):
        fold = order[k::FOLDS]
        inside = set(fold)
        trees = grower.grow([i for i in order if i not in inside], SIZES)
        for row, tree in zip(judged, trees):
            for i, cost in grower.costs(tree, fold).items():
                row[i] = cost
    # How sure a number of leaves is depends on launches, whatever they weigh.
    enough = _enough([[x / w for x, w in zip(row, weights)] for row in judged])
    tree = grower.grow(order, SIZES[enough:enough + 1])[0]
    return (simplified(grower.improved(tree, order)),
            sum(judged[enough]) / sum(weights))


def _enough(judged):
    """The first of rows of losses that is no worse than the best one by more than
    the standard error of their difference."""
    best = min(judged, key=sum)
    for number, row in enumerate(judged):
        apart = [a - b for a, b in zip(row, best)]
        if row is best or statistics.fmean(apart) <= SURE * statistics.stdev(
                apart) / len(apart) ** 0.5:
            return number
    raise AssertionError("the best row is one of them")
