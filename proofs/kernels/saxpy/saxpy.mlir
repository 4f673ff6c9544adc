// y[N] = alpha * x[N] + y[N] in f32, in place
// any N, zero and ragged included
!X = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[1024], [N] x f32, shared>
!PY = !tile.partition<[1024], [N] x f32, own>
!P = !tile.piece<[1024] x f32, own>
tile.kernel @saxpy(%alpha: f32, %x: !X, %y: !Y) grid [ceildiv(N, 1024)] {
  %i = tile.block_id 0
  %px = tile.partition %x by [1024] : !X
  %py = tile.partition %y by [1024] : !Y
  %piece = tile.claim %py[%i] : !PY
  %a = tile.load %px[%i] pad(zero) : !PX
  %b = tile.load %piece pad(zero) : !P
  %scale = vector.broadcast %alpha : f32 to vector<1024xf32>
  %product = arith.mulf %scale, %a : vector<1024xf32>
  %sum = arith.addf %product, %b : vector<1024xf32>
  tile.store %sum, %piece : !P
}
