// y[m, n] = silu(gate[m, n]) * up[m, n] in bf16, where the columns of x[M, W] are
// those of gate, then those of up: what one GEMM for both leaves
// any M and N that is a multiple of 1024, zero included; W is 2 N
!X = !tile.tensor<[M, W] x bf16, shared>
!Y = !tile.tensor<[M, N] x bf16, out>
!PX = !tile.partition<[_, 1024], [M, W] x bf16, shared>
!PY = !tile.partition<[_, 1024], [M, N] x bf16, out>
!P = !tile.piece<[_, 1024] x bf16, out>
tile.kernel @silu_mul(%x: !X, %y: !Y) grid [M, div(N, 1024)]
    requires [W == 2 * N, mod(N, 1024) == 0] hints {sm_90 = {occupancy = 8}} {
  %one = arith.constant dense<1.0> : vector<1024xf32>
  %row = tile.block_id 0
  %j = tile.block_id 1
  %px = tile.partition %x by [_, 1024] : !X
  %py = tile.partition %y by [_, 1024] : !Y
  %out = tile.claim %py[%row, %j] : !PY
  %half = tile.num_tiles %py, 1 : !PY
  %k = arith.addi %half, %j : index
  %g = tile.load %px[%row, %j] : !PX
  %u = tile.load %px[%row, %k] : !PX
  %gate = arith.extf %g : vector<1024xbf16> to vector<1024xf32>
  %up = arith.extf %u : vector<1024xbf16> to vector<1024xf32>
  %minus = arith.negf %gate : vector<1024xf32>
  %e = math.exp %minus : vector<1024xf32>
  %below = arith.addf %one, %e : vector<1024xf32>
  %silu = arith.divf %gate, %below : vector<1024xf32>
  %product = arith.mulf %silu, %up : vector<1024xf32>
  %narrow = arith.truncf %product : vector<1024xf32> to vector<1024xbf16>
  tile.store %narrow, %out : !P
}
