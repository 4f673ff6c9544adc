// Names that C++ has taken, or that meet once they are legal.
!X = !tile.tensor<[union, a__b] x f32, shared, strides [ld, 1]>
!Y = !tile.tensor<[union, a__b] x f32, out>
!PX = !tile.partition<[16, 16], [union, a__b] x f32, shared, strides [ld, 1]>
!PY = !tile.partition<[16, 16], [union, a__b] x f32, out>
!P = !tile.piece<[16, 16] x f32, out>
tile.kernel @double(%class: !X, %values: !Y) symbols [register : index, ld : index]
    grid [ceildiv(union, 16), ceildiv(a__b, 16)]
    requires [ld >= a__b, register <= 4] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %px = tile.partition %class by [16, 16] : !X
  %py = tile.partition %values by [16, 16] : !Y
  %piece = tile.claim %py[%i, %j] : !PY
  %v = tile.load %px[%i, %j] pad(zero) : !PX
  tile.store %v, %piece : !P
}
