// expect: VERIFIED
// source: elliotsayes/faial@c29bf33 examples/drf/drf-local-array.cu, test.ml
// A picture of width w: element y * w + x, for x below w. Rewritten: a thread
// is a block of one element.
!G = !tile.tensor<[N] x i32, own>
!PG = !tile.partition<[_], [N] x i32, own>
!SG = !tile.piece<[_] x i32, own>
tile.kernel @drf_local_array(%g: !G) symbols [W : index] grid [32, 32, 16, 16] requires [512 * W <= N] {
  %pg = tile.partition %g by [_] : !G
  %c16 = arith.constant 16 : index
  %w = tile.symbol "W" : index
  %c7_i32 = arith.constant 7 : i32
  %v = tile.block_id 0
  %v_2 = arith.muli %v, %c16 : index
  %v_3 = tile.block_id 2
  %x = arith.addi %v_2, %v_3 : index
  %v_4 = tile.block_id 1
  %v_5 = arith.muli %v_4, %c16 : index
  %v_6 = tile.block_id 3
  %y = arith.addi %v_5, %v_6 : index
  %c = arith.cmpi slt, %x, %w : index
  scf.if %c {
    %v_7 = arith.muli %y, %w : index
    %at = arith.addi %v_7, %x : index
    %d = tile.claim %pg[%at] : !PG
    tile.store %c7_i32, %d : !SG
  }
}
