// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/35_GroupNorm_.py
// Groups of channels: block g takes channels g * per to g * per + per.
!X = !tile.tensor<[B, C, L] x f32, shared>
!PX = !tile.partition<[_, _, 1024], [B, C, L] x f32, shared>
!Y = !tile.tensor<[B, C, L] x f32, out>
!PY = !tile.partition<[_, _, 1024], [B, C, L] x f32, out>
!SY = !tile.piece<[_, _, 1024] x f32, out>
tile.kernel @kgroupnorm(%x: !X, %y: !Y, %count: f32, %eps: f32) symbols [G : index, per : index]
    grid [B, G] requires [C == G * per] {
  %px = tile.partition %x by [_, _, 1024] : !X
  %py = tile.partition %y by [_, _, 1024] : !Y
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %per_2 = tile.symbol "per" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tile.block_id 0
  %g = tile.block_id 1
  %n = tile.num_tiles %px, 2 : !PX
  %sv_2, %qv_2 = scf.for %c = %c0 to %per_2 step %c1 iter_args(%sv = %zero, %qv = %zero) -> (vector<1024xf32>, vector<1024xf32>) {
    %first = arith.muli %g, %per_2 : index
    %ch = arith.addi %first, %c : index
    %sv_4, %qv_4 = scf.for %k = %c0 to %n step %c1 iter_args(%sv_3 = %sv, %qv_3 = %qv) -> (vector<1024xf32>, vector<1024xf32>) {
      %v = tile.load %px[%b, %ch, %k] pad(zero) : !PX
      %sv_5 = arith.addf %sv_3, %v : vector<1024xf32>
      %q = arith.mulf %v, %v : vector<1024xf32>
      %qv_5 = arith.addf %qv_3, %q : vector<1024xf32>
      scf.yield %sv_5, %qv_5 : vector<1024xf32>, vector<1024xf32>
    }
    scf.yield %sv_4, %qv_4 : vector<1024xf32>, vector<1024xf32>
  }
  %s = tile.reduce add %sv_2, 0 : vector<1024xf32>
  %qs = tile.reduce add %qv_2, 0 : vector<1024xf32>
  %mean = arith.divf %s, %count : f32
  %sq = arith.divf %qs, %count : f32
  %mm = arith.mulf %mean, %mean : f32
  %var = arith.subf %sq, %mm : f32
  %safe = arith.addf %var, %eps : f32
  %inv = math.rsqrt %safe : f32
  %mb = vector.broadcast %mean : f32 to vector<1024xf32>
  %ib = vector.broadcast %inv : f32 to vector<1024xf32>
  scf.for %c_2 = %c0 to %per_2 step %c1 {
    %first_2 = arith.muli %g, %per_2 : index
    %ch_2 = arith.addi %first_2, %c_2 : index
    scf.for %k_2 = %c0 to %n step %c1 {
      %v_2 = tile.load %px[%b, %ch_2, %k_2] pad(zero) : !PX
      %d = arith.subf %v_2, %mb : vector<1024xf32>
      %r = arith.mulf %d, %ib : vector<1024xf32>
      %o = tile.claim %py[%b, %ch_2, %k_2] : !PY
      tile.store %r, %o : !SY
    }
  }
}
