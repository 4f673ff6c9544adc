// expect: REFUTED claim.bounds
// twin: rotated.good.mlir
// Rotated by three, with <= for <: one block lands behind the last tile.
!X = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[8], [N] x f32, out>
!QX = !tile.piece<[8] x f32, out>
tile.kernel @rotated(%x: !X) grid [ceildiv(N, 8)] {
  %px = tile.partition %x by [8] : !X
  %b = tile.block_id 0
  %n = tile.num_tiles %px, 0 : !PX
  %three = arith.constant 3 : index
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %k = arith.minsi %n, %three : index
  %turn = arith.subi %n, %k : index
  %low = arith.cmpi sle, %b, %turn : index
  %up = arith.addi %b, %k : index
  %down = arith.subi %b, %turn : index
  %i = arith.select %low, %up, %down : index
  %out = tile.claim %px[%i] : !PX
  tile.store %zero, %out : !QX
}
