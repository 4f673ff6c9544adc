// expect: REFUTED atomic_scatter.bounds
// twin: counts.good.mlir
// A number of 32 bits may lie behind the bins of the row, where those of the next
// one begin.
!X = !tile.tensor<[R, N] x i32, shared>
!H = !tile.tensor<[L] x i32, atomic<add>>
!S = !tile.tensor<[V] x i32, atomic<add>>
!PX = !tile.partition<[_, 64], [R, N] x i32, shared>
tile.kernel @counts(%x: !X, %h: !H) symbols [V : index] grid [R, ceildiv(N, 64)]
    requires [L == R * V] {
  %c64 = arith.constant 64 : index
  %one = arith.constant dense<1> : vector<64xi32>
  %r = tile.block_id 0
  %i = tile.block_id 1
  %n = tile.symbol "N" : index
  %v = tile.symbol "V" : index
  %px = tile.partition %x by [_, 64] : !X
  %t = tile.load %px[%r, %i] pad(zero) : !PX
  %bin = arith.index_cast %t : vector<64xi32> to vector<64xindex>
  %first = arith.muli %r, %v : index
  %bins = tile.view %h slice [%first] size [V] : !H
  %real = tile.inside %px[%r, %i] : !PX
  %zero = arith.constant dense<0> : vector<64xindex>
  %bound = vector.broadcast %v : index to vector<64xindex>
  %low = arith.cmpi sge, %bin, %zero : vector<64xindex>
  %high = arith.cmpi slt, %bin, %bound : vector<64xindex>
  %known = arith.andi %low, %high : vector<64xi1>
  %in = arith.andi %real, %low : vector<64xi1>
  tile.atomic_scatter add %one, %bins[%bin], %in : vector<64xi32>, !S, vector<64xindex>, vector<64xi1>
}
