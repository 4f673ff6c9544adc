// expect: REFUTED claim.disjoint
// source: elliotsayes/faial@c29bf33 examples/drf/racy-shared-mem-2.cu, test.ml
// A shared array in a helper. Rewritten: a thread is a block of one element.
!X = !tile.tensor<[N] x f32, shared>
!PX = !tile.partition<[_], [N] x f32, shared>
!Y = !tile.tensor<[Y] x f32, own>
!PY = !tile.partition<[_], [Y] x f32, own>
!SY = !tile.piece<[_] x f32, own>
tile.kernel @racy_shared_mem_2(%x: !X, %y: !Y, %a: f32) symbols [G : index, B : index]
    grid [G, B] requires [1 * N + 1 <= Y] {
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %b = tile.symbol "B" : index
  %n = tile.symbol "N" : index
  %c1 = arith.constant 1 : index
  %v = tile.block_id 0
  %v_2 = arith.muli %v, %b : index
  %v_3 = tile.block_id 1
  %i = arith.addi %v_2, %v_3 : index
  %c = arith.cmpi slt, %i, %n : index
  scf.if %c {
    %r = arith.addi %i, %c1 : index
    %v_4 = tile.load %px[%i] : !PX
    %s = tile.claim %py[%r] : !PY
    %old = tile.load %s : !SY
    %ax = arith.mulf %a, %v_4 : f32
    %new = arith.addf %ax, %old : f32
    %d = tile.claim %py[%i] : !PY
    tile.store %new, %d : !SY
  }
}
