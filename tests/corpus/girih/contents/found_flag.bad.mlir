// expect: REFUTED gather.bounds
// twin: found_flag.good.mlir
// Only where a gathered flag is 77 is the next element read: contents with that
// flag in the last place show that there is none.
!F = !tile.tensor<[N] x i8, shared>
!X = !tile.tensor<[N] x f32, shared>
tile.kernel @found(%flags: !F, %x: !X) grid [ceildiv(N, 8)] {
  %c8 = arith.constant 8 : index
  %b = tile.block_id 0
  %n = tile.symbol "N" : index
  %first = arith.muli %b, %c8 : index
  %firsts = vector.broadcast %first : index to vector<8xindex>
  %lanes = tile.iota 0 : vector<8xindex>
  %at = arith.addi %firsts, %lanes : vector<8xindex>
  %ends = vector.broadcast %n : index to vector<8xindex>
  %real = arith.cmpi slt, %at, %ends : vector<8xindex>
  %flag = tile.gather %flags[%at], %real pad(zero) : !F, vector<8xindex>, vector<8xi1>
  %mark = arith.constant dense<77> : vector<8xi8>
  %set = arith.cmpi eq, %flag, %mark : vector<8xi8>
  %ones = arith.constant dense<1> : vector<8xindex>
  %next = arith.addi %at, %ones : vector<8xindex>
  %v = tile.gather %x[%next], %set pad(zero) : !X, vector<8xindex>, vector<8xi1>
}
