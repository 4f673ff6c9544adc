// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/97_ScaledDotProductAttention.py
// Attention, a tile of queries a block, keys in tiles, running maximum and sum.
!Q = !tile.tensor<[B, H, S, 64] x f32, shared>
!PQ = !tile.partition<[_, _, 64, 64], [B, H, S, 64] x f32, shared>
!K = !tile.tensor<[B, H, S, 64] x f32, shared>
!PK = !tile.partition<[_, _, 64, 64], [B, H, S, 64] x f32, shared>
!V = !tile.tensor<[B, H, S, 64] x f32, shared>
!PV = !tile.partition<[_, _, 64, 64], [B, H, S, 64] x f32, shared>
!Y = !tile.tensor<[B, H, S, 64] x f32, out>
!PY = !tile.partition<[_, _, 64, 64], [B, H, S, 64] x f32, out>
!SY = !tile.piece<[_, _, 64, 64] x f32, out>
tile.kernel @kscaleddotproductattention(%q: !Q, %k: !K, %v: !V, %y: !Y) grid [B, H, ceildiv(S, 64)] {
  %pq = tile.partition %q by [_, _, 64, 64] : !Q
  %pk = tile.partition %k by [_, _, 64, 64] : !K
  %pv = tile.partition %v by [_, _, 64, 64] : !V
  %py = tile.partition %y by [_, _, 64, 64] : !Y
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %fill = arith.constant dense<-1.0e+30> : vector<64x1xf32>
  %zero_2 = arith.constant dense<0.0> : vector<64x1xf32>
  %c1 = arith.constant 1 : index
  %b = tile.block_id 0
  %h = tile.block_id 1
  %i = tile.block_id 2
  %o = tile.claim %py[%b, %h, %i, %c0] : !PY
  %qv = tile.load %pq[%b, %h, %i, %c0] pad(zero) : !PQ
  %n = tile.num_tiles %pk, 2 : !PK
  %l_2, %acc_2, %m_2 = scf.for %j = %c0 to %n step %c1 iter_args(%l = %zero_2, %acc = %zero, %m = %fill) -> (vector<64x1xf32>, vector<64x64xf32>, vector<64x1xf32>) {
    %kv = tile.load %pk[%b, %h, %j, %c0] pad(zero) : !PK
    %kt = vector.transpose %kv, [1, 0] : vector<64x64xf32> to vector<64x64xf32>
    %s = tile.mma %qv, %kt, %zero : vector<64x64xf32>, vector<64x64xf32>, vector<64x64xf32>
    %mj = tile.reduce max %s, 1 keep : vector<64x64xf32>
    %mn = arith.maximumf %m, %mj : vector<64x1xf32>
    %mb = vector.broadcast %mn : vector<64x1xf32> to vector<64x64xf32>
    %d = arith.subf %s, %mb : vector<64x64xf32>
    %e = math.exp %d : vector<64x64xf32>
    %dm = arith.subf %m, %mn : vector<64x1xf32>
    %f = math.exp %dm : vector<64x1xf32>
    %lf = arith.mulf %l, %f : vector<64x1xf32>
    %ej = tile.reduce add %e, 1 keep : vector<64x64xf32>
    %l_3 = arith.addf %lf, %ej : vector<64x1xf32>
    %fb = vector.broadcast %f : vector<64x1xf32> to vector<64x64xf32>
    %af = arith.mulf %acc, %fb : vector<64x64xf32>
    %vv = tile.load %pv[%b, %h, %j, %c0] pad(zero) : !PV
    %acc_3 = tile.mma %e, %vv, %af : vector<64x64xf32>, vector<64x64xf32>, vector<64x64xf32>
    scf.yield %l_3, %acc_3, %mn : vector<64x1xf32>, vector<64x64xf32>, vector<64x1xf32>
  }
  %lb = vector.broadcast %l_2 : vector<64x1xf32> to vector<64x64xf32>
  %r = arith.divf %acc_2, %lb : vector<64x64xf32>
  tile.store %r, %o : !SY
}
