// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/24_LogSoftmax.py
// Rows of any length: maximum, sum, difference to its logarithm.
!X = !tile.tensor<[M, N] x f32, shared>
!PX = !tile.partition<[_, 1024], [M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PY = !tile.partition<[_, 1024], [M, N] x f32, out>
!SY = !tile.piece<[_, 1024] x f32, out>
tile.kernel @klogsoftmax(%x: !X, %y: !Y) grid [M] {
  %px = tile.partition %x by [_, 1024] : !X
  %py = tile.partition %y by [_, 1024] : !Y
  %fill = arith.constant dense<-3.0e+38> : vector<1024xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %row = tile.block_id 0
  %n = tile.num_tiles %px, 1 : !PX
  %mv_2 = scf.for %k = %c0 to %n step %c1 iter_args(%mv = %fill) -> (vector<1024xf32>) {
    %v = tile.load %px[%row, %k] pad(neg_inf) : !PX
    %mv_3 = arith.maximumf %mv, %v : vector<1024xf32>
    scf.yield %mv_3 : vector<1024xf32>
  }
  %m = tile.reduce max %mv_2, 0 : vector<1024xf32>
  %mb = vector.broadcast %m : f32 to vector<1024xf32>
  %sv_2 = scf.for %k_2 = %c0 to %n step %c1 iter_args(%sv = %zero) -> (vector<1024xf32>) {
    %v_2 = tile.load %px[%row, %k_2] pad(neg_inf) : !PX
    %d = arith.subf %v_2, %mb : vector<1024xf32>
    %e = math.exp %d : vector<1024xf32>
    %sv_3 = arith.addf %sv, %e : vector<1024xf32>
    scf.yield %sv_3 : vector<1024xf32>
  }
  %s = tile.reduce add %sv_2, 0 : vector<1024xf32>
  %l = math.log %s : f32
  %lb = vector.broadcast %l : f32 to vector<1024xf32>
  scf.for %k_3 = %c0 to %n step %c1 {
    %v_3 = tile.load %px[%row, %k_3] pad(zero) : !PX
    %d_2 = arith.subf %v_3, %mb : vector<1024xf32>
    %r = arith.subf %d_2, %lb : vector<1024xf32>
    %o = tile.claim %py[%row, %k_3] : !PY
    tile.store %r, %o : !SY
  }
}
