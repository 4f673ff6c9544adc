// expect: UNSATISFIABLE contract.satisfiable
// twin: empty_extent.good.mlir
// No launch gives this tensor an element, though no symbol says so.
!X = !tile.tensor<[0] x f32, own>
!PX = !tile.partition<[_], [0] x f32, own>
tile.kernel @empty_extent(%x: !X) grid [1] {
}
