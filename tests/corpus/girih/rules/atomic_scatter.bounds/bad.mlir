// expect: REFUTED atomic_scatter.bounds
// twin: good.mlir
// The sum of each of eight columns, and there may be fewer of them.
!X = !tile.tensor<[N] x i32, shared>
!H = !tile.tensor<[B] x i32, atomic<add>>
!PX = !tile.partition<[8], [N] x i32, shared>
tile.kernel @columns(%x: !X, %h: !H) grid [ceildiv(N, 8)] {
  %i = tile.block_id 0
  %px = tile.partition %x by [8] : !X
  %v = tile.load %px[%i] pad(zero) : !PX
  %at = tile.iota 0 : vector<8xindex>
  tile.atomic_scatter add %v, %h[%at] : vector<8xi32>, !H, vector<8xindex>
}
