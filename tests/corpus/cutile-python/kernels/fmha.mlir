// expect: VERIFIED
// source: NVIDIA/cutile-python@9c3ee3c test/kernels/attention.py, fmha_kernel, CAUSAL=False
// Attention with groups of G query heads a key head; batch and head share an
// axis of the grid. Masks are values and left out.
!Q = !tile.tensor<[B, H, S, 64] x f16, shared>
!PQ = !tile.partition<[_, _, 64, 64], [B, H, S, 64] x f16, shared>
!K = !tile.tensor<[B, HK, SK, 64] x f16, shared>
!PK = !tile.partition<[_, _, 64, 64], [B, HK, SK, 64] x f16, shared>
!V = !tile.tensor<[B, HK, SK, 64] x f16, shared>
!PV = !tile.partition<[_, _, 64, 64], [B, HK, SK, 64] x f16, shared>
!Y = !tile.tensor<[B, H, S, 64] x f32, out>
!PY = !tile.partition<[_, _, 64, 64], [B, H, S, 64] x f32, out>
!SY = !tile.piece<[_, _, 64, 64] x f32, out>
tile.kernel @fmha(%q: !Q, %k: !K, %v: !V, %y: !Y) symbols [G : index]
    grid [ceildiv(S, 64), B * H] requires [G >= 1, H == G * HK] {
  %pq = tile.partition %q by [_, _, 64, 64] : !Q
  %pk = tile.partition %k by [_, _, 64, 64] : !K
  %pv = tile.partition %v by [_, _, 64, 64] : !V
  %py = tile.partition %y by [_, _, 64, 64] : !Y
  %h = tile.symbol "H" : index
  %g = tile.symbol "G" : index
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %fill = arith.constant dense<-1.0e+30> : vector<64x1xf32>
  %zero_2 = arith.constant dense<0.0> : vector<64x1xf32>
  %c1 = arith.constant 1 : index
  %bx = tile.block_id 0
  %by = tile.block_id 1
  %batch = arith.divsi %by, %h : index
  %head = arith.remsi %by, %h : index
  %kvh = arith.divsi %head, %g : index
  %qv = tile.load %pq[%batch, %head, %bx, %c0] pad(zero) : !PQ
  %tc = tile.num_tiles %pk, 2 : !PK
  %l_2, %acc_2, %m_2 = scf.for %j = %c0 to %tc step %c1 iter_args(%l = %zero_2, %acc = %zero, %m = %fill) -> (vector<64x1xf32>, vector<64x64xf32>, vector<64x1xf32>) {
    %kv = tile.load %pk[%batch, %kvh, %j, %c0] pad(zero) : !PK
    %kt = vector.transpose %kv, [1, 0] : vector<64x64xf16> to vector<64x64xf16>
    %s = tile.mma %qv, %kt, %zero : vector<64x64xf16>, vector<64x64xf16>, vector<64x64xf32>
    %mj = tile.reduce max %s, 1 keep : vector<64x64xf32>
    %mn = arith.maximumf %m, %mj : vector<64x1xf32>
    %mb = vector.broadcast %mn : vector<64x1xf32> to vector<64x64xf32>
    %d = arith.subf %s, %mb : vector<64x64xf32>
    %e = math.exp2 %d : vector<64x64xf32>
    %dm = arith.subf %m, %mn : vector<64x1xf32>
    %f = math.exp2 %dm : vector<64x1xf32>
    %lf = arith.mulf %l, %f : vector<64x1xf32>
    %ej = tile.reduce add %e, 1 keep : vector<64x64xf32>
    %l_3 = arith.addf %lf, %ej : vector<64x1xf32>
    %fb = vector.broadcast %f : vector<64x1xf32> to vector<64x64xf32>
    %af = arith.mulf %acc, %fb : vector<64x64xf32>
    %vv = tile.load %pv[%batch, %kvh, %j, %c0] pad(zero) : !PV
    %e16 = arith.truncf %e : vector<64x64xf32> to vector<64x64xf16>
    %acc_3 = tile.mma %e16, %vv, %af : vector<64x64xf16>, vector<64x64xf16>, vector<64x64xf32>
    scf.yield %l_3, %acc_3, %mn : vector<64x1xf32>, vector<64x64xf32>, vector<64x1xf32>
  }
  %lb = vector.broadcast %l_2 : vector<64x1xf32> to vector<64x64xf32>
  %r = arith.divf %acc_2, %lb : vector<64x64xf32>
  %o = tile.claim %py[%batch, %head, %bx, %c0] : !PY
  tile.store %r, %o : !SY
}
