// expect: VERIFIED
// source: NVIDIA/cutile-python@9c3ee3c test/kernels/layer_norm.py, layer_norm_fwd
// Three passes over a row; mean and deviation are kept.
!X = !tile.tensor<[M, N] x f32, shared>
!PX = !tile.partition<[_, 1024], [M, N] x f32, shared>
!W = !tile.tensor<[N] x f32, shared>
!PW = !tile.partition<[1024], [N] x f32, shared>
!B = !tile.tensor<[N] x f32, shared>
!PB = !tile.partition<[1024], [N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PY = !tile.partition<[_, 1024], [M, N] x f32, out>
!SY = !tile.piece<[_, 1024] x f32, out>
!MEAN = !tile.tensor<[M] x f32, out>
!PMEAN = !tile.partition<[_], [M] x f32, out>
!SMEAN = !tile.piece<[_] x f32, out>
!RSTD = !tile.tensor<[M] x f32, out>
!PRSTD = !tile.partition<[_], [M] x f32, out>
!SRSTD = !tile.piece<[_] x f32, out>
tile.kernel @layer_norm_fwd(%x: !X, %w: !W, %b: !B, %y: !Y, %mean: !MEAN, %rstd: !RSTD, %count: f32, %eps: f32)
    grid [M] {
  %px = tile.partition %x by [_, 1024] : !X
  %pw = tile.partition %w by [1024] : !W
  %pb = tile.partition %b by [1024] : !B
  %py = tile.partition %y by [_, 1024] : !Y
  %pmean = tile.partition %mean by [_] : !MEAN
  %prstd = tile.partition %rstd by [_] : !RSTD
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %row = tile.block_id 0
  %n = tile.num_tiles %px, 1 : !PX
  %sv_2 = scf.for %j = %c0 to %n step %c1 iter_args(%sv = %zero) -> (vector<1024xf32>) {
    %v = tile.load %px[%row, %j] pad(zero) : !PX
    %sv_3 = arith.addf %sv, %v : vector<1024xf32>
    scf.yield %sv_3 : vector<1024xf32>
  }
  %s = tile.reduce add %sv_2, 0 : vector<1024xf32>
  %m = arith.divf %s, %count : f32
  %mo = tile.claim %pmean[%row] : !PMEAN
  tile.store %m, %mo : !SMEAN
  %mb = vector.broadcast %m : f32 to vector<1024xf32>
  %qv_2 = scf.for %j_2 = %c0 to %n step %c1 iter_args(%qv = %zero) -> (vector<1024xf32>) {
    %v_2 = tile.load %px[%row, %j_2] pad(zero) : !PX
    %d = arith.subf %v_2, %mb : vector<1024xf32>
    %q = arith.mulf %d, %d : vector<1024xf32>
    %qv_3 = arith.addf %qv, %q : vector<1024xf32>
    scf.yield %qv_3 : vector<1024xf32>
  }
  %qs = tile.reduce add %qv_2, 0 : vector<1024xf32>
  %var = arith.divf %qs, %count : f32
  %safe = arith.addf %var, %eps : f32
  %r = math.rsqrt %safe : f32
  %ro = tile.claim %prstd[%row] : !PRSTD
  tile.store %r, %ro : !SRSTD
  %rb = vector.broadcast %r : f32 to vector<1024xf32>
  scf.for %j_3 = %c0 to %n step %c1 {
    %v_3 = tile.load %px[%row, %j_3] pad(zero) : !PX
    %g = tile.load %pw[%j_3] pad(zero) : !PW
    %h = tile.load %pb[%j_3] pad(zero) : !PB
    %d_2 = arith.subf %v_3, %mb : vector<1024xf32>
    %y0 = arith.mulf %d_2, %rb : vector<1024xf32>
    %y1 = arith.mulf %y0, %g : vector<1024xf32>
    %y2 = arith.addf %y1, %h : vector<1024xf32>
    %o = tile.claim %py[%row, %j_3] : !PY
    tile.store %y2, %o : !SY
  }
}
