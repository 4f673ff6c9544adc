# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How each op is written: a table that the emitter does not share."""

import dataclasses

ROUNDING = ["nearest_even", "zero", "negative_inf", "positive_inf", "approx",
            "full", "nearest_int_to_zero"]
SIGN = ["unsigned", "signed"]
OVERFLOW = ["none", "nsw", "nuw", "nw"]
COMPARE = ["equal", "not_equal", "less_than", "less_than_or_equal",
           "greater_than", "greater_than_or_equal"]
ORDERED = ["unordered", "ordered"]
MEMORY = ["weak", "relaxed", "acquire", "release", "acq_rel"]
SCOPE = ["tl_blk", "device", "sys"]
ATOMIC = ["and", "or", "xor", "add", "addf", "max", "min", "umax", "umin",
          "xchg"]


@dataclasses.dataclass(frozen=True)
class Row:
    """How one op is written: `*` marks any number of operands, `?` one that a
    flag announces. `counted`: one count stands before all operands."""
    name: str
    operands: tuple
    results: int | None = 1  # None: their number is written
    flags: tuple = ()
    attributes: tuple = ()
    counted: bool = False
    regions: int = 0
    new: tuple = ()  # flags and attributes that came with version 13.4

    def older(self):
        return dataclasses.replace(
            self, flags=tuple(f for f in self.flags if f not in self.new),
            attributes=tuple(a for a in self.attributes
                             if a[0] not in self.new))


def row(name, operands="", **how):
    for key in ("flags", "attributes", "new"):
        how[key] = tuple(how.get(key, ()))
    return Row(name, tuple(operands.split()), **how)


def enum(name, words):
    return (name, "enum", words)


_rounded = dict(flags=["ftz"], attributes=[enum("rounding", ROUNDING)])
_wraps = dict(attributes=[enum("overflow", OVERFLOW)])
_signed = dict(attributes=[enum("sign", SIGN)])
_memory = [enum("order", MEMORY), ("scope", "enum?", SCOPE),
           ("hints", "hints?", None)]
_tile = dict(attributes=[*_memory, ("inside", "truths", None)], new=["inside"])

ROWS = {
    0: row("absf", "x"),
    1: row("absi", "x"),
    2: row("addf", "x y", **_rounded),
    3: row("addi", "x y", **_wraps),
    4: row("andi", "x y"),
    5: row("assert", "condition", results=0,
           attributes=[("message", "string", None)]),
    6: row("assume", "x", attributes=[("that", "predicate", None)]),
    8: row("atomic_rmw_tko", "pointers value mask? token?", results=2,
           attributes=[enum("order", MEMORY), enum("scope", SCOPE),
                       enum("mode", ATOMIC)]),
    9: row("bitcast", "x"),
    10: row("break", "values*", results=None, counted=True),
    11: row("broadcast", "x"),
    12: row("cat", "x y", attributes=[("axis", "integer", None)]),
    13: row("ceil", "x"),
    14: row("cmpf", "x y", attributes=[enum("compare", COMPARE),
                                       enum("ordered", ORDERED)]),
    15: row("cmpi", "x y", attributes=[enum("compare", COMPARE),
                                       enum("sign", SIGN)]),
    16: row("constant", attributes=[("value", "constant", None)]),
    17: row("continue", "values*", results=None, counted=True),
    18: row("cos", "x"),
    19: row("cosh", "x"),
    20: row("divf", "x y", **_rounded),
    21: row("divi", "x y", attributes=[enum("sign", SIGN),
                                       enum("rounding", ROUNDING)]),
    23: row("exp", "x", attributes=[enum("rounding", ROUNDING)]),
    24: row("exp2", "x", flags=["ftz"]),
    37: row("exti", "x", **_signed),
    38: row("extract", "x index*", results=None, counted=True),
    39: row("floor", "x"),
    40: row("fma", "x y z", **_rounded),
    41: row("for", "lower upper step init*", results=None, counted=True,
            flags=["unsigned"], regions=1),
    42: row("ftof", "x", attributes=[enum("rounding", ROUNDING)]),
    43: row("ftoi", "x", attributes=[enum("sign", SIGN),
                                     enum("rounding", ROUNDING)],
            flags=["saturating"], new=["saturating"]),
    48: row("get_tile_block_id", results=3),
    50: row("if", "condition", results=None, regions=2),
    58: row("iota"),
    59: row("itof", "x", attributes=[enum("sign", SIGN),
                                     enum("rounding", ROUNDING)]),
    60: row("join_tokens", "tokens*", results=None, counted=True),
    61: row("load_ptr_tko", "pointers mask? padding? token?", results=2,
            attributes=_memory),
    62: row("load_view_tko", "view index* token?", results=None, **_tile),
    63: row("log", "x"),
    64: row("log2", "x"),
    65: row("loop", "init*", results=None, counted=True, regions=1),
    66: row("make_partition_view", "view"),
    67: row("make_tensor_view", "base shape* strides*", results=None),
    68: row("make_token"),
    69: row("maxf", "x y", flags=["nan", "ftz"]),
    70: row("maxi", "x y", **_signed),
    71: row("minf", "x y", flags=["nan", "ftz"]),
    72: row("mini", "x y", **_signed),
    73: row("mmaf", "x y z", flags=["fast_acc"]),
    74: row("mmai", "x y z", attributes=[enum("sign_x", SIGN),
                                         enum("sign_y", SIGN)]),
    76: row("mulf", "x y", **_rounded),
    77: row("mulhii", "x y"),
    78: row("muli", "x y", **_wraps),
    79: row("negf", "x"),
    81: row("offset", "pointers offset"),
    82: row("ori", "x y"),
    83: row("permute", "x", attributes=[("permutation", "integers", None)]),
    84: row("pow", "x y"),
    85: row("print_tko", "values* token?", results=None,
            attributes=[("text", "string", None)]),
    88: row("reduce", "values*", results=None, counted=True,
            attributes=[("axis", "integer", None),
                        ("identities", "identities", None)], regions=1),
    89: row("remf", "x y"),
    90: row("remi", "x y", **_signed),
    91: row("reshape", "x"),
    92: row("return", "values*", results=None, counted=True),
    93: row("rsqrt", "x", flags=["ftz"]),
    94: row("scan", "values*", results=None, counted=True,
            attributes=[("axis", "integer", None), enum("direction", ["forward", "reverse"]),
                        ("identities", "identities", None)], regions=1),
    95: row("select", "condition x y"),
    96: row("shli", "x y", **_wraps),
    97: row("shri", "x y", **_signed),
    98: row("sin", "x"),
    99: row("sinh", "x"),
    100: row("sqrt", "x", **_rounded),
    101: row("store_ptr_tko", "pointers value mask? token?",
             attributes=_memory),
    102: row("store_view_tko", "value view index* token?", results=None,
             **_tile),
    103: row("subf", "x y", **_rounded),
    104: row("subi", "x y", **_wraps),
    105: row("tan", "x"),
    106: row("tanh", "x", attributes=[enum("rounding", ROUNDING)]),
    107: row("trunci", "x", **_wraps),
    108: row("xori", "x y"),
    109: row("yield", "values*", results=None, counted=True),
    110: row("atan2", "x y"),
    114: row("mmaf_scaled", "x y z x_scale y_scale"),
    117: row("atomic_red_view_tko", "view index* value token?", results=None,
             attributes=[enum("order", MEMORY), enum("scope", SCOPE),
                         enum("mode", ATOMIC)]),
    119: row("gdc_launch_dependents_tko", "token?"),
    120: row("gdc_wait_tko", "token?"),
}
