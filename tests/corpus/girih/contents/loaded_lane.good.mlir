// expect: VERIFIED
// A loaded lane of 0 or 1 in pairs of elements.
!T = !tile.tensor<[N] x i32, shared>
!Y = !tile.tensor<[N] x f32, own>
!PT = !tile.partition<[_], [N] x i32, shared>
!PY = !tile.partition<[_], [N] x f32, own>
!P = !tile.piece<[_] x f32, own>
tile.kernel @loaded_lane(%t: !T, %y: !Y) grid [N] {
  %v = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %i = tile.block_id 0
  %pt = tile.partition %t by [_] : !T
  %py = tile.partition %y by [_] : !Y
  %n = tile.num_tiles %py, 0 : !PY
  %word = tile.load %pt[%i] : !PT
  %number = arith.index_cast %word : i32 to index
  %positive = arith.maxsi %number, %c0 : index
  %lane = arith.remsi %positive, %c2 : index
  %base = arith.muli %i, %c2 : index
  %j = arith.addi %base, %lane : index
  %in = arith.cmpi slt, %j, %n : index
  scf.if %in {
    %out = tile.claim %py[%j] : !PY
    tile.store %v, %out : !P
  }
}
