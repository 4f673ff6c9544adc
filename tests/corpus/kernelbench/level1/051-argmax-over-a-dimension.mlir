// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/51_Argmax_over_a_dimension.py
// Where the maximum is along the middle axis: the best so far and its number
// are carried.
!X = !tile.tensor<[B, R, N] x f32, shared>
!PX = !tile.partition<[_, _, 1024], [B, R, N] x f32, shared>
!Y = !tile.tensor<[B, N] x i32, out>
!PY = !tile.partition<[_, 1024], [B, N] x i32, out>
!SY = !tile.piece<[_, 1024] x i32, out>
tile.kernel @kargmax_over_a_dimension(%x: !X, %y: !Y) grid [B, ceildiv(N, 1024)] {
  %px = tile.partition %x by [_, _, 1024] : !X
  %py = tile.partition %y by [_, 1024] : !Y
  %fill = arith.constant dense<-3.0e+38> : vector<1024xf32>
  %zero = arith.constant dense<0> : vector<1024xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tile.block_id 0
  %j = tile.block_id 1
  %rows = tile.num_tiles %px, 1 : !PX
  %best_2, %at_2 = scf.for %k = %c0 to %rows step %c1 iter_args(%best = %fill, %at = %zero) -> (vector<1024xf32>, vector<1024xi32>) {
    %v = tile.load %px[%b, %k, %j] pad(zero) : !PX
    %better = arith.cmpf ogt, %v, %best : vector<1024xf32>
    %k32 = arith.index_cast %k : index to i32
    %kb = vector.broadcast %k32 : i32 to vector<1024xi32>
    %best_3 = arith.select %better, %v, %best : vector<1024xi1>, vector<1024xf32>
    %at_3 = arith.select %better, %kb, %at : vector<1024xi1>, vector<1024xi32>
    scf.yield %best_3, %at_3 : vector<1024xf32>, vector<1024xi32>
  }
  %o = tile.claim %py[%b, %j] : !PY
  tile.store %at_2, %o : !SY
}
