// expect: VERIFIED
// Flash attention backward, causal: dk and dv of a tile of keys, over the tiles of
// queries from its own on; lse and delta = sum(o * do) from before
// any B, H, S; bf16, head 64
!Q = !tile.tensor<[B, H, S, 64] x bf16, shared>
!L = !tile.tensor<[B, H, S] x f32, shared>
!D = !tile.tensor<[B, H, S, 64] x bf16, out>
!PQ = !tile.partition<[_, _, 64, 64], [B, H, S, 64] x bf16, shared>
!PL = !tile.partition<[_, _, 64], [B, H, S] x f32, shared>
!PD = !tile.partition<[_, _, 64, 64], [B, H, S, 64] x bf16, out>
!O = !tile.piece<[_, _, 64, 64] x bf16, out>
tile.kernel @flash_bwd_dkdv(%q: !Q, %k: !Q, %v: !Q, %do: !Q, %lse: !L, %delta: !L, %dk: !D, %dv: !D, %scale: f32)
    grid [ceildiv(S, 64), H, B] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %rows = tile.iota 0 : vector<64x64xindex>
  %cols = tile.iota 1 : vector<64x64xindex>
  %scales = vector.broadcast %scale : f32 to vector<64x64xf32>
  %j = tile.block_id 0
  %h = tile.block_id 1
  %b = tile.block_id 2
  %pq = tile.partition %q by [_, _, 64, 64] : !Q
  %pk = tile.partition %k by [_, _, 64, 64] : !Q
  %pv = tile.partition %v by [_, _, 64, 64] : !Q
  %pdo = tile.partition %do by [_, _, 64, 64] : !Q
  %pl = tile.partition %lse by [_, _, 64] : !L
  %pe = tile.partition %delta by [_, _, 64] : !L
  %pdk = tile.partition %dk by [_, _, 64, 64] : !D
  %pdv = tile.partition %dv by [_, _, 64, 64] : !D
  %odk = tile.claim %pdk[%b, %h, %j, %c0] : !PD
  %odv = tile.claim %pdv[%b, %h, %j, %c0] : !PD
  %kt = tile.load %pk[%b, %h, %j, %c0] pad(zero) : !PQ
  %vt = tile.load %pv[%b, %h, %j, %c0] pad(zero) : !PQ
  %kT = vector.transpose %kt, [1, 0] : vector<64x64xbf16> to vector<64x64xbf16>
  %vT = vector.transpose %vt, [1, 0] : vector<64x64xbf16> to vector<64x64xbf16>
  %k0 = arith.muli %j, %c64 : index
  %k0s = vector.broadcast %k0 : index to vector<64x64xindex>
  %kpos = arith.addi %k0s, %cols : vector<64x64xindex>
  %tiles = tile.num_tiles %pq, 2 : !PQ
  %sk, %sv = scf.for %i = %j to %tiles step %c1 iter_args(%ak = %zero, %av = %zero) -> (vector<64x64xf32>, vector<64x64xf32>) {
    %qt = tile.load %pq[%b, %h, %i, %c0] pad(zero) : !PQ
    %dot = tile.load %pdo[%b, %h, %i, %c0] pad(zero) : !PQ
    %l1 = tile.load %pl[%b, %h, %i] pad(pos_inf) : !PL
    %e1 = tile.load %pe[%b, %h, %i] pad(zero) : !PL
    %lc = vector.shape_cast %l1 : vector<64xf32> to vector<64x1xf32>
    %ec = vector.shape_cast %e1 : vector<64xf32> to vector<64x1xf32>
    %l = vector.broadcast %lc : vector<64x1xf32> to vector<64x64xf32>
    %e = vector.broadcast %ec : vector<64x1xf32> to vector<64x64xf32>
    %s = tile.mma %qt, %kT, %zero : vector<64x64xbf16>, vector<64x64xbf16>, vector<64x64xf32>
    %sc = arith.mulf %s, %scales : vector<64x64xf32>
    %d = arith.subf %sc, %l : vector<64x64xf32>
    %p0 = math.exp %d : vector<64x64xf32>
    %q0 = arith.muli %i, %c64 : index
    %q0s = vector.broadcast %q0 : index to vector<64x64xindex>
    %qpos = arith.addi %q0s, %rows : vector<64x64xindex>
    %seen = arith.cmpi sle, %kpos, %qpos : vector<64x64xindex>
    %p = arith.select %seen, %p0, %zero : vector<64x64xi1>, vector<64x64xf32>
    %p16 = arith.truncf %p : vector<64x64xf32> to vector<64x64xbf16>
    %pT = vector.transpose %p16, [1, 0] : vector<64x64xbf16> to vector<64x64xbf16>
    %av1 = tile.mma %pT, %dot, %av : vector<64x64xbf16>, vector<64x64xbf16>, vector<64x64xf32>
    %dp = tile.mma %dot, %vT, %zero : vector<64x64xbf16>, vector<64x64xbf16>, vector<64x64xf32>
    %dpe = arith.subf %dp, %e : vector<64x64xf32>
    %ds0 = arith.mulf %p, %dpe : vector<64x64xf32>
    %ds = arith.mulf %ds0, %scales : vector<64x64xf32>
    %ds16 = arith.truncf %ds : vector<64x64xf32> to vector<64x64xbf16>
    %dsT = vector.transpose %ds16, [1, 0] : vector<64x64xbf16> to vector<64x64xbf16>
    %ak1 = tile.mma %dsT, %qt, %ak : vector<64x64xbf16>, vector<64x64xbf16>, vector<64x64xf32>
    scf.yield %ak1, %av1 : vector<64x64xf32>, vector<64x64xf32>
  }
  %rk = arith.truncf %sk : vector<64x64xf32> to vector<64x64xbf16>
  %rv = arith.truncf %sv : vector<64x64xf32> to vector<64x64xbf16>
  tile.store %rk, %odk : !O
  tile.store %rv, %odv : !O
}
