// expect: REFUTED claim.disjoint
// source: elliotsayes/faial@c29bf33 examples/drf/racy-kernel-calls-return.cu, test.ml
// An offset that is loaded, and not the same for all threads; taken where it
// lies inside. Rewritten: a thread is a block of one element.
!ARRAY = !tile.tensor<[X] x i32, shared>
!PARRAY = !tile.partition<[_], [X] x i32, shared>
!X = !tile.tensor<[X] x f32, shared>
!PX = !tile.partition<[_], [X] x f32, shared>
!Y = !tile.tensor<[Y] x f32, own>
!PY = !tile.partition<[_], [Y] x f32, own>
!SY = !tile.piece<[_] x f32, own>
tile.kernel @racy_kernel_calls_return(%array: !ARRAY, %x: !X, %y: !Y, %a: f32) symbols [G : index, B : index]
    grid [G, B] requires [G * B <= X] {
  %parray = tile.partition %array by [_] : !ARRAY
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %b = tile.symbol "B" : index
  %c0 = arith.constant 0 : index
  %y_2 = tile.symbol "Y" : index
  %v = tile.block_id 0
  %v_2 = arith.muli %v, %b : index
  %v_3 = tile.block_id 1
  %i = arith.addi %v_2, %v_3 : index
  %o = tile.load %parray[%i] : !PARRAY
  %off = arith.index_cast %o : i32 to index
  %at = arith.addi %i, %off : index
  %c = arith.cmpi sge, %at, %c0 : index
  %c_2 = arith.cmpi slt, %at, %y_2 : index
  %both = arith.andi %c, %c_2 : i1
  scf.if %both {
    %v_4 = tile.load %px[%i] : !PX
    %d = tile.claim %py[%at] : !PY
    %old = tile.load %d : !SY
    %ax = arith.mulf %a, %v_4 : f32
    %new = arith.addf %ax, %old : f32
    tile.store %new, %d : !SY
  }
}
