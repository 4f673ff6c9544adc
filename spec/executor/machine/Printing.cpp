// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile.print: a line of text, `block (0, 1): label a = [1, 2], i = 3`.

#include "spec/executor/machine/Machine.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace girih::exec {

/// The fewest digits that read back as the number, in f32 or f64.
static std::string realText(double x, bool isDouble) {
  if (std::isnan(x)) {
    return "nan";
  }
  char text[32];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, x);
    double back = std::strtod(text, nullptr);
    if (back == x || (!isDouble && float(back) == float(x))) {
      break;
    }
  }
  return text;
}

namespace {
/// Lanes of a value as nested lists. Of many only the first and last ones of an
/// axis are shown.
struct LaneText {
  const Value &value;
  llvm::ArrayRef<int64_t> shape;
  bool isReal, isDouble, shortens;

  static constexpr int64_t shown = 3;
  static constexpr size_t maxLanes = 1024; // nobody reads more

  std::string lane(size_t at) const {
    return isReal ? realText(value.floats[at], isDouble)
                  : std::to_string(value.ints[at]);
  }

  /// The lanes from `from` on, `stride` of them, along `axis` and those behind.
  std::string text(size_t axis, size_t from, size_t count) const {
    if (axis == shape.size()) {
      return lane(from);
    }
    size_t stride = count / static_cast<size_t>(shape[axis]);
    std::string out = "[";
    for (int64_t k = 0; k < shape[axis]; ++k) {
      out += k ? ", " : "";
      if (shortens && k == shown && shape[axis] > 2 * shown) {
        out += "..., ";
        k = shape[axis] - shown;
      }
      out += text(axis + 1, from + static_cast<size_t>(k) * stride, stride);
    }
    return out + "]";
  }
};
} // namespace

bool Machine::execute(const PrintForm &form, const Instr &instr) {
  if (!world.options.print) {
    return true;
  }
  std::string line = "block " + tupleText(ids) + ":";
  line += form.label.empty() ? "" : " " + form.label;
  for (size_t k = 0; k < form.names.size(); ++k) {
    mlir::Type type = instr.op->getOperand(static_cast<unsigned>(k)).getType();
    auto vector = mlir::dyn_cast<mlir::VectorType>(type);
    mlir::Type element = vector ? vector.getElementType() : type;
    const Value &value = in(instr, k);
    size_t lanes = std::max(value.ints.size(), value.floats.size());
    LaneText text{value, vector ? vector.getShape() : llvm::ArrayRef<int64_t>(),
                  mlir::isa<mlir::FloatType>(element), element.isF64(),
                  lanes > LaneText::maxLanes};
    llvm::StringRef name(form.names[k]);
    name.consume_front("%");
    line += (k ? ", " : " ") + name.str() + (name.empty() ? "" : " = ");
    // Without values floats are not computed.
    line += lanes == 0 ? "not computed" : text.text(0, 0, lanes);
  }
  world.options.print(line);
  return true;
}

} // namespace girih::exec
