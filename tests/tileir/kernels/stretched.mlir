// Views of tensors that are the same all along an axis, or may be.
!A = !tile.tensor<[M, 64] x f32, shared, strides [0, 1]>
!B = !tile.tensor<[M, N] x i32, shared, strides [s, t]>
!AU = !tile.tensor<[M, 4, 16] x f32, shared>
!AT = !tile.tensor<[4, M, 16] x f32, shared>
!BS = !tile.tensor<[?, N] x i32, shared>
!Y = !tile.tensor<[4, M, 16] x f32, out>
!Z = !tile.tensor<[M, N] x i32, out>
!PA = !tile.partition<[_, 8, 16], [4, M, 16] x f32, shared>
!PB = !tile.partition<[8, 32], [?, N] x i32, shared>
!PY = !tile.partition<[_, 8, 16], [4, M, 16] x f32, out>
!PZ = !tile.partition<[8, 32], [M, N] x i32, out>
!P = !tile.piece<[_, 8, 16] x f32, out>
!Q = !tile.piece<[8, 32] x i32, out>
tile.kernel @stretched(%a: !A, %b: !B, %y: !Y, %z: !Z) symbols [s : index, t : index]
    grid [ceildiv(M, 8), ceildiv(N, 32)] requires [N >= 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %i = tile.block_id 0
  %j = tile.block_id 1
  %m = tile.symbol "M" : index
  %heads = tile.view %a unfold 1 by [4, 16] : !A
  %turned = tile.view %heads permute [1, 0, 2] : !AU
  %pa = tile.partition %turned by [_, 8, 16] : !AT
  %start = arith.muli %i, %c8 : index
  %rest = arith.subi %m, %start : index
  %below = tile.view %b slice [%start, 0] size [%rest, N] : !B
  %pb = tile.partition %below by [8, 32] : !BS
  %py = tile.partition %y by [_, 8, 16] : !Y
  %pz = tile.partition %z by [8, 32] : !Z
  %oz = tile.claim %pz[%i, %j] : !PZ
  %w = tile.load %pb[%c0, %j] pad(zero) : !PB
  %n = tile.reduce add %w, 0 keep : vector<8x32xi32>
  %all = vector.broadcast %n : vector<1x32xi32> to vector<8x32xi32>
  %out = arith.subi %all, %w : vector<8x32xi32>
  tile.store %out, %oz : !Q
  %first = arith.cmpi eq, %j, %c0 : index
  scf.if %first {
    scf.for %h = %c0 to %c4 step %c1 {
      %oy = tile.claim %py[%h, %i, %c0] : !PY
      %v = tile.load %pa[%h, %i, %c0] pad(pos_inf) : !PA
      %low = tile.reduce min %v, 0 keep : vector<8x16xf32>
      %lows = vector.broadcast %low : vector<1x16xf32> to vector<8x16xf32>
      %sum = arith.addf %v, %lows : vector<8x16xf32>
      tile.store %sum, %oy : !P
    }
  }
}
