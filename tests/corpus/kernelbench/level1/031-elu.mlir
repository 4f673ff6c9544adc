// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/31_ELU.py
// exp(x) - 1 below 0.
!X = !tile.tensor<[N] x f32, shared>
!PX = !tile.partition<[1024], [N] x f32, shared>
!Y = !tile.tensor<[N] x f32, out>
!PY = !tile.partition<[1024], [N] x f32, out>
!SY = !tile.piece<[1024] x f32, out>
tile.kernel @kelu(%x: !X, %y: !Y) grid [ceildiv(N, 1024)] {
  %px = tile.partition %x by [1024] : !X
  %py = tile.partition %y by [1024] : !Y
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %one = arith.constant dense<1.0> : vector<1024xf32>
  %i = tile.block_id 0
  %o = tile.claim %py[%i] : !PY
  %v = tile.load %px[%i] pad(zero) : !PX
  %e = math.exp %v : vector<1024xf32>
  %d = arith.subf %e, %one : vector<1024xf32>
  %pos = arith.cmpf ogt, %v, %zero : vector<1024xf32>
  %r = arith.select %pos, %v, %d : vector<1024xi1>, vector<1024xf32>
  tile.store %r, %o : !SY
}
