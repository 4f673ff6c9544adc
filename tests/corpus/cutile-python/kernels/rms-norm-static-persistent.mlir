// expect: VERIFIED
// source: NVIDIA/cutile-python@9c3ee3c test/kernels/rms_norm.py, rms_norm_kernel_static_persistent
// Tiles of 16 rows, every P-th a block's.
!X = !tile.tensor<[M, N] x f32, shared>
!PX = !tile.partition<[16, 64], [M, N] x f32, shared>
!W = !tile.tensor<[N] x f32, shared>
!PW = !tile.partition<[64], [N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PY = !tile.partition<[16, 64], [M, N] x f32, out>
!SY = !tile.piece<[16, 64] x f32, out>
tile.kernel @rms_norm_static_persistent(%x: !X, %w: !W, %y: !Y, %count: f32, %eps: f32) symbols [P : index]
    grid [P] requires [P >= 1] {
  %px = tile.partition %x by [16, 64] : !X
  %pw = tile.partition %w by [64] : !W
  %py = tile.partition %y by [16, 64] : !Y
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tile.num_tiles %px, 0 : !PX
  %n = tile.num_tiles %px, 1 : !PX
  %low = tile.block_id 0
  %step = tile.grid_dim 0
  scf.for %i = %low to %rows step %step {
    %sv_2 = scf.for %j = %c0 to %n step %c1 iter_args(%sv = %zero) -> (vector<16xf32>) {
      %v = tile.load %px[%i, %j] pad(zero) : !PX
      %q = arith.mulf %v, %v : vector<16x64xf32>
      %t = tile.reduce add %q, 1 : vector<16x64xf32>
      %sv_3 = arith.addf %sv, %t : vector<16xf32>
      scf.yield %sv_3 : vector<16xf32>
    }
    %cb = vector.broadcast %count : f32 to vector<16xf32>
    %eb = vector.broadcast %eps : f32 to vector<16xf32>
    %m = arith.divf %sv_2, %cb : vector<16xf32>
    %safe = arith.addf %m, %eb : vector<16xf32>
    %r = math.rsqrt %safe : vector<16xf32>
    %r1 = vector.shape_cast %r : vector<16xf32> to vector<16x1xf32>
    %rb = vector.broadcast %r1 : vector<16x1xf32> to vector<16x64xf32>
    scf.for %j_2 = %c0 to %n step %c1 {
      %v_2 = tile.load %px[%i, %j_2] pad(zero) : !PX
      %g = tile.load %pw[%j_2] pad(zero) : !PW
      %gb = vector.broadcast %g : vector<64xf32> to vector<16x64xf32>
      %y0 = arith.mulf %v_2, %rb : vector<16x64xf32>
      %y1 = arith.mulf %y0, %gb : vector<16x64xf32>
      %o = tile.claim %py[%i, %j_2] : !PY
      tile.store %y1, %o : !SY
    }
  }
}
