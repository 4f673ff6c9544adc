# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the PTX of a schedule: the instructions that LLVM writes for it, warps of
32 lanes that part and meet, barriers, and bulk copies that land whenever it is
worst. A copy spoils the bytes that it goes to as soon as it is started, shared
memory holds NaN at first, and nothing but what is `early` can be read before the
dependency wait. Raises Fault for what a kernel must not do.
"""

import functools
import random
import re

import numpy as np

LANES = 32
U32, U64 = np.uint64(0xFFFFFFFF), np.uint64
ALL = np.ones(LANES, bool)


class Fault(Exception):
    pass


class Memory:
    """Tensors, each alone in a range of addresses. What is written is not read
    back, but where `written` is None."""

    def __init__(self):
        self.tensors = []

    def add(self, data, early, written):
        base = (len(self.tensors) + 1) << 40
        self.tensors.append((base, data, early, written))
        return base

    def at(self, address, size, write, waited):
        for base, data, early, written in self.tensors:
            if base <= address < base + (1 << 40):
                offset = address - base
                if offset + size > data.size or offset % size:
                    raise Fault(f"{size} bytes at byte {offset} of {data.size}")
                if written is not None and write != written:
                    raise Fault("written" if write else "read back")
                if not waited and not early:
                    raise Fault("touched before the dependency wait")
                return data, offset
        raise Fault(f"no tensor at {address:#x}")


class Barrier:
    def __init__(self, count):
        self.count = self.pending = count
        self.bytes = self.phase = 0

    def settle(self):
        if self.pending == 0 and self.bytes == 0:
            self.phase += 1
            self.pending = self.count


class Block:
    """One block: its shared memory, its barriers, its copies on their way."""

    def __init__(self, program, parameters, memory, number, shared, seed):
        self.program, self.parameters = program, parameters
        self.memory, self.number = memory, number
        self.shared = np.full(shared, 0xFF, np.uint8)
        self.barriers, self.copies = {}, []
        self.random = random.Random(seed)
        self.warps = [Warp(self, n) for n in range(program.threads // LANES)]

    def run(self):
        while True:
            live = [w for w in self.warps if w.runnable()]
            if live:
                warp = self.random.choice(live)
                for _ in range(self.random.randint(1, 400)):
                    if not warp.step():
                        break
                continue
            if all(w.done.all() for w in self.warps):
                break
            if any(w.done.any() for w in self.warps):
                raise Fault("deadlock: some lanes end before a block barrier")
            for warp in self.warps:
                warp.pc[warp.at_block] += 1
                warp.at_block[:] = False
                warp.meet()
        if self.copies:
            raise Fault("the block ends before a copy has landed")

    def start(self, to, source, size, barrier):
        if size % 16 or to % 16 or to + size > self.shared.size:
            raise Fault(f"a copy of {size} bytes to {to}")
        # Of any size: the copy is of bytes, within one tensor.
        data, offset = self.memory.at(source, 16, False, self.running.waited)
        if offset + size > data.size:
            raise Fault(f"a copy of {size} bytes at {offset} of {data.size}")
        self.shared[to:to + size] = 0xFF
        self.copies.append((to, data[offset:offset + size].copy(), barrier))

    def land(self):
        if not self.copies:
            raise Fault("deadlock: a wait for a copy that nobody started")
        to, data, barrier = self.copies.pop(
            self.random.randrange(len(self.copies)))
        self.shared[to:to + data.size] = data
        self.barriers[barrier].bytes -= data.size
        self.barriers[barrier].settle()


class Instruction:
    """A line of PTX. What its op does to a warp is looked up when it is first run:
    `do(warp, lanes)`."""

    def __init__(self, line):
        self.guard, self.negated = None, False
        if line.startswith("@"):
            guard, line = line[1:].split(None, 1)
            self.guard, self.negated = guard.lstrip("!"), guard[0] == "!"
        op, _, rest = line.partition("\t") if "\t" in line else line.partition(" ")
        self.op = op.strip()
        self.args = re.findall(r"\{[^}]*\}|\[[^\]]*\]|[^,\s]+", rest)
        self.branches = op.startswith("bra")
        self.flows = self.branches or self.op in ("bar.sync", "ret", "trap")
        self.is_sync = ".sync" in op

    def do(self, warp, lanes):
        self.do = action(self.op, self.args)
        self.do(warp, lanes)

    def taken(self, warp):
        """Whether each lane's guard holds; ALL where all do."""
        if self.guard is None:
            return ALL
        taken = warp.registers[self.guard].astype(bool)
        taken = ~taken if self.negated else taken
        return ALL if taken.all() else taken

    def numbers(self):
        """Of the operands that are numbers, by name."""
        out = {}
        for arg in self.args:
            for name in re.findall(r"[\w.$%-]+", arg):
                if name.startswith("0f"):
                    out[name] = np.full(LANES, int(name[2:], 16), np.uint64)
                elif re.fullmatch(r"-?\d+|0x[0-9a-fA-F]+", name):
                    out[name] = np.full(LANES, int(name, 0) & (2**64 - 1),
                                        np.uint64)
        return out


