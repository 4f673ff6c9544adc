// y[n] = x[n] * scale where the hash of (seed, n) is at least `threshold`, else 0: no
// mask is stored, the backward pass hashes again. Element n is dropped with the
// chance (threshold + 2^63) / 2^64. In f32.
// any N, zero and ragged included
!X = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[1024], [N] x f32, shared>
!PY = !tile.partition<[1024], [N] x f32, out>
!P = !tile.piece<[1024] x f32, out>
tile.kernel @dropout(%x: !X, %y: !Y, %scale: f32) symbols [seed : i64, threshold : i64]
    grid [ceildiv(N, 1024)] {
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %golden = arith.constant dense<-7046029254386353131> : vector<1024xi64>
  %odd = arith.constant dense<-4658895280553007687> : vector<1024xi64>
  %two = arith.constant dense<2> : vector<1024xi64>
  %one = arith.constant dense<1> : vector<1024xi64>
  %lane = tile.iota 0 : vector<1024xi64>
  %i = tile.block_id 0
  %px = tile.partition %x by [1024] : !X
  %py = tile.partition %y by [1024] : !Y
  %out = tile.claim %py[%i] : !PY
  %v = tile.load %px[%i] pad(zero) : !PX

  // Multiplications carry upwards, h (2 h + 1) turns every bit into those above
  // it, and the sign at the end is what all of them left; all modulo 2^64.
  %first = arith.muli %i, %c1024 : index
  %first64 = arith.index_cast %first : index to i64
  %firsts = vector.broadcast %first64 : i64 to vector<1024xi64>
  %n = arith.addi %firsts, %lane : vector<1024xi64>
  %seed = tile.symbol "seed" : i64
  %seeds = vector.broadcast %seed : i64 to vector<1024xi64>
  %spread = arith.muli %n, %golden : vector<1024xi64>
  %h0 = arith.xori %spread, %seeds : vector<1024xi64>
  %double0 = arith.muli %h0, %two : vector<1024xi64>
  %odd0 = arith.addi %double0, %one : vector<1024xi64>
  %square0 = arith.muli %h0, %odd0 : vector<1024xi64>
  %h1 = arith.muli %square0, %odd : vector<1024xi64>
  %h2 = arith.addi %h1, %seeds : vector<1024xi64>
  %double2 = arith.muli %h2, %two : vector<1024xi64>
  %odd2 = arith.addi %double2, %one : vector<1024xi64>
  %hash = arith.muli %h2, %odd2 : vector<1024xi64>

  %threshold = tile.symbol "threshold" : i64
  %thresholds = vector.broadcast %threshold : i64 to vector<1024xi64>
  %kept = arith.cmpi sge, %hash, %thresholds : vector<1024xi64>
  %scales = vector.broadcast %scale : f32 to vector<1024xf32>
  %scaled = arith.mulf %v, %scales : vector<1024xf32>
  %r = arith.select %kept, %scaled, %zero : vector<1024xi1>, vector<1024xf32>
  tile.store %r, %out : !P
}
