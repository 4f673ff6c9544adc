// expect: REFUTED claim.disjoint
// source: elliotsayes/faial@c29bf33 examples/drf/racy-alias-shmem3.cu, test.ml
// A pointer to element 3 i of a shared array, read at 3. Rewritten: a thread is
// a block of one element.
!X = !tile.tensor<[N] x f32, shared>
!PX = !tile.partition<[_], [N] x f32, shared>
!Y = !tile.tensor<[Y] x f32, own>
!PY = !tile.partition<[_], [Y] x f32, own>
!SY = !tile.piece<[_] x f32, own>
tile.kernel @racy_alias_shmem3(%x: !X, %y: !Y, %a: f32) symbols [G : index, B : index]
    grid [G, B] requires [3 * N + 3 <= Y] {
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %b = tile.symbol "B" : index
  %n = tile.symbol "N" : index
  %c3 = arith.constant 3 : index
  %v = tile.block_id 0
  %v_2 = arith.muli %v, %b : index
  %v_3 = tile.block_id 1
  %i = arith.addi %v_2, %v_3 : index
  %c = arith.cmpi slt, %i, %n : index
  scf.if %c {
    %w = arith.muli %i, %c3 : index
    %r = arith.addi %w, %c3 : index
    %v_4 = tile.load %px[%i] : !PX
    %s = tile.claim %py[%r] : !PY
    %old = tile.load %s : !SY
    %ax = arith.mulf %a, %v_4 : f32
    %new = arith.addf %ax, %old : f32
    %d = tile.claim %py[%w] : !PY
    tile.store %new, %d : !SY
  }
}
