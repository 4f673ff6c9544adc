// expect: VERIFIED
// Keys of all heads side by side go into a cache of one head after the other,
// from any position on; a block has 16 positions of half a head.
!K = !tile.tensor<[T, C] x f16, shared>
!KH = !tile.tensor<[T, H, 128] x f16, shared>
!C = !tile.tensor<[H, S, 128] x f16, own>
!N = !tile.tensor<[H, T, 128] x f16, own>
!NT = !tile.tensor<[T, H, 128] x f16, own>
!PK = !tile.partition<[16, _, 64], [T, H, 128] x f16, shared>
!PC = !tile.partition<[16, _, 64], [T, H, 128] x f16, own>
!P = !tile.piece<[16, _, 64] x f16, own>
tile.kernel @view_wide(%k: !K, %cache: !C) symbols [pos : index]
    grid [ceildiv(T, 16), H, 2] requires [C == 128 * H, pos + T <= S] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %half = tile.block_id 2
  %kh = tile.view %k unfold 1 by [H, 128] : !K
  %new = tile.view %cache slice [0, pos, 0] size [H, T, 128] : !C
  %rows = tile.view %new permute [1, 0, 2] : !N
  %pk = tile.partition %kh by [16, _, 64] : !KH
  %pc = tile.partition %rows by [16, _, 64] : !NT
  %x = tile.load %pk[%m, %h, %half] pad(zero) : !PK
  %out = tile.claim %pc[%m, %h, %half] : !PC
  tile.store %x, %out : !P
}
