// expect: VERIFIED
// source: elliotsayes/faial@c29bf33 examples/drf/racy-shared-scalar.cu, test.ml --grid-level
// The scalar is a CUDA block's own, so at the level of the grid nothing races.
// Rewritten: a CUDA block is a block, its 32 threads a loop.
!DATA = !tile.tensor<[G] x i32, own>
!PDATA = !tile.partition<[_], [G] x i32, own>
!SDATA = !tile.piece<[_] x i32, own>
!X = !tile.tensor<[N] x f32, shared>
!PX = !tile.partition<[_], [N] x f32, shared>
!Y = !tile.tensor<[N] x f32, own>
!PY = !tile.partition<[_], [N] x f32, own>
!SY = !tile.piece<[_] x f32, own>
tile.kernel @racy_shared_scalar(%data: !DATA, %x: !X, %y: !Y, %a: f32) grid [G] {
  %pdata = tile.partition %data by [_] : !DATA
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %c32 = arith.constant 32 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.symbol "N" : index
  %c7_i32 = arith.constant 7 : i32
  %g = tile.block_id 0
  %first = arith.muli %g, %c32 : index
  scf.for %t = %c0 to %c32 step %c1 {
    %i = arith.addi %first, %t : index
    %c = arith.cmpi slt, %i, %n : index
    scf.if %c {
      %s = tile.claim %pdata[%g] : !PDATA
      tile.store %c7_i32, %s : !SDATA
      %v = tile.load %px[%i] : !PX
      %s_2 = tile.claim %py[%i] : !PY
      %old = tile.load %s_2 : !SY
      %ax = arith.mulf %a, %v : f32
      %new = arith.addf %ax, %old : f32
      %d = tile.claim %py[%i] : !PY
      tile.store %new, %d : !SY
    }
  }
}
