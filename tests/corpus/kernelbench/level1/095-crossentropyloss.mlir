// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/95_CrossEntropyLoss.py
// The logarithm of the sum of a row less the entry at its target, which counts
// where it is a class.
!P = !tile.tensor<[M, N] x f32, shared>
!PP = !tile.partition<[_, 1024], [M, N] x f32, shared>
!PP2 = !tile.partition<[_, _], [M, N] x f32, shared>
!T = !tile.tensor<[M] x i64, shared>
!PT = !tile.partition<[_], [M] x i64, shared>
!Y = !tile.tensor<[M] x f32, out>
!PY = !tile.partition<[_], [M] x f32, out>
!SY = !tile.piece<[_] x f32, out>
tile.kernel @kcrossentropyloss(%p: !P, %t: !T, %y: !Y) grid [M] {
  %pp = tile.partition %p by [_, 1024] : !P
  %pp2 = tile.partition %p by [_, _] : !P
  %pt = tile.partition %t by [_] : !T
  %py = tile.partition %y by [_] : !Y
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero_2 = arith.constant 0.0 : f32
  %n_2 = tile.symbol "N" : index
  %row = tile.block_id 0
  %n = tile.num_tiles %pp, 1 : !PP
  %sv_2 = scf.for %k = %c0 to %n step %c1 iter_args(%sv = %zero) -> (vector<1024xf32>) {
    %v = tile.load %pp[%row, %k] pad(neg_inf) : !PP
    %e = math.exp %v : vector<1024xf32>
    %sv_3 = arith.addf %sv, %e : vector<1024xf32>
    scf.yield %sv_3 : vector<1024xf32>
  }
  %s = tile.reduce add %sv_2, 0 : vector<1024xf32>
  %l = math.log %s : f32
  %t64 = tile.load %pt[%row] : !PT
  %at = arith.index_cast %t64 : i64 to index
  %r = arith.addf %l, %zero_2 : f32
  %c = arith.cmpi sge, %at, %c0 : index
  %c_2 = arith.cmpi slt, %at, %n_2 : index
  %both = arith.andi %c, %c_2 : i1
  %r_2 = scf.if %both -> (f32) {
    %x = tile.load %pp2[%row, %at] : !PP2
    %r_3 = arith.subf %l, %x : f32
    scf.yield %r_3 : f32
  } else {
    scf.yield %r : f32
  }
  %o = tile.claim %py[%row] : !PY
  tile.store %r_2, %o : !SY
}
