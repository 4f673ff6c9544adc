# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernel that compares two results on the device: for each tile, how many
elements of one are too far from those of the other. It is verified and compiled
like any other."""

# Of the others a result is compared byte by byte.
FLOATS = ("f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2")
TILE = 4096
NAME = "compare_{}"


def text(element):
    """Elements a and b are alike where |a - b| <= absolute + relative * |b|,
    where they are equal, and where both are nan."""
    wide = "f64" if element == "f64" else "f32"
    convert = (lambda name: f"  %{name}w = arith.extf %{name} : "
               f"vector<{TILE}x{element}> to vector<{TILE}x{wide}>\n") \
        if element != wide else (lambda name: "")
    a, b = ("%aw", "%bw") if element != wide else ("%a", "%b")
    v, i1 = f"vector<{TILE}x{wide}>", f"vector<{TILE}xi1>"
    infinity = "0x7FF0000000000000" if wide == "f64" else "0x7F800000"
    return f"""\
// The number of elements of x that are far from those of y, tile by tile.
!X = !tile.tensor<[N] x {element}, shared>
!W = !tile.tensor<[P] x f32, out>
!XTiles = !tile.partition<[{TILE}], [N] x {element}, shared>
!WTiles = !tile.partition<[_], [P] x f32, out>
!Piece = !tile.piece<[_] x f32, out>
tile.kernel @{NAME.format(element)}(%x: !X, %y: !X, %wrong: !W,
    %absolute: {wide}, %relative: {wide})
    grid [P] requires [P == ceildiv(N, {TILE})] {{
  %k = tile.block_id 0
  %xs = tile.partition %x by [{TILE}] : !X
  %ys = tile.partition %y by [{TILE}] : !X
  %ws = tile.partition %wrong by [_] : !W
  %out = tile.claim %ws[%k] : !WTiles
  %a = tile.load %xs[%k] pad(zero) : !XTiles
  %b = tile.load %ys[%k] pad(zero) : !XTiles
{convert("a")}{convert("b")}\
  %d = arith.subf {a}, {b} : {v}
  %far = math.absf %d : {v}
  %size = math.absf {b} : {v}
  %abs = vector.broadcast %absolute : {wide} to {v}
  %rel = vector.broadcast %relative : {wide} to {v}
  %scaled = arith.mulf %size, %rel : {v}
  %limit = arith.addf %scaled, %abs : {v}
  %near = arith.cmpf ole, %far, %limit : {v}
  %same = arith.cmpf oeq, {a}, {b} : {v}
  %nana = arith.cmpf uno, {a}, {a} : {v}
  %nanb = arith.cmpf uno, {b}, {b} : {v}
  %nans = arith.andi %nana, %nanb : {i1}
  %inf = arith.constant dense<{infinity}> : {v}
  %bounded = arith.cmpf olt, %limit, %inf : {v}
  %close = arith.andi %near, %bounded : {i1}
  %alike = arith.ori %close, %same : {i1}
  %right = arith.ori %alike, %nans : {i1}
  %zero = arith.constant dense<0.0> : vector<{TILE}xf32>
  %one = arith.constant dense<1.0> : vector<{TILE}xf32>
  %count = arith.select %right, %zero, %one : {i1}, vector<{TILE}xf32>
  %sum = tile.reduce add %count, 0 : vector<{TILE}xf32>
  tile.store %sum, %out : !Piece
}}
"""
