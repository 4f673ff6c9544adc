// expect: REFUTED gather.bounds
// twin: turned.good.mlir
// The masks stay where the lanes do not: the last lanes lie behind the end.
!X = !tile.tensor<[N] x f32, shared>
!C = !tile.tensor<[N] x f32, atomic<add>>
tile.kernel @turned(%x: !X, %c: !C) grid [ceildiv(N, 16)] {
  %c16 = arith.constant 16 : index
  %b = tile.block_id 0
  %n = tile.symbol "N" : index
  %lane = tile.iota 0 : vector<16xindex>
  %start = arith.muli %b, %c16 : index
  %starts = vector.broadcast %start : index to vector<16xindex>
  %at = arith.addi %starts, %lane : vector<16xindex>
  %ends = vector.broadcast %n : index to vector<16xindex>
  %there = arith.cmpi slt, %at, %ends : vector<16xindex>
  %at0 = tile.extract %at[0] : vector<16xindex> to vector<8xindex>
  %at1 = tile.extract %at[1] : vector<16xindex> to vector<8xindex>
  %there0 = tile.extract %there[0] : vector<16xi1> to vector<8xi1>
  %there1 = tile.extract %there[1] : vector<16xi1> to vector<8xi1>
  %from = tile.cat %at1, %at0, 0 : vector<8xindex>
  %is = tile.cat %there0, %there1, 0 : vector<8xi1>
  %v = tile.gather %x[%from], %is pad(zero) : !X, vector<16xindex>, vector<16xi1>
  tile.atomic_scatter add %v, %c[%from], %is : vector<16xf32>, !C, vector<16xindex>, vector<16xi1>
}
