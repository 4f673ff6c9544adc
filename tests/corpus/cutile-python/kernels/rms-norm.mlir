// expect: VERIFIED
// source: NVIDIA/cutile-python@9c3ee3c test/kernels/rms_norm.py, rms_norm_kernel
// Rows of any length, and their reciprocal roots.
!X = !tile.tensor<[M, N] x f32, shared>
!PX = !tile.partition<[_, 1024], [M, N] x f32, shared>
!W = !tile.tensor<[N] x f32, shared>
!PW = !tile.partition<[1024], [N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PY = !tile.partition<[_, 1024], [M, N] x f32, out>
!SY = !tile.piece<[_, 1024] x f32, out>
!RSTD = !tile.tensor<[M] x f32, out>
!PRSTD = !tile.partition<[_], [M] x f32, out>
!SRSTD = !tile.piece<[_] x f32, out>
tile.kernel @rms_norm(%x: !X, %w: !W, %y: !Y, %rstd: !RSTD, %count: f32, %eps: f32) grid [M] {
  %px = tile.partition %x by [_, 1024] : !X
  %pw = tile.partition %w by [1024] : !W
  %py = tile.partition %y by [_, 1024] : !Y
  %prstd = tile.partition %rstd by [_] : !RSTD
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %row = tile.block_id 0
  %n = tile.num_tiles %px, 1 : !PX
  %sv_2 = scf.for %j = %c0 to %n step %c1 iter_args(%sv = %zero) -> (vector<1024xf32>) {
    %v = tile.load %px[%row, %j] pad(zero) : !PX
    %q = arith.mulf %v, %v : vector<1024xf32>
    %sv_3 = arith.addf %sv, %q : vector<1024xf32>
    scf.yield %sv_3 : vector<1024xf32>
  }
  %s = tile.reduce add %sv_2, 0 : vector<1024xf32>
  %m = arith.divf %s, %count : f32
  %safe = arith.addf %m, %eps : f32
  %r = math.rsqrt %safe : f32
  %d = tile.claim %prstd[%row] : !PRSTD
  tile.store %r, %d : !SRSTD
  %rb = vector.broadcast %r : f32 to vector<1024xf32>
  scf.for %j_2 = %c0 to %n step %c1 {
    %g = tile.load %pw[%j_2] pad(zero) : !PW
    %v_2 = tile.load %px[%row, %j_2] pad(zero) : !PX
    %y0 = arith.mulf %v_2, %rb : vector<1024xf32>
    %y1 = arith.mulf %y0, %g : vector<1024xf32>
    %o = tile.claim %py[%row, %j_2] : !PY
    tile.store %y1, %o : !SY
  }
}
