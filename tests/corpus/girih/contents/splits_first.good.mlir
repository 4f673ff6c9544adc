// expect: VERIFIED
// A tensor of splits has a first element.
!I = !tile.tensor<[N] x i32, shared>
!Y = !tile.tensor<[1] x i32, out>
!PI = !tile.partition<[_], [N] x i32, shared>
!PY = !tile.partition<[_], [1] x i32, out>
!P = !tile.piece<[_] x i32, out>
tile.kernel @splits_first(%t: !I, %y: !Y) symbols [M : index] grid [1]
    given [splits(%t, M)] {
  %c0 = arith.constant 0 : index
  %pi = tile.partition %t by [_] : !I
  %py = tile.partition %y by [_] : !Y
  %out = tile.claim %py[%c0] : !PY
  %x = tile.load %pi[%c0] : !PI
  tile.store %x, %out : !P
}
