// expect: VERIFIED
// source: elliotsayes/faial@c29bf33 examples/drf/drf-typedef.cu, test.ml
// An index into x that is loaded from y; where it lies outside x nothing is
// read, since bounds are not the question there. Rewritten: a thread is a block
// of one element.
!X = !tile.tensor<[X] x f32, shared>
!PX = !tile.partition<[_], [X] x f32, shared>
!Y = !tile.tensor<[N] x i32, own>
!PY = !tile.partition<[_], [N] x i32, own>
!SY = !tile.piece<[_] x i32, own>
tile.kernel @drf_typedef(%x: !X, %y: !Y) symbols [G : index, B : index] grid [G, B] {
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %b = tile.symbol "B" : index
  %n = tile.symbol "N" : index
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %x_2 = tile.symbol "X" : index
  %c1_i32 = arith.constant 1 : i32
  %v = tile.block_id 0
  %v_2 = arith.muli %v, %b : index
  %v_3 = tile.block_id 1
  %i = arith.addi %v_2, %v_3 : index
  %c = arith.cmpi slt, %i, %n : index
  scf.if %c {
    %d = tile.claim %py[%i] : !PY
    %j = tile.load %d : !SY
    %at = arith.index_cast %j : i32 to index
    %c_2 = arith.cmpi sge, %at, %c0 : index
    %c_3 = arith.cmpi slt, %at, %x_2 : index
    %both = arith.andi %c_2, %c_3 : i1
    %v_4 = scf.if %both -> (f32) {
      %v_5 = tile.load %px[%at] : !PX
      scf.yield %v_5 : f32
    } else {
      scf.yield %one : f32
    }
    %k = arith.addi %j, %c1_i32 : i32
    tile.store %k, %d : !SY
  }
}
