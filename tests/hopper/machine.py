# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the PTX of a schedule: the instructions that LLVM writes for it, warps of
32 lanes that part and meet, barriers, and bulk copies that land whenever it is
worst. A copy spoils the bytes that it goes to as soon as it is started, shared
memory holds NaN at first, and nothing but what is `early` can be read before the
dependency wait. Raises Fault for what a kernel must not do.
"""

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
                self.code.append(self.parse(line[:-1]))

    @staticmethod
    def parse(line):
        guard = None
        if line.startswith("@"):
            guard, line = line[1:].split(None, 1)
        op, _, rest = line.partition("\t") if "\t" in line else line.partition(" ")
        return guard, op.strip(), re.findall(r"\{[^}]*\}|\[[^\]]*\]|[^,\s]+", rest)

    def run(self, arguments, memory, blocks, shared, seed=0):
        parameters = {f"{self.entry}_param_{n}": a
                      for n, a in enumerate(arguments)}
        for number in range(blocks):
            Block(self, parameters, memory, number, shared, seed + number).run()


def signed(v):
    return v.view(np.int64)


def low(v):
    return (v & U32).astype(np.uint32)


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


class Warp:
    def __init__(self, block, number):
        self.block, self.number = block, number
        self.registers = {}
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

    #===-- Operands --------------------------------------------------------===#

    def get(self, name):
        if name.startswith("%tid.x"):
            return np.arange(LANES, dtype=np.uint64) + U64(self.number * LANES)
        if name.startswith("%ctaid.x"):
            return np.full(LANES, self.block.number, np.uint64)
        if name.startswith("%"):
            return self.registers[name]
        if name == "shared":
            return np.zeros(LANES, np.uint64)
        if name.startswith("0f"):
            return np.full(LANES, int(name[2:], 16), np.uint64)
        return np.full(LANES, int(name, 0) & (2**64 - 1), np.uint64)

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
        return self.get(base) + U64(int(offset or 0))

    #===-- Steps -----------------------------------------------------------===#

    def step(self):
        if self.together is not None:
            return self.step_together()
        ready = ~self.done & ~self.at_block
        if not ready.any():
            return False
        at = self.pc[ready].min()
        lanes = ready & (self.pc == at)
        guard, op, args = self.block.program.code[at]
        self.block.running = self
        if guard:
            value = self.registers[guard.lstrip("!")].astype(bool)
            lanes_taken = lanes & (~value if guard[0] == "!" else value)
        else:
            lanes_taken = lanes
        if op.startswith("bra"):
            self.pc[lanes] += 1
            self.pc[lanes_taken] = self.block.program.labels[args[0]]
            return True
        if op == "bar.sync":
            self.at_block |= lanes
            return self.runnable()
        if op in ("ret", "trap"):
            if op == "trap":
                raise Fault("a trap")
            self.done |= lanes
            return self.runnable()
        if ".sync" in op and not lanes.all():
            raise Fault(f"{op} of some lanes")
        self.execute(op, args, lanes_taken)
        self.pc[lanes] += 1
        if ready.all():
            self.meet()
        return True

    def step_together(self):
        guard, op, args = self.block.program.code[self.together]
        self.block.running = self
        taken = ALL
        if guard:
            taken = self.registers[guard.lstrip("!")].astype(bool)
            taken = ~taken if guard[0] == "!" else taken
            if taken.all():
                taken = ALL
        if op.startswith("bra"):
            to = self.block.program.labels[args[0]]
            if taken is ALL:
                self.together = to
            elif not taken.any():
                self.together += 1
            else:
                self.together += 1
                self.part()
                self.pc[taken] = to
            return True
        if op == "bar.sync":
            self.part()
            self.at_block[:] = True
            return False
        if op == "trap":
            raise Fault("a trap")
        if op == "ret":
            self.part()
            self.done[:] = True
            return False
        self.execute(op, args, taken)
        self.together += 1
        return True

    def execute(self, op, args, lanes):
        kind = op.split(".")[-1]
        if op == "griddepcontrol.wait":
            self.waited = True
        elif op.startswith(("griddepcontrol", "fence", "bar.warp")):
            pass
        elif op.startswith("createpolicy"):
            self.set(args[0], np.zeros(LANES, np.uint64), lanes)
        elif op.startswith(("mbarrier", "cp.async")):
            self.copy(op, args, lanes)
        elif op.startswith(("ld.", "st.")):
            self.access(op, args, lanes)
        elif op == "prefetch.global.L2":
            for address in self.address(args[0])[lanes]:
                self.block.memory.at(int(address), 1, False, True)
        elif op.startswith(("mma", "movmatrix")):
            self.matrices(op, args)
        elif op.startswith("shfl.sync.bfly"):
            other = np.arange(LANES) ^ int(args[2])
            self.set(args[0], self.get(args[1])[other], lanes)
        elif op.startswith("setp"):
            a, b = self.get(args[1]), self.get(args[2])
            if kind == "f32":
                a, b = floats(a), floats(b)
            elif kind.endswith("32"):
                a, b = (sign32(a), sign32(b)) if kind[0] == "s" else (
                    a & U32, b & U32)
            if kind[0] == "s":
                a, b = signed(a), signed(b)
            self.set(args[0], COMPARISONS[op.split(".")[1]](a, b), lanes)
        elif kind == "pred":
            a = self.get(args[1]).astype(bool)
            name = op.split(".")[0]
            both = np.logical_and if name == "and" else np.logical_or
            self.set(args[0], ~a if name == "not" else a if name == "mov" else
                     both(a, self.get(args[2]).astype(bool)), lanes)
        elif op == "mov.b32" and args[0].startswith("{"):
            value = self.get(args[1])
            for n, name in enumerate(args[0].strip("{}").split(",")):
                self.set(name.strip(), value >> U64(16 * n) & U64(0xFFFF), lanes)
        elif op.startswith("selp"):
            self.set(args[0], np.where(self.get(args[3]).astype(bool),
                                       self.get(args[1]), self.get(args[2])),
                     lanes)
        else:
            self.set(args[0], self.value(op, kind, args[1:]), lanes)

    def value(self, op, kind, args):
        v = [self.get(a) for a in args]
        if op == "cvt.rn.bf16.f32":
            return rounded_to_bf16(floats(v[0]))
        if op == "add.rn.bf16x2":
            low_, high = (
                rounded_to_bf16(sum(floats(x >> U64(shift) << U64(16)) for x in v))
                for shift in (0, 16))
            return (high & U64(0xFFFF)) << U64(16) | low_ & U64(0xFFFF)
        if op == "cvt.rn.bf16x2.f32":
            high, low_ = (self.value("cvt.rn.bf16.f32", "f32", [a])
                          for a in args)
            return (high & U64(0xFFFF)) << U64(16) | low_ & U64(0xFFFF)
        if op == "cvt.f32.bf16":
            return v[0] << U64(16) & U32
        if op in ("mul.rn.f16", "mul.rn.f16x2"):
            halves = [(x >> U64(shift)).astype(np.uint16).view(np.float16)
                      for shift in (0, 16) for x in v]
            with np.errstate(all="ignore"):
                low_, high = ((a * b).view(np.uint16).astype(np.uint64)
                              for a, b in (halves[:2], halves[2:]))
            return low_ if op == "mul.rn.f16" else high << U64(16) | low_
        if op == "cvt.rn.f16.f32":
            with np.errstate(over="ignore"):
                return (floats(v[0]).astype(np.float16).view(np.uint16)
                        .astype(np.uint64))
        if op == "cvt.f32.f16":
            return bits(v[0].astype(np.uint16).view(np.float16))
        if op == "cvt.rn.f16x2.e4m3x2":
            low_, high = (E4M3[v[0] >> U64(shift) & U64(0xFF)].astype(np.float16)
                          .view(np.uint16).astype(np.uint64) for shift in (0, 8))
            return high << U64(16) | low_
        if op == "cvt.rn.f32.s64":
            return bits(signed(v[0]).astype(np.float32))
        if op == "cvt.rn.f32.s32":
            return bits(signed(sign32(v[0])).astype(np.float32))
        if op in FLOATS:
            with np.errstate(all="ignore"):
                return bits(FLOATS[op](*map(floats, v)))
        if op.startswith("cvt"):
            return sign32(v[0]) if op == "cvt.s64.s32" else v[0] & U32
        if op == "fma.rn.f32":
            wide = [floats(x).astype(np.float64) for x in v]
            with np.errstate(all="ignore"):
                return bits(wide[0] * wide[1] + wide[2])
        if op.startswith("mov"):
            return v[0] & U32 if kind.endswith("32") else v[0]
        if kind.endswith("32") and not op.startswith("mul.wide"):
            v = [x & U32 for x in v]
        if op.startswith("mul.hi.u64"):
            return np.array([int(a) * int(b) >> 64 for a, b in zip(*v)],
                            np.uint64)
        if op.startswith("mad.lo"):
            out = v[0] * v[1] + v[2]
        elif op.startswith(("min", "max")):
            pick = np.minimum if op.startswith("min") else np.maximum
            out = (pick(signed(v[0]), signed(v[1])).view(np.uint64)
                   if kind[0] == "s" else pick(v[0], v[1]))
        elif op.startswith("not"):
            out = ~v[0]
        elif op.startswith("shr"):
            a = v[0] if kind[0] != "s" else signed(
                sign32(v[0]) if kind == "s32" else v[0])
            out = (a >> v[1].astype(a.dtype)).view(np.uint64)
        else:
            out = ARITHMETIC[op.rsplit(".", 1)[0]](*v)
        return out & U32 if kind.endswith("32") and "wide" not in op else out

    #===-- Matrices --------------------------------------------------------===#

    def matrices(self, op, args):
        """A register has two columns of a row, lane 4i + j those of row i; of
        the right matrix of a product two rows of a column."""
        def pairs(name):
            words = low(self.get(name))
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
        words = np.array([self.get(r) for r in a + b]).astype(np.uint32)
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
            sums[n // 2, :, n % 2] = floats(self.get(name))
        sums = sums.reshape(16, 8)
        with np.errstate(all="ignore"):
            made = (left @ right + sums).astype(np.float32)
        halves = made[:8].reshape(LANES, 2), made[8:].reshape(LANES, 2)
        for n, name in enumerate(out):
            self.set(name, bits(halves[n // 2][:, n % 2]), ALL)

    #===-- Memory ----------------------------------------------------------===#

    def access(self, op, args, lanes):
        if op.startswith("ld.param"):
            value = self.block.parameters[args[1].strip("[]")]
            self.set(args[0], np.full(LANES, value, np.uint64), lanes)
            return
        is_load = op.startswith("ld")
        registers, place = args if is_load else args[::-1]
        names = [r.strip() for r in registers.strip("{}").split(",")]
        kind = op.rsplit(".", 1)[1]
        size = int(kind[1:]) // 8
        addresses = self.address(place)
        found = [self.where(op, int(addresses[lane]), size * len(names))
                 for lane in np.flatnonzero(lanes)]
        # Lanes may be in tensors of their own; most often they are in one.
        for data in {id(data): data for data, _ in found}.values():
            here = np.zeros(LANES, bool)
            here[lanes] = [of is data for of, _ in found]
            at = np.array([at for of, at in found if of is data])
            for n, name in enumerate(names):
                places = at[:, None] + (np.arange(size) + n * size)
                if is_load:
                    type = ("i" if kind[0] == "s" else "u") + str(size)
                    got = data[places].view(type).astype("i8").view(np.uint64)
                    value = np.zeros(LANES, np.uint64)
                    value[here] = got[:, 0]
                    self.set(name, value, ALL if here.all() else here)
                else:
                    given = np.ascontiguousarray(self.get(name)[here])
                    data[places] = given.view(np.uint8).reshape(-1, 8)[:, :size]

    def where(self, op, address, size):
        if ".shared" not in op:
            return self.block.memory.at(address, size, op.startswith("st"),
                                        self.waited)
        if address % size or address + size > self.block.shared.size:
            raise Fault(f"{size} bytes at {address} of shared memory")
        return self.block.shared, address

    def copy(self, op, args, lanes):
        block = self.block
        if op.startswith("mbarrier.try_wait"):
            parity, where = self.get(args[2]), self.address(args[1])
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
                block.barriers[where] = Barrier(int(self.get(args[1])[lane]))
            elif op.startswith("mbarrier.arrive"):
                barrier = block.barriers[int(self.address(args[1])[lane])]
                if barrier.pending == 0:
                    raise Fault("a second arrival in one phase")
                barrier.bytes += int(self.get(args[2])[lane])
                barrier.pending -= 1
                barrier.settle()
            else:
                to, source, size, barrier = args[:4]
                block.start(int(self.address(to)[lane]),
                            int(self.address(source)[lane]),
                            int(self.get(size)[lane]),
                            int(self.address(barrier)[lane]))
