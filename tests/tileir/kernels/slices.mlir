// Slices of an axis that is not the first one, an axis unfolded by symbols, and a
// slice in a branch: of it nothing is known outside. Strides are products.
!X = !tile.tensor<[A, B, C] x f32, shared>
!XS = !tile.tensor<[A, ?, C] x f32, shared>
!W = !tile.tensor<[A, E] x f32, shared>
!WH = !tile.tensor<[A, G, C] x f32, shared>
!Y = !tile.tensor<[A, B, C] x f32, out>
!PX = !tile.partition<[_, 8, 16], [A, ?, C] x f32, shared>
!PW = !tile.partition<[_, _, 16], [A, G, C] x f32, shared>
!PY = !tile.partition<[_, 8, 16], [A, B, C] x f32, out>
!P = !tile.piece<[_, 8, 16] x f32, out>
tile.kernel @slices(%x: !X, %w: !W, %y: !Y) symbols [G : index, n : index]
    grid [A, ceildiv(B, 8), ceildiv(C, 16)] requires [n <= B, G >= 1, E == G * C] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : vector<8x16xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %k = tile.block_id 2
  %rows = tile.symbol "B" : index
  %n = tile.symbol "n" : index
  %heads = tile.view %w unfold 1 by [G, C] : !W
  %pw = tile.partition %heads by [_, _, 16] : !WH
  %py = tile.partition %y by [_, 8, 16] : !Y
  %out = tile.claim %py[%i, %j, %k] : !PY
  %one = tile.load %pw[%i, %c0, %k] pad(zero) : !PW
  %first = tile.view %x slice [0, 0, 0] size [A, %n, C] : !X
  %p1 = tile.partition %first by [_, 8, 16] : !XS
  %m = tile.num_tiles %p1, 1 : !PX
  %there = arith.cmpi slt, %j, %m : index
  %u = scf.if %there -> (vector<8x16xf32>) {
    %tile = tile.load %p1[%i, %j, %k] pad(zero) : !PX
    scf.yield %tile : vector<8x16xf32>
  } else {
    // What is left, from row n on.
    %left = arith.subi %rows, %n : index
    %rest = tile.view %x slice [0, %n, 0] size [A, %left, C] : !X
    %p2 = tile.partition %rest by [_, 8, 16] : !XS
    %l = tile.num_tiles %p2, 1 : !PX
    %some = arith.cmpi slt, %c0, %l : index
    %tile = scf.if %some -> (vector<8x16xf32>) {
      %t = tile.load %p2[%i, %c0, %k] pad(zero) : !PX
      scf.yield %t : vector<8x16xf32>
    } else {
      scf.yield %zero : vector<8x16xf32>
    }
    scf.yield %tile : vector<8x16xf32>
  }
  %ones = vector.broadcast %one : vector<16xf32> to vector<8x16xf32>
  %v = arith.addf %u, %ones : vector<8x16xf32>
  tile.store %v, %out : !P
}
