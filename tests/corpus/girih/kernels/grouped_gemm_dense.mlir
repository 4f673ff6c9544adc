// expect: VERIFIED
// Grouped GEMM, a block a tile of rows: loops over the experts and takes the rows of each
// any P, K, N, E
!A = !tile.tensor<[P, K] x bf16, shared>
!F = !tile.tensor<[E1] x i32, shared>
!W = !tile.tensor<[E, K, N] x bf16, shared>
!C = !tile.tensor<[P, N] x bf16, out>
!PF = !tile.partition<[_], [E1] x i32, shared>
!PA = !tile.partition<[64, 64], [P, K] x bf16, shared>
!PW = !tile.partition<[_, 64, 128], [E, K, N] x bf16, shared>
!PC = !tile.partition<[64, 128], [P, N] x bf16, out>
!O = !tile.piece<[64, 128] x bf16, out>
tile.kernel @grouped_gemm_dense(%a: !A, %offsets: !F, %w: !W, %c: !C)
    grid [ceildiv(P, 64), ceildiv(N, 128)] requires [E1 == E + 1] given [splits(%offsets, P)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  %none = arith.constant dense<0.0> : vector<64x64xbf16>
  %lane = tile.iota 0 : vector<64x64xindex>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %E = tile.symbol "E" : index
  %pf = tile.partition %offsets by [_] : !F
  %pa = tile.partition %a by [64, 64] : !A
  %pw = tile.partition %w by [_, 64, 128] : !W
  %pc = tile.partition %c by [64, 128] : !C
  %out = tile.claim %pc[%i, %j] : !PC
  %n = tile.num_tiles %pa, 1 : !PA
  %from = arith.muli %i, %c64 : index
  %end = arith.addi %from, %c64 : index
  %froms = vector.broadcast %from : index to vector<64x64xindex>
  %row = arith.addi %froms, %lane : vector<64x64xindex>
  %sum = scf.for %e = %c0 to %E step %c1 iter_args(%acc0 = %zero) -> (vector<64x128xf32>) {
    %e1 = arith.addi %e, %c1 : index
    %lo32 = tile.load %pf[%e] : !PF
    %hi32 = tile.load %pf[%e1] : !PF
    %lo = arith.index_cast %lo32 : i32 to index
    %hi = arith.index_cast %hi32 : i32 to index
    %a1 = arith.cmpi slt, %lo, %end : index
    %a2 = arith.cmpi slt, %from, %hi : index
    %meet = arith.andi %a1, %a2 : i1
    %los = vector.broadcast %lo : index to vector<64x64xindex>
    %his = vector.broadcast %hi : index to vector<64x64xindex>
    %b1 = arith.cmpi sle, %los, %row : vector<64x64xindex>
    %b2 = arith.cmpi slt, %row, %his : vector<64x64xindex>
    %mine = arith.andi %b1, %b2 : vector<64x64xi1>
    %acc3 = scf.if %meet -> (vector<64x128xf32>) {
      %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc1 = %acc0) -> (vector<64x128xf32>) {
        %x = tile.load %pa[%i, %k] pad(zero) : !PA
        %xm = arith.select %mine, %x, %none : vector<64x64xi1>, vector<64x64xbf16>
        %y = tile.load %pw[%e, %k, %j] pad(zero) : !PW
        %acc2 = tile.mma %xm, %y, %acc1 : vector<64x64xbf16>, vector<64x128xbf16>, vector<64x128xf32>
        scf.yield %acc2 : vector<64x128xf32>
      }
      scf.yield %s : vector<64x128xf32>
    } else {
      scf.yield %acc0 : vector<64x128xf32>
    }
    scf.yield %acc3 : vector<64x128xf32>
  }
  %s16 = arith.truncf %sum : vector<64x128xf32> to vector<64x128xbf16>
  tile.store %s16, %out : !O
}
