// A raw tensor, read and written by tiles of two sizes: what a block has written
// it reads.
!X = !tile.tensor<[N] x i32, raw>
!PX = !tile.partition<[16], [N] x i32, raw>
!PV = !tile.partition<[32], [N] x i32, raw>
!P = !tile.piece<[32] x i32, raw>
tile.kernel @raw(%x: !X) grid [ceildiv(N, 32)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %px = tile.partition %x by [16] : !X
  %pv = tile.partition %x by [32] : !X
  %out = tile.claim %pv[%i] : !PV
  %first = arith.muli %i, %c2 : index
  %u = tile.load %px[%first] pad(zero) : !PX
  %s = tile.reduce add %u, 0 : vector<16xi32>
  %v = vector.broadcast %s : i32 to vector<32xi32>
  tile.store %v, %out : !P
  %w = tile.load %px[%first] pad(zero) : !PX
  %t = tile.reduce add %w, 0 : vector<16xi32>
  %y = vector.broadcast %t : i32 to vector<32xi32>
  %z = scf.for %k = %c0 to %c2 step %c1 iter_args(%acc = %y) -> (vector<32xi32>) {
    tile.store %acc, %out : !P
    %q = tile.load %px[%first] pad(zero) : !PX
    %r = tile.reduce max %q, 0 : vector<16xi32>
    %b = vector.broadcast %r : i32 to vector<32xi32>
    %n = arith.addi %b, %acc : vector<32xi32>
    scf.yield %n : vector<32xi32>
  }
  // A loop that only reads, before a store.
  %e = scf.for %k = %c0 to %c2 step %c1 iter_args(%acc = %z) -> (vector<32xi32>) {
    %q = tile.load %px[%first] pad(zero) : !PX
    %r = tile.reduce min %q, 0 : vector<16xi32>
    %b = vector.broadcast %r : i32 to vector<32xi32>
    %n = arith.subi %acc, %b : vector<32xi32>
    scf.yield %n : vector<32xi32>
  }
  tile.store %e, %out : !P
}
