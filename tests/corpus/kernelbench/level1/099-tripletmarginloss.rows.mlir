// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/99_TripletMarginLoss.py
// Distances of an anchor to two others, a row a block.
!A = !tile.tensor<[M, N] x f32, shared>
!PA = !tile.partition<[_, 1024], [M, N] x f32, shared>
!P = !tile.tensor<[M, N] x f32, shared>
!PP = !tile.partition<[_, 1024], [M, N] x f32, shared>
!Q = !tile.tensor<[M, N] x f32, shared>
!PQ = !tile.partition<[_, 1024], [M, N] x f32, shared>
!Y = !tile.tensor<[M] x f32, out>
!PY = !tile.partition<[_], [M] x f32, out>
!SY = !tile.piece<[_] x f32, out>
tile.kernel @ktripletmarginloss(%a: !A, %p: !P, %q: !Q, %y: !Y, %margin: f32) grid [M] {
  %pa = tile.partition %a by [_, 1024] : !A
  %pp = tile.partition %p by [_, 1024] : !P
  %pq = tile.partition %q by [_, 1024] : !Q
  %py = tile.partition %y by [_] : !Y
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero_2 = arith.constant 0.0 : f32
  %row = tile.block_id 0
  %n = tile.num_tiles %pa, 1 : !PA
  %s1_2, %s2_2 = scf.for %k = %c0 to %n step %c1 iter_args(%s1 = %zero, %s2 = %zero) -> (vector<1024xf32>, vector<1024xf32>) {
    %av = tile.load %pa[%row, %k] pad(zero) : !PA
    %pv = tile.load %pp[%row, %k] pad(zero) : !PP
    %qv = tile.load %pq[%row, %k] pad(zero) : !PQ
    %d1 = arith.subf %av, %pv : vector<1024xf32>
    %e1 = arith.mulf %d1, %d1 : vector<1024xf32>
    %s1_3 = arith.addf %s1, %e1 : vector<1024xf32>
    %d2 = arith.subf %av, %qv : vector<1024xf32>
    %e2 = arith.mulf %d2, %d2 : vector<1024xf32>
    %s2_3 = arith.addf %s2, %e2 : vector<1024xf32>
    scf.yield %s1_3, %s2_3 : vector<1024xf32>, vector<1024xf32>
  }
  %t1 = tile.reduce add %s1_2, 0 : vector<1024xf32>
  %t2 = tile.reduce add %s2_2, 0 : vector<1024xf32>
  %r1 = math.sqrt %t1 : f32
  %r2 = math.sqrt %t2 : f32
  %d = arith.subf %r1, %r2 : f32
  %m = arith.addf %d, %margin : f32
  %r = arith.maximumf %m, %zero_2 : f32
  %o = tile.claim %py[%row] : !PY
  tile.store %r, %o : !SY
}
