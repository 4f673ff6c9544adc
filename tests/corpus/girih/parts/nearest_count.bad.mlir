// expect: REFUTED atomic_scatter.bounds
// twin: nearest_count.good.mlir
// Nothing says that there is an element 0.
!T = !tile.tensor<[N] x i8, shared>
!C = !tile.tensor<[V] x i32, atomic<add>>
tile.kernel @nearest_count(%t: !T, %c: !C) grid [1] given [within(%t, 0, V)] {
  %four = arith.constant dense<4> : vector<2x4xindex>
  %fours = arith.constant dense<4> : vector<2x8xindex>
  %none = arith.constant dense<0> : vector<2x4xindex>
  %one = arith.constant dense<1> : vector<2x8xi32>
  %lane = tile.iota 1 : vector<2x4xindex>
  %lanes = tile.iota 1 : vector<2x8xindex>
  %never = arith.cmpi sge, %lane, %four : vector<2x4xindex>
  %x = tile.gather %t[%lane], %never pad(zero) : !T, vector<2x4xindex>, vector<2x4xi1>
  %xs = arith.index_cast %x : vector<2x4xi8> to vector<2x4xindex>
  %at = tile.cat %xs, %none, 1 : vector<2x4xindex>
  %second = arith.cmpi sge, %lanes, %fours : vector<2x8xindex>
  tile.atomic_scatter add %one, %c[%at], %second : vector<2x8xi32>, !C, vector<2x8xindex>, vector<2x8xi1>
}
