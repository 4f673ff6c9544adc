// expect: REFUTED load.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/review_probe_block_id_2026_08_18.rs, generated_launcher_revalidates_explicit_grid_on_every_cached_launch
// Four blocks, three tiles.
!X = !tile.tensor<[48] x f32, shared>
!PX = !tile.partition<[16], [48] x f32, shared>
tile.kernel @explicit_grid(%x: !X) grid [4] {
  %px = tile.partition %x by [16] : !X
  %v = tile.block_id 0
  %t = tile.load %px[%v] pad(zero) : !PX
}
