# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as custom operators of torch, for what torch traces: torch.compile,
torch.export, FakeTensorMode.

    add = girih.torch_op("mylib::add", girih.load("add"))
    add(x, y, z)                      # also torch.ops.mylib.add
    sum = girih.torch_op("mylib::sum", girih.load("add"), functional=True)
    z = sum(x, y)                     # allocates what the kernel writes

What an operator is traced with is checked by the contract where its sizes are
numbers. Where they are symbols the contract becomes guards of the traced
program. The launch itself checks its arguments as any other.
"""

from __future__ import annotations

import ctypes
import re
import sys
import typing

from girih import arguments as arguments_of
from girih import launch as launch_of
from girih.arguments import refuse

if typing.TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import torch

# Torch keeps an operator for as long as somebody keeps its library.
_registered: list[TorchOp] = []


def _torch():
    torch = sys.modules.get("torch")
    if torch is None:
        try:
            import torch
        except ImportError:
            refuse("", "torch cannot be imported")
    if not hasattr(torch.library, "register_vmap"):
        refuse("", f"torch {torch.__version__} has no "
               "torch.library.register_vmap, which came with 2.5")
    return torch


#===-- The contract on sizes, which may be torch's symbols -----------------===#

def _evaluate(value, symbols):
    """An expression of the manifest. Divisors are positive and dividends are
    not negative, as the kernel's proof says."""
    if isinstance(value, int):
        return value
    if "symbol" in value:
        return symbols[value["symbol"]]
    import torch
    a, b = (_evaluate(argument, symbols) for argument in value["args"])
    return {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b,
            "div": lambda: a // b, "mod": lambda: a % b,
            "ceildiv": lambda: -(-a // b), "min": lambda: torch.sym_min(a, b),
            "max": lambda: torch.sym_max(a, b)}[value["op"]]()


def _holds(condition, symbols):
    a, b = (_evaluate(argument, symbols) for argument in condition["args"])
    return {"==": lambda: a == b, "<": lambda: a < b, "<=": lambda: a <= b,
            ">": lambda: a > b, ">=": lambda: a >= b}[condition["op"]]()


def _require(condition, reason):
    """Of torch's symbols a guard, or an assertion in the traced program."""
    if isinstance(condition, bool):
        if not condition:
            refuse("contract: ", reason)
    else:
        import torch
        torch._check(condition, lambda: "contract: " + reason)


def _layout(name, tensor):
    """Extents and strides in the kernel's elements."""
    return arguments_of.in_elements("%" + name, str(tensor.dtype), tensor.shape,
                                    tensor.stride())


def _bind(tensors, arguments, strides_of, symbols):
    """The launch symbols: those that are given, the extents, and those that are
    `strides_of` axes of more than one element."""
    for argument in arguments:
        name, dims = argument["name"], argument["dims"]
        extents, strides = _layout(name, tensors[name])
        if len(extents) != len(dims):
            refuse("contract: ", f"%{name} has rank {len(extents)}, the kernel "
                   f"has {len(dims)}")
        for axis, (dim, extent) in enumerate(zip(dims, extents)):
            known = (dim if isinstance(dim, int) else
                     symbols.setdefault(dim["symbol"], extent))
            _require(extent == known, f"extent {axis} of %{name} is {extent}, "
                     f"not {known}")
        for of, extent, stride in zip(argument["strides"], extents, strides):
            symbol = isinstance(of, dict) and of.get("symbol")
            if symbol in strides_of and not (_is_number(extent) and extent < 2):
                symbols.setdefault(symbol, stride)


def _pack(arguments, symbols):
    """Strides of which no tensor says anything are those of a packed one."""
    for argument in arguments:
        packed = 1
        for dim, of in zip(reversed(argument["dims"]),
                           reversed(argument["strides"])):
            if isinstance(of, dict) and "symbol" in of:
                symbols.setdefault(of["symbol"], packed)
            packed = _evaluate(of, symbols) * _evaluate(dim, symbols)


def _is_number(value):
    return isinstance(value, (int, float))


def _surely(condition):
    from torch.fx.experimental.symbolic_shapes import statically_known_true
    return statically_known_true(condition)


class TorchOp:
    """A kernel that torch knows by name. It is called with the kernel's
    arguments in their order, or by their names, then the launch symbols that
    no tensor has."""

    def __init__(self, name: str, kernel: launch_of.Kernel, *,
                 functional: bool = False, vouched: Iterable[str] = (),
                 validated: Iterable[str] = ()) -> None:
        torch = _torch()
        if not isinstance(name, str) or not re.fullmatch(
                r"[A-Za-z_]\w*::[A-Za-z_]\w*", name, re.ASCII):
            refuse("", f"{arguments_of._shown(name)} is no name of an operator "
                   "such as mylib::add")
        if not isinstance(kernel, launch_of.Kernel):
            refuse(name, f": {arguments_of._shown(kernel)} is no kernel")
        namespace, _, last = name.partition("::")
        if hasattr(getattr(torch.ops, namespace), last):
            refuse(name, " is an operator already")
        self._name, self._kernel = name, kernel
        self._function = None  # of autograd, once there is a backward
        manifest = kernel._manifest
        self._all = manifest["arguments"]
        self._tensors = [a for a in self._all if a["kind"] == "tensor"]
        self._results = self._find_results() if functional else []
        made = {a["name"] for a in self._results}
        self._given = [a for a in self._all if a["name"] not in made]
        self._inputs = [a for a in self._given if a["kind"] == "tensor"]
        self._symbols = self._find_symbols(manifest["symbols"])
        self._strides = {s["name"] for s in manifest["symbols"]
                         if s["source"] == "stride"}
        self._evidence = self._find_evidence(vouched, validated)
        self._register(torch, self._schema())
        _registered.append(self)

    #===-- What torch is told ----------------------------------------------===#

    def _find_results(self):
        results = [a for a in self._tensors if a["mode"] != "shared"]
        for argument in results:
            mode, of = argument["mode"], f"{self._name}: %{argument['name']} "
            if mode != "out":
                refuse(of, f"is {mode}: what it holds before matters, so that "
                       "it cannot be a result")
            if argument["partial"]:
                refuse(of, "is partial: a result would have elements that "
                       "nobody wrote")
            if self._dtype(argument) is None:
                refuse(of, f"has elements {argument['dtype']}, of which torch "
                       "has no tensors")
        if len(results) == len(self._tensors):
            refuse(self._name, ": no argument says on which device its results "
                   "are")
        return results

    def _find_symbols(self, symbols):
        """What no tensor has among its strides, and none that is given among
        its extents."""
        known = {dim["symbol"] for argument in self._inputs
                 for dim in argument["dims"] if not isinstance(dim, int)}
        return [s["name"] for s in symbols
                if s["name"] not in known and s["source"] != "stride"]

    def _find_evidence(self, vouched, validated):
        evidence = {}
        for names, of in ((vouched, launch_of.vouched),
                          (validated, launch_of.validated)):
            for name in ([names] if isinstance(names, str) else list(names)):
                if (name in evidence or
                        name not in [a["name"] for a in self._inputs]):
                    refuse(self._name, f": {arguments_of._shown(name)} is no "
                           "tensor to vouch for or to validate, once")
                evidence[name] = of
        return evidence

    @staticmethod
    def _dtype(argument):
        import torch
        for name, element in arguments_of._TORCH.items():
            if element == argument["dtype"] and not name.endswith("_x2"):
                return getattr(torch, name, None)
        return None

    def _schema(self):
        parts = []
        for number, argument in enumerate(self._given):
            kind = ("float" if argument["kind"] == "scalar" else
                    "Tensor" if argument["mode"] == "shared" else
                    f"Tensor(a{number}!)")
            parts.append(f"{kind} {argument['name']}")
        parts += [f"SymInt {symbol}" for symbol in self._symbols]
        results = ", ".join(["Tensor"] * len(self._results))
        if len(self._results) != 1:
            results = f"({results})"
        return f"({', '.join(parts)}) -> {results}"

    def _register(self, torch, schema):
        namespace, name = self._name.split("::")
        # Strides are of the contract, so that no pass may change them.
        tags = [getattr(torch.Tag, tag) for tag in (
            "pt2_compliant_tag", "needs_exact_strides") if
            hasattr(torch.Tag, tag)]
        try:
            self._library = torch.library.Library(namespace, "FRAGMENT")
            self._library.define(name + schema, tags=tags)
        except (RuntimeError, ValueError) as error:
            refuse(self._name, f": {error}")
        #: What torch calls: `torch.ops.<namespace>.<name>.default`.
        self.op = getattr(getattr(torch.ops, namespace), name).default
        # Of every device: what is not on a GPU the launch refuses by name.
        self._library.impl(name, self._run, "CompositeExplicitAutograd")
        self._library.impl(name, self._differentiate, "Autograd")
        torch.library.register_fake(self._name, self._trace, lib=self._library)
        torch.library.register_vmap(self._name, self._refuse_vmap,
                                    lib=self._library)

    def __repr__(self):
        return f"{self.op._schema}\n{self._kernel!r}"

    def __call__(self, *arguments: object, **named: object) -> object:
        return self.op(*arguments, **named)

    #===-- A launch --------------------------------------------------------===#

    def _sorted(self, values):
        """Arguments by name, and launch symbols by name."""
        count = len(self._given)
        return ({a["name"]: value for a, value in zip(self._given, values)},
                dict(zip(self._symbols, values[count:])))

    def _allocate(self, named, symbols):
        import torch
        device = named[self._inputs[0]["name"]].device
        results = []
        for argument in self._results:
            extents, strides = ([_evaluate(value, symbols) for value in
                                 argument[key]] for key in ("dims", "strides"))
            # What torch cannot even say; all else the launch checks.
            for what, numbers, most in (("extent", extents, 1 << 40),
                                        ("stride", strides, 1 << 47)):
                for axis, n in enumerate(numbers):
                    if _is_number(n) and not 0 <= n <= most:
                        refuse("contract: ", f"{what} {axis} of "
                               f"%{argument['name']} = {n} is outside "
                               f"0..{most}")
            results.append(torch.empty_strided(
                extents, strides, dtype=self._dtype(argument), device=device))
        return results

    def _returned(self, results):
        return (None if not results else
                results[0] if len(results) == 1 else tuple(results))

    def _run(self, *values):
        named, symbols = self._sorted(values)
        results = []
        if self._results:
            bound = dict(symbols)
            _bind(named, self._inputs, self._strides, bound)
            _pack(self._tensors, bound)
            results = self._allocate(named, bound)
            named.update(zip([a["name"] for a in self._results], results))
        for name, of in self._evidence.items():
            named[name] = of(named[name])
        self._kernel(**named, **symbols)
        return self._returned(results)

    #===-- A trace ---------------------------------------------------------===#

    def _trace(self, *values):
        named, symbols = self._sorted(values)
        given = dict(symbols)
        for argument in self._inputs:
            tensor, element = named[argument["name"]], argument["dtype"]
            kind = str(tensor.dtype).removeprefix("torch.")
            if arguments_of._TORCH.get(kind) != element:
                refuse("contract: ", f"%{argument['name']} holds {kind}, the "
                       f"kernel has {element}")
        _bind(named, self._inputs, self._strides, symbols)
        _pack(self._tensors, symbols)
        results = self._allocate(named, symbols) if self._results else []
        named.update(zip([a["name"] for a in self._results], results))
        numbers = [*given.values(), *(named[a["name"]] for a in self._all
                                      if a["kind"] == "scalar")]
        for argument in self._tensors:
            tensor = named[argument["name"]]
            numbers += [*tensor.shape, *tensor.stride(),
                        tensor.storage_offset()]
        if all(map(_is_number, numbers)):
            self._check_numbers(named, given)
        else:
            self._check_symbols(named, symbols)
        return self._returned(results)

    def _check_numbers(self, named, symbols):
        """By the library itself, as if every storage began at a multiple of
        whatever is asked for, as torch's do."""
        storages, entries = {}, []
        for argument in self._all:
            name, value = argument["name"], named[argument["name"]]
            if argument["kind"] == "scalar":
                entries.append(launch_of._Argument(
                    name=name.encode(), value=arguments_of.real("%" + name,
                                                                value)))
                continue
            storage = value.untyped_storage()._cdata
            base = storages.setdefault(storage, len(storages) + 1) << 48
            extents, strides = _layout(name, value)
            rank = len(extents)
            entries.append(launch_of._Argument(
                name=name.encode(), element=argument["dtype"].encode(),
                address=base + value.storage_offset() * value.element_size(),
                rank=rank, extents=(ctypes.c_int64 * rank)(*extents),
                strides=(ctypes.c_int64 * rank)(*strides),
                evidence=launch_of._VOUCHED if name in self._evidence else
                launch_of._NOTHING))
        values = [launch_of._Symbol(
            name.encode(), arguments_of.integer(name, value))
            for name, value in symbols.items()]
        call = launch_of._Call([], entries, values, [])
        launch_of._check(launch_of._lib.girih_check(self._kernel._handle,
                                                    *call.lists()))

    def _check_symbols(self, named, symbols):
        for argument in self._tensors:
            name = argument["name"]
            for axis, (extent, has, stride) in enumerate(zip(
                    *_layout(name, named[name]), argument["strides"])):
                if _surely(extent > 1):
                    expected = _evaluate(stride, symbols)
                    _require(has == expected, f"stride {axis} of %{name} is "
                             f"{has}, the kernel has {expected}")
        for condition in self._required(symbols):
            _require(_holds(condition, symbols), f"requires "
                     f"{condition['text']}")

    def _required(self, symbols):
        """What the kernel of a list requires that takes this launch: choosing
        one is a guard too. Where torch cannot tell yet, the launch does."""
        import torch
        variants = self._kernel._manifest["variants"]
        requires = [variant["requires"] for variant in variants]
        if (all(one == requires[0] for one in requires) and
                any(not variant["when"] for variant in variants)):
            return requires[0]
        unknown = torch.fx.experimental.symbolic_shapes.\
            GuardOnDataDependentSymNode
        try:
            for variant in variants:
                if all(_holds(c, symbols) for c in variant["when"]):
                    return variant["requires"]
        except unknown:
            return []
        refuse("contract: ", f"no variant of {self._kernel.name} is for this "
               "launch")

    #===-- What a kernel has no rule for -----------------------------------===#

    def _refuse_vmap(self, info, in_dims, *values):
        refuse(self._name, " is a kernel without a batch axis: vmap is refused; "
               "call it in a loop, or with a kernel that has the axis")

    def _differentiate(self, *values):
        import torch
        named, _ = self._sorted(values)
        for name, value in named.items():
            if (isinstance(value, torch.Tensor) and
                    torch.autograd.forward_ad.unpack_dual(
                        value).tangent is not None):
                refuse(self._name, f": %{name} has a tangent, and kernels have "
                       "no derivatives forward")
        gradients = [name for name, value in named.items()
                     if isinstance(value, torch.Tensor) and
                     value.requires_grad] if torch.is_grad_enabled() else []
        if not gradients:
            return self._below(*values)
        if self._function is None:
            refuse(self._name, f": %{gradients[0]} requires a gradient, and no "
                   "backward is registered (register_backward); give its "
                   "detach(), or call under torch.no_grad()")
        if torch._C._are_functorch_transforms_active():
            refuse(self._name, ": torch.func differentiates no operator of "
                   "girih; torch.autograd does")
        return self._function.apply(*values)

    def _below(self, *values):
        """Behind torch's own autograd; gradients are this file's concern."""
        import torch
        with torch._C._AutoDispatchBelowAutograd():
            return self.op(*values)

    def register_backward(
            self, backward: Callable,
            setup_context: Callable | None = None) -> Callable:
        """As of torch.library.register_autograd: setup_context(ctx, inputs,
        output) saves, backward(ctx, *gradients) returns a gradient, or None, of
        each input. Only of an operator that is functional."""
        if not self._results:
            refuse(self._name, " writes its arguments, through which torch "
                   "passes no gradient; register the backward of one that is "
                   "functional")
        if self._function is not None:
            refuse(self._name, " has a backward already")
        for function in (backward, setup_context or backward):
            if not callable(function):
                refuse(self._name, f": {arguments_of._shown(function)} cannot "
                       "be called")
        import torch
        self._function = type("Function", (torch.autograd.Function,), {
            "forward": staticmethod(self._below),
            "setup_context": staticmethod(setup_context or
                                          (lambda ctx, inputs, output: None)),
            "backward": staticmethod(backward)})
        return backward


def torch_op(name: str, kernel: launch_of.Kernel, *, functional: bool = False,
             vouched: Iterable[str] = (),
             validated: Iterable[str] = ()) -> TorchOp:
    """Registers a kernel as the operator `namespace::name` of torch. What the
    kernel writes is an argument that the operator mutates or, if `functional`,
    a result. vouched, validated: names of tensors, as in girih.vouched and
    girih.validated, of all calls."""
    return TorchOp(name, kernel, functional=functional, vouched=vouched,
                   validated=validated)
