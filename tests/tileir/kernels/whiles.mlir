// Loops without a counter: values of several types carried, passed on in another
// place and given; stores and loads that wait for those of the trips before; a
// loop in a loop, each with a condition of its own; a condition of floats; one
// that carries nothing but what its trips store.
!X = !tile.tensor<[M, N] x i32, shared>
!Y = !tile.tensor<[M, N] x i32, own>
!Z = !tile.tensor<[M] x i64, out>
!F = !tile.tensor<[M] x f32, out>
!PX = !tile.partition<[_, _], [M, N] x i32, shared>
!PT = !tile.partition<[_, 16], [M, N] x i32, shared>
!PY = !tile.partition<[_, 16], [M, N] x i32, own>
!PZ = !tile.partition<[_], [M] x i64, out>
!PF = !tile.partition<[_], [M] x f32, out>
!P = !tile.piece<[_, 16] x i32, own>
!Q = !tile.piece<[_] x i64, out>
!R = !tile.piece<[_] x f32, out>
tile.kernel @whiles(%x: !X, %y: !Y, %z: !Z, %f: !F) grid [M] requires [N >= 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %zeros = arith.constant dense<0> : vector<16xi32>
  %half = arith.constant 0.5 : f32
  %small = arith.constant 0.1 : f32
  %one = arith.constant 1.0 : f32
  %row = tile.block_id 0
  %n = tile.symbol "N" : index
  %px = tile.partition %x by [_, _] : !X
  %pt = tile.partition %x by [_, 16] : !X
  %py = tile.partition %y by [_, 16] : !Y
  %pz = tile.partition %z by [_] : !Z
  %pf = tile.partition %f by [_] : !F
  %tiles = tile.num_tiles %pt, 1 : !PT
  // The first place with a number above 0, and the numbers up to it.
  %seen, %where, %done = scf.while (%i0 = %c0, %sum0 = %zero, %found0 = %zero)
      : (index, i32, i32) -> (i32, index, i32) {
    %low = arith.cmpi sge, %i0, %c0 : index
    tile.invariant %low : i1
    %left = arith.subi %n, %i0 : index
    %inside = arith.cmpi slt, %i0, %n : index
    %open = arith.cmpi eq, %found0, %zero : i32
    %goes_on = arith.andi %inside, %open : i1
    tile.measure %left : index
    scf.condition(%goes_on) %sum0, %i0, %found0 : i32, index, i32
  } do {
  ^bb0(%sum: i32, %i: index, %found: i32):
    %v = tile.load %px[%row, %i] : !PX
    %next = arith.addi %sum, %v : i32
    %above = arith.cmpi sgt, %v, %zero : i32
    %is = arith.extui %above : i1 to i32
    %more = arith.addi %i, %c1 : index
    scf.yield %more, %next, %is : index, i32, i32
  }
  // Tiles by three, each of them added to what the loop within has summed up.
  %last, %all = scf.while (%k0 = %c0, %acc0 = %zeros)
      : (index, vector<16xi32>) -> (index, vector<16xi32>) {
    %low = arith.cmpi sge, %k0, %c0 : index
    tile.invariant %low : i1
    %limit = arith.addi %tiles, %c3 : index
    %left = arith.subi %limit, %k0 : index
    %goes_on = arith.cmpi slt, %k0, %tiles : index
    tile.measure %left : index
    scf.condition(%goes_on) %k0, %acc0 : index, vector<16xi32>
  } do {
  ^bb0(%k: index, %acc: vector<16xi32>):
    %out = tile.claim %py[%row, %k] : !PY
    %old = tile.load %out pad(zero) : !P
    %t = tile.load %pt[%row, %k] pad(zero) : !PT
    %end, %sum = scf.while (%j0 = %k, %s0 = %acc)
        : (index, vector<16xi32>) -> (index, vector<16xi32>) {
      %low = arith.cmpi sge, %j0, %c0 : index
      tile.invariant %low : i1
      %high = arith.cmpi sle, %j0, %k : index
      tile.invariant %high : i1
      %goes_on = arith.cmpi sgt, %j0, %c0 : index
      tile.measure %j0 : index
      scf.condition(%goes_on) %j0, %s0 : index, vector<16xi32>
    } do {
    ^bb0(%j: index, %s: vector<16xi32>):
      %before = arith.subi %j, %c1 : index
      %other = tile.claim %py[%row, %before] : !PY
      %was = tile.load %other pad(zero) : !P
      %grown = arith.addi %was, %t : vector<16xi32>
      tile.store %grown, %other : !P
      %both = arith.addi %s, %was : vector<16xi32>
      scf.yield %before, %both : index, vector<16xi32>
    }
    %new = arith.addi %old, %sum : vector<16xi32>
    tile.store %new, %out : !P
    %next = arith.addi %k, %c3 : index
    scf.yield %next, %sum : index, vector<16xi32>
  }
  %first = tile.claim %py[%row, %c0] : !PY
  %now = tile.load %first pad(zero) : !P
  %final = arith.addi %now, %all : vector<16xi32>
  tile.store %final, %first : !P
  // Halved until it is small, ten times at most.
  %c10 = arith.constant 10 : index
  %tiny, %rest = scf.while (%a0 = %one, %m0 = %c10) : (f32, index) -> (f32, index) {
    %large = arith.cmpf ogt, %a0, %small : f32
    %some = arith.cmpi sgt, %m0, %c0 : index
    %goes_on = arith.andi %large, %some : i1
    tile.measure %m0 : index
    scf.condition(%goes_on) %a0, %m0 : f32, index
  } do {
  ^bb0(%a: f32, %m: index):
    %less = arith.mulf %a, %half : f32
    %fewer = arith.subi %m, %c1 : index
    scf.yield %less, %fewer : f32, index
  }
  %oz = tile.claim %pz[%row] : !PZ
  %of = tile.claim %pf[%row] : !PF
  %wide = arith.index_cast %where : index to i64
  %sum64 = arith.extsi %seen : i32 to i64
  %found64 = arith.extsi %done : i32 to i64
  %two = arith.addi %wide, %sum64 : i64
  %three = arith.addi %two, %found64 : i64
  tile.store %three, %oz : !Q
  tile.store %tiny, %of : !R
}
