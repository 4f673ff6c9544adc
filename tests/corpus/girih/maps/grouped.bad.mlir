// expect: REFUTED map.into
// twin: grouped.good.mlir
// As if the last group were as large as the others.
!C = !tile.tensor<[M, N] x f32, out>
!PC = !tile.partition<[16, 32], [M, N] x f32, out>
!P = !tile.piece<[16, 32] x f32, out>
tile.map @grouped(%t) [rows, cols, group] -> (index, index)
    from [rows * cols] into [rows, cols] bijective {
  %rows = tile.symbol "rows" : index
  %cols = tile.symbol "cols" : index
  %group = tile.symbol "group" : index
  %band = arith.muli %group, %cols : index
  %one = arith.constant 1 : index
  %some = arith.cmpi sge, %cols, %one : index
  tile.prove %some, "there is a column" : i1
  %wide = arith.cmpi sge, %band, %group : index
  tile.prove %wide, "a band is a row at least" : i1
  %g = arith.divsi %t, %band : index
  %w = arith.remsi %t, %band : index
  %first = arith.muli %g, %group : index
  %left = arith.subi %rows, %first : index
  %size = arith.minsi %group, %group : index
  %r = arith.remsi %w, %size : index
  %j = arith.divsi %w, %size : index
  %i = arith.addi %first, %r : index
  tile.yield %i, %j
} inverse (%i, %j) {
  %rows = tile.symbol "rows" : index
  %cols = tile.symbol "cols" : index
  %group = tile.symbol "group" : index
  %g = arith.divsi %i, %group : index
  %r = arith.remsi %i, %group : index
  %first = arith.muli %g, %group : index
  %left = arith.subi %rows, %first : index
  %size = arith.minsi %group, %group : index
  %c1 = arith.constant 1 : index
  %any = arith.cmpi sge, %size, %c1 : index
  tile.prove %any, "a group has a row" : i1
  %before = arith.muli %first, %cols : index
  %column = arith.muli %j, %size : index
  %a = arith.addi %before, %column : index
  %t = arith.addi %a, %r : index
  tile.yield %t
}
tile.kernel @grouped_order(%c: !C) symbols [G : index]
    grid [ceildiv(M, 16) * ceildiv(N, 32)]
    requires [G >= 1, G * ceildiv(N, 32) < 2147483648] {
  %v = arith.constant dense<1.0> : vector<16x32xf32>
  %t = tile.block_id 0
  %group = tile.symbol "G" : index
  %pc = tile.partition %c by [16, 32] : !C
  %rows = tile.num_tiles %pc, 0 : !PC
  %cols = tile.num_tiles %pc, 1 : !PC
  %i, %j = tile.apply @grouped(%t) [%rows, %cols, %group] : index, index
  %out = tile.claim %pc[%i, %j] : !PC
  tile.store %v, %out : !P
}
