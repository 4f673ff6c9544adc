// The grid has an axis that no index depends on: its blocks write the same.
!X = !tile.tensor<[N] x f32, shared>
!Z = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[128], [N] x f32, shared>
!PZ = !tile.partition<[128], [N] x f32, out>
!P = !tile.piece<[128] x f32, out>
tile.kernel @race(%x: !X, %z: !Z) grid [ceildiv(N, 128), 2] {
  %i = tile.block_id 0
  %px = tile.partition %x by [128] : !X
  %pz = tile.partition %z by [128] : !Z
  %out = tile.claim %pz[%i] : !PZ
  %a = tile.load %px[%i] pad(zero) : !PX
  tile.store %a, %out : !P
}
