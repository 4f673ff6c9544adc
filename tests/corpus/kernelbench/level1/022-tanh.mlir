// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/22_Tanh.py
// tanh.
!X = !tile.tensor<[N] x f32, shared>
!PX = !tile.partition<[1024], [N] x f32, shared>
!Y = !tile.tensor<[N] x f32, out>
!PY = !tile.partition<[1024], [N] x f32, out>
!SY = !tile.piece<[1024] x f32, out>
tile.kernel @ktanh(%x: !X, %y: !Y) grid [ceildiv(N, 1024)] {
  %px = tile.partition %x by [1024] : !X
  %py = tile.partition %y by [1024] : !Y
  %i = tile.block_id 0
  %o = tile.claim %py[%i] : !PY
  %v = tile.load %px[%i] pad(zero) : !PX
  %r = math.tanh %v : vector<1024xf32>
  tile.store %r, %o : !SY
}
