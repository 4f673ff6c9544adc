// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops that compute: lane functions applied over the lanes of slots.

#include "spec/executor/machine/Machine.h"

#include <cmath>
#include <limits>

namespace girih::exec {

bool Machine::execute(const NothingForm &, const Instr &) { return true; }

bool Machine::execute(const BlockIdForm &form, const Instr &instr) {
  Value id;
  id.push(ids[form.axis]);
  define(instr, std::move(id));
  return true;
}

/// `lane(k, uncertain)` gives the exact result of lane k and says whether
/// rounding elsewhere may change it.
template <typename Lane>
bool Machine::defineIntegers(const Instr &instr, Lane lane) {
  Value result;
  result.ints.reserve(instr.lanes);
  unsigned width = widthOf(instr.bits);
  for (int64_t k = 0; k < instr.lanes; ++k) {
    bool uncertain = false;
    Wide exact = lane(k, uncertain);
    if (instr.bits == 0 && !fits(exact, width)) {
      std::string text = wideText(exact);
      return stuck(Rule::IndexWidth, instr, -1,
                   "index " + text + " leaves " + std::to_string(width) +
                       " bits",
                   "computes " + text);
    }
    result.push(wrap(exact, width), uncertain);
  }
  define(instr, std::move(result));
  return true;
}

bool Machine::execute(const ConstantForm &form, const Instr &instr) {
  if (isFloat(instr.kind)) {
    define(instr, form.value);
    return true;
  }
  return defineIntegers(instr,
                        [&](int64_t k, bool &) { return form.value.ints[k]; });
}

bool Machine::execute(const SymbolForm &form, const Instr &instr) {
  int64_t number = world.options.symbols.at(form.name);
  return defineIntegers(instr, [&](int64_t, bool &) { return number; });
}

bool Machine::execute(const GridDimForm &form, const Instr &instr) {
  int64_t number = world.launch.grid[form.axis];
  return defineIntegers(instr, [&](int64_t, bool &) { return number; });
}

bool Machine::execute(const IntegerForm &form, const Instr &instr) {
  const Value &a = in(instr, 0), &b = in(instr, 1);
  for (int64_t k = 0; form.divides && k < instr.lanes; ++k) {
    Wide x = signedOf(a.ints[k], instr.bits);
    Wide y = signedOf(b.ints[k], instr.bits);
    if (x < 0 || y < 1) {
      std::string text = wideText(x) + " by " + wideText(y);
      return stuck(Rule::IndexDivision, instr, y < 1,
                   y < 1 ? "divisor " + wideText(y) + " is less than 1"
                         : "dividend " + wideText(x) + " is negative",
                   "divides " + text);
    }
  }
  if (form.divides || instr.bits == 0) {
    world.result.boundsHold &= a.uncertain.empty() && b.uncertain.empty();
  }
  auto read = form.isUnsigned ? unsignedOf : signedOf;
  return defineIntegers(instr, [&](int64_t k, bool &uncertain) {
    uncertain = a.isUncertain(k) || b.isUncertain(k);
    return form.apply(read(a.ints[k], instr.bits), read(b.ints[k], instr.bits));
  });
}

bool Machine::execute(const UnsignedBitsForm &form, const Instr &instr) {
  const Value &a = in(instr, 0), &b = in(instr, 1);
  return defineIntegers(instr, [&](int64_t k, bool &uncertain) {
    uncertain = a.isUncertain(k) || b.isUncertain(k);
    return form.apply(unsignedOf(a.ints[k], instr.bits),
                      unsignedOf(b.ints[k], instr.bits), instr.bits);
  });
}

bool Machine::execute(const UnaryIntegerForm &form, const Instr &instr) {
  const Value &a = in(instr, 0);
  return defineIntegers(instr, [&](int64_t k, bool &uncertain) {
    uncertain = a.isUncertain(k);
    return form.apply(signedOf(a.ints[k], instr.bits));
  });
}

bool Machine::execute(const CompareIntegerForm &form, const Instr &instr) {
  const Value &a = in(instr, 0), &b = in(instr, 1);
  unsigned width = widthOf(form.bits);
  return defineIntegers(instr, [&](int64_t k, bool &uncertain) {
    uncertain = a.isUncertain(k) || b.isUncertain(k);
    return compareInteger(form.predicate, a.ints[k], b.ints[k], width);
  });
}

bool Machine::execute(const CastForm &form, const Instr &instr) {
  const Value &from = in(instr, 0);
  world.result.boundsHold &= instr.bits != 0 || from.uncertain.empty();
  return defineIntegers(instr, [&](int64_t k, bool &uncertain) {
    uncertain = from.isUncertain(k);
    return form.isUnsigned ? unsignedOf(from.ints[k], form.fromBits)
                           : signedOf(from.ints[k], form.fromBits);
  });
}

bool Machine::execute(const UnaryForm &form, const Instr &instr) {
  const Format &format = formatOf(instr.kind);
  const Value &a = in(instr, 0);
  Value result;
  result.floats.reserve(instr.lanes);
  for (int64_t k = 0; k < instr.lanes; ++k) {
    result.push(form.apply(format, a.real(k)));
  }
  define(instr, std::move(result));
  return true;
}

/// What addReal, subReal and mulReal make of lanes of f32 that are exact; false
/// for other lanes.
static bool applyExactly(BinaryReal apply, const Instr &instr, const Value &a,
                         const Value &b, Value &result) {
  if (instr.kind != Kind::F32 || !a.bounds.empty() || !b.bounds.empty()) {
    return false;
  }
  auto each = [&](auto exact) {
    result.floats.resize_for_overwrite(instr.lanes);
    for (int64_t k = 0; k < instr.lanes; ++k) {
      result.floats[k] = static_cast<float>(exact(a.floats[k], b.floats[k]));
    }
    return true;
  };
  if (apply == mulReal) {
    return each([](double x, double y) { return x * y; });
  }
  if (apply == addReal) {
    return each([](double x, double y) { return x + y; });
  }
  return apply == subReal && each([](double x, double y) { return x - y; });
}

bool Machine::execute(const BinaryForm &form, const Instr &instr) {
  const Format &format = formatOf(instr.kind);
  const Value &a = in(instr, 0), &b = in(instr, 1);
  Value result;
  if (applyExactly(form.apply, instr, a, b, result)) {
    define(instr, std::move(result));
    return true;
  }
  result.floats.reserve(instr.lanes);
  for (int64_t k = 0; k < instr.lanes; ++k) {
    result.push(form.apply(format, a.real(k), b.real(k)));
  }
  define(instr, std::move(result));
  return true;
}

bool Machine::execute(const FmaForm &, const Instr &instr) {
  const Format &format = formatOf(instr.kind);
  const Value &a = in(instr, 0), &b = in(instr, 1), &c = in(instr, 2);
  Value result;
  for (int64_t k = 0; k < instr.lanes; ++k) {
    result.push(fmaReal(format, a.real(k), b.real(k), c.real(k)));
  }
  define(instr, std::move(result));
  return true;
}

bool Machine::execute(const CompareForm &form, const Instr &instr) {
  const Value &a = in(instr, 0), &b = in(instr, 1);
  return defineIntegers(instr, [&](int64_t k, bool &uncertain) {
    uncertain = compareIsUncertain(form.predicate, a.real(k), b.real(k));
    return compareReal(form.predicate, a.floats[k], b.floats[k]);
  });
}

bool Machine::execute(const FromIntegerForm &form, const Instr &instr) {
  const Format &format = formatOf(instr.kind);
  const Value &from = in(instr, 0);
  auto read = form.isUnsigned ? unsignedOf : signedOf;
  Value result;
  for (int64_t k = 0; k < instr.lanes; ++k) {
    double bound =
        from.isUncertain(k) ? std::numeric_limits<double>::infinity() : 0;
    result.push(
        Real{roundInteger(format, read(from.ints[k], form.fromBits)), bound});
  }
  define(instr, std::move(result));
  return true;
}

bool Machine::execute(const ToIntegerForm &form, const Instr &instr) {
  const Value &from = in(instr, 0);
  return defineIntegers(instr, [&](int64_t k, bool &uncertain) {
    Real x = from.real(k);
    auto convert = [&](double number) {
      return saturated(number, instr.bits, form.isUnsigned);
    };
    Wide number = convert(x.value);
    uncertain = x.bound != 0 && (convert(x.value - x.bound) != number ||
                                 convert(x.value + x.bound) != number);
    return number;
  });
}

/// Of all NaNs the quiet one without sign.
static double plainNan(double x) {
  return std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : x;
}

bool Machine::execute(const BitcastForm &form, const Instr &instr) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Value &from = in(instr, 0);
  Value result;
  for (int64_t k = 0; k < instr.lanes; ++k) {
    uint64_t bits = 0;
    bool uncertain = false;
    if (isFloat(form.from)) {
      // Which of its NaNs an implementation has is its own.
      Real x = from.real(k);
      uncertain = x.bound != 0 || std::isnan(x.value);
      bits = toBits(formatOf(form.from), plainNan(x.value));
    } else {
      uncertain = from.isUncertain(k);
      bits = static_cast<uint64_t>(from.ints[k]);
    }
    if (isFloat(instr.kind)) {
      result.push(
          Real{fromBits(formatOf(instr.kind), bits), uncertain ? infinity : 0});
    } else {
      result.push(wrap(static_cast<int64_t>(bits), instr.bits), uncertain);
    }
  }
  define(instr, std::move(result));
  return true;
}

