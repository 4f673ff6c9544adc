// expect: VERIFIED
// source: elliotsayes/faial@c29bf33 examples/drf/drf-enum-constraint.cu, test.ml
// Every fourth thread reads its element and writes up to two further on, by a
// mode in 0, 1, 2. Rewritten: a thread is a block of one element.
!X = !tile.tensor<[X] x f32, shared>
!PX = !tile.partition<[_], [X] x f32, shared>
!Y = !tile.tensor<[Y] x f32, own>
!PY = !tile.partition<[_], [Y] x f32, own>
!SY = !tile.piece<[_] x f32, own>
tile.kernel @drf_enum_constraint(%x: !X, %y: !Y, %a: f32) symbols [B : index, MODE : index]
    grid [B] requires [MODE < 3, B <= X, B + 2 <= Y] {
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %mode = tile.symbol "MODE" : index
  %i = tile.block_id 0
  %r = arith.remsi %i, %c4 : index
  %c = arith.cmpi eq, %r, %c0 : index
  scf.if %c {
    %w = arith.addi %i, %mode : index
    %v = tile.load %px[%i] : !PX
    %s = tile.claim %py[%i] : !PY
    %old = tile.load %s : !SY
    %ax = arith.mulf %a, %v : f32
    %new = arith.addf %ax, %old : f32
    %d = tile.claim %py[%w] : !PY
    tile.store %new, %d : !SY
  }
}
