// expect: VERIFIED
// Integers of 4 bits, widened, and put together again a row further: columns in
// pairs, which share a byte.
!X = !tile.tensor<[M, N] x i4, shared>
!Y = !tile.tensor<[M, N] x i4, out>
!YH = !tile.tensor<[M, H, 2] x i4, out>
!PX = !tile.partition<[16, 32], [M, N] x i4, shared>
!PY = !tile.partition<[16, 16, 2], [M, H, 2] x i4, out>
!P = !tile.piece<[16, 16, 2] x i4, out>
tile.kernel @nibbles(%x: !X, %y: !Y) symbols [H : index] grid [ceildiv(M, 16), ceildiv(N, 32)]
    requires [N == 2 * H] {
  %c0 = arith.constant 0 : index
  %i = tile.block_id 0
  %j = tile.block_id 1
  %px = tile.partition %x by [16, 32] : !X
  %pairs = tile.view %y unfold 1 by [H, 2] : !Y
  %py = tile.partition %pairs by [16, 16, 2] : !YH
  %a = tile.load %px[%i, %j] pad(zero) : !PX
  %wide = arith.extsi %a : vector<16x32xi4> to vector<16x32xi8>
  %sum = arith.addi %wide, %wide : vector<16x32xi8>
  %b = arith.trunci %sum : vector<16x32xi8> to vector<16x32xi4>
  %v = vector.shape_cast %b : vector<16x32xi4> to vector<16x16x2xi4>
  %out = tile.claim %py[%i, %j, %c0] : !PY
  tile.store %v, %out : !P
}
