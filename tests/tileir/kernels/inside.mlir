// Masks of tiles that exist and of tiles that do not: the index is whatever
// stands in %t, of 64 bits, and the last axis has a tile of one element.
!T = !tile.tensor<[K] x i64, shared>
!X = !tile.tensor<[M, N, L] x f32, shared>
!Y = !tile.tensor<[K, 8, 16] x i32, out>
!Z = !tile.tensor<[K] x i32, out>
!PT = !tile.partition<[_], [K] x i64, shared>
!PX = !tile.partition<[8, 16, _], [M, N, L] x f32, shared>
!PX1 = !tile.partition<[_, _, _], [M, N, L] x f32, shared>
!PY = !tile.partition<[_, 8, 16], [K, 8, 16] x i32, out>
!PZ = !tile.partition<[_], [K] x i32, out>
!P = !tile.piece<[_, 8, 16] x i32, out>
!Q = !tile.piece<[_] x i32, out>
tile.kernel @inside(%t: !T, %x: !X, %y: !Y, %z: !Z) symbols [at : i64] grid [K]
    requires [K <= 64, M * N * L <= 4096] {
  %c0 = arith.constant 0 : index
  %four = arith.constant dense<4> : vector<8x16xi32>
  %two = arith.constant dense<2> : vector<8x16xi32>
  %b = tile.block_id 0
  %at = tile.symbol "at" : i64
  %px = tile.partition %x by [8, 16, _] : !X
  %p1 = tile.partition %x by [_, _, _] : !X
  %pt = tile.partition %t by [_] : !T
  %py = tile.partition %y by [_, 8, 16] : !Y
  %pz = tile.partition %z by [_] : !Z
  %oy = tile.claim %py[%b, %c0, %c0] : !PY
  %oz = tile.claim %pz[%b] : !PZ
  %n = tile.load %pt[%b] : !PT
  %i = arith.index_cast %n : i64 to index
  %j = arith.index_cast %at : i64 to index
  %u = tile.inside %px[%i, %c0, %c0] : !PX
  %v = tile.inside %px[%b, %j, %c0] : !PX
  %w = tile.inside %px[%c0, %b, %b] : !PX
  %u1 = arith.extui %u : vector<8x16xi1> to vector<8x16xi32>
  %v1 = arith.extui %v : vector<8x16xi1> to vector<8x16xi32>
  %w1 = arith.extui %w : vector<8x16xi1> to vector<8x16xi32>
  %v2 = arith.muli %v1, %two : vector<8x16xi32>
  %w4 = arith.muli %w1, %four : vector<8x16xi32>
  %uv = arith.addi %u1, %v2 : vector<8x16xi32>
  %uvw = arith.addi %uv, %w4 : vector<8x16xi32>
  %o = tile.inside %p1[%c0, %b, %i] : !PX1
  %o1 = arith.extui %o : i1 to i32
  tile.store %uvw, %oy : !P
  tile.store %o1, %oz : !Q
}
