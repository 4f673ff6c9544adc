// expect: VERIFIED
// source: elliotsayes/faial@c29bf33 examples/drf/racy-grid-level.cu, test.ml
// y[threadIdx], one CUDA block of 2024 threads. Rewritten: a thread is a block
// of one element.
!X = !tile.tensor<[N] x f32, shared>
!PX = !tile.partition<[_], [N] x f32, shared>
!Y = !tile.tensor<[N] x f32, own>
!PY = !tile.partition<[_], [N] x f32, own>
!SY = !tile.piece<[_] x f32, own>
tile.kernel @racy_grid_level(%x: !X, %y: !Y, %a: f32) grid [2024] {
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %n = tile.symbol "N" : index
  %i = tile.block_id 0
  %c = arith.cmpi slt, %i, %n : index
  scf.if %c {
    %v = tile.load %px[%i] : !PX
    %s = tile.claim %py[%i] : !PY
    %old = tile.load %s : !SY
    %ax = arith.mulf %a, %v : f32
    %new = arith.addf %ax, %old : f32
    %d = tile.claim %py[%i] : !PY
    tile.store %new, %d : !SY
  }
}