class Program:
    def __init__(self, text):
        self.threads = int(re.search(r"\.maxntid (\d+)", text)[1])
        self.entry = re.search(r"\.entry (\w+)", text)[1]
        body = text[text.index("{") + 1:]
        self.code, self.labels = [], {}
        for line in body.splitlines():
            line = line.split("//")[0].strip()
            if line.endswith(":"):
                self.labels[line[:-1]] = len(self.code)
            elif line.endswith(";") and not line.startswith("."):
                self.code.append(Instruction(line[:-1]))
        #: What no instruction writes: they are registers of each warp.
        self.numbers = {"shared": np.zeros(LANES, np.uint64)}
        for instruction in self.code:
            self.numbers |= instruction.numbers()

    def run(self, arguments, memory, blocks, shared, seed=0):
        parameters = {f"{self.entry}_param_{n}": a
                      for n, a in enumerate(arguments)}
        with np.errstate(all="ignore"):
            for number in range(blocks):
                Block(self, parameters, memory, number, shared,
                      seed + number).run()


def signed(v):
    return v.view(np.int64)


def low(v):
    return v.astype(np.uint32)


def floats(v):
    return low(v).view(np.float32)


def bits(f):
    return f.astype(np.float32).view(np.uint32).astype(np.uint64)


def rounded_to_bf16(f):
    b = bits(f)
    return np.where(np.isnan(f), U64(0x7FFF),
                    (b + U64(0x7FFF) + ((b >> U64(16)) & U64(1))) >> U64(16))


def numbers_of_e4m3():
    """Of each byte that is an f8E4M3FN: no infinities, and one NaN a sign."""
    codes = np.arange(128)
    field, low_ = codes >> 3, codes & 7
    sizes = np.where(field == 0, low_ * 2.0 ** -9,
                     (8 + low_) * 2.0 ** (field - 10))
    sizes[127] = np.nan
    return np.concatenate([sizes, -sizes])


E4M3 = numbers_of_e4m3()


def sign32(v):
    return low(v).view(np.int32).astype(np.int64).view(np.uint64)


