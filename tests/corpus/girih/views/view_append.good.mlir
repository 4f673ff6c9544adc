// expect: VERIFIED
// New rows go into a cache from `pos` on; how many, the launch tells.
!K = !tile.tensor<[N, 128] x f16, shared>
!C = !tile.tensor<[S, 128] x f16, own>
!V = !tile.tensor<[?, 128] x f16, own>
!PK = !tile.partition<[16, 128], [N, 128] x f16, shared>
!PV = !tile.partition<[16, 128], [?, 128] x f16, own>
!P = !tile.piece<[16, 128] x f16, own>
tile.kernel @view_append(%k: !K, %cache: !C) symbols [pos : i32]
    grid [ceildiv(N, 16)] requires [pos >= 0, pos + N <= S] {
  %c0 = arith.constant 0 : index
  %b = tile.block_id 0
  %p = tile.symbol "pos" : i32
  %from = arith.index_cast %p : i32 to index
  %n = tile.symbol "N" : index
  %new = tile.view %cache slice [%from, 0] size [%n, 128] : !C
  %pk = tile.partition %k by [16, 128] : !K
  %pv = tile.partition %new by [16, 128] : !V
  %x = tile.load %pk[%b, %c0] pad(zero) : !PK
  %out = tile.claim %pv[%b, %c0] : !PV
  tile.store %x, %out : !P
}
