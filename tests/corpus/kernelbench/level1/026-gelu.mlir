// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/26_GELU_.py
// x times half of 1 + erf, by its approximation with tanh.
!X = !tile.tensor<[N] x f32, shared>
!PX = !tile.partition<[1024], [N] x f32, shared>
!Y = !tile.tensor<[N] x f32, out>
!PY = !tile.partition<[1024], [N] x f32, out>
!SY = !tile.piece<[1024] x f32, out>
tile.kernel @kgelu(%x: !X, %y: !Y) grid [ceildiv(N, 1024)] {
  %px = tile.partition %x by [1024] : !X
  %py = tile.partition %y by [1024] : !Y
  %one = arith.constant dense<1.0> : vector<1024xf32>
  %fill = arith.constant dense<0.044715> : vector<1024xf32>
  %fill_2 = arith.constant dense<0.7978845608> : vector<1024xf32>
  %fill_3 = arith.constant dense<0.5> : vector<1024xf32>
  %i = tile.block_id 0
  %o = tile.claim %py[%i] : !PY
  %v = tile.load %px[%i] pad(zero) : !PX
  %v2 = arith.mulf %v, %v : vector<1024xf32>
  %v3 = arith.mulf %v2, %v : vector<1024xf32>
  %t3 = arith.mulf %fill, %v3 : vector<1024xf32>
  %t = arith.addf %v, %t3 : vector<1024xf32>
  %u = arith.mulf %fill_2, %t : vector<1024xf32>
  %h = math.tanh %u : vector<1024xf32>
  %g = arith.addf %one, %h : vector<1024xf32>
  %vh = arith.mulf %fill_3, %v : vector<1024xf32>
  %r = arith.mulf %vh, %g : vector<1024xf32>
  tile.store %r, %o : !SY
}
