// expect: VERIFIED
// source: NVlabs/cutile-rs, partition_mut of a piece
// Clipped at the piece too.
!Z = !tile.tensor<[N] x f32, own>
!PZ = !tile.partition<[_], [N] x f32, own>
!SZ = !tile.piece<[_] x f32, own>
tile.kernel @nested_frame(%z: !Z) symbols [P : index] grid [P] requires [P <= 1048576] {
  %pz = tile.partition %z by [_] : !Z
  %c50 = arith.constant 50 : index
  %value = arith.constant 7.0 : f32
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %n = tile.symbol "N" : index
  %y = tile.block_id 0
  %first = arith.muli %y, %c50 : index
  scf.for %j = %c0 to %c4 step %c1 {
    %inner = arith.muli %j, %c16 : index
    scf.for %l = %c0 to %c16 step %c1 {
      %at = arith.addi %inner, %l : index
      %col = arith.addi %first, %at : index
      %c = arith.cmpi slt, %at, %c50 : index
      %c_2 = arith.cmpi slt, %col, %n : index
      %both = arith.andi %c, %c_2 : i1
      scf.if %both {
        %o = tile.claim %pz[%col] : !PZ
        tile.store %value, %o : !SZ
      }
    }
  }
}
