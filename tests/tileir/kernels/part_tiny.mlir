// Parts of vectors of numbers of 4 bits, put together in another order.
!X = !tile.tensor<[M, 64] x f4E2M1FN, shared>
!Y = !tile.tensor<[M, 64] x f4E2M1FN, out>
!PX = !tile.partition<[16, 64], [M, 64] x f4E2M1FN, shared>
!PY = !tile.partition<[16, 64], [M, 64] x f4E2M1FN, out>
!P = !tile.piece<[16, 64] x f4E2M1FN, out>
tile.kernel @part_tiny(%x: !X, %y: !Y) grid [ceildiv(M, 16)] {
  %c0 = arith.constant 0 : index
  %i = tile.block_id 0
  %px = tile.partition %x by [16, 64] : !X
  %py = tile.partition %y by [16, 64] : !Y
  %out = tile.claim %py[%i, %c0] : !PY
  %v = tile.load %px[%i, %c0] pad(zero) : !PX
  %left = tile.extract %v[0, 0] : vector<16x64xf4E2M1FN> to vector<16x32xf4E2M1FN>
  %right = tile.extract %v[0, 1] : vector<16x64xf4E2M1FN> to vector<16x32xf4E2M1FN>
  %turned = tile.cat %right, %left, 1 : vector<16x32xf4E2M1FN>
  %up = tile.extract %turned[1, 0] : vector<16x64xf4E2M1FN> to vector<8x64xf4E2M1FN>
  %down = tile.extract %turned[0, 0] : vector<16x64xf4E2M1FN> to vector<8x64xf4E2M1FN>
  %both = tile.cat %up, %down, 0 : vector<8x64xf4E2M1FN>
  tile.store %both, %out : !P
}