bool Machine::execute(const SelectForm &, const Instr &instr) {
  const Value &condition = in(instr, 0);
  const Value &yes = in(instr, 1), &no = in(instr, 2);
  bool one = condition.ints.size() == 1;
  Value result;
  if (isFloat(instr.kind)) {
    result.floats.reserve(instr.lanes);
  } else {
    result.ints.reserve(instr.lanes);
  }
  for (int64_t k = 0; k < instr.lanes; ++k) {
    size_t c = one ? 0 : k;
    bool flips = condition.isUncertain(c);
    const Value &chosen = condition.ints[c] ? yes : no;
    const Value &other = condition.ints[c] ? no : yes;
    if (isFloat(instr.kind)) {
      result.push(flips ? selectUncertain(chosen.real(k), other.real(k))
                        : chosen.real(k));
    } else {
      result.push(chosen.ints[k], flips || chosen.isUncertain(k));
    }
  }
  define(instr, std::move(result));
  return true;
}

bool Machine::execute(const IotaForm &form, const Instr &instr) {
  return defineIntegers(instr, [&](int64_t k, bool &) {
    return k / form.axis.inner % form.axis.length;
  });
}

bool Machine::execute(const BroadcastForm &form, const Instr &instr) {
  define(instr, broadcast(in(instr, 0), form.from, form.to));
  return true;
}

