// expect: VERIFIED
// Decode attention over a paged cache in int8 with a scale for each (slot, head);
// page of position t of sequence b is table[b, t / 64]; one split
// any B, G, M, N; R from 1 to 16 query heads a KV head
!Q = !tile.tensor<[B, G, R, 128] x bf16, shared>
!K = !tile.tensor<[N, 64, G, 128] x i8, shared>
!KS = !tile.tensor<[N, 64, G] x f32, shared>
!I = !tile.tensor<[B] x i32, shared>
!J = !tile.tensor<[B, M] x i32, shared>
!Y = !tile.tensor<[B, G, R, 128] x bf16, out>
!KV = !tile.tensor<[N, ?, G, 128] x i8, shared>
!SV = !tile.tensor<[N, ?, G] x f32, shared>
!PQ = !tile.partition<[_, _, 16, 128], [B, G, R, 128] x bf16, shared>
!PK = !tile.partition<[_, 64, _, 128], [N, ?, G, 128] x i8, shared>
!PS = !tile.partition<[_, 64, _], [N, ?, G] x f32, shared>
!PI = !tile.partition<[_], [B] x i32, shared>
!PJ = !tile.partition<[_, _], [B, M] x i32, shared>
!PY = !tile.partition<[_, _, 16, 128], [B, G, R, 128] x bf16, out>
!O = !tile.piece<[_, _, 16, 128] x bf16, out>
func.func private @dequant(%x: vector<64x128xi8>, %s: vector<64xf32>) -> vector<64x128xbf16> {
  %f = arith.sitofp %x : vector<64x128xi8> to vector<64x128xf32>
  %c = vector.shape_cast %s : vector<64xf32> to vector<64x1xf32>
  %b = vector.broadcast %c : vector<64x1xf32> to vector<64x128xf32>
  %m = arith.mulf %f, %b : vector<64x128xf32>
  %r = arith.truncf %m : vector<64x128xf32> to vector<64x128xbf16>
  func.return %r : vector<64x128xbf16>
}
tile.kernel @paged_int8_decode(%q: !Q, %k: !K, %ks: !KS, %v: !K, %vs: !KS, %table: !J, %lengths: !I, %y: !Y, %scale: f32)
    grid [B, G] requires [R >= 1, R <= 16]
    given [within(%table, 0, N), within(%lengths, 0, 64 * M + 1)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<16x128xf32>
  %nothing = arith.constant dense<0.0> : vector<16x64xf32>
  %never = arith.constant dense<0xFF800000> : vector<16x64xf32>
  %floor = arith.constant dense<-1.0e30> : vector<16x1xf32>
  %none = arith.constant dense<0.0> : vector<16x1xf32>
  %tiny = arith.constant dense<1.0e-30> : vector<16x1xf32>
  %cols = tile.iota 1 : vector<16x64xindex>
  %scales = vector.broadcast %scale : f32 to vector<16x64xf32>
  %b = tile.block_id 0
  %g = tile.block_id 1
  %pl = tile.partition %lengths by [_] : !I
  %pt = tile.partition %table by [_, _] : !J
  %pq = tile.partition %q by [_, _, 16, 128] : !Q
  %py = tile.partition %y by [_, _, 16, 128] : !Y
  %out = tile.claim %py[%b, %g, %c0, %c0] : !PY
  %length32 = tile.load %pl[%b] : !PI
  %length = arith.index_cast %length32 : i32 to index
  %pages = arith.ceildivsi %length, %c64 : index
  %query = tile.load %pq[%b, %g, %c0, %c0] pad(zero) : !PQ
  %m_, %sum, %total = scf.for %j = %c0 to %pages step %c1 iter_args(%m = %floor, %l = %none, %acc = %zero)
      -> (vector<16x1xf32>, vector<16x1xf32>, vector<16x128xf32>) {
    %page32 = tile.load %pt[%b, %j] : !PJ
    %page = arith.index_cast %page32 : i32 to index
    %done = arith.muli %j, %c64 : index
    %rest = arith.subi %length, %done : index
    %some = arith.minsi %rest, %c64 : index
    %kv = tile.view %k slice [0, 0, 0, 0] size [N, %some, G, 128] : !K
    %vv = tile.view %v slice [0, 0, 0, 0] size [N, %some, G, 128] : !K
    %ksv = tile.view %ks slice [0, 0, 0] size [N, %some, G] : !KS
    %vsv = tile.view %vs slice [0, 0, 0] size [N, %some, G] : !KS
    %pk = tile.partition %kv by [_, 64, _, 128] : !KV
    %pv = tile.partition %vv by [_, 64, _, 128] : !KV
    %pks = tile.partition %ksv by [_, 64, _] : !SV
    %pvs = tile.partition %vsv by [_, 64, _] : !SV
    %k8 = tile.load %pk[%page, %c0, %g, %c0] pad(zero) : !PK
    %k8s = tile.load %pks[%page, %c0, %g] pad(zero) : !PS
    %kt = func.call @dequant(%k8, %k8s) : (vector<64x128xi8>, vector<64xf32>) -> vector<64x128xbf16>
    %kT = vector.transpose %kt, [1, 0] : vector<64x128xbf16> to vector<128x64xbf16>
    %s0 = tile.mma %query, %kT, %nothing : vector<16x128xbf16>, vector<128x64xbf16>, vector<16x64xf32>
    %s1 = arith.mulf %s0, %scales : vector<16x64xf32>
    %somes = vector.broadcast %some : index to vector<16x64xindex>
    %seen = arith.cmpi slt, %cols, %somes : vector<16x64xindex>
    %score = arith.select %seen, %s1, %never : vector<16x64xi1>, vector<16x64xf32>
    %top = tile.reduce max %score, 1 keep : vector<16x64xf32>
    %m1 = arith.maximumf %m, %top : vector<16x1xf32>
    %m1s = vector.broadcast %m1 : vector<16x1xf32> to vector<16x64xf32>
    %d = arith.subf %score, %m1s : vector<16x64xf32>
    %p = math.exp %d : vector<16x64xf32>
    %fall = arith.subf %m, %m1 : vector<16x1xf32>
    %alpha = math.exp %fall : vector<16x1xf32>
    %ps = tile.reduce add %p, 1 keep : vector<16x64xf32>
    %l1 = math.fma %l, %alpha, %ps : vector<16x1xf32>
    %alphas = vector.broadcast %alpha : vector<16x1xf32> to vector<16x128xf32>
    %kept = arith.mulf %acc, %alphas : vector<16x128xf32>
    %p16 = arith.truncf %p : vector<16x64xf32> to vector<16x64xbf16>
    %v8 = tile.load %pv[%page, %c0, %g, %c0] pad(zero) : !PK
    %v8s = tile.load %pvs[%page, %c0, %g] pad(zero) : !PS
    %vt = func.call @dequant(%v8, %v8s) : (vector<64x128xi8>, vector<64xf32>) -> vector<64x128xbf16>
    %acc1 = tile.mma %p16, %vt, %kept : vector<16x64xbf16>, vector<64x128xbf16>, vector<16x128xf32>
    scf.yield %m1, %l1, %acc1 : vector<16x1xf32>, vector<16x1xf32>, vector<16x128xf32>
  }
  %safe = arith.maximumf %sum, %tiny : vector<16x1xf32>
  %ls = vector.broadcast %safe : vector<16x1xf32> to vector<16x128xf32>
  %r = arith.divf %total, %ls : vector<16x128xf32>
  %r16 = arith.truncf %r : vector<16x128xf32> to vector<16x128xbf16>
  tile.store %r16, %out : !O
}
