// expect: VERIFIED
// Every lane inside is written.
!X = !tile.tensor<[N] x f32, shared>
!C = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[4], [N] x f32, shared>
tile.kernel @read_mask(%x: !X, %c: !C) grid [ceildiv(N, 4)] {
  %i = tile.block_id 0
  %four = arith.constant 4 : index
  %n = tile.symbol "N" : index
  %px = tile.partition %x by [4] : !X
  %v = tile.load %px[%i] pad(zero) : !PX
  %start = arith.muli %i, %four : index
  %starts = vector.broadcast %start : index to vector<4xindex>
  %lane = tile.iota 0 : vector<4xindex>
  %at = arith.addi %starts, %lane : vector<4xindex>
  %end = vector.broadcast %n : index to vector<4xindex>
  %inside = arith.cmpi slt, %at, %end : vector<4xindex>
  tile.scatter %v, %c[%at], %inside : vector<4xf32>, !C, vector<4xindex>, vector<4xi1>
}
