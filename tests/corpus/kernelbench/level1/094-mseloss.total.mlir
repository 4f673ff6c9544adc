// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/94_MSELoss.py
// Two launches, this one sums what the other left.
!PARTS = !tile.tensor<[M] x f32, shared>
!PPARTS = !tile.partition<[1024], [M] x f32, shared>
!Y = !tile.tensor<[1] x f32, out>
!PY = !tile.partition<[_], [1] x f32, out>
!SY = !tile.piece<[_] x f32, out>
tile.kernel @kmseloss(%parts: !PARTS, %y: !Y, %count: f32) grid [1] {
  %pparts = tile.partition %parts by [1024] : !PARTS
  %py = tile.partition %y by [_] : !Y
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = tile.block_id 0
  %n = tile.num_tiles %pparts, 0 : !PPARTS
  %sv_2 = scf.for %k = %c0 to %n step %c1 iter_args(%sv = %zero) -> (vector<1024xf32>) {
    %v = tile.load %pparts[%k] pad(zero) : !PPARTS
    %sv_3 = arith.addf %sv, %v : vector<1024xf32>
    scf.yield %sv_3 : vector<1024xf32>
  }
  %s = tile.reduce add %sv_2, 0 : vector<1024xf32>
  %m = arith.divf %s, %count : f32
  %o = tile.claim %py[%p] : !PY
  tile.store %m, %o : !SY
}
