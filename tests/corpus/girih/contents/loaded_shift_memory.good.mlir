// expect: VERIFIED
// The shift is loaded before the loop from a place that the launch determines, so
// that each block finds the same one: some iteration fits it.
!T = !tile.tensor<[260] x i8, shared>
!Y = !tile.tensor<[4] x f32, out>
!PT = !tile.partition<[_], [260] x i8, shared>
!PY = !tile.partition<[_], [4] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @loaded_shift(%t: !T, %y: !Y) grid [1] {
  %v = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  %c260 = arith.constant 260 : index
  %pt = tile.partition %t by [_] : !T
  %py = tile.partition %y by [_] : !Y
  %byte = tile.load %pt[%c0] : !PT
  %shift = arith.index_cast %byte : i8 to index
  scf.for %k = %c0 to %c260 step %c1 {
    %back = arith.subi %k, %shift : index
    %j = arith.subi %back, %c128 : index
    %low = arith.cmpi sge, %j, %c0 : index
    %high = arith.cmpi slt, %j, %c4 : index
    %in = arith.andi %low, %high : i1
    scf.if %in {
      %out = tile.claim %py[%j] : !PY
      tile.store %v, %out : !P
    }
  }
}
