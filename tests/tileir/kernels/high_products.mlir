// The high halves of products, in every width, of vectors and of one number.
!A8 = !tile.tensor<[N] x i8, shared>
!Y8 = !tile.tensor<[N] x i8, out>
!P8 = !tile.partition<[16], [N] x i8, shared>
!Q8 = !tile.partition<[16], [N] x i8, out>
!R8 = !tile.piece<[16] x i8, out>
!A16 = !tile.tensor<[N] x i16, shared>
!Y16 = !tile.tensor<[N] x i16, out>
!P16 = !tile.partition<[16], [N] x i16, shared>
!Q16 = !tile.partition<[16], [N] x i16, out>
!R16 = !tile.piece<[16] x i16, out>
!A32 = !tile.tensor<[N] x i32, shared>
!Y32 = !tile.tensor<[N] x i32, out>
!P32 = !tile.partition<[16], [N] x i32, shared>
!Q32 = !tile.partition<[16], [N] x i32, out>
!R32 = !tile.piece<[16] x i32, out>
!A64 = !tile.tensor<[N] x i64, shared>
!Y64 = !tile.tensor<[N] x i64, out>
!P64 = !tile.partition<[16], [N] x i64, shared>
!Q64 = !tile.partition<[16], [N] x i64, out>
!R64 = !tile.piece<[16] x i64, out>
tile.kernel @high_products(%a8: !A8, %b8: !A8, %a16: !A16, %b16: !A16,
    %a32: !A32, %b32: !A32, %a64: !A64, %b64: !A64,
    %y8: !Y8, %y16: !Y16, %y32: !Y32, %y64: !Y64)
    grid [ceildiv(N, 16)] {
  %i = tile.block_id 0
  %pa8 = tile.partition %a8 by [16] : !A8
  %pb8 = tile.partition %b8 by [16] : !A8
  %py8 = tile.partition %y8 by [16] : !Y8
  %q8 = tile.claim %py8[%i] : !Q8
  %u8 = tile.load %pa8[%i] pad(zero) : !P8
  %v8 = tile.load %pb8[%i] pad(zero) : !P8
  %h8 = tile.mulhi %u8, %v8 : vector<16xi8>
  %c8 = arith.constant -77 : i8
  %s8 = tile.mulhi %c8, %c8 : i8
  %w8 = vector.broadcast %s8 : i8 to vector<16xi8>
  %x8 = arith.xori %h8, %w8 : vector<16xi8>
  tile.store %x8, %q8 : !R8
  %pa16 = tile.partition %a16 by [16] : !A16
  %pb16 = tile.partition %b16 by [16] : !A16
  %py16 = tile.partition %y16 by [16] : !Y16
  %q16 = tile.claim %py16[%i] : !Q16
  %u16 = tile.load %pa16[%i] pad(zero) : !P16
  %v16 = tile.load %pb16[%i] pad(zero) : !P16
  %h16 = tile.mulhi %u16, %v16 : vector<16xi16>
  %c16 = arith.constant -12345 : i16
  %s16 = tile.mulhi %c16, %c16 : i16
  %w16 = vector.broadcast %s16 : i16 to vector<16xi16>
  %x16 = arith.xori %h16, %w16 : vector<16xi16>
  tile.store %x16, %q16 : !R16
  %pa32 = tile.partition %a32 by [16] : !A32
  %pb32 = tile.partition %b32 by [16] : !A32
  %py32 = tile.partition %y32 by [16] : !Y32
  %q32 = tile.claim %py32[%i] : !Q32
  %u32 = tile.load %pa32[%i] pad(zero) : !P32
  %v32 = tile.load %pb32[%i] pad(zero) : !P32
  %h32 = tile.mulhi %u32, %v32 : vector<16xi32>
  %c32 = arith.constant -1431655765 : i32
  %s32 = tile.mulhi %c32, %c32 : i32
  %w32 = vector.broadcast %s32 : i32 to vector<16xi32>
  %x32 = arith.xori %h32, %w32 : vector<16xi32>
  tile.store %x32, %q32 : !R32
  %pa64 = tile.partition %a64 by [16] : !A64
  %pb64 = tile.partition %b64 by [16] : !A64
  %py64 = tile.partition %y64 by [16] : !Y64
  %q64 = tile.claim %py64[%i] : !Q64
  %u64 = tile.load %pa64[%i] pad(zero) : !P64
  %v64 = tile.load %pb64[%i] pad(zero) : !P64
  %h64 = tile.mulhi %u64, %v64 : vector<16xi64>
  %c64 = arith.constant -6148914691236517205 : i64
  %s64 = tile.mulhi %c64, %c64 : i64
  %w64 = vector.broadcast %s64 : i64 to vector<16xi64>
  %x64 = arith.xori %h64, %w64 : vector<16xi64>
  tile.store %x64, %q64 : !R64
}
