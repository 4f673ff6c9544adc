// expect: VERIFIED
// One element is enough.
!X = !tile.tensor<[1] x f32, own>
!PX = !tile.partition<[_], [1] x f32, own>
tile.kernel @empty_extent(%x: !X) grid [1] {
}
