// Sums of i8, lane by lane.
!S = !tile.tensor<[32] x i8, atomic<add>>
tile.kernel @narrow_lanes(%s: !S) grid [2] {
  %v = tile.iota 0 : vector<32xi8>
  %at = tile.iota 0 : vector<32xindex>
  tile.atomic_scatter add %v, %s[%at] : vector<32xi8>, !S, vector<32xindex>
}
