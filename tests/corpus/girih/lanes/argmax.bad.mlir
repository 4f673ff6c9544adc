// expect: REFUTED load.bounds
// twin: argmax.good.mlir
// The table is one short.
!X = !tile.tensor<[M, N] x i32, shared>
!T = !tile.tensor<[3] x f32, shared>
!Y = !tile.tensor<[M] x f32, out>
!PX = !tile.partition<[_, 4], [M, N] x i32, shared>
!PT = !tile.partition<[_], [3] x f32, shared>
!PY = !tile.partition<[_], [M] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @choose(%x: !X, %t: !T, %y: !Y) grid [M] {
  %c0 = arith.constant 0 : index
  %i = tile.block_id 0
  %px = tile.partition %x by [_, 4] : !X
  %pt = tile.partition %t by [_] : !T
  %py = tile.partition %y by [_] : !Y
  %n = tile.num_tiles %px, 1 : !PX
  %some = arith.cmpi sgt, %n, %c0 : index
  %zero = arith.constant 0.0 : f32
  %v = scf.if %some -> (f32) {
    %row = tile.load %px[%i, %c0] pad(zero) : !PX
    %first32 = tile.argmax %row, 0 : vector<4xi32>
    %first = arith.index_cast %first32 : i32 to index
    %w = tile.load %pt[%first] : !PT
    scf.yield %w : f32
  } else {
    scf.yield %zero : f32
  }
  %out = tile.claim %py[%i] : !PY
  tile.store %v, %out : !P
}
