// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/94_MSELoss.py
// Squared differences. Two launches, this one sums a row a block.
!P = !tile.tensor<[M, N] x f32, shared>
!PP = !tile.partition<[_, 1024], [M, N] x f32, shared>
!T = !tile.tensor<[M, N] x f32, shared>
!PT = !tile.partition<[_, 1024], [M, N] x f32, shared>
!Y = !tile.tensor<[M] x f32, out>
!PY = !tile.partition<[_], [M] x f32, out>
!SY = !tile.piece<[_] x f32, out>
tile.kernel @kmseloss(%p: !P, %t: !T, %y: !Y) grid [M] {
  %pp = tile.partition %p by [_, 1024] : !P
  %pt = tile.partition %t by [_, 1024] : !T
  %py = tile.partition %y by [_] : !Y
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %row = tile.block_id 0
  %n = tile.num_tiles %pp, 1 : !PP
  %sv_2 = scf.for %k = %c0 to %n step %c1 iter_args(%sv = %zero) -> (vector<1024xf32>) {
    %a = tile.load %pp[%row, %k] pad(zero) : !PP
    %b = tile.load %pt[%row, %k] pad(zero) : !PT
    %d = arith.subf %a, %b : vector<1024xf32>
    %e = arith.mulf %d, %d : vector<1024xf32>
    %sv_3 = arith.addf %sv, %e : vector<1024xf32>
    scf.yield %sv_3 : vector<1024xf32>
  }
  %s = tile.reduce add %sv_2, 0 : vector<1024xf32>
  %o = tile.claim %py[%row] : !PY
  tile.store %s, %o : !SY
}
