// expect: REFUTED claim.disjoint
// twin: given_splits.good.mlir
// Sequences of different lengths in one tensor: block b has rows
// cu[b] .. cu[b + 1].
!S = !tile.tensor<[C] x i32, shared>
!X = !tile.tensor<[T, D] x f32, own>
!PS = !tile.partition<[_], [C] x i32, shared>
!PX = !tile.partition<[_, 64], [T, D] x f32, own>
!P = !tile.piece<[_, 64] x f32, own>
tile.kernel @ragged(%cu: !S, %x: !X) symbols [B : index]
    grid [B, ceildiv(D, 64)] requires [C == B + 1] given [within(%cu, 0, T + 1)] {
  %c1 = arith.constant 1 : index
  %b = tile.block_id 0
  %j = tile.block_id 1
  %ps = tile.partition %cu by [_] : !S
  %px = tile.partition %x by [_, 64] : !X
  %next = arith.addi %b, %c1 : index
  %s = tile.load %ps[%b] : !PS
  %e = tile.load %ps[%next] : !PS
  %start = arith.index_cast %s : i32 to index
  %end = arith.index_cast %e : i32 to index
  scf.for %row = %start to %end step %c1 {
    %out = tile.claim %px[%row, %j] : !PX
    %v = tile.load %out pad(zero) : !P
    %w = arith.addf %v, %v : vector<64xf32>
    tile.store %w, %out : !P
  }
}
