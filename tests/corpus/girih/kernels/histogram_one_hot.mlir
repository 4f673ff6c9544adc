// expect: VERIFIED
// hist[v] += how often v stands in x; one-hot in a tile of 64 x 256, as an atomic
// takes a tile and no lanes; any N, any number of bins
!X = !tile.tensor<[N] x i32, shared>
!H = !tile.tensor<[V] x i32, atomic<add>>
!PX = !tile.partition<[64], [N] x i32, shared>
!PH = !tile.partition<[256], [V] x i32, atomic<add>>
tile.kernel @histogram(%x: !X, %hist: !H) symbols [G : index] grid [G, ceildiv(V, 256)] requires [G >= 1, V <= 1000000000] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %ones = arith.constant dense<1> : vector<64x256xi32>
  %zeros = arith.constant dense<0> : vector<64x256xi32>
  %minus = arith.constant dense<-1> : vector<64xi32>
  %zero = arith.constant dense<0> : vector<256xi32>
  %lane = tile.iota 0 : vector<64xindex>
  %bin0 = tile.iota 1 : vector<64x256xi32>
  %g = tile.block_id 0
  %j = tile.block_id 1
  %G = tile.symbol "G" : index
  %n = tile.symbol "N" : index
  %px = tile.partition %x by [64] : !X
  %ph = tile.partition %hist by [256] : !H
  %first = arith.muli %j, %c256 : index
  %first32 = arith.index_cast %first : index to i32
  %firsts = vector.broadcast %first32 : i32 to vector<64x256xi32>
  %bin = arith.addi %bin0, %firsts : vector<64x256xi32>
  %tiles = tile.num_tiles %px, 0 : !PX
  %counts = scf.for %k = %g to %tiles step %G iter_args(%acc = %zero) -> (vector<256xi32>) {
    %t = tile.load %px[%k] pad(zero) : !PX
    %done = arith.muli %k, %c64 : index
    %left = arith.subi %n, %done : index
    %lefts = vector.broadcast %left : index to vector<64xindex>
    %in = arith.cmpi slt, %lane, %lefts : vector<64xindex>
    %tm = arith.select %in, %t, %minus : vector<64xi1>, vector<64xi32>
    %tc = vector.shape_cast %tm : vector<64xi32> to vector<64x1xi32>
    %tb = vector.broadcast %tc : vector<64x1xi32> to vector<64x256xi32>
    %is = arith.cmpi eq, %tb, %bin : vector<64x256xi32>
    %one = arith.select %is, %ones, %zeros : vector<64x256xi1>, vector<64x256xi32>
    %c = tile.reduce add %one, 0 : vector<64x256xi32>
    %next = arith.addi %acc, %c : vector<256xi32>
    scf.yield %next : vector<256xi32>
  }
  tile.atomic add %counts, %ph[%j] : !PH
}
