# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments for border.py, drawn with what they truly are."""

import collections
import decimal
import fractions
import operator
import random

import numpy as np

import dlpack_stand_in
import torch_stand_in

# What an argument truly is; None in its place is what must be refused.
Truth = collections.namedtuple("Truth", "kind element extent stride address "
                                        "place fact")
BYTES = 1 << 15


def aligned(count):
    raw = np.zeros(count + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start:start + count]


DEVICES = [aligned(BYTES), aligned(BYTES)]
# Memory of device 0 that ends where addresses do: only the fake driver knows it.
LAST = 4096


class Interface:
    def __init__(self, given):
        self.given = given

    @property
    def __cuda_array_interface__(self):
        if isinstance(self.given, Exception):
            raise self.given
        return self.given


class Index:
    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


class Liar(int):
    """An integer that compares as it likes."""
    __le__ = __ge__ = __lt__ = __gt__ = __eq__ = lambda self, other: True
    __hash__ = int.__hash__
    __index__ = __int__ = lambda self: 8


class Draw:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.home = int(self.r.randrange(8) == 0)  # the device of most tensors

    def one(self, *choices):
        return self.r.choice(choices)

    def often(self, n):
        return self.r.randrange(n) != 0

    def integer(self, n):
        """Something that says n, and the integer that it is or None."""
        kind = self.r.randrange(60)
        if kind < 50:
            return n, n
        lies = [
            (float(n), None), (n + 0.5, None), (str(n), None), (None, None),
            (bool(n), None), (np.bool_(n), None), (b"8", None),
            (np.float64(n), None), (fractions.Fraction(n), None),
            (decimal.Decimal(n), None), (np.array(n), None),
            (np.array([n]), None), ([n], None), (complex(n), None),
            (n + (1 << 64), n + (1 << 64)), (n - (1 << 64), n - (1 << 64)),
            (n + (1 << 32), n + (1 << 32)), (-n - 1, -n - 1),
            ((1 << 63) - 1, (1 << 63) - 1), (10 ** 400, 10 ** 400),
            (np.int64(n % (1 << 63)), n % (1 << 63)),
            (np.uint8(n % 256), n % 256), (np.uint64(n % (1 << 64)),
                                           n % (1 << 64)),
            (Index(n), n), (Index("n"), None), (Liar(n), n),
            (Liar(n + (1 << 64)), n + (1 << 64))]
        return self.one(*lies)

    def number(self):
        """A scalar of f32."""
        good = [1.5, 2, -0.0, float("inf"), np.float32(0.1), np.float16(2),
                np.int64(3), fractions.Fraction(1, 3), decimal.Decimal("2.5"),
                3.4e38, 10 ** 30 if 10 ** 30 == int(float(10 ** 30)) else 1]
        bad = [True, np.True_, "1.5", b"1", None, 1j, np.complex64(1), [1.0],
               np.array(1.5), np.array([1.5]), 1e39, -1e300, 10 ** 400,
               (1 << 53) + 1, object(), np.float64(1e300)]
        return (self.one(*good), True) if self.often(12) else (self.one(*bad),
                                                              False)

    def strange(self):
        return self.one(None, 1, 1.5, "x", [1.0] * 8, (1.0,), b"x" * 32,
                        bytearray(32), memoryview(b"x" * 32), object(),
                        np.float32(1), range(8), {}, np.zeros,
                        print, type("T", (), {"shape": (8,),
                                                   "dtype": np.float32})())

    def interface(self, n, k):
        """On memory number k; facts are drawn one by one."""
        at = 4096 * k + self.one(*[0] * 16, 4, 8, 16, 4096)
        device = self.home if self.often(30) else 1 - self.home
        address = DEVICES[device].ctypes.data + at
        far = self.r.randrange(90)
        if far == 0:
            address = self.one(0, 1 << 63, (1 << 64) - 16, (1 << 64) - 64,
                               (1 << 64) - LAST, 1 << 64, -16,
                               DEVICES[device].ctypes.data + BYTES - 16)
        shown, true_address = ((address, address) if self.often(6)
                               else self.integer(address))
        extent, true_extent = ((n, n) if self.often(6) else self.integer(n))
        given = {"version": 3, "typestr": "<f4", "shape": (extent,),
                 "data": (shown, False)}
        element, stride, fact = "f32", 1, true_address is not None
        if not self.often(4):
            byte, true_byte = (self.integer(4) if not self.often(3) else
                               (lambda b: (b, b))(self.one(4, 4, 4, 4, 4, 8,
                                                           2, 6, 5, -4, 0,
                                                           1 << 40)))
            given["strides"] = (byte,)
            fact = (fact and true_byte is not None and true_byte % 4 == 0 and
                    -(1 << 63) <= true_byte < 1 << 63)
            stride = true_byte // 4 if fact else 0
        what = self.r.randrange(110)
        readonly = False
        if what == 0:
            given["typestr"] = self.one(">f4", "|f4", "=f4", "f4", "<f", "<f44",
                                        4, None, "<V4", "<c8", "", "<u4")
            fact = False
        elif what == 1:
            given["typestr"], element = self.one(("<f2", "f16"), ("<i4", "i32"),
                                                 ("|i1", "i8"), ("<u2", "b"))
            fact = fact and "strides" not in given
        elif what == 2:
            del given[self.one("version", "typestr", "shape", "data")]
            fact = False
        elif what == 3:
            given["version"] = self.one(4, -1, 2.0, "3", None, True, 1 << 64)
            fact = False
        elif what == 4:
            given["mask"] = self.one(Interface({}), 0, object())
            fact = False
        elif what == 5:
            given["data"] = self.one((shown,), shown, (shown, 0), None,
                                     (shown, None), (shown, False, 1), {})
            fact = False
        elif what == 6:
            given["shape"] = self.one(n, None, "8", {n}, np.array([n]), (n, 1),
                                      (), ((n,),))
            fact = False
        elif what == 7:
            given["strides"] = self.one((4, 4), (), 4, "4", {4})
            fact = False
        elif what == 8:
            given["stream"] = self.one(0, -1, 1.0, "1", True, 1 << 64)
            fact = False
        elif what == 9:
            given["stream"] = self.one(1, 2, 77, None)
        elif what in (10, 11, 12):
            given["data"], readonly = (shown, True), "readonly"
        elif what == 13:
            given = self.one(None, [], 3, ValueError("no"), KeyError(1),
                             RuntimeError())
            fact = False
        fact = fact and true_extent is not None
        return Interface(given), Truth("interface", element, true_extent,
                                       stride, true_address,
                                       (device, None),
                                       fact and readonly or fact)

    def torch(self, n, k):
        device = self.home if self.often(30) else 1 - self.home
        address = (DEVICES[device].ctypes.data + 4096 * k +
                   self.one(*[0] * 12, 4, 16))
        stride = self.one(*[1] * 16, 2, 0)
        made = (torch_stand_in.Tensor if self.often(40) else
                torch_stand_in.Wrapper)
        tensor = made(address, (n,), (stride,), device=f"cuda:{device}")
        fact, element = made is torch_stand_in.Tensor, "f32"
        what = self.r.randrange(80)
        if what == 0:
            tensor.device = torch_stand_in.Device("cpu")
            fact = False
        elif what == 1:
            tensor.negated, fact = True, False
        elif what == 2:
            tensor.conjugated, fact = True, False
        elif what == 3:
            tensor.layout, fact = torch_stand_in.sparse, False
        elif what == 4:
            tensor.fails, fact = True, False
        elif what == 5:
            tensor.dtype, element = "torch.float16", "f16"
        elif what == 6:
            tensor.dtype, fact = "torch.complex64", False
        elif what in (7, 8, 9):
            tensor.requires_grad = True
            fact = fact and "gradient"
        elif what == 10:
            tensor.inference = True
        return tensor, Truth("torch", element, n, stride, address,
                             (device, None), fact)

    def dlpack(self, n, k):
        """As `interface`, through DLPack of any version."""
        device = self.home if self.often(30) else 1 - self.home
        at = 4096 * k + self.one(*[0] * 16, 4, 8, 16, 4096)
        address = DEVICES[device].ctypes.data + at
        offset = self.one(0, 0, 0, 4, 8, 16)
        made = dlpack_stand_in.Array if self.often(8) else dlpack_stand_in.Old
        array = made(address - offset, (n,), offset=offset,
                     device=(2, device))
        fact, element, stride, extent = True, "f32", 1, n
        if made is dlpack_stand_in.Old:
            fact = "readonly"  # it cannot say
        if not self.often(4):
            stride = self.one(1, 1, 1, 2, 0, -1, 1 << 40)
            array.given["strides"] = (stride,)
        what = self.r.randrange(110)
        if what < 5:
            array.facts.update(self.one(
                {"kind": (0, 32)}, {"kind": (1, 32)}, {"kind": (2, 16)},
                {"kind": (5, 64)}, {"kind": (4, 16)}, {"kind": (2, 31)}))
            fact = False
        elif what == 5:
            array.facts["lanes"], fact = self.one(0, 2, 65535), False
        elif what == 6:
            array.facts["ndim"] = self.one(-1, 65, 1 << 30, 0)
            fact = False
        elif what == 7:
            array.facts["no_shape"], fact = True, False
        elif what == 8:
            array.facts["name"], fact = self.one(b"used_dltensor", b"tensor",
                                                 b"dltensor2"), False
        elif what == 9:
            array.gives, fact = self.one(3, "x", b"dltensor", ValueError("no"),
                                         TypeError("no"), object(),
                                         BufferError()), False
        elif what == 10:
            array.device, fact = self.one(None, 2, [2, device], (2,), (2, 0, 0),
                                          (1, 0), (2, 1 - device), (2.0, 0),
                                          (10, 0), ("2", 0), (3, 0),
                                          RuntimeError("no")), False
        elif what == 11:
            array.facts["device"], fact = self.one(
                (1, 0), (2, 7), (2, -1), (13, device)), False
        elif what == 12:
            array.facts["device"] = array.device = (13, device)
        elif what in (13, 14, 15) and made is dlpack_stand_in.Array:
            array.facts["flags"], fact = 1, "readonly"
        elif what == 16 and made is dlpack_stand_in.Array:
            array.facts["flags"], fact = self.one(2, 3), False
        elif what == 17 and made is dlpack_stand_in.Array:
            array.facts["major"], fact = self.one(0, 2, 1 << 31), False
        elif what == 18:
            extent = self.one(-1, -(1 << 63), (1 << 63) - 1, n + 1)
            array.given["shape"] = (extent,)
            fact = fact if 0 <= extent < 1 << 62 else False
        elif what == 19:
            array.given["address"] = self.one(0, (1 << 64) - 4)
            array.facts["offset"] = 0
            address, offset = array.given["address"], 0
        elif what == 20:
            array.given["address"], array.facts["offset"] = 1 << 63, 1 << 63
            fact = False  # beyond all addresses
        elif what == 21:
            array.facts["deleter"] = False
        return array, Truth("dlpack", element, extent, stride, address,
                            (device, None), fact)

    def numpy(self, n, k):
        memory = np.arange(4096, dtype=np.float32)[: 2 * n + 8]
        array, fact, element = memory[1:n + 1], True, "f32"
        what = self.r.randrange(60)
        if what == 0:
            array, fact = array.astype(">f4"), False
        elif what == 1:
            array = memory[:2 * n:2]
        elif what == 2:
            array = array[::-1]
        elif what == 3:
            array = np.zeros(n, [("a", "i1"), ("f", "<f4")])["f"]
        elif what == 4:
            array, fact = np.zeros(n, [("f", "<f4")]), False
        elif what == 5:
            array, fact = np.ma.masked_array(array, mask=False), False
        elif what == 6:
            array = np.broadcast_to(array[:1], (n,)) if n else array
            fact = "readonly" if n else True
        elif what in (7, 8):
            array = array.copy()
            array.flags.writeable = False
            fact = "readonly"
        elif what == 9:
            array, element = array.astype(np.float16), "f16"
        elif what == 10:
            array, fact = array.astype(self.one("c8", "u4", "O", "S4",
                                                "M8[s]")), False
        elif what == 11:
            array = np.lib.stride_tricks.as_strided(
                memory, (n,), (0,), writeable=True)
            fact = "overlap" if n > 1 else True
        elif what == 12:
            array, fact = array.reshape(n, 1), False
        return array, Truth("numpy", element, n, 1, None, (0, array), fact)

    def plain(self, k):
        """Eight elements that any kernel takes, on memory number k."""
        address = DEVICES[0].ctypes.data + 4096 * k
        if self.often(3):
            return torch_stand_in.Tensor(address, (8,), (1,))
        return self.one(Interface({"version": 3, "typestr": "<f4",
                                   "shape": (8,), "data": (address, False)}),
                        np.zeros(8, np.float32))

    def change(self, argument, written):
        """Changes one thing of it, or none; whether a launch must see that."""
        if not self.often(4):
            return False
        far = self.one(16, -16, 4, 1 << 32, 1 << 63, 1 << 64, 4096 * 3)
        if isinstance(argument, Interface):
            given = argument.given
            address = operator.index(given["data"][0])
            what = self.one({"data": (address + far, False)},
                            {"data": (0, False)}, {"shape": (7,)},
                            {"shape": (8 + (1 << 64),)}, {"strides": (8,)},
                            {"typestr": ">f4"}, {"typestr": "<i4"},
                            {"version": 2}, {"strides": (4,)})
            given.update(what)
            return what not in ({"version": 2}, {"strides": (4,)})
        if isinstance(argument, np.ndarray):
            if self.often(2):
                argument.shape = self.one((2, 4), (4, 2), (8, 1), (1, 8))
                return True
            argument.flags.writeable = False
            return written
        fact, value = self.one(("address", argument.address + far),
                               ("address", 0), ("shape", (9,)),
                               ("strides", (2,)), ("dtype", "torch.float16"),
                               ("negated", True), ("conjugated", True),
                               ("fails", True),
                               ("device", torch_stand_in.Device("cuda:1")),
                               ("requires_grad", True))
        setattr(argument, fact, value)
        return written or fact != "requires_grad"

    def tensor(self, n, k):
        if not self.often(60):
            return self.strange(), None
        draw = self.one(self.interface, self.torch, self.numpy, self.interface,
                        self.dlpack)
        return draw(n, k)
