// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/27_SELU_.py
// Exponentials below 0, scaled.
!X = !tile.tensor<[N] x f32, shared>
!PX = !tile.partition<[1024], [N] x f32, shared>
!Y = !tile.tensor<[N] x f32, out>
!PY = !tile.partition<[1024], [N] x f32, out>
!SY = !tile.piece<[1024] x f32, out>
tile.kernel @kselu(%x: !X, %y: !Y) grid [ceildiv(N, 1024)] {
  %px = tile.partition %x by [1024] : !X
  %py = tile.partition %y by [1024] : !Y
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %one = arith.constant dense<1.0> : vector<1024xf32>
  %fill = arith.constant dense<1.6732632423> : vector<1024xf32>
  %fill_2 = arith.constant dense<1.0507009873> : vector<1024xf32>
  %i = tile.block_id 0
  %o = tile.claim %py[%i] : !PY
  %v = tile.load %px[%i] pad(zero) : !PX
  %e = math.exp %v : vector<1024xf32>
  %d = arith.subf %e, %one : vector<1024xf32>
  %ad = arith.mulf %fill, %d : vector<1024xf32>
  %pos = arith.cmpf ogt, %v, %zero : vector<1024xf32>
  %w = arith.select %pos, %v, %ad : vector<1024xi1>, vector<1024xf32>
  %r = arith.mulf %fill_2, %w : vector<1024xf32>
  tile.store %r, %o : !SY
}
