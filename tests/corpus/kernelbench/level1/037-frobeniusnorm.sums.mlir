// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/37_FrobeniusNorm_.py
// Two launches, this one sums: a block has every P-th tile.
!X = !tile.tensor<[N] x f32, shared>
!PX = !tile.partition<[1024], [N] x f32, shared>
!PARTS = !tile.tensor<[P] x f32, out>
!PPARTS = !tile.partition<[_], [P] x f32, out>
!SPARTS = !tile.piece<[_] x f32, out>
tile.kernel @kfrobeniusnorm(%x: !X, %parts: !PARTS) grid [P] requires [P >= 1] {
  %px = tile.partition %x by [1024] : !X
  %pparts = tile.partition %parts by [_] : !PARTS
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %p = tile.block_id 0
  %n = tile.num_tiles %px, 0 : !PX
  %step = tile.grid_dim 0
  %qv_2 = scf.for %k = %p to %n step %step iter_args(%qv = %zero) -> (vector<1024xf32>) {
    %v = tile.load %px[%k] pad(zero) : !PX
    %q = arith.mulf %v, %v : vector<1024xf32>
    %qv_3 = arith.addf %qv, %q : vector<1024xf32>
    scf.yield %qv_3 : vector<1024xf32>
  }
  %q0 = tile.reduce add %qv_2, 0 : vector<1024xf32>
  %o = tile.claim %pparts[%p] : !PPARTS
  tile.store %q0, %o : !SPARTS
}
