// y[n] = first + n * step in f32, where n is rounded to f32 before
// any N, zero and ragged included
!Y = !tile.tensor<[N] x f32, out>
!PY = !tile.partition<[1024], [N] x f32, out>
!P = !tile.piece<[1024] x f32, out>
tile.kernel @arange(%y: !Y, %first: f32, %step: f32)
    grid [ceildiv(N, 1024)] {
  %i = tile.block_id 0
  %py = tile.partition %y by [1024] : !Y
  %out = tile.claim %py[%i] : !PY
  %c1024 = arith.constant 1024 : index
  %base = arith.muli %i, %c1024 : index
  %base64 = arith.index_cast %base : index to i64
  %bases = vector.broadcast %base64 : i64 to vector<1024xi64>
  %lane = tile.iota 0 : vector<1024xi64>
  %n = arith.addi %bases, %lane : vector<1024xi64>
  %number = arith.sitofp %n : vector<1024xi64> to vector<1024xf32>
  %steps = vector.broadcast %step : f32 to vector<1024xf32>
  %firsts = vector.broadcast %first : f32 to vector<1024xf32>
  %values = math.fma %number, %steps, %firsts : vector<1024xf32>
  tile.store %values, %out : !P
}
