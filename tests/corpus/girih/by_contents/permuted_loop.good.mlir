// expect: VERIFIED
// One block follows a permutation in a loop.
!I = !tile.tensor<[N] x i32, shared>
!Y = !tile.tensor<[N] x f32, out>
!PI = !tile.partition<[_], [N] x i32, shared>
!PY = !tile.partition<[_], [N] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @fill(%perm: !I, %y: !Y) grid [1] given [within(%perm, 0, N), distinct(%perm)] {
  %v = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.symbol "N" : index
  %pi = tile.partition %perm by [_] : !I
  %py = tile.partition %y by [_] : !Y
  scf.for %i = %c0 to %n step %c1 {
    %to32 = tile.load %pi[%i] : !PI
    %to = arith.index_cast %to32 : i32 to index
    %out = tile.claim %py[%to] : !PY
    tile.store %v, %out : !P
  }
}
