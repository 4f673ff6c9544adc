// Lanes that are put together on their way to a gather and to scatters: places,
// masks and what is written.
!X = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[M, 16] x f32, out partial>
!C = !tile.tensor<[N] x i32, atomic<add>>
tile.kernel @part_lanes(%x: !X, %y: !Y, %c: !C) grid [M] requires [N <= 4096, M <= 4096] {
  %c16 = arith.constant 16 : index
  %m = tile.block_id 0
  %n = tile.symbol "N" : index
  %one = arith.constant dense<1> : vector<16xi32>
  %two = arith.constant dense<2> : vector<8xi32>
  %lane = tile.iota 0 : vector<16xindex>
  %start = arith.muli %m, %c16 : index
  %starts = vector.broadcast %start : index to vector<16xindex>
  %at = arith.addi %starts, %lane : vector<16xindex>
  %ends = vector.broadcast %n : index to vector<16xindex>
  %there = arith.cmpi slt, %at, %ends : vector<16xindex>
  // The halves in the other order.
  %at0 = tile.extract %at[0] : vector<16xindex> to vector<8xindex>
  %at1 = tile.extract %at[1] : vector<16xindex> to vector<8xindex>
  %there0 = tile.extract %there[0] : vector<16xi1> to vector<8xi1>
  %there1 = tile.extract %there[1] : vector<16xi1> to vector<8xi1>
  %from = tile.cat %at1, %at0, 0 : vector<8xindex>
  %is = tile.cat %there1, %there0, 0 : vector<8xi1>
  %v = tile.gather %x[%from], %is pad(zero) : !X, vector<16xindex>, vector<16xi1>
  %rows = vector.broadcast %m : index to vector<16xindex>
  %lane0 = tile.extract %lane[0] : vector<16xindex> to vector<8xindex>
  %lane1 = tile.extract %lane[1] : vector<16xindex> to vector<8xindex>
  %to = tile.cat %lane1, %lane0, 0 : vector<8xindex>
  tile.scatter %v, %y[%rows, %to], %is : vector<16xf32>, !Y, vector<16xindex>, vector<16xindex>, vector<16xi1>
  tile.atomic_scatter add %one, %c[%from], %is : vector<16xi32>, !C, vector<16xindex>, vector<16xi1>
  tile.atomic_scatter add %two, %c[%at1], %there1 : vector<8xi32>, !C, vector<8xindex>, vector<8xi1>
}
