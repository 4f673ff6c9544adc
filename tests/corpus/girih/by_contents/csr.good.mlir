// expect: VERIFIED
// A block a row of a sparse matrix: the rows split the elements.
!R = !tile.tensor<[M1] x i32, shared>
!X = !tile.tensor<[E] x f32, shared>
!Y = !tile.tensor<[E] x f32, out>
!PR = !tile.partition<[_], [M1] x i32, shared>
!PX = !tile.partition<[_], [E] x f32, shared>
!PY = !tile.partition<[_], [E] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @scale_rows(%row: !R, %x: !X, %y: !Y) grid [M1 - 1] requires [M1 >= 1]
    given [splits(%row, E)] {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %next = arith.addi %i, %c1 : index
  %pr = tile.partition %row by [_] : !R
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %lo32 = tile.load %pr[%i] : !PR
  %hi32 = tile.load %pr[%next] : !PR
  %lo = arith.index_cast %lo32 : i32 to index
  %hi = arith.index_cast %hi32 : i32 to index
  scf.for %e = %lo to %hi step %c1 {
    %out = tile.claim %py[%e] : !PY
    %v = tile.load %px[%e] : !PX
    tile.store %v, %out : !P
  }
}
