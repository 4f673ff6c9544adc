!I = !tile.tensor<[N] x i32, shared>
!E = !tile.tensor<[V] x f32, shared>
!C = !tile.tensor<[N] x f32, out>
!PI = !tile.partition<[_], [N] x i32, shared>
!PE = !tile.partition<[_], [V] x f32, shared>
!PC = !tile.partition<[_], [N] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @pick(%ids: !I, %e: !E, %c: !C) grid [N]
    given [within(%ids, 0, V) assumed] {
  %i = tile.block_id 0
  %pi = tile.partition %ids by [_] : !I
  %pe = tile.partition %e by [_] : !E
  %pc = tile.partition %c by [_] : !C
  %out = tile.claim %pc[%i] : !PC
  %id = tile.load %pi[%i] : !PI
  %row = arith.index_cast %id : i32 to index
  %x = tile.load %pe[%row] : !PE
  tile.store %x, %out : !P
}
