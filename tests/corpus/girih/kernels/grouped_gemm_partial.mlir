// expect: VERIFIED
// Grouped GEMM with an output that is partial
// any P, K, N, E
!A = !tile.tensor<[P, K] x bf16, shared>
!F = !tile.tensor<[E1] x i32, shared>
!W = !tile.tensor<[E, K, N] x bf16, shared>
!C = !tile.tensor<[P, N] x bf16, out partial>
!AV = !tile.tensor<[?, K] x bf16, shared>
!CV = !tile.tensor<[?, N] x bf16, out partial>
!PF = !tile.partition<[_], [E1] x i32, shared>
!PA = !tile.partition<[64, 64], [?, K] x bf16, shared>
!PW = !tile.partition<[_, 64, 128], [E, K, N] x bf16, shared>
!PC = !tile.partition<[64, 128], [?, N] x bf16, out partial>
!O = !tile.piece<[64, 128] x bf16, out>
tile.kernel @grouped_gemm(%a: !A, %offsets: !F, %w: !W, %c: !C)
    grid [E, ceildiv(N, 128)] requires [E1 == E + 1] given [splits(%offsets, P)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  %e = tile.block_id 0
  %j = tile.block_id 1
  %k_all = tile.symbol "K" : index
  %n_all = tile.symbol "N" : index
  %pf = tile.partition %offsets by [_] : !F
  %e1 = arith.addi %e, %c1 : index
  %lo32 = tile.load %pf[%e] : !PF
  %hi32 = tile.load %pf[%e1] : !PF
  %lo = arith.index_cast %lo32 : i32 to index
  %hi = arith.index_cast %hi32 : i32 to index
  %len = arith.subi %hi, %lo : index
  %av = tile.view %a slice [%lo, 0] size [%len, K] : !A
  %cv = tile.view %c slice [%lo, 0] size [%len, N] : !C
  %pa = tile.partition %av by [64, 64] : !AV
  %pw = tile.partition %w by [_, 64, 128] : !W
  %pc = tile.partition %cv by [64, 128] : !CV
  %tiles = tile.num_tiles %pa, 0 : !PA
  %n = tile.num_tiles %pa, 1 : !PA
  scf.for %i = %c0 to %tiles step %c1 {
    %out = tile.claim %pc[%i, %j] : !PC
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x128xf32>) {
      %x = tile.load %pa[%i, %k] pad(zero) : !PA
      %y = tile.load %pw[%e, %k, %j] pad(zero) : !PW
      %next = tile.mma %x, %y, %acc : vector<64x64xbf16>, vector<64x128xbf16>, vector<64x128xf32>
      scf.yield %next : vector<64x128xf32>
    }
    %s16 = arith.truncf %sum : vector<64x128xf32> to vector<64x128xbf16>
    tile.store %s16, %out : !O
  }
}
