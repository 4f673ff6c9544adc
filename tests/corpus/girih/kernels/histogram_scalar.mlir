// expect: VERIFIED
// hist[x[n]] += 1 element by element; any N, bins V
!X = !tile.tensor<[N] x i32, shared>
!H = !tile.tensor<[V] x i32, atomic<add>>
!PX = !tile.partition<[_], [N] x i32, shared>
!PH = !tile.partition<[_], [V] x i32, atomic<add>>
tile.kernel @histogram_scalar(%x: !X, %hist: !H) symbols [G : index] grid [G] requires [G >= 1] given [within(%x, 0, V)] {
  %one = arith.constant 1 : i32
  %g = tile.block_id 0
  %G = tile.symbol "G" : index
  %px = tile.partition %x by [_] : !X
  %ph = tile.partition %hist by [_] : !H
  %n = tile.num_tiles %px, 0 : !PX
  scf.for %k = %g to %n step %G {
    %v = tile.load %px[%k] : !PX
    %bin = arith.index_cast %v : i32 to index
    tile.atomic add %one, %ph[%bin] : !PH
  }
}
