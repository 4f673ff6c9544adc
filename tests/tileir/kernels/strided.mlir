// Slices in steps: rows and columns of constants, of the launch and of the block,
// of a tensor with strides, turned and in two steps; stores to every other column.
!X = !tile.tensor<[M, N] x f32, shared, strides [ld, 1]>
!XE = !tile.tensor<[M, H] x f32, shared>
!XR = !tile.tensor<[R, H] x f32, shared>
!XT = !tile.tensor<[H, R] x f32, shared>
!Y = !tile.tensor<[R, N] x f32, out>
!YH = !tile.tensor<[R, H] x f32, out>
!Z = !tile.tensor<[L] x i16, own>
!PR = !tile.partition<[8, 16], [R, H] x f32, shared>
!PT = !tile.partition<[16, 8], [H, R] x f32, shared>
!PY = !tile.partition<[8, 16], [R, H] x f32, out>
!P = !tile.piece<[8, 16] x f32, out>
!PZ = !tile.partition<[16], [?] x i16, own>
!Q = !tile.piece<[16] x i16, own>
tile.kernel @strided(%x: !X, %y: !Y, %z: !Z)
    symbols [ld : index, H : index, s : index, A : index]
    grid [ceildiv(R, 8), ceildiv(H, 16)]
    requires [ld == N + 8, N == 2 * H, M == s * R, s >= 1, 3 * A <= L + 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %i = tile.block_id 0
  %j = tile.block_id 1
  %s = tile.symbol "s" : index
  %a = tile.symbol "A" : index
  %last = arith.subi %s, %c1 : index
  // Odd columns, and of these the last row of every s rows.
  %odd = tile.view %x slice [0, 1] size [M, H] step [1, 2] : !X
  %rows = tile.view %odd slice [%last, 0] size [R, H] step [s, 1] : !XE
  %turned = tile.view %rows permute [1, 0] : !XR
  %even = tile.view %x slice [0, 0] size [R, H] step [%s, 2] : !X
  %po = tile.partition %turned by [16, 8] : !XT
  %pe = tile.partition %even by [8, 16] : !XR
  %u = tile.load %po[%j, %i] pad(neg_inf) : !PT
  %v = tile.load %pe[%i, %j] pad(0.5) : !PR
  %t = vector.transpose %u, [1, 0] : vector<16x8xf32> to vector<8x16xf32>
  %w = arith.addf %t, %v : vector<8x16xf32>
  %to_even = tile.view %y slice [0, 0] size [R, H] step [1, 2] : !Y
  %to_odd = tile.view %y slice [0, 1] size [R, H] step [1, 2] : !Y
  %py = tile.partition %to_even by [8, 16] : !YH
  %pz = tile.partition %to_odd by [8, 16] : !YH
  %cy = tile.claim %py[%i, %j] : !PY
  tile.store %w, %cy : !P
  %co = tile.claim %pz[%i, %j] : !PY
  tile.store %v, %co : !P
  // The first block: every third element from 1 on, at most A of them.
  %firsts = arith.addi %i, %j : index
  %first = arith.cmpi eq, %firsts, %c0 : index
  scf.if %first {
    %third = tile.view %z slice [1] size [%a] step [%c3] : !Z
    %pt = tile.partition %third by [16] : !tile.tensor<[?] x i16, own>
    %n = tile.num_tiles %pt, 0 : !PZ
    scf.for %k = %c0 to %n step %c1 {
      %c = tile.claim %pt[%k] : !PZ
      %e = tile.load %c pad(7) : !Q
      %f = arith.addi %e, %e : vector<16xi16>
      tile.store %f, %c : !Q
    }
  }
}
