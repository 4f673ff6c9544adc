// expect: REFUTED claim.bounds
// twin: printed.good.mlir
// The label says so, and it is not so: the block prints and then claims the next
// tile.
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
    tile.print "the next one is inside", %i : index
  }
  %out = tile.claim %py[%next] : !PY
  tile.store %v, %out : !P
  tile.print "done"
}
