// expect: VERIFIED
// The sum of each of eight columns, of those that are there.
!X = !tile.tensor<[N] x i32, shared>
!H = !tile.tensor<[B] x i32, atomic<add>>
!PX = !tile.partition<[8], [N] x i32, shared>
tile.kernel @columns(%x: !X, %h: !H) grid [ceildiv(N, 8)] {
  %i = tile.block_id 0
  %b = tile.symbol "B" : index
  %px = tile.partition %x by [8] : !X
  %v = tile.load %px[%i] pad(zero) : !PX
  %at = tile.iota 0 : vector<8xindex>
  %end = vector.broadcast %b : index to vector<8xindex>
  %inside = arith.cmpi slt, %at, %end : vector<8xindex>
  tile.atomic_scatter add %v, %h[%at], %inside : vector<8xi32>, !H, vector<8xindex>, vector<8xi1>
}
