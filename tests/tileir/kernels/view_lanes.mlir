// Gathers from views of views, and scatters and atomic scatters to them: each
// lane has coordinates of the view, whose offset and strides the block decides.
!X = !tile.tensor<[R, 4, N] x f32, shared>
!X2 = !tile.tensor<[4, N] x f32, shared>
!XS = !tile.tensor<[2, ?] x f32, shared>
!XT = !tile.tensor<[?, 2] x f32, shared>
!W = !tile.tensor<[M, R] x i32, shared, strides [s, t]>
!WC = !tile.tensor<[M] x i32, shared>
!Y = !tile.tensor<[R, 64] x f32, own>
!YH = !tile.tensor<[R, 2, 32] x f32, own>
!Y1 = !tile.tensor<[2, 32] x f32, own>
!C = !tile.tensor<[L] x i32, atomic<add>>
!CS = !tile.tensor<[8] x i32, atomic<add>>
tile.kernel @view_lanes(%x: !X, %w: !W, %y: !Y, %c: !C)
    symbols [p : index, s : index, t : index] grid [R]
    requires [p <= N, L == 8 * R] {
  %c8 = arith.constant 8 : index
  %b = tile.block_id 0
  %n = tile.symbol "N" : index
  %p = tile.symbol "p" : index
  %m = tile.symbol "M" : index
  %left = arith.subi %n, %p : index
  // Rows 1 and 2 of the block's plane, from column p on, turned.
  %mine = tile.view %x fix 0 at %b : !X
  %part = tile.view %mine slice [1, p] size [2, %left] : !X2
  %turned = tile.view %part permute [1, 0] : !XS
  %row = tile.iota 1 : vector<2x32xindex>
  %col = tile.iota 0 : vector<2x32xindex>
  %end = vector.broadcast %left : index to vector<2x32xindex>
  %in = arith.cmpi slt, %row, %end : vector<2x32xindex>
  %v = tile.gather %turned[%row, %col], %in pad(neg_inf) : !XT, vector<2x32xindex>, vector<2x32xindex>, vector<2x32xi1>
  // A column of the block, by strides of the launch.
  %column = tile.view %w fix 1 at %b : !W
  %lane = tile.iota 0 : vector<32xindex>
  %rows = vector.broadcast %m : index to vector<32xindex>
  %some = arith.cmpi slt, %lane, %rows : vector<32xindex>
  %k = tile.gather %column[%lane], %some pad(3) : !WC, vector<32xindex>, vector<32xi1>
  // Both halves of the block's row, from the end.
  %halves = tile.view %y unfold 1 by [2, 32] : !Y
  %own = tile.view %halves fix 0 at %b : !YH
  %one = arith.constant dense<1> : vector<2x32xindex>
  %last = arith.constant dense<31> : vector<2x32xindex>
  %half = arith.subi %one, %col : vector<2x32xindex>
  %place = arith.subi %last, %row : vector<2x32xindex>
  tile.scatter %v, %own[%half, %place] : vector<2x32xf32>, !Y1, vector<2x32xindex>, vector<2x32xindex>
  // Eight bins of the block.
  %first = arith.muli %b, %c8 : index
  %bins = tile.view %c slice [%first] size [8] : !C
  %seven = arith.constant dense<7> : vector<32xi32>
  %low = arith.andi %k, %seven : vector<32xi32>
  %bin = arith.index_cast %low : vector<32xi32> to vector<32xindex>
  %zero = arith.constant dense<0> : vector<32xindex>
  %sure = arith.cmpi sge, %bin, %zero : vector<32xindex>
  %eight = arith.constant dense<8> : vector<32xindex>
  %sure2 = arith.cmpi slt, %bin, %eight : vector<32xindex>
  %known = arith.andi %sure, %sure2 : vector<32xi1>
  tile.atomic_scatter add %k, %bins[%bin], %known : vector<32xi32>, !CS, vector<32xindex>, vector<32xi1>
}
