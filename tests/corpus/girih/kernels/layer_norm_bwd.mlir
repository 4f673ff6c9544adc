// expect: VERIFIED
// dx of layer norm; dw and db by atomics over groups of 16 rows
// any M and N
!X = !tile.tensor<[M, N] x f32, shared>
!W = !tile.tensor<[N] x f32, shared>
!S = !tile.tensor<[M] x f32, shared>
!DX = !tile.tensor<[M, N] x f32, out>
!DW = !tile.tensor<[N] x f32, atomic<add>>
!PX = !tile.partition<[16, 128], [M, N] x f32, shared>
!PW = !tile.partition<[128], [N] x f32, shared>
!PS = !tile.partition<[16], [M] x f32, shared>
!PDX = !tile.partition<[16, 128], [M, N] x f32, out>
!PDW = !tile.partition<[128], [N] x f32, atomic<add>>
!ODX = !tile.piece<[16, 128] x f32, out>
func.func private @xhat(%x: vector<16x128xf32>, %mean: vector<16xf32>, %rstd: vector<16xf32>) -> vector<16x128xf32> {
  %m1 = vector.shape_cast %mean : vector<16xf32> to vector<16x1xf32>
  %r1 = vector.shape_cast %rstd : vector<16xf32> to vector<16x1xf32>
  %m = vector.broadcast %m1 : vector<16x1xf32> to vector<16x128xf32>
  %r = vector.broadcast %r1 : vector<16x1xf32> to vector<16x128xf32>
  %d = arith.subf %x, %m : vector<16x128xf32>
  %h = arith.mulf %d, %r : vector<16x128xf32>
  func.return %h : vector<16x128xf32>
}
tile.kernel @layer_norm_bwd(%x: !X, %dy: !X, %w: !W, %mean: !S, %rstd: !S, %dx: !DX, %dw: !DW, %db: !DW)
    grid [ceildiv(M, 16)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<16x128xf32>
  %i = tile.block_id 0
  %n = tile.symbol "N" : index
  %n64 = arith.index_cast %n : index to i64
  %count = arith.sitofp %n64 : i64 to f32
  %counts = vector.broadcast %count : f32 to vector<16x1xf32>
  %px = tile.partition %x by [16, 128] : !X
  %pdy = tile.partition %dy by [16, 128] : !X
  %pw = tile.partition %w by [128] : !W
  %pm = tile.partition %mean by [16] : !S
  %pr = tile.partition %rstd by [16] : !S
  %pdx = tile.partition %dx by [16, 128] : !DX
  %pdw = tile.partition %dw by [128] : !DW
  %pdb = tile.partition %db by [128] : !DW
  %m = tile.load %pm[%i] pad(zero) : !PS
  %r = tile.load %pr[%i] pad(zero) : !PS
  %tiles = tile.num_tiles %px, 1 : !PX
  %s1, %s2 = scf.for %k = %c0 to %tiles step %c1 iter_args(%a1 = %zero, %a2 = %zero) -> (vector<16x128xf32>, vector<16x128xf32>) {
    %xt = tile.load %px[%i, %k] pad(zero) : !PX
    %g = tile.load %pdy[%i, %k] pad(zero) : !PX
    %wt = tile.load %pw[%k] pad(zero) : !PW
    %ws = vector.broadcast %wt : vector<128xf32> to vector<16x128xf32>
    %h = func.call @xhat(%xt, %m, %r) : (vector<16x128xf32>, vector<16xf32>, vector<16xf32>) -> vector<16x128xf32>
    %wg = arith.mulf %g, %ws : vector<16x128xf32>
    %n1 = math.fma %h, %wg, %a1 : vector<16x128xf32>
    %n2 = arith.addf %wg, %a2 : vector<16x128xf32>
    scf.yield %n1, %n2 : vector<16x128xf32>, vector<16x128xf32>
  }
  %t1 = tile.reduce add %s1, 1 keep : vector<16x128xf32>
  %t2 = tile.reduce add %s2, 1 keep : vector<16x128xf32>
  %u1 = arith.divf %t1, %counts : vector<16x1xf32>
  %u2 = arith.divf %t2, %counts : vector<16x1xf32>
  %v1 = vector.broadcast %u1 : vector<16x1xf32> to vector<16x128xf32>
  %v2 = vector.broadcast %u2 : vector<16x1xf32> to vector<16x128xf32>
  %rc = vector.shape_cast %r : vector<16xf32> to vector<16x1xf32>
  %rs = vector.broadcast %rc : vector<16x1xf32> to vector<16x128xf32>
  scf.for %k = %c0 to %tiles step %c1 {
    %out = tile.claim %pdx[%i, %k] : !PDX
    %xt = tile.load %px[%i, %k] pad(zero) : !PX
    %g = tile.load %pdy[%i, %k] pad(zero) : !PX
    %wt = tile.load %pw[%k] pad(zero) : !PW
    %ws = vector.broadcast %wt : vector<128xf32> to vector<16x128xf32>
    %h = func.call @xhat(%xt, %m, %r) : (vector<16x128xf32>, vector<16xf32>, vector<16xf32>) -> vector<16x128xf32>
    %wg = arith.mulf %g, %ws : vector<16x128xf32>
    %hv = arith.mulf %h, %v1 : vector<16x128xf32>
    %sub = arith.addf %hv, %v2 : vector<16x128xf32>
    %d = arith.subf %wg, %sub : vector<16x128xf32>
    %res = arith.mulf %d, %rs : vector<16x128xf32>
    tile.store %res, %out : !ODX
    %gh = arith.mulf %g, %h : vector<16x128xf32>
    %pw1 = tile.reduce add %gh, 0 : vector<16x128xf32>
    %pb1 = tile.reduce add %g, 0 : vector<16x128xf32>
    tile.atomic add %pw1, %pdw[%k] : !PDW
    tile.atomic add %pb1, %pdb[%k] : !PDW
  }
}
