// expect: REFUTED gather.bounds
// twin: past.good.mlir
// The mask asks of the end alone: the tile before the first begins below 0.
!X = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[16], [N] x f32, shared>
!PY = !tile.partition<[16], [N] x f32, out>
!P = !tile.piece<[16] x f32, out>
tile.kernel @past(%x: !X, %y: !Y) grid [ceildiv(N, 16)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %lane = tile.iota 0 : vector<16xindex>
  %b = tile.block_id 0
  %px = tile.partition %x by [16] : !X
  %py = tile.partition %y by [16] : !Y
  %out = tile.claim %py[%b] : !PY
  %sum = scf.for %k = %c0 to %c3 step %c1 iter_args(%acc = %zero) -> (vector<16xf32>) {
    %next = arith.addi %b, %k : index
    %tile = arith.subi %next, %c1 : index
    %after = arith.maxsi %tile, %c0 : index
    %in = tile.inside %px[%after] : !PX
    %first = arith.muli %tile, %c16 : index
    %firsts = vector.broadcast %first : index to vector<16xindex>
    %at = arith.addi %firsts, %lane : vector<16xindex>
    %v = tile.gather %x[%at], %in pad(zero) : !X, vector<16xindex>, vector<16xi1>
    %more = arith.addf %acc, %v : vector<16xf32>
    scf.yield %more : vector<16xf32>
  }
  tile.store %sum, %out : !P
}
