// expect: REFUTED gather.bounds
// twin: listed.good.mlir
// Numbers of the second list are taken as they are, and V is one of them.
!I = !tile.tensor<[N] x i32, shared>
!E = !tile.tensor<[V] x f32, shared>
!C = !tile.tensor<[V] x f32, atomic<add>>
!PI = !tile.partition<[8], [N] x i32, shared>
tile.kernel @listed(%t: !I, %u: !I, %e: !E, %c: !C) grid [ceildiv(N, 8)] given [within(%t, 0, V), within(%u, 1, V + 1)] {
  %c8 = arith.constant 8 : index
  %one = arith.constant dense<1> : vector<8xindex>
  %b = tile.block_id 0
  %n = tile.symbol "N" : index
  %pt = tile.partition %t by [8] : !I
  %pu = tile.partition %u by [8] : !I
  %x = tile.load %pt[%b] pad(zero) : !PI
  %y = tile.load %pu[%b] pad(zero) : !PI
  %xs = arith.index_cast %x : vector<8xi32> to vector<8xindex>
  %ys = arith.index_cast %y : vector<8xi32> to vector<8xindex>
  %from0 = arith.subi %ys, %one : vector<8xindex>
  %at = tile.cat %xs, %ys, 0 : vector<8xindex>
  %lane = tile.iota 0 : vector<8xindex>
  %done = arith.muli %b, %c8 : index
  %left = arith.subi %n, %done : index
  %lefts = vector.broadcast %left : index to vector<8xindex>
  %there = arith.cmpi slt, %lane, %lefts : vector<8xindex>
  %both = tile.cat %there, %there, 0 : vector<8xi1>
  %v = tile.gather %e[%at], %both pad(zero) : !E, vector<16xindex>, vector<16xi1>
  tile.atomic_scatter add %v, %c[%at], %both : vector<16xf32>, !C, vector<16xindex>, vector<16xi1>
}
