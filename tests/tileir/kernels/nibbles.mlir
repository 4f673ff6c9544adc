// Integers of 4 bits, two a byte: moved in every way that there is, widened with
// and without a sign, cut off, and of all numbers that they have.
!X = !tile.tensor<[M, N] x i4, shared>
!Y = !tile.tensor<[M, N] x i4, own>
!W = !tile.tensor<[M, N] x i16, out>
!U = !tile.tensor<[M, N] x i32, out>
!T = !tile.tensor<[N, M] x i4, out>
!TT = !tile.tensor<[M, N] x i4, out>
!H = !tile.tensor<[M, H, 2] x i4, out>
!PX = !tile.partition<[4, 8], [M, N] x i4, shared>
!PY = !tile.partition<[4, 8], [M, N] x i4, own>
!P = !tile.piece<[4, 8] x i4, own>
!PW = !tile.partition<[4, 8], [M, N] x i16, out>
!PU = !tile.partition<[4, 8], [M, N] x i32, out>
!PT = !tile.partition<[4, 8], [M, N] x i4, out>
!PH = !tile.partition<[4, 4, 2], [M, H, 2] x i4, out>
!OW = !tile.piece<[4, 8] x i16, out>
!OU = !tile.piece<[4, 8] x i32, out>
!OT = !tile.piece<[4, 8] x i4, out>
!OH = !tile.piece<[4, 4, 2] x i4, out>
tile.kernel @nibbles(%x: !X, %y: !Y, %w: !W, %u: !U, %t: !T, %v: !TT)
    symbols [H : index] grid [ceildiv(M, 4), ceildiv(N, 8)]
    requires [mod(M, 2) == 0, N == 2 * H] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %i = tile.block_id 0
  %j = tile.block_id 1
  %px = tile.partition %x by [4, 8] : !X
  %py = tile.partition %y by [4, 8] : !Y
  %pw = tile.partition %w by [4, 8] : !W
  %pu = tile.partition %u by [4, 8] : !U
  // The packed axis of this one comes first.
  %turned = tile.view %t permute [1, 0] : !T
  %pt = tile.partition %turned by [4, 8] : !TT
  %pairs = tile.view %v unfold 1 by [H, 2] : !TT
  %pv = tile.partition %pairs by [4, 4, 2] : !H
  %ow = tile.claim %pw[%i, %j] : !PW
  %ou = tile.claim %pu[%i, %j] : !PU
  %ot = tile.claim %pt[%i, %j] : !PT
  %ov = tile.claim %pv[%i, %j, %c0] : !PH
  %oy = tile.claim %py[%i, %j] : !PY

  %a = tile.load %px[%i, %j] pad(-3) : !PX
  %b = tile.load %oy pad(5) : !P
  %wide = arith.extsi %a : vector<4x8xi4> to vector<4x8xi16>
  tile.store %wide, %ow : !OW
  %plain = arith.extui %b : vector<4x8xi4> to vector<4x8xi32>
  tile.store %plain, %ou : !OU

  %all = arith.constant dense<[-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7]> : vector<16xi4>
  %twice = vector.broadcast %all : vector<16xi4> to vector<2x16xi4>
  %table = vector.shape_cast %twice : vector<2x16xi4> to vector<4x8xi4>
  %square = vector.broadcast %all : vector<16xi4> to vector<16x16xi4>
  %a8 = arith.extsi %a : vector<4x8xi4> to vector<4x8xi8>
  %b8 = arith.extsi %b : vector<4x8xi4> to vector<4x8xi8>
  %less = arith.cmpi slt, %a8, %b8 : vector<4x8xi8>
  %least = arith.select %less, %a, %b : vector<4x8xi1>, vector<4x8xi4>
  %big = arith.muli %wide, %wide : vector<4x8xi16>
  %cut = arith.trunci %big : vector<4x8xi16> to vector<4x8xi4>
  %up = vector.transpose %cut, [1, 0] : vector<4x8xi4> to vector<8x4xi4>
  %flat = vector.shape_cast %up : vector<8x4xi4> to vector<32xi4>
  %again = vector.shape_cast %flat : vector<32xi4> to vector<4x8xi4>
  tile.store %least, %ot : !OT

  %bit = arith.cmpi eq, %a8, %b8 : vector<4x8xi8>
  %minus = arith.extsi %bit : vector<4x8xi1> to vector<4x8xi4>
  %plus = arith.extui %bit : vector<4x8xi1> to vector<4x8xi4>
  %loop = scf.for %k = %c0 to %c3 step %c1 iter_args(%carried = %again) -> (vector<4x8xi4>) {
    %odd = arith.cmpi eq, %k, %c1 : index
    %next = scf.if %odd -> (vector<4x8xi4>) {
      scf.yield %table : vector<4x8xi4>
    } else {
      %r = arith.select %less, %carried, %minus : vector<4x8xi1>, vector<4x8xi4>
      scf.yield %r : vector<4x8xi4>
    }
    scf.yield %next : vector<4x8xi4>
  }
  %mixed = arith.select %bit, %plus, %loop : vector<4x8xi1>, vector<4x8xi4>
  %v3 = vector.shape_cast %mixed : vector<4x8xi4> to vector<4x4x2xi4>
  tile.store %v3, %ov : !OH
  tile.store %table, %oy : !P
}
