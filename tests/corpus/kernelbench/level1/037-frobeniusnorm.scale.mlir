// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/37_FrobeniusNorm_.py
// Two launches, this one divides by what the other found.
!X = !tile.tensor<[N] x f32, shared>
!PX = !tile.partition<[1024], [N] x f32, shared>
!NORM = !tile.tensor<[1] x f32, shared>
!PNORM = !tile.partition<[_], [1] x f32, shared>
!Y = !tile.tensor<[N] x f32, out>
!PY = !tile.partition<[1024], [N] x f32, out>
!SY = !tile.piece<[1024] x f32, out>
tile.kernel @kfrobeniusnorm(%x: !X, %norm: !NORM, %y: !Y) grid [ceildiv(N, 1024)] {
  %px = tile.partition %x by [1024] : !X
  %pnorm = tile.partition %norm by [_] : !NORM
  %py = tile.partition %y by [1024] : !Y
  %c0 = arith.constant 0 : index
  %i = tile.block_id 0
  %s = tile.load %pnorm[%c0] : !PNORM
  %sb = vector.broadcast %s : f32 to vector<1024xf32>
  %v = tile.load %px[%i] pad(zero) : !PX
  %r = arith.divf %v, %sb : vector<1024xf32>
  %o = tile.claim %py[%i] : !PY
  tile.store %r, %o : !SY
}
