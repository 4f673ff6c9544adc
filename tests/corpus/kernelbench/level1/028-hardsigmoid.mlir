// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/28_HardSigmoid.py
// A line, clamped to [0, 1].
!X = !tile.tensor<[N] x f32, shared>
!PX = !tile.partition<[1024], [N] x f32, shared>
!Y = !tile.tensor<[N] x f32, out>
!PY = !tile.partition<[1024], [N] x f32, out>
!SY = !tile.piece<[1024] x f32, out>
tile.kernel @khardsigmoid(%x: !X, %y: !Y) grid [ceildiv(N, 1024)] {
  %px = tile.partition %x by [1024] : !X
  %py = tile.partition %y by [1024] : !Y
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %one = arith.constant dense<1.0> : vector<1024xf32>
  %fill = arith.constant dense<6.0> : vector<1024xf32>
  %fill_2 = arith.constant dense<0.5> : vector<1024xf32>
  %i = tile.block_id 0
  %o = tile.claim %py[%i] : !PY
  %v = tile.load %px[%i] pad(zero) : !PX
  %d = arith.divf %v, %fill : vector<1024xf32>
  %w = arith.addf %d, %fill_2 : vector<1024xf32>
  %low = arith.maximumf %w, %zero : vector<1024xf32>
  %r = arith.minimumf %low, %one : vector<1024xf32>
  tile.store %r, %o : !SY
}