ARITHMETIC = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b,
    "and": lambda a, b: a & b, "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: np.where(b > U64(63), U64(0), a << (b & U64(63))),
    "div": lambda a, b: a // np.where(b == 0, U64(1), b),
    "rem": lambda a, b: a % np.where(b == 0, U64(1), b),
    "mul.lo": lambda a, b: a * b,
    "mul.wide": lambda a, b: a * b,
    "bfe": lambda a, begin, count: a >> begin & (U64(1) << count) - U64(1),
}
#: Of f32, each rounded once; ex2 is better than the hardware's.
FLOATS = {
    "add.rn.f32": np.add, "sub.rn.f32": np.subtract,
    "mul.rn.f32": np.multiply, "div.rn.f32": np.divide,
    "neg.f32": np.negative, "abs.f32": np.abs,
    "rcp.rn.f32": lambda a: np.float32(1) / a, "sqrt.rn.f32": np.sqrt,
    "ex2.approx.ftz.f32": lambda a: np.exp2(a.astype(np.float64)),
    "ex2.approx.f32": lambda a: np.exp2(a.astype(np.float64)),
    "max.NaN.f32": np.maximum, "min.NaN.f32": np.minimum,
    "max.f32": np.fmax, "min.f32": np.fmin,
}
COMPARISONS = {"eq": np.equal, "ne": np.not_equal, "lt": np.less,
               "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal}


def bf16x2(high, low_):
    """Of two numbers of f32."""
    high, low_ = rounded_to_bf16(high), rounded_to_bf16(low_)
    return (high & U64(0xFFFF)) << U64(16) | low_ & U64(0xFFFF)


def bf16x2_sum(a, b):
    low_, high = (floats(a >> U64(shift) << U64(16)) +
                  floats(b >> U64(shift) << U64(16)) for shift in (0, 16))
    return bf16x2(high, low_)


def f16(v, shift=0):
    return (v >> U64(shift)).astype(np.uint16).view(np.float16)


def bits16(f):
    return f.astype(np.float16).view(np.uint16).astype(np.uint64)


def f16x2_of_e4m3(v):
    low_, high = (bits16(E4M3[v >> U64(shift) & U64(0xFF)]) for shift in (0, 8))
    return high << U64(16) | low_


def high_product(a, b):
    return np.array([int(x) * int(y) >> 64 for x, y in zip(a, b)], np.uint64)


def fma(a, b, c):
    a, b, c = (floats(v).astype(np.float64) for v in (a, b, c))
    return bits(a * b + c)


#: What ops give, of what their operands are.
VALUES = {
    "cvt.rn.bf16.f32": lambda a: rounded_to_bf16(floats(a)),
    "cvt.rn.bf16x2.f32": lambda a, b: bf16x2(floats(a), floats(b)),
    "add.rn.bf16x2": bf16x2_sum,
    "cvt.f32.bf16": lambda a: a << U64(16) & U32,
    "mul.rn.f16": lambda a, b: bits16(f16(a) * f16(b)),
    "mul.rn.f16x2": lambda a, b: (bits16(f16(a, 16) * f16(b, 16)) << U64(16) |
                                  bits16(f16(a) * f16(b))),
    "cvt.rn.f16.f32": lambda a: bits16(floats(a)),
    "cvt.f32.f16": lambda a: bits(f16(a)),
    "cvt.rn.f16x2.e4m3x2": f16x2_of_e4m3,
    "cvt.rn.f32.s64": lambda a: bits(signed(a).astype(np.float32)),
    "cvt.rn.f32.s32": lambda a: bits(signed(sign32(a)).astype(np.float32)),
    "cvt.s64.s32": sign32,
    "fma.rn.f32": fma,
}
VALUES |= {op: lambda *v, f=f: bits(f(*map(floats, v)))
           for op, f in FLOATS.items()}


def shifted_right(kind):
    def of(a, b):
        if kind[0] == "s":
            a = signed(sign32(a) if kind == "s32" else a)
        return (a >> b.astype(a.dtype)).view(np.uint64)
    return of


def picked(op, kind):
    pick = np.minimum if op.startswith("min") else np.maximum
    if kind[0] != "s":
        return pick
    return lambda a, b: pick(signed(a), signed(b)).view(np.uint64)


@functools.cache
def value(op):
    """What an op gives, as a function of its operands."""
    kind = op.split(".")[-1]
    if op in VALUES:
        return VALUES[op]
    if op.startswith("cvt"):
        return lambda a: a & U32
    if op.startswith("mov"):
        return (lambda a: a & U32) if kind.endswith("32") else lambda a: a
    if op.startswith("mul.hi.u64"):
        return high_product
    if op.startswith("mad.lo"):
        of = lambda a, b, c: a * b + c  # noqa: E731
    elif op.startswith(("min", "max")):
        of = picked(op, kind)
    elif op.startswith("not"):
        of = np.invert
    elif op.startswith("shr"):
        of = shifted_right(kind)
    else:
        of = ARITHMETIC.get(op.rsplit(".", 1)[0])
        if of is None:
            raise Fault(f"unknown: {op}")
    if not kind.endswith("32") or "wide" in op:
        return of
    return lambda *v: of(*[x & U32 for x in v]) & U32


def comparison(op):
    compare, kind = COMPARISONS[op.split(".")[1]], op.split(".")[-1]
    if kind == "f32":
        return lambda a, b: compare(floats(a), floats(b))
    if kind == "s32":
        return lambda a, b: compare(low(a).view(np.int32), low(b).view(np.int32))
    if kind.endswith("32"):
        return lambda a, b: compare(low(a), low(b))
    if kind[0] == "s":
        return lambda a, b: compare(signed(a), signed(b))
    return compare


#: Of predicates.
LOGIC = {"and": np.logical_and, "or": np.logical_or, "not": np.logical_not,
         "mov": lambda a: a.astype(bool)}


def action(op, args):
    """What an instruction does to the lanes of a warp that take it."""
    if op == "griddepcontrol.wait":
        def wait(warp, lanes):
            warp.waited = True
        return wait
    if op.startswith(("griddepcontrol", "fence", "bar.warp")):
        return lambda warp, lanes: None
    if op.startswith("createpolicy"):
        return gives(args, lambda: np.zeros(LANES, np.uint64), 0)
    if op.startswith(("mbarrier", "cp.async")):
        return lambda warp, lanes: warp.copy(op, args, lanes)
    if op.startswith("ld.param"):
        def parameter(warp, lanes):
            warp.set(args[0], np.full(
                LANES, warp.block.parameters[args[1].strip("[]")], np.uint64), lanes)
        return parameter
    if op.startswith(("ld.", "st.")):
        access = Access(op, args)
        return lambda warp, lanes: warp.access(access, lanes)
    if op == "prefetch.global.L2":
        def prefetch(warp, lanes):
            for address in warp.address(args[0])[lanes]:
                warp.block.memory.at(int(address), 1, False, True)
        return prefetch
    if op.startswith(("mma", "movmatrix")):
        return lambda warp, lanes: warp.matrices(op, args)
    if op.startswith("shfl.sync.bfly"):
        other = np.arange(LANES) ^ int(args[2])
        return gives(args, lambda a: a[other], 1)
    if op.startswith("setp"):
        return gives(args, comparison(op), 2)
    if op.split(".")[-1] == "pred":
        return gives(args, LOGIC[op.split(".")[0]], len(args) - 1)
    if op == "mov.b32" and args[0].startswith("{"):
        def halves(warp, lanes):
            for n, name in enumerate(args[0].strip("{}").split(",")):
                warp.set(name.strip(), warp.registers[args[1]] >> U64(16 * n)
                         & U64(0xFFFF), lanes)
        return halves
    if op.startswith("selp"):
        return gives(args, lambda a, b, c: np.where(c.astype(bool), a, b), 3)
    return gives(args, value(op), len(args) - 1)


def gives(args, function, count):
    """Of so many operands behind the register that is set."""
    to, names = args[0], args[1:1 + count]

    def do(warp, lanes):
        registers = warp.registers
        made = function(*[registers[name] for name in names])
        if lanes is ALL:
            registers[to] = made
        else:
            warp.set(to, made, lanes)
    return do


class Access:
    """What a load or a store says."""

    def __init__(self, op, args):
        self.op, self.is_load = op, op.startswith("ld")
        registers, self.place = args if self.is_load else args[::-1]
        self.names = [r.strip() for r in registers.strip("{}").split(",")]
        kind = op.rsplit(".", 1)[1]
        self.size = int(kind[1:]) // 8
        self.bytes = self.size * len(self.names)
        self.type = ("i" if kind[0] == "s" else "u") + str(self.size)

    def of(self, data):
        """Its elements."""
        return data[:data.size // self.size * self.size].view(self.type)


class Warp:
    def __init__(self, block, number):
        self.block, self.number = block, number
        self.registers = block.program.numbers | {
            "%tid.x": np.arange(LANES, dtype=np.uint64) + U64(number * LANES),
            "%ctaid.x": np.full(LANES, block.number, np.uint64)}
        self.pc = np.zeros(LANES, np.int64)
        self.done = np.zeros(LANES, bool)
        self.at_block = np.zeros(LANES, bool)
        self.waited = False
        # Where all lanes are, if they are together: `pc` is of others then.
        self.together = 0

    def meet(self):
        if (self.pc == self.pc[0]).all() and not self.done.any():
            self.together = int(self.pc[0])

    def part(self):
        self.pc[:] = self.together
        self.together = None

    def runnable(self):
        return bool((~self.done & ~self.at_block).any())

    #===-- Registers -------------------------------------------------------===#

    def set(self, name, value, lanes):
        """The value may be that of another register: none is written in place."""
        if lanes is not ALL:
            old = self.registers.get(name)
            if old is None:
                old = np.zeros(LANES, value.dtype)
            value = np.where(lanes, value, old).astype(old.dtype, copy=False)
        self.registers[name] = value

    def address(self, name):
        base, _, offset = name.strip("[]").partition("+")
        base = self.registers[base]
        return base + U64(int(offset)) if offset else base

    #===-- Steps -----------------------------------------------------------===#

    def step(self):
        if self.together is not None:
            return self.step_together()
        ready = ~self.done & ~self.at_block
        if not ready.any():
            return False
        at = self.pc[ready].min()
        lanes = ready & (self.pc == at)
        instruction = self.block.program.code[at]
        self.block.running = self
        taken = lanes & instruction.taken(self)
        if instruction.branches:
            self.pc[lanes] += 1
            self.pc[taken] = self.block.program.labels[instruction.args[0]]
            return True
        if instruction.op == "bar.sync":
            self.at_block |= lanes
            return self.runnable()
        if instruction.flows:
            if instruction.op == "trap":
                raise Fault("a trap")
            self.done |= lanes
            return self.runnable()
        if instruction.is_sync and not lanes.all():
            raise Fault(f"{instruction.op} of some lanes")
        instruction.do(self, taken)
        self.pc[lanes] += 1
        if ready.all():
            self.meet()
        return True

    def step_together(self):
        instruction = self.block.program.code[self.together]
        self.block.running = self
        taken = instruction.taken(self)
        if not instruction.flows:
            instruction.do(self, taken)
            self.together += 1
            return True
        if instruction.branches:
            to = self.block.program.labels[instruction.args[0]]
            if taken is ALL:
                self.together = to
            elif not taken.any():
                self.together += 1
            else:
                self.together += 1
                self.part()
                self.pc[taken] = to
            return True
        self.part()
        if instruction.op == "trap":
            raise Fault("a trap")
        if instruction.op == "ret":
            self.done[:] = True
        else:
            self.at_block[:] = True
        return False

    #===-- Matrices --------------------------------------------------------===#

    def matrices(self, op, args):
        """A register has two columns of a row, lane 4i + j those of row i; of
        the right matrix of a product two rows of a column."""
        def pairs(name):
            words = low(self.registers[name])
            both = np.stack([words & 0xFFFF, words >> 16], -1)
            return both.reshape(8, 8).astype(np.uint32)

        if op == "movmatrix.sync.aligned.m8n8.trans.b16":
            of = pairs(args[1]).T.reshape(LANES, 2).astype(np.uint64)
            self.set(args[0], of[:, 0] | of[:, 1] << U64(16), ALL)
            return
        of = re.fullmatch(r"mma\.sync\.aligned\.m16n8k16\.row\.col\.f32"
                          r"\.(b?f16)\.\1\.f32", op)
        if not of:
            raise Fault(f"unknown: {op}")
        out, a, b, c = ([r.strip() for r in group.strip("{}").split(",")]
                        for group in args)
        words = np.array([self.registers[r] for r in a + b]).astype(np.uint32)
        halves = np.empty((len(a + b), LANES, 2), np.uint32)
        halves[..., 0], halves[..., 1] = words & 0xFFFF, words >> 16
        wide = ((halves << 16).view(np.float32) if of[1] == "bf16" else
                halves.astype(np.uint16).view(np.float16)
                ).astype(np.float64).reshape(-1, 8, 8)
        left = np.empty((16, 16))
        left[:8, :8], left[8:, :8], left[:8, 8:], left[8:, 8:] = wide[:4]
        right = np.concatenate([wide[4].T, wide[5].T])
        sums = np.empty((2, LANES, 2))
        for n, name in enumerate(c):
            sums[n // 2, :, n % 2] = floats(self.registers[name])
        sums = sums.reshape(16, 8)
        made = (left @ right + sums).astype(np.float32)
        halves = made[:8].reshape(LANES, 2), made[8:].reshape(LANES, 2)
        for n, name in enumerate(out):
            self.set(name, bits(halves[n // 2][:, n % 2]), ALL)

    #===-- Memory ----------------------------------------------------------===#

    def access(self, access, lanes):
        addresses = self.address(access.place)
        addresses = addresses if lanes is ALL else addresses[lanes]
        if addresses.size == 0:
            return
        data, at = self.places(access, addresses)
        if data is not None:
            self.move(access, data, at, lanes)
            return
        found = [self.where(access, int(address)) for address in addresses]
        for data in {id(data): data for data, _ in found}.values():
            here = np.zeros(LANES, bool)
            here[lanes] = [of is data for of, _ in found]
            self.move(access, data,
                      np.array([at for of, at in found if of is data]), here)

    def places(self, access, addresses):
        """Bytes and where in them, where all lanes are in one tensor or in shared
        memory, and none at fault."""
        data, first = self.where(access, int(addresses[0]))
        at = addresses - (addresses[0] - U64(first))
        if (at > U64(data.size - access.bytes)).any() or (
                at % U64(access.bytes)).any():
            return None, None
        return data, at.astype(np.int64)

    def move(self, access, data, at, lanes):
        elements, at = access.of(data), at // access.size
        for n, name in enumerate(access.names):
            if not access.is_load:
                elements[at + n] = self.registers[name][lanes].astype(access.type)
                continue
            got = elements[at + n].astype("i8").view(np.uint64)
            if lanes is not ALL:
                value = np.zeros(LANES, np.uint64)
                value[lanes] = got
                got = value
            self.set(name, got, lanes)

    def where(self, access, address):
        if ".shared" not in access.op:
            return self.block.memory.at(address, access.bytes,
                                        not access.is_load, self.waited)
        if address % access.bytes or \
                address + access.bytes > self.block.shared.size:
            raise Fault(f"{access.bytes} bytes at {address} of shared memory")
        return self.block.shared, address

    def copy(self, op, args, lanes):
        block = self.block
        if op.startswith("mbarrier.try_wait"):
            parity, where = self.registers[args[2]], self.address(args[1])
            ended = np.zeros(LANES, bool)
            for lane in np.flatnonzero(lanes):
                barrier = block.barriers[int(where[lane])]
                if barrier.phase % 2 == int(parity[lane]):
                    block.land()
                ended[lane] = barrier.phase % 2 != int(parity[lane])
            self.set(args[0], ended, lanes)
            return
        for lane in np.flatnonzero(lanes):
            if op.startswith("mbarrier.init"):
                where = int(self.address(args[0])[lane])
                block.barriers[where] = Barrier(int(self.registers[args[1]][lane]))
            elif op.startswith("mbarrier.arrive"):
                barrier = block.barriers[int(self.address(args[1])[lane])]
                if barrier.pending == 0:
                    raise Fault("a second arrival in one phase")
                barrier.bytes += int(self.registers[args[2]][lane])
                barrier.pending -= 1
                barrier.settle()
            else:
                to, source, size, barrier = args[:4]
                block.start(int(self.address(to)[lane]),
                            int(self.address(source)[lane]),
                            int(self.registers[size][lane]),
                            int(self.address(barrier)[lane]))
