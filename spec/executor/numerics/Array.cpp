// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element kinds and dense arrays.

#include "spec/executor/numerics/Array.h"

namespace girih::exec {

unsigned integerBits(Kind kind) {
  switch (kind) {
  case Kind::I1:
    return 1;
  case Kind::I4:
    return 4;
  case Kind::I8:
    return 8;
  case Kind::I16:
    return 16;
  case Kind::I32:
    return 32;
  case Kind::I64:
    return 64;
  default:
    return 0;
  }
}

unsigned elementBytes(Kind kind) {
  switch (kind) {
  case Kind::I1:
  case Kind::I4:
  case Kind::I8:
  case Kind::F4E2M1FN:
  case Kind::F8E4M3FN:
  case Kind::F8E5M2:
  case Kind::F8E8M0FNU:
    return 1;
  case Kind::I16:
  case Kind::F16:
  case Kind::BF16:
    return 2;
  case Kind::I32:
  case Kind::F32:
    return 4;
  case Kind::I64:
  case Kind::Index:
  case Kind::F64:
    return 8;
  }
  return 0;
}

const char *kindName(Kind kind) {
  switch (kind) {
  case Kind::I1:
    return "i1";
  case Kind::I4:
    return "i4";
  case Kind::I8:
    return "i8";
  case Kind::I16:
    return "i16";
  case Kind::I32:
    return "i32";
  case Kind::I64:
    return "i64";
  case Kind::Index:
    return "index";
  case Kind::F4E2M1FN:
    return "f4E2M1FN";
  case Kind::F8E8M0FNU:
    return "f8E8M0FNU";
  case Kind::F8E4M3FN:
    return "f8E4M3FN";
  case Kind::F8E5M2:
    return "f8E5M2";
  case Kind::F16:
    return "f16";
  case Kind::BF16:
    return "bf16";
  case Kind::F32:
    return "f32";
  case Kind::F64:
    return "f64";
  }
  return "";
}

std::optional<Array> makeArray(Kind kind, std::vector<int64_t> shape,
                               int64_t limit) {
  bool empty = false;
  for (int64_t extent : shape) {
    if (extent < 0) {
      return std::nullopt;
    }
    empty |= extent == 0;
  }
  int64_t size = empty ? 0 : 1;
  for (int64_t extent : shape) {
    if (!empty && extent > limit / size) {
      return std::nullopt;
    }
    size *= extent;
  }
  Array array;
  array.kind = kind;
  array.shape = std::move(shape);
  if (isFloat(kind)) {
    array.floats.resize(size);
  } else {
    array.ints.resize(size);
  }
  return array;
}

static std::string joined(const std::vector<int64_t> &numbers, char open,
                          char close) {
  std::string text(1, open);
  for (size_t i = 0; i < numbers.size(); ++i) {
    text += (i ? ", " : "") + std::to_string(numbers[i]);
  }
  return text + close;
}

std::string shapeText(const std::vector<int64_t> &shape) {
  return joined(shape, '[', ']');
}

std::string tupleText(const std::vector<int64_t> &ids) {
  return joined(ids, '(', ')');
}

} // namespace girih::exec
