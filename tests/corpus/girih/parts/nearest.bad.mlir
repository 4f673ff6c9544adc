// expect: REFUTED gather.bounds
// twin: nearest.good.mlir
// Of a lane 8 of the first half, if there were one, the mask would be true, and
// what is given would say that there is an element 0.
!T = !tile.tensor<[N] x i32, shared>
!E = !tile.tensor<[V] x f32, shared>
!C = !tile.tensor<[16] x f32, atomic<add>>
tile.kernel @nearest(%t: !T, %e: !E, %c: !C) grid [1] given [within(%t, 0, V)] {
  %eight = arith.constant dense<8> : vector<8xindex>
  %eights = arith.constant dense<8> : vector<16xindex>
  %none = arith.constant dense<0> : vector<8xindex>
  %lane = tile.iota 0 : vector<8xindex>
  %lanes = tile.iota 0 : vector<16xindex>
  %never = arith.cmpi sge, %lane, %eight : vector<8xindex>
  %x = tile.gather %t[%lane], %never pad(zero) : !T, vector<8xindex>, vector<8xi1>
  %xs = arith.index_cast %x : vector<8xi32> to vector<8xindex>
  %at = tile.cat %xs, %none, 0 : vector<8xindex>
  %second = arith.cmpi sge, %lanes, %eights : vector<16xindex>
  %v = tile.gather %e[%at], %second pad(zero) : !E, vector<16xindex>, vector<16xi1>
  tile.atomic_scatter add %v, %c[%lanes] : vector<16xf32>, !C, vector<16xindex>
}
