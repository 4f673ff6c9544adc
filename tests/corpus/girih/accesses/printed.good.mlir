// expect: VERIFIED
// Prints before and behind a store, and the number of a block whose tile is not
// whole: what is printed is no fact and owes nothing.
!X = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[16], [N] x f32, shared>
!PY = !tile.partition<[16], [N] x f32, out>
!P = !tile.piece<[16] x f32, out>
tile.kernel @printed(%x: !X, %y: !Y) grid [ceildiv(N, 16)] {
  %i = tile.block_id 0
  %n = tile.symbol "N" : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %px = tile.partition %x by [16] : !X
  %py = tile.partition %y by [16] : !Y
  %v = tile.load %px[%i] pad(zero) : !PX
  tile.print "loaded", %v : vector<16xf32>
  %next = arith.addi %i, %c1 : index
  %end = arith.muli %next, %c16 : index
  %ragged = arith.cmpi sgt, %end, %n : index
  scf.if %ragged {
    tile.print "ragged", %i : index
  }
  %out = tile.claim %py[%i] : !PY
  tile.store %v, %out : !P
  tile.print "done"
}
