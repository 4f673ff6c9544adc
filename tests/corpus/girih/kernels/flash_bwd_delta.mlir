// expect: VERIFIED
// delta = sum over the head of o * do, before the backward of flash attention
!Q = !tile.tensor<[B, H, S, 64] x bf16, shared>
!L = !tile.tensor<[B, H, S] x f32, out>
!PQ = !tile.partition<[_, _, 64, 64], [B, H, S, 64] x bf16, shared>
!PL = !tile.partition<[_, _, 64], [B, H, S] x f32, out>
!O = !tile.piece<[_, _, 64] x f32, out>
tile.kernel @flash_bwd_delta(%o: !Q, %do: !Q, %delta: !L) grid [ceildiv(S, 64), H, B] {
  %c0 = arith.constant 0 : index
  %i = tile.block_id 0
  %h = tile.block_id 1
  %b = tile.block_id 2
  %po = tile.partition %o by [_, _, 64, 64] : !Q
  %pd = tile.partition %do by [_, _, 64, 64] : !Q
  %pl = tile.partition %delta by [_, _, 64] : !L
  %out = tile.claim %pl[%b, %h, %i] : !PL
  %x = tile.load %po[%b, %h, %i, %c0] pad(zero) : !PQ
  %y = tile.load %pd[%b, %h, %i, %c0] pad(zero) : !PQ
  %x32 = arith.extf %x : vector<64x64xbf16> to vector<64x64xf32>
  %y32 = arith.extf %y : vector<64x64xbf16> to vector<64x64xf32>
  %p = arith.mulf %x32, %y32 : vector<64x64xf32>
  %s = tile.reduce add %p, 1 : vector<64x64xf32>
  tile.store %s, %out : !O
}
