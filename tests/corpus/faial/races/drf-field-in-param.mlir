// expect: VERIFIED
// source: elliotsayes/faial@c29bf33 examples/drf/drf-field-in-param.cu, file name
// A uniform offset from a parameter (listed as unsupported there). Rewritten: a
// thread is a block of one element.
!Y = !tile.tensor<[Y] x f32, own>
!PY = !tile.partition<[_], [Y] x f32, own>
!SY = !tile.piece<[_] x f32, own>
tile.kernel @drf_field_in_param(%y: !Y) symbols [B : index, FX : index] grid [B] requires [B + FX <= Y] {
  %py = tile.partition %y by [_] : !Y
  %fx = tile.symbol "FX" : index
  %value = arith.constant 2.0 : f32
  %v = tile.block_id 0
  %i = arith.addi %v, %fx : index
  %d = tile.claim %py[%i] : !PY
  %v_2 = tile.load %d : !SY
  %w = arith.mulf %v_2, %value : f32
  tile.store %w, %d : !SY
}
