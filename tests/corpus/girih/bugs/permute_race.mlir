// expect: REFUTED claim.disjoint out.covered
// twin: permute_race_fixed.mlir
// y[B, H, S, D] = x[B, S, H, D] where the H heads are G groups of R. The head
// is r * R + g: two indices are swapped, so blocks of different groups meet, and
// the guard hides that others leave the tensor.
!X = !tile.tensor<[B, S, H, D] x bf16, shared>
!Y = !tile.tensor<[B, H, S, D] x bf16, out>
!PX = !tile.partition<[_, 64, _, 64], [B, S, H, D] x bf16, shared>
!PY = !tile.partition<[_, _, 64, 64], [B, H, S, D] x bf16, out>
!P = !tile.piece<[_, _, 64, 64] x bf16, out>
tile.kernel @permute_race(%x: !X, %y: !Y) symbols [G : index, R : index]
    grid [B, G, R, ceildiv(S, 64), ceildiv(D, 64)] requires [H == G * R] {
  %b = tile.block_id 0
  %g = tile.block_id 1
  %r = tile.block_id 2
  %s = tile.block_id 3
  %d = tile.block_id 4
  %per_group = tile.symbol "R" : index
  %heads = tile.symbol "H" : index
  %base = arith.muli %r, %per_group : index
  %h = arith.addi %base, %g : index
  %px = tile.partition %x by [_, 64, _, 64] : !X
  %py = tile.partition %y by [_, _, 64, 64] : !Y
  %inside = arith.cmpi slt, %h, %heads : index
  scf.if %inside {
    %out = tile.claim %py[%b, %h, %s, %d] : !PY
    %tile = tile.load %px[%b, %s, %h, %d] pad(zero) : !PX
    tile.store %tile, %out : !P
  }
}
