// expect: UNKNOWN claim.bounds
// An index carried by a loop is unknown to the checker; it is right all the same.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[8], [N] x f32, own>
!P = !tile.piece<[8] x f32, own>
tile.kernel @carried(%x: !X)
    grid [ceildiv(N, 8)] {
  %v = arith.constant dense<1.0> : vector<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %px = tile.partition %x by [8] : !X
  %sum = scf.for %k = %c0 to %i step %c1 iter_args(%a = %c0) -> (index) {
    %b = arith.maxsi %a, %k : index
    scf.yield %b : index
  }
  %clipped = arith.minsi %sum, %i : index
  %ok = arith.cmpi eq, %i, %c0 : index
  scf.if %ok {
    %out = tile.claim %px[%clipped] : !PX
    tile.store %v, %out : !P
  }
}
