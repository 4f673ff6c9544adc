// expect: REFUTED claim.disjoint
// twin: row-width.good.mlir
// source: NVlabs/cuda-oxide, a slice's row width
// Half of the blocks believe in rows of 5, half in rows of 100.
!Z = !tile.tensor<[N] x f32, own>
!PZ = !tile.partition<[_], [N] x f32, own>
!SZ = !tile.piece<[_] x f32, own>
tile.kernel @row_width(%z: !Z) symbols [P : index] grid [P, 100] requires [P <= 1048576] {
  %pz = tile.partition %z by [_] : !Z
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c100 = arith.constant 100 : index
  %one = arith.constant 1.0 : f32
  %n = tile.symbol "N" : index
  %r = tile.block_id 0
  %even = arith.remsi %r, %c2 : index
  %w = arith.cmpi eq, %even, %c0 : index
  %width = arith.select %w, %c5, %c100 : index
  %half = arith.divsi %r, %c2 : index
  %col = tile.block_id 1
  %f = arith.muli %half, %width : index
  %at = arith.addi %f, %col : index
  %c = arith.cmpi slt, %col, %width : index
  %c_2 = arith.cmpi slt, %at, %n : index
  %both = arith.andi %c, %c_2 : i1
  scf.if %both {
    %o = tile.claim %pz[%at] : !PZ
    tile.store %one, %o : !SZ
  }
}
