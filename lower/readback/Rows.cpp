// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/readback/Rows.h"

#include <iterator>

namespace girih::readback {

static constexpr const char rounded[] = "flag:ftz enum:rounding";
static constexpr const char access[] = "enum:order enum?:scope hints?:hints";
static constexpr const char tileAccess[] =
    "enum:order enum?:scope hints?:hints truths:inside+4";

static constexpr Row rows[] = {
    {0x00, "absf", "x"},
    {0x01, "absi", "x"},
    {0x02, "addf", "x y", 1, rounded},
    {0x03, "addi", "x y", 1, "enum:overflow"},
    {0x04, "andi", "x y"},
    {0x05, "assert", "condition", 0, "string:message"},
    {0x06, "assume", "x", 1, "predicate:that"},
    {0x08, "atomic_rmw_tko", "pointers value mask? token?", 2,
     "enum:order enum:scope enum:mode"},
    {0x09, "bitcast", "x"},
    {0x0A, "break", "values*", -1, "", true},
    {0x0B, "broadcast", "x"},
    {0x0C, "cat", "x y", 1, "integer:axis"},
    {0x0D, "ceil", "x"},
    {0x0E, "cmpf", "x y", 1, "enum:compare enum:ordered"},
    {0x0F, "cmpi", "x y", 1, "enum:compare enum:sign"},
    {0x10, "constant", "", 1, "constant:value"},
    {0x11, "continue", "values*", -1, "", true},
    {0x12, "cos", "x"},
    {0x13, "cosh", "x"},
    {0x14, "divf", "x y", 1, rounded},
    {0x15, "divi", "x y", 1, "enum:sign enum:rounding"},
    {0x17, "exp", "x", 1, "enum:rounding+3"},
    {0x18, "exp2", "x", 1, "flag:ftz"},
    {0x25, "exti", "x", 1, "enum:sign"},
    {0x26, "extract", "x index*", -1, "", true},
    {0x27, "floor", "x"},
    {0x28, "fma", "x y z", 1, rounded},
    {0x29, "for", "lower upper step init*", -1, "flag:unsigned+2", true, 1},
    {0x2A, "ftof", "x", 1, "enum:rounding"},
    {0x2B, "ftoi", "x", 1, "enum:sign enum:rounding flag:saturating+4"},
    {0x30, "get_tile_block_id", "", 3},
    {0x32, "if", "condition", -1, "", false, 2},
    {0x3A, "iota", ""},
    {0x3B, "itof", "x", 1, "enum:sign enum:rounding"},
    {0x3C, "join_tokens", "tokens*", -1, "", true},
    {0x3D, "load_ptr_tko", "pointers mask? padding? token?", 2, access},
    {0x3E, "load_view_tko", "view index* token?", -1, tileAccess},
    {0x3F, "log", "x"},
    {0x40, "log2", "x"},
    {0x41, "loop", "init*", -1, "", true, 1},
    {0x42, "make_partition_view", "view"},
    {0x43, "make_tensor_view", "base shape* strides*", -1},
    {0x44, "make_token", ""},
    {0x45, "maxf", "x y", 1, "flag:nan flag:ftz"},
    {0x46, "maxi", "x y", 1, "enum:sign"},
    {0x47, "minf", "x y", 1, "flag:nan flag:ftz"},
    {0x48, "mini", "x y", 1, "enum:sign"},
    {0x49, "mmaf", "x y z", 1, "flag:fast+3"},
    {0x4A, "mmai", "x y z", 1, "enum:sign_x enum:sign_y"},
    {0x4C, "mulf", "x y", 1, rounded},
    {0x4D, "mulhii", "x y"},
    {0x4E, "muli", "x y", 1, "enum:overflow"},
    {0x4F, "negf", "x"},
    {0x51, "offset", "pointers offset"},
    {0x52, "ori", "x y"},
    {0x53, "permute", "x", 1, "integers:permutation"},
    {0x54, "pow", "x y"},
    {0x55, "print_tko", "values* token?", -1, "string:text"},
    {0x58, "reduce", "values*", -1, "integer:axis identities:identities", true,
     1},
    {0x59, "remf", "x y"},
    {0x5A, "remi", "x y", 1, "enum:sign"},
    {0x5B, "reshape", "x"},
    {0x5C, "return", "values*", -1, "", true},
    {0x5D, "rsqrt", "x", 1, "flag:ftz"},
    {0x5E, "scan", "values*", -1,
     "integer:axis enum:direction identities:identities", true, 1},
    {0x5F, "select", "condition x y"},
    {0x60, "shli", "x y", 1, "enum:overflow"},
    {0x61, "shri", "x y", 1, "enum:sign"},
    {0x62, "sin", "x"},
    {0x63, "sinh", "x"},
    {0x64, "sqrt", "x", 1, rounded},
    {0x65, "store_ptr_tko", "pointers value mask? token?", 1, access},
    {0x66, "store_view_tko", "value view index* token?", -1, tileAccess},
    {0x67, "subf", "x y", 1, rounded},
    {0x68, "subi", "x y", 1, "enum:overflow"},
    {0x69, "tan", "x"},
    {0x6A, "tanh", "x", 1, "enum:rounding+2"},
    {0x6B, "trunci", "x", 1, "enum:overflow"},
    {0x6C, "xori", "x y"},
    {0x6D, "yield", "values*", -1, "", true},
    {0x6E, "atan2", "x y"},
    {0x72, "mmaf_scaled", "x y z x_scale y_scale"},
    {0x75, "atomic_red_view_tko", "view index* value token?", -1,
     "enum:order enum:scope enum:mode truths:inside+5"},
    {0x77, "gdc_launch_dependents_tko", "token?"},
    {0x78, "gdc_wait_tko", "token?"},
};

static constexpr Row foreignRows[] = {
    {0x07, "atomic_cas_tko", "pointers compared value mask? token?", 2,
     "enum:order enum:scope"},
    {0x2C, "get_global", "", 1, "string:name"},
    {0x2D, "get_index_space_shape", "view", -1},
    {0x2E, "get_num_tile_blocks", "", 3},
    {0x2F, "get_tensor_shape", "view", -1},
    {0x33, "int_to_ptr", "x"},
    {0x50, "negi", "x", 1, "enum:overflow+2"},
    {0x56, "ptr_to_int", "x"},
    {0x57, "ptr_to_ptr", "x"},
    {0x6F, "pack", "x"},
    {0x70, "unpack", "x"},
    {0x76, "insert", "x into index*", -1, "", true},
    {0x79, "fpowi", "x y"},
};

const Row *rowOf(uint64_t opcode, bool foreign) {
  for (const Row &row : rows) {
    if (row.opcode == opcode) {
      return &row;
    }
  }
  for (const Row &row : foreignRows) {
    if (foreign && row.opcode == opcode) {
      return &row;
    }
  }
  return nullptr;
}

} // namespace girih::readback
