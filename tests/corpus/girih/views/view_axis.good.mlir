// expect: VERIFIED
// Columns of the view are rows of the tensor: the guard asks the view.
!C = !tile.tensor<[M, N] x f32, out partial>
!CT = !tile.tensor<[N, M] x f32, out partial>
!PT = !tile.partition<[_, 16], [N, M] x f32, out partial>
!P = !tile.piece<[_, 16] x f32, out>
tile.kernel @view_axis(%c: !C) symbols [P : index] grid [N, P] {
  %v = arith.constant dense<1.0> : vector<16xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %t = tile.view %c permute [1, 0] : !C
  %pt = tile.partition %t by [_, 16] : !CT
  %n = tile.num_tiles %pt, 1 : !PT
  %inside = arith.cmpi slt, %j, %n : index
  scf.if %inside {
    %out = tile.claim %pt[%i, %j] : !PT
    tile.store %v, %out : !P
  }
}
