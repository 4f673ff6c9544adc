// z[N] = x[N] + y[N] in f32
// any N, zero and ragged included
!X = !tile.tensor<[N] x f32, shared>
!Z = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[1024], [N] x f32, shared>
!PZ = !tile.partition<[1024], [N] x f32, out>
!P = !tile.piece<[1024] x f32, out>
tile.kernel @add(%x: !X, %y: !X, %z: !Z) grid [ceildiv(N, 1024)] {
  %i = tile.block_id 0
  %px = tile.partition %x by [1024] : !X
  %py = tile.partition %y by [1024] : !X
  %pz = tile.partition %z by [1024] : !Z
  %out = tile.claim %pz[%i] : !PZ
  %a = tile.load %px[%i] pad(zero) : !PX
  %b = tile.load %py[%i] pad(zero) : !PX
  %sum = arith.addf %a, %b : vector<1024xf32>
  tile.store %sum, %out : !P
}
