// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/33_BatchNorm.py
// Two launches, this one scales: each channel has its mean and its deviation.
!X = !tile.tensor<[B, C, L] x f32, shared>
!PX = !tile.partition<[_, _, 1024], [B, C, L] x f32, shared>
!MEAN = !tile.tensor<[C] x f32, shared>
!PMEAN = !tile.partition<[_], [C] x f32, shared>
!DEV = !tile.tensor<[C] x f32, shared>
!PDEV = !tile.partition<[_], [C] x f32, shared>
!Y = !tile.tensor<[B, C, L] x f32, out>
!PY = !tile.partition<[_, _, 1024], [B, C, L] x f32, out>
!SY = !tile.piece<[_, _, 1024] x f32, out>
tile.kernel @kbatchnorm(%x: !X, %mean: !MEAN, %dev: !DEV, %y: !Y) grid [B, C, ceildiv(L, 1024)] {
  %px = tile.partition %x by [_, _, 1024] : !X
  %pmean = tile.partition %mean by [_] : !MEAN
  %pdev = tile.partition %dev by [_] : !DEV
  %py = tile.partition %y by [_, _, 1024] : !Y
  %b = tile.block_id 0
  %ch = tile.block_id 1
  %k = tile.block_id 2
  %m = tile.load %pmean[%ch] : !PMEAN
  %s = tile.load %pdev[%ch] : !PDEV
  %mb = vector.broadcast %m : f32 to vector<1024xf32>
  %sb = vector.broadcast %s : f32 to vector<1024xf32>
  %v = tile.load %px[%b, %ch, %k] pad(zero) : !PX
  %d = arith.subf %v, %mb : vector<1024xf32>
  %r = arith.divf %d, %sb : vector<1024xf32>
  %o = tile.claim %py[%b, %ch, %k] : !PY
  tile.store %r, %o : !SY
}