bool Machine::execute(const TransposeForm &form, const Instr &instr) {
  define(instr, transpose(in(instr, 0), form.from, form.permutation));
  return true;
}

bool Machine::execute(const ExtractForm &form, const Instr &instr) {
  define(instr, extract(in(instr, 0), form.from, form.to, form.position));
  return true;
}

bool Machine::execute(const CatForm &form, const Instr &instr) {
  define(instr, cat(in(instr, 0), in(instr, 1), form.axis));
  return true;
}

bool Machine::execute(const CopyForm &, const Instr &instr) {
  define(instr, in(instr, 0));
  return true;
}

bool Machine::execute(const ReduceForm &form, const Instr &instr) {
  const Value &from = in(instr, 0);
  define(instr,
         isFloat(instr.kind)
             ? reduceFloats(form.reduction, instr.kind, from, form.axis)
             : reduceIntegers(form.reduction, instr.bits, from, form.axis));
  return true;
}

bool Machine::execute(const ScanForm &form, const Instr &instr) {
  const Value &from = in(instr, 0);
  define(instr, isFloat(instr.kind)
                    ? scanFloats(form.reduction, instr.kind, from, form.axis,
                                 form.reverse)
                    : scanIntegers(form.reduction, instr.bits, from, form.axis,
                                   form.reverse));
  return true;
}

bool Machine::execute(const ArgumentForm &form, const Instr &instr) {
  const Value &from = in(instr, 0);
  define(instr, isFloat(form.from)
                    ? argumentOfFloats(form.largest, from, form.axis)
                    : argumentOfIntegers(form.largest, from, form.axis));
  return true;
}

bool Machine::execute(const MmaForm &form, const Instr &instr) {
  const Value &a = in(instr, 0), &b = in(instr, 1), &c = in(instr, 2);
  if (form.block != 0) {
    const MmaShape &s = form.shape;
    int64_t blocks = s.depth / form.block;
    Value lhs = scaled(a, in(instr, 3), {s.rows, blocks, form.block, 1});
    Value rhs = scaled(b, in(instr, 4), {1, blocks, form.block, s.columns});
    // Beside each sum, the scales of a block may round.
    define(instr, mmaFloats(instr.kind, s, lhs, rhs, c,
                            {.roundings = 2 * s.depth + 1}));
    return true;
  }
  if (form.isFast) {
    bool isWide = form.factors == Kind::F32;
    define(instr, isWide ? mmaFloats(instr.kind, form.shape, fewerDigits(a),
                                     fewerDigits(b), c)
                         : mmaFloats(instr.kind, form.shape, a, b, c,
                                     {.lostDigits = lostByFastSums}));
    return true;
  }
  define(instr, isFloat(instr.kind)
                    ? mmaFloats(instr.kind, form.shape, a, b, c)
                    : mmaIntegers(instr.bits, form.shape, a, b, c));
  return true;
}

} // namespace girih::exec
