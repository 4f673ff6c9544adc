// expect: VERIFIED
// source: triton-lang/triton#832, #1058, #6748, databricks/megablocks#185
// In 64 bits.
!Z = !tile.tensor<[N] x f32, own>
!PZ = !tile.partition<[_], [N] x f32, own>
!SZ = !tile.piece<[_] x f32, own>
tile.kernel @offset_32(%z: !Z) symbols [B : index, W : index]
    grid [B] requires [W >= 1, W <= 65536, B <= 65536, B * W <= N] {
  %pz = tile.partition %z by [_] : !Z
  %w = tile.symbol "W" : index
  %one = arith.constant 1.0 : f32
  %i = tile.block_id 0
  %at = arith.muli %i, %w : index
  %o = tile.claim %pz[%at] : !PZ
  tile.store %one, %o : !SZ
}
