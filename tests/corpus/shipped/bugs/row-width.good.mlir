// expect: VERIFIED
// source: NVlabs/cuda-oxide, a slice's row width
// All believe in 100.
!Z = !tile.tensor<[N] x f32, own>
!PZ = !tile.partition<[_], [N] x f32, own>
!SZ = !tile.piece<[_] x f32, own>
tile.kernel @row_width(%z: !Z) symbols [P : index] grid [P, 100] requires [P <= 1048576] {
  %pz = tile.partition %z by [_] : !Z
  %c100 = arith.constant 100 : index
  %one = arith.constant 1.0 : f32
  %n = tile.symbol "N" : index
  %r = tile.block_id 0
  %col = tile.block_id 1
  %f = arith.muli %r, %c100 : index
  %at = arith.addi %f, %col : index
  %c = arith.cmpi slt, %col, %c100 : index
  %c_2 = arith.cmpi slt, %at, %n : index
  %both = arith.andi %c, %c_2 : i1
  scf.if %both {
    %o = tile.claim %pz[%at] : !PZ
    tile.store %one, %o : !SZ
  }
}
