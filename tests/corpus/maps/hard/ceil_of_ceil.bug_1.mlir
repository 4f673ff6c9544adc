// expect: REFUTED prove.holds
// twin: ceil_of_ceil.mlir
// The outer one is rounded down: a planted bug in ceil_of_ceil.mlir.
tile.kernel @hard_ceil_of_ceil()
    symbols [a : index, b : index, c : index] grid [1]
    requires [b >= 1, c >= 1, b * c <= 2147483647] {
  %a = tile.symbol "a" : index
  %b = tile.symbol "b" : index
  %c = tile.symbol "c" : index
  %x_0 = arith.ceildivsi %a, %b : index
  %x = arith.divsi %x_0, %c : index
  %y_0 = arith.muli %b, %c : index
  %y = arith.ceildivsi %a, %y_0 : index
  %fact_0 = arith.cmpi eq, %x, %y : index
  tile.prove %fact_0, "rounded up" : i1
  %u_0 = arith.divsi %a, %b : index
  %u = arith.divsi %u_0, %c : index
  %v_0 = arith.muli %b, %c : index
  %v = arith.divsi %a, %v_0 : index
  %fact_1 = arith.cmpi eq, %u, %v : index
  tile.prove %fact_1, "rounded down" : i1
}
