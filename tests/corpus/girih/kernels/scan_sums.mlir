// expect: VERIFIED
// First of two kernels of an exclusive prefix sum: the sum of each stretch of 4096
// any N
!X = !tile.tensor<[N] x i32, shared>
!S = !tile.tensor<[NB] x i32, out>
!PX = !tile.partition<[4096], [N] x i32, shared>
!PS = !tile.partition<[_], [NB] x i32, out>
!O = !tile.piece<[_] x i32, out>
tile.kernel @scan_sums(%x: !X, %sums: !S) grid [NB] requires [NB == ceildiv(N, 4096)] {
  %i = tile.block_id 0
  %px = tile.partition %x by [4096] : !X
  %ps = tile.partition %sums by [_] : !S
  %out = tile.claim %ps[%i] : !PS
  %t = tile.load %px[%i] pad(zero) : !PX
  %sum = tile.reduce add %t, 0 : vector<4096xi32>
  tile.store %sum, %out : !O
}
