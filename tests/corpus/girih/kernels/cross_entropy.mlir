// expect: VERIFIED
// loss[m] = logsumexp(x[m]) - x[m, label[m]], dx = softmax(x) - onehot; label -100 is ignored
// any M and V, labels in -100..V-1
!X = !tile.tensor<[M, V] x f32, shared>
!L = !tile.tensor<[M] x i32, shared>
!Y = !tile.tensor<[M] x f32, out>
!D = !tile.tensor<[M, V] x f32, out>
!PX = !tile.partition<[_, 1024], [M, V] x f32, shared>
!P1 = !tile.partition<[_, _], [M, V] x f32, shared>
!PL = !tile.partition<[_], [M] x i32, shared>
!PY = !tile.partition<[_], [M] x f32, out>
!PD = !tile.partition<[_, 1024], [M, V] x f32, out>
!O = !tile.piece<[_] x f32, out>
!OD = !tile.piece<[_, 1024] x f32, out>
tile.kernel @cross_entropy(%x: !X, %labels: !L, %loss: !Y, %dx: !D) grid [M]
    given [within(%labels, -100, V)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f32
  %ones = arith.constant dense<1.0> : vector<1024xf32>
  %zeros = arith.constant dense<0.0> : vector<1024xf32>
  %floor = arith.constant dense<-1.0e30> : vector<1024xf32>
  %lane = tile.iota 0 : vector<1024xindex>
  %m = tile.block_id 0
  %px = tile.partition %x by [_, 1024] : !X
  %p1 = tile.partition %x by [_, _] : !X
  %pl = tile.partition %labels by [_] : !L
  %py = tile.partition %loss by [_] : !Y
  %pd = tile.partition %dx by [_, 1024] : !D
  %out = tile.claim %py[%m] : !PY
  %tiles = tile.num_tiles %px, 1 : !PX
  %max, %sums = scf.for %k = %c0 to %tiles step %c1 iter_args(%mx = %floor, %s = %zeros) -> (vector<1024xf32>, vector<1024xf32>) {
    %t = tile.load %px[%m, %k] pad(neg_inf) : !PX
    %m1 = arith.maximumf %mx, %t : vector<1024xf32>
    %f = arith.subf %mx, %m1 : vector<1024xf32>
    %a = math.exp %f : vector<1024xf32>
    %g = arith.subf %t, %m1 : vector<1024xf32>
    %e = math.exp %g : vector<1024xf32>
    %s1 = math.fma %s, %a, %e : vector<1024xf32>
    scf.yield %m1, %s1 : vector<1024xf32>, vector<1024xf32>
  }
  %top = tile.reduce max %max, 0 : vector<1024xf32>
  %tops = vector.broadcast %top : f32 to vector<1024xf32>
  %fall = arith.subf %max, %tops : vector<1024xf32>
  %scale = math.exp %fall : vector<1024xf32>
  %scaled = arith.mulf %sums, %scale : vector<1024xf32>
  %sum = tile.reduce add %scaled, 0 : vector<1024xf32>
  %log = math.log %sum : f32
  %lse = arith.addf %log, %top : f32
  %lses = vector.broadcast %lse : f32 to vector<1024xf32>
  %label32 = tile.load %pl[%m] : !PL
  %label = arith.index_cast %label32 : i32 to index
  %valid = arith.cmpi sge, %label, %c0 : index
  %l = scf.if %valid -> (f32) {
    %at = tile.load %p1[%m, %label] : !P1
    %d = arith.subf %lse, %at : f32
    scf.yield %d : f32
  } else {
    scf.yield %zero : f32
  }
  tile.store %l, %out : !O
  %validf = arith.uitofp %valid : i1 to f32
  %valids = vector.broadcast %validf : f32 to vector<1024xf32>
  %labels_ = vector.broadcast %label : index to vector<1024xindex>
  scf.for %k = %c0 to %tiles step %c1 {
    %outd = tile.claim %pd[%m, %k] : !PD
    %t = tile.load %px[%m, %k] pad(neg_inf) : !PX
    %g = arith.subf %t, %lses : vector<1024xf32>
    %p = math.exp %g : vector<1024xf32>
    %first = arith.muli %k, %c1024 : index
    %firsts = vector.broadcast %first : index to vector<1024xindex>
    %pos = arith.addi %firsts, %lane : vector<1024xindex>
    %hit = arith.cmpi eq, %pos, %labels_ : vector<1024xindex>
    %less = arith.subf %p, %ones : vector<1024xf32>
    %d = arith.select %hit, %less, %p : vector<1024xi1>, vector<1024xf32>
    %dm = arith.mulf %d, %valids : vector<1024xf32>
    tile.store %dm, %outd : !OD
  }
}
