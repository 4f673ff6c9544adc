// Every reason for which two accesses of one block need an order: stores that
// trips make at places apart, read and overwritten behind their loop; stores of
// all trips to one tile; branches of which one stores; two loops deep, the store
// placed by either counter; two stores that meet half way; loads that a later
// store must not overtake.
!X = !tile.tensor<[M, N] x i32, shared>
!Y = !tile.tensor<[M, N] x i32, own>
!PX = !tile.partition<[_, 32], [M, N] x i32, shared>
!PY = !tile.partition<[_, 32], [M, N] x i32, own>
!P = !tile.piece<[_, 32] x i32, own>
tile.kernel @order(%x: !X, %y: !Y) grid [M] requires [N >= 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %row = tile.block_id 0
  %px = tile.partition %x by [_, 32] : !X
  %py = tile.partition %y by [_, 32] : !Y
  %n = tile.num_tiles %px, 1 : !PX
  %first = tile.claim %py[%row, %c0] : !PY
  %before = tile.load %first pad(zero) : !P
  scf.for %k = %c0 to %n step %c1 {
    %out = tile.claim %py[%row, %k] : !PY
    %v = tile.load %px[%row, %k] pad(zero) : !PX
    tile.store %v, %out : !P
  }
  %after = tile.load %first pad(zero) : !P
  %both = arith.subi %after, %before : vector<32xi32>
  scf.for %k = %c0 to %n step %c1 {
    %out = tile.claim %py[%row, %k] : !PY
    %old = tile.load %out pad(zero) : !P
    %new = arith.addi %old, %both : vector<32xi32>
    tile.store %new, %out : !P
  }
  scf.for %k = %c0 to %n step %c1 {
    %v = tile.load %px[%row, %k] pad(zero) : !PX
    tile.store %v, %first : !P
  }
  %odd = arith.cmpi sgt, %row, %c0 : index
  scf.if %odd {
    %v = tile.load %px[%row, %c0] pad(zero) : !PX
    %twice = arith.addi %v, %v : vector<32xi32>
    tile.store %twice, %first : !P
  }
  %read = tile.load %first pad(zero) : !P
  scf.for %i = %c0 to %n step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      %out = tile.claim %py[%row, %k] : !PY
      %v = tile.load %px[%row, %i] pad(zero) : !PX
      %sum = arith.addi %v, %read : vector<32xi32>
      tile.store %sum, %out : !P
    }
  }
  %start = tile.load %px[%row, %c0] pad(zero) : !PX
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %start) -> (vector<32xi32>) {
    %out = tile.claim %py[%row, %k] : !PY
    %v = tile.load %out pad(zero) : !P
    %more = arith.muli %acc, %v : vector<32xi32>
    scf.yield %more : vector<32xi32>
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      %out = tile.claim %py[%row, %i] : !PY
      %v = tile.load %px[%row, %k] pad(zero) : !PX
      %diff = arith.subi %sum, %v : vector<32xi32>
      tile.store %diff, %out : !P
    }
  }
  scf.for %k = %c0 to %n step %c1 {
    %up = tile.claim %py[%row, %k] : !PY
    %n1 = arith.subi %n, %k : index
    %back = arith.subi %n1, %c1 : index
    %down = tile.claim %py[%row, %back] : !PY
    %u = tile.load %px[%row, %k] pad(zero) : !PX
    %d = tile.load %px[%row, %back] pad(zero) : !PX
    %u2 = arith.addi %u, %u : vector<32xi32>
    tile.store %u2, %up : !P
    tile.store %d, %down : !P
  }
  %two = arith.constant 2 : index
  %half = arith.ceildivsi %n, %two : index
  scf.for %k = %c0 to %half step %c1 {
    %left = tile.claim %py[%row, %k] : !PY
    %v = tile.load %left pad(zero) : !P
    %down = arith.addi %v, %sum : vector<32xi32>
    tile.store %down, %left : !P
  }
  %last = tile.load %first pad(zero) : !P
  %end = arith.addi %last, %read : vector<32xi32>
  tile.store %end, %first : !P
}
