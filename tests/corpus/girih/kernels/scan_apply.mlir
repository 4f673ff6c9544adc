// expect: VERIFIED
// Second of two kernels: y[n] = the sum of x[0] .. x[n-1]; each block adds up the
// sums of the stretches before its own itself
// any N
!X = !tile.tensor<[N] x i32, shared>
!S = !tile.tensor<[NB] x i32, shared>
!Y = !tile.tensor<[N] x i32, out>
!SV = !tile.tensor<[?] x i32, shared>
!PX = !tile.partition<[4096], [N] x i32, shared>
!PS = !tile.partition<[1024], [?] x i32, shared>
!PY = !tile.partition<[4096], [N] x i32, out>
!O = !tile.piece<[4096] x i32, out>
tile.kernel @scan_apply(%x: !X, %sums: !S, %y: !Y) grid [NB] requires [NB == ceildiv(N, 4096)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0> : vector<1024xi32>
  %i = tile.block_id 0
  %px = tile.partition %x by [4096] : !X
  %py = tile.partition %y by [4096] : !Y
  %before = tile.view %sums slice [0] size [%i] : !S
  %ps = tile.partition %before by [1024] : !SV
  %out = tile.claim %py[%i] : !PY
  %tiles = tile.num_tiles %ps, 0 : !PS
  %accs = scf.for %k = %c0 to %tiles step %c1 iter_args(%acc = %zero) -> (vector<1024xi32>) {
    %t = tile.load %ps[%k] pad(zero) : !PS
    %next = arith.addi %acc, %t : vector<1024xi32>
    scf.yield %next : vector<1024xi32>
  }
  %base = tile.reduce add %accs, 0 : vector<1024xi32>
  %bases = vector.broadcast %base : i32 to vector<4096xi32>
  %v = tile.load %px[%i] pad(zero) : !PX
  %inc = tile.scan add %v, 0 : vector<4096xi32>
  %exc = arith.subi %inc, %v : vector<4096xi32>
  %r = arith.addi %exc, %bases : vector<4096xi32>
  tile.store %r, %out : !O
}
