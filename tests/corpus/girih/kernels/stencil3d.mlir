// expect: VERIFIED
// 7-point stencil: y[i,j,k] = a x[i+1,j+1,k+1] + b (its six neighbours); x has a halo of 1
// any d, h, w
!X = !tile.tensor<[D, H, W] x f32, shared>
!Y = !tile.tensor<[d, h, w] x f32, out>
!V = !tile.tensor<[d, h, w] x f32, shared>
!PV = !tile.partition<[4, 8, 32], [d, h, w] x f32, shared>
!PY = !tile.partition<[4, 8, 32], [d, h, w] x f32, out>
!O = !tile.piece<[4, 8, 32] x f32, out>
tile.kernel @stencil3d(%x: !X, %y: !Y, %a: f32, %b: f32)
    grid [ceildiv(d, 4), ceildiv(h, 8), ceildiv(w, 32)] requires [D == d + 2, H == h + 2, W == w + 2] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %k = tile.block_id 2
  %as = vector.broadcast %a : f32 to vector<4x8x32xf32>
  %bs = vector.broadcast %b : f32 to vector<4x8x32xf32>
  %vc = tile.view %x slice [1, 1, 1] size [d, h, w] : !X
  %v0 = tile.view %x slice [0, 1, 1] size [d, h, w] : !X
  %v1 = tile.view %x slice [2, 1, 1] size [d, h, w] : !X
  %v2 = tile.view %x slice [1, 0, 1] size [d, h, w] : !X
  %v3 = tile.view %x slice [1, 2, 1] size [d, h, w] : !X
  %v4 = tile.view %x slice [1, 1, 0] size [d, h, w] : !X
  %v5 = tile.view %x slice [1, 1, 2] size [d, h, w] : !X
  %pc = tile.partition %vc by [4, 8, 32] : !V
  %p0 = tile.partition %v0 by [4, 8, 32] : !V
  %p1 = tile.partition %v1 by [4, 8, 32] : !V
  %p2 = tile.partition %v2 by [4, 8, 32] : !V
  %p3 = tile.partition %v3 by [4, 8, 32] : !V
  %p4 = tile.partition %v4 by [4, 8, 32] : !V
  %p5 = tile.partition %v5 by [4, 8, 32] : !V
  %py = tile.partition %y by [4, 8, 32] : !Y
  %out = tile.claim %py[%i, %j, %k] : !PY
  %c = tile.load %pc[%i, %j, %k] pad(zero) : !PV
  %n0 = tile.load %p0[%i, %j, %k] pad(zero) : !PV
  %n1 = tile.load %p1[%i, %j, %k] pad(zero) : !PV
  %n2 = tile.load %p2[%i, %j, %k] pad(zero) : !PV
  %n3 = tile.load %p3[%i, %j, %k] pad(zero) : !PV
  %n4 = tile.load %p4[%i, %j, %k] pad(zero) : !PV
  %n5 = tile.load %p5[%i, %j, %k] pad(zero) : !PV
  %s0 = arith.addf %n0, %n1 : vector<4x8x32xf32>
  %s1 = arith.addf %n2, %n3 : vector<4x8x32xf32>
  %s2 = arith.addf %n4, %n5 : vector<4x8x32xf32>
  %s3 = arith.addf %s0, %s1 : vector<4x8x32xf32>
  %s = arith.addf %s3, %s2 : vector<4x8x32xf32>
  %ac = arith.mulf %as, %c : vector<4x8x32xf32>
  %r = math.fma %bs, %s, %ac : vector<4x8x32xf32>
  tile.store %r, %out : !O
}
