// Lanes that the mask leaves off hold the padding, and it goes into an address:
// with another padding in the bytecode a lane would read outside of %e.
!I = !tile.tensor<[N] x i32, shared>
!E = !tile.tensor<[V] x i32, shared>
!C = !tile.tensor<[4] x i32, out>
!PC = !tile.partition<[4], [4] x i32, out>
!P = !tile.piece<[4] x i32, out>
tile.kernel @k(%t: !I, %e: !E, %c: !C) grid [1] requires [V >= 1] given [within(%t, 0, V)] {
  %c0 = arith.constant 0 : index
  %n = tile.symbol "N" : index
  %lane = tile.iota 0 : vector<4xindex>
  %nn = vector.broadcast %n : index to vector<4xindex>
  %m = arith.cmpi slt, %lane, %nn : vector<4xindex>
  %x = tile.gather %t[%lane], %m pad(zero) : !I, vector<4xindex>, vector<4xi1>
  %i = arith.index_cast %x : vector<4xi32> to vector<4xindex>
  %g = tile.gather %e[%i] : !E, vector<4xindex>
  %pc = tile.partition %c by [4] : !C
  %o = tile.claim %pc[%c0] : !PC
  tile.store %g, %o : !P
}
