// Prints, in loops, under conditions and of every element that is printed; signs
// of a format mean nothing in a label.
!X = !tile.tensor<[M, N] x f32, shared>
!Q = !tile.tensor<[M, N] x i4, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[2, 4], [M, N] x f32, shared>
!PQ = !tile.partition<[2, 4], [M, N] x i4, shared>
!PY = !tile.partition<[2, 4], [M, N] x f32, out>
!P = !tile.piece<[2, 4] x f32, out>
tile.kernel @print(%x: !X, %q: !Q, %y: !Y, %s: f32) symbols [n : i8]
    grid [ceildiv(M, 2), ceildiv(N, 4)] requires [mod(N, 2) == 0, M <= 32, N <= 32] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %j = tile.block_id 1
  %n = tile.symbol "n" : i8
  %px = tile.partition %x by [2, 4] : !X
  %pq = tile.partition %q by [2, 4] : !Q
  %py = tile.partition %y by [2, 4] : !Y
  %out = tile.claim %py[%i, %j] : !PY
  tile.print "begin 100%d %s"
  %v = tile.load %px[%i, %j] pad(zero) : !PX
  %w = tile.load %pq[%i, %j] pad(-2) : !PQ
  %half = arith.truncf %v : vector<2x4xf32> to vector<2x4xf16>
  %brain = arith.truncf %v : vector<2x4xf32> to vector<2x4xbf16>
  %double = arith.extf %s : f32 to f64
  %long = arith.extsi %w : vector<2x4xi4> to vector<2x4xi64>
  %first = arith.cmpi eq, %j, %c0 : index
  tile.print "tile", %v, %half, %brain, %w, %long, %double, %n, %first, %i : vector<2x4xf32>, vector<2x4xf16>, vector<2x4xbf16>, vector<2x4xi4>, vector<2x4xi64>, f64, i8, i1, index
  %sum = scf.for %k = %c0 to %c2 step %c1 iter_args(%a = %v) -> (vector<2x4xf32>) {
    scf.if %first {
      tile.print "", %k : index
    }
    %next = arith.addf %a, %v : vector<2x4xf32>
    scf.yield %next : vector<2x4xf32>
  }
  tile.store %sum, %out : !P
  tile.print "end"
}
