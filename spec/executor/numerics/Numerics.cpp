// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values and bounds of float operations on single lanes. Every function first
// asks what moving the operands inside their bounds does to the exact result
// (`delta`) and then adds one rounding on either side.

#include "spec/executor/numerics/Numerics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace girih::exec {

static constexpr double infinity = std::numeric_limits<double>::infinity();

/// Bounds are computed in double by a handful of operations on numbers that are
/// not negative; this covers their roundings.
static double roundedUp(double bound) { return bound * (1 + 0x1p-47); }

static bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         (a == b && std::signbit(a) == std::signbit(b));
}

static bool certainNan(Real x) { return std::isnan(x.value) && x.bound == 0; }

/// A finite result that must stay finite for the bound to mean anything.
static Real bounded(const Format &format, double value, double bound) {
  bool holds = std::fabs(value) + bound <= format.largest();
  return {value, holds ? roundedUp(bound) : infinity};
}

/// The result of a correctly rounded operation whose exact result moves by at
/// most `delta`: both sides round, by half a unit each.
static Real rounded(const Format &format, double exact, double delta) {
  double value = roundTo(format, exact);
  if (delta == 0) {
    return {value, 0};
  }
  double unit = 1.01 * format.unit();
  return bounded(format, value,
                 delta * (1 + unit) + 2 * unit * std::fabs(value) +
                     format.tiny());
}

/// An operation with two operands, `apply` exact to double and `delta` the
/// movement of its result for finite operands.
template <typename Apply, typename Delta>
static Real binary(const Format &format, Real a, Real b, Apply apply,
                   Delta delta) {
  double exact = apply(a.value, b.value);
  if (a.bound == 0 && b.bound == 0) {
    return {roundTo(format, exact), 0};
  }
  if (std::isinf(a.bound) || std::isinf(b.bound)) {
    bool certain = certainNan(a) || certainNan(b);
    return {roundTo(format, exact), certain ? 0 : infinity};
  }
  if (std::isfinite(a.value) && std::isfinite(b.value)) {
    return rounded(format, exact, delta());
  }
  // A certain infinity or NaN meets an inexact number: the result is certain
  // when it is the same at the ends.
  double value = roundTo(format, exact);
  for (double s : {-1.0, 1.0}) {
    for (double t : {-1.0, 1.0}) {
      double end = apply(a.value + s * a.bound, b.value + t * b.bound);
      if (!same(roundTo(format, end), value)) {
        return {value, infinity};
      }
    }
  }
  return {value, 0};
}

Real addReal(const Format &format, Real a, Real b) {
  return binary(
      format, a, b, [](double x, double y) { return x + y; },
      [&] { return a.bound + b.bound; });
}

Real subReal(const Format &format, Real a, Real b) {
  return addReal(format, a, negReal(format, b));
}

static double productDelta(Real a, Real b) {
  return std::fabs(a.value) * b.bound + std::fabs(b.value) * a.bound +
         a.bound * b.bound;
}

Real mulReal(const Format &format, Real a, Real b) {
  return binary(
      format, a, b, [](double x, double y) { return x * y; },
      [&] { return productDelta(a, b); });
}

Real divReal(const Format &format, Real a, Real b) {
  return binary(
      format, a, b, [](double x, double y) { return x / y; },
      [&] {
        double room = std::fabs(b.value) - b.bound;
        return room <= 0
                   ? infinity
                   : (a.bound + std::fabs(a.value / b.value) * b.bound) / room;
      });
}

Real fmaReal(const Format &format, Real a, Real b, Real c) {
  double exact;
  if (format.kind == Kind::F64) {
    exact = std::fma(a.value, b.value, c.value);
  } else {
    exact = addToOdd(a.value * b.value, c.value); // the product is exact
  }
  if (a.bound == 0 && b.bound == 0 && c.bound == 0) {
    return {roundTo(format, exact), 0};
  }
  bool finite = std::isfinite(a.value) && std::isfinite(b.value) &&
                std::isfinite(c.value);
  bool nan = certainNan(a) || certainNan(b) || certainNan(c);
  if (!finite) {
    return {roundTo(format, exact), nan ? 0 : infinity};
  }
  return rounded(format, exact, productDelta(a, b) + c.bound);
}

Real negReal(const Format &, Real a) { return {-a.value, a.bound}; }

Real absReal(const Format &, Real a) { return {std::fabs(a.value), a.bound}; }

/// Operations that choose an operand move no further than the wider one.
template <typename Choose>
static Real choose(const Format &format, Real a, Real b, Choose apply) {
  Real result = binary(format, a, b, apply, [] { return 0.0; });
  bool finiteA = std::isfinite(a.value), finiteB = std::isfinite(b.value);
  if (finiteA && finiteB) {
    result.bound = std::max(a.bound, b.bound);
  } else if (std::isfinite(result.value)) {
    // Of a finite number and a certain infinity it is the number.
    result.bound = a.bound + b.bound;
  }
  return result;
}

static double maximum(double x, double y) {
  if (std::isnan(x) || std::isnan(y)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return x > y || (x == y && !std::signbit(x)) ? x : y;
}

static double minimum(double x, double y) { return -maximum(-x, -y); }

Real maximumReal(const Format &format, Real a, Real b) {
  return choose(format, a, b, maximum);
}

Real minimumReal(const Format &format, Real a, Real b) {
  return choose(format, a, b, minimum);
}

Real maxnumReal(const Format &format, Real a, Real b) {
  if (certainNan(a) || certainNan(b)) {
    return certainNan(a) ? b : a;
  }
  return maximumReal(format, a, b);
}

Real minnumReal(const Format &format, Real a, Real b) {
  if (certainNan(a) || certainNan(b)) {
    return certainNan(a) ? b : a;
  }
  return minimumReal(format, a, b);
}

/// An operation with one operand: correctly rounded when `ulps` is 0.
template <typename Apply, typename Delta>
static Real unary(const Format &format, Real a, double ulps, Apply apply,
                  Delta delta) {
  double exact = apply(a.value);
  double value = roundTo(format, exact);
  if (std::isinf(a.bound)) {
    return {value, infinity};
  }
  if (!std::isfinite(a.value) || std::isnan(exact)) {
    bool certain = a.bound == 0 || std::isnan(a.value);
    return {value, certain ? 0 : infinity};
  }
  double moved = a.bound == 0 ? 0 : delta();
  if (ulps == 0) {
    return rounded(format, exact, moved);
  }
  double unit = 2 * format.unit();
  if (std::isinf(value)) {
    bool far = std::fabs(exact) - moved > format.largest() * (1 + 16 * unit);
    return {value, far ? 0 : infinity};
  }
  double slack =
      (ulps + 1) * (unit * (std::fabs(value) + moved) * 1.01 + format.tiny());
  return bounded(format, value, moved + slack);
}

Real sqrtReal(const Format &format, Real a) {
  return unary(
      format, a, 0, [](double x) { return std::sqrt(x); },
      [&] {
        double low = a.value - a.bound;
        return low < 0 ? infinity
                       : a.bound / (std::sqrt(a.value) + std::sqrt(low));
      });
}

Real rsqrtReal(const Format &format, Real a) {
  return unary(
      format, a, functionUlps, [](double x) { return 1 / std::sqrt(x); },
      [&] {
        double low = a.value - a.bound;
        return low <= 0 ? infinity
                        : 1 / std::sqrt(low) - 1 / std::sqrt(a.value) +
                              0x1p-50 / std::sqrt(low);
      });
}

/// How far an exponential rises when its operand rises by the bound; a growth
/// beyond double says nothing of a result that is next to nothing, its end
/// does.
static double riseOf(double value, double growth, double end) {
  return std::isfinite(growth) ? value * growth * (1 + 0x1p-49)
                               : end * (1 + 0x1p-40);
}

Real expReal(const Format &format, Real a) {
  return unary(
      format, a, functionUlps, [](double x) { return std::exp(x); },
      [&] {
        return riseOf(std::exp(a.value), std::expm1(a.bound),
                      std::exp(a.value + a.bound));
      });
}

Real exp2Real(const Format &format, Real a) {
  return unary(
      format, a, functionUlps, [](double x) { return std::exp2(x); },
      [&] {
        return riseOf(std::exp2(a.value),
                      std::expm1(a.bound * 0.693147180559945310),
                      std::exp2(a.value + a.bound));
      });
}

Real exp2FlushedReal(const Format &format, Real a) {
  Real r = exp2Real(format, a);
  // An operand that is zero instead moves the result by less than a unit.
  r.bound += std::numeric_limits<float>::min();
  return r;
}

/// How far the natural logarithm falls when its operand falls by the bound.
static double logDelta(Real a) {
  return a.bound < a.value ? -std::log1p(-a.bound / a.value) * (1 + 0x1p-49)
                           : infinity;
}

Real logReal(const Format &format, Real a) {
  return unary(
      format, a, functionUlps, [](double x) { return std::log(x); },
      [&] { return logDelta(a); });
}

Real log2Real(const Format &format, Real a) {
  return unary(
      format, a, functionUlps, [](double x) { return std::log2(x); },
      [&] { return logDelta(a) * 1.44269504088896341; });
}

Real tanhReal(const Format &format, Real a) {
  return unary(
      format, a, functionUlps, [](double x) { return std::tanh(x); },
      [&] { return a.bound; });
}

/// Where no derivative exceeds 1.
static Real gentle(const Format &format, Real a, double (*apply)(double),
                   double slope) {
  return unary(format, a, functionUlps, apply, [&] { return a.bound * slope; });
}

Real sinReal(const Format &format, Real a) {
  return gentle(format, a, std::sin, 1);
}

Real cosReal(const Format &format, Real a) {
  return gentle(format, a, std::cos, 1);
}

/// Rises between two poles; over less than half a turn it falls where one lies
/// between.
Real tanReal(const Format &format, Real a) {
  return unary(
      format, a, functionUlps, [](double x) { return std::tan(x); },
      [&] {
        double value = std::tan(a.value);
        double low = std::tan(std::nextafter(a.value - a.bound, -infinity));
        double high = std::tan(std::nextafter(a.value + a.bound, infinity));
        bool rises = a.bound < 1.5 && low <= value && value <= high;
        return rises ? std::max(high - value, value - low) +
                           (std::fabs(low) + std::fabs(high)) * 0x1p-51
                     : infinity;
      });
}

/// The way to an operand whose magnitude is larger by the bound: an exponential
/// is steepest there.
Real sinhReal(const Format &format, Real a) {
  return unary(
      format, a, functionUlps, [](double x) { return std::sinh(x); },
      [&] {
        return a.bound * std::cosh(std::fabs(a.value) + a.bound) *
               (1 + 0x1p-40);
      });
}

Real coshReal(const Format &format, Real a) {
  return unary(
      format, a, functionUlps, [](double x) { return std::cosh(x); },
      [&] {
        return a.bound * std::sinh(std::fabs(a.value) + a.bound) *
               (1 + 0x1p-40);
      });
}

Real erfReal(const Format &format, Real a) {
  return gentle(format, a, std::erf, 1.12838); // 2 / sqrt(pi)
}

Real expm1Real(const Format &format, Real a) {
  return unary(
      format, a, functionUlps, [](double x) { return std::expm1(x); },
      [&] { return std::exp(a.value) * std::expm1(a.bound) * (1 + 0x1p-49); });
}

Real log1pReal(const Format &format, Real a) {
  return unary(
      format, a, functionUlps, [](double x) { return std::log1p(x); },
      [&] {
        double room = (1 + a.value) * (1 - 0x1p-50);
        return a.bound < room ? -std::log1p(-a.bound / room) * (1 + 0x1p-49)
                              : infinity;
      });
}

/// The power moves in one direction along each operand, so that it moves
/// furthest towards a corner.
static double powDelta(Real a, Real b) {
  if (a.value <= a.bound) {
    return infinity;
  }
  double value = std::pow(a.value, b.value), furthest = 0;
  for (double s : {-1.0, 1.0}) {
    for (double t : {-1.0, 1.0}) {
      double end = std::pow(a.value + s * a.bound, b.value + t * b.bound);
      furthest = std::max(furthest, std::fabs(end - value));
    }
  }
  return furthest + value * 0x1p-49;
}

/// Exact. Where all quotients have one whole part, the remainder moves with the
/// operands; else it stays closer to zero than the divisor.
Real remReal(const Format &format, Real a, Real b) {
  double value = std::fmod(a.value, b.value);
  if (a.bound == 0 && b.bound == 0) {
    return {value, 0};
  }
  if (!(std::isfinite(a.value) && std::isfinite(a.bound) &&
        std::isfinite(b.value) && std::isfinite(b.bound))) {
    return {value, certainNan(a) || certainNan(b) ? 0 : infinity};
  }
  double size = std::fabs(a.value), by = std::fabs(b.value);
  if (by <= b.bound) {
    return {value, infinity}; // a divisor may be zero
  }
  double least = (size - a.bound) / (by + b.bound) * (1 - 0x1p-50);
  double most = (size + a.bound) / (by - b.bound) * (1 + 0x1p-50);
  double whole = std::floor(most);
  bool same = whole == 0 || std::floor(least) == whole;
  double way =
      same ? a.bound + whole * b.bound : std::fabs(value) + by + b.bound;
  return bounded(format, value, way);
}

Real powReal(const Format &format, Real a, Real b) {
  auto apply = [&](double x) { return std::pow(x, b.value); };
  bool exact = a.bound == 0 && b.bound == 0;
  if (!exact && !(std::isfinite(a.value) && std::isfinite(a.bound) &&
                  std::isfinite(b.value) && std::isfinite(b.bound))) {
    return {roundTo(format, apply(a.value)), infinity};
  }
  return unary(format, {a.value, std::max(a.bound, b.bound)}, functionUlps,
               apply, [&] { return powDelta(a, b); });
}

/// A step across the ray to the left goes once around; else the angle at which
/// the way is seen from the origin is below pi / 2 times its share.
static double angleDelta(Real y, Real x) {
  double way = y.bound + x.bound, room = std::hypot(y.value, x.value);
  bool crosses = std::fabs(y.value) <= y.bound && x.value - x.bound <= 0;
  return way < room && !crosses ? 1.5708 * way / room * (1 + 0x1p-40) : 6.2832;
}

Real atan2Real(const Format &format, Real y, Real x) {
  auto apply = [&](double v) { return std::atan2(v, x.value); };
  bool exact = y.bound == 0 && x.bound == 0;
  if (!exact && !(std::isfinite(y.value) && std::isfinite(y.bound) &&
                  std::isfinite(x.value) && std::isfinite(x.bound))) {
    return {roundTo(format, apply(y.value)), infinity};
  }
  return unary(format, {y.value, std::max(y.bound, x.bound)}, functionUlps,
               apply, [&] { return angleDelta(y, x); });
}

/// A function that does not fall and gives whole numbers, without rounding.
static Real whole(const Format &format, Real a, double (*apply)(double)) {
  double value = apply(a.value);
  if (a.bound == 0) {
    return {value, 0};
  }
  double low = apply(a.value - a.bound), high = apply(a.value + a.bound);
  double bound = std::max(high - value, value - low);
  return std::isfinite(bound) ? bounded(format, value, bound)
                              : Real{value, infinity};
}

Real floorReal(const Format &format, Real a) {
  return whole(format, a, std::floor);
}

Real ceilReal(const Format &format, Real a) {
  return whole(format, a, std::ceil);
}

Real towardsZeroReal(const Format &format, Real a) {
  return whole(format, a, std::trunc);
}

Real roundReal(const Format &format, Real a) {
  return whole(format, a, std::round);
}

Real roundEvenReal(const Format &format, Real a) {
  return whole(format, a, std::nearbyint);
}

Real truncReal(const Format &format, Real a) {
  return unary(
      format, a, 0, [](double x) { return x; }, [&] { return a.bound; });
}

/// The way to the further of the two ends; on the way through zero the
/// magnitude is smallest there.
template <bool up> static Real powerReal(Real a) {
  double value = roundToPower(a.value, up), bound = 0;
  for (double x : {a.value - a.bound, a.value + a.bound,
                   std::fabs(a.value) <= a.bound ? 0.0 : a.value}) {
    double way = std::fabs(roundToPower(x, up) - value);
    bound = std::isnan(value) && std::isnan(x) ? bound : std::fmax(bound, way);
  }
  bool holds = std::isnan(a.value) ? a.bound == 0 : std::isfinite(a.bound);
  return {value, holds ? bound : infinity};
}

Real powerBelowReal(const Format &, Real a) { return powerReal<false>(a); }
Real powerAboveReal(const Format &, Real a) { return powerReal<true>(a); }

Real convertReal(const Format &format, Real a) {
  double most = format.largest();
  auto clamp = [&](double x) {
    return std::isnan(x) ? x : std::clamp(x, -most, most);
  };
  return unary(format, a, 0, clamp, [&] { return a.bound; });
}

bool compareReal(Compare predicate, double a, double b) {
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case Compare::False:
    return false;
  case Compare::Oeq:
    return a == b;
  case Compare::Ogt:
    return a > b;
  case Compare::Oge:
    return a >= b;
  case Compare::Olt:
    return a < b;
  case Compare::Ole:
    return a <= b;
  case Compare::One:
    return a < b || a > b;
  case Compare::Ord:
    return !unordered;
  case Compare::Ueq:
    return unordered || a == b;
  case Compare::Ugt:
    return unordered || a > b;
  case Compare::Uge:
    return unordered || a >= b;
  case Compare::Ult:
    return unordered || a < b;
  case Compare::Ule:
    return unordered || a <= b;
  case Compare::Une:
    return a != b;
  case Compare::Uno:
    return unordered;
  case Compare::True:
    return true;
  }
  return false;
}

bool compareIsUncertain(Compare predicate, Real a, Real b) {
  if ((a.bound == 0 && b.bound == 0) || predicate == Compare::True ||
      predicate == Compare::False || certainNan(a) || certainNan(b)) {
    return false;
  }
  if (std::isinf(a.bound) || std::isinf(b.bound)) {
    return true;
  }
  return std::fabs(a.value - b.value) <= roundedUp(a.bound + b.bound);
}

Real selectUncertain(Real chosen, Real other) {
  double apart = same(chosen.value, other.value)
                     ? 0
                     : std::fabs(chosen.value - other.value);
  double bound = roundedUp(apart + std::max(chosen.bound, other.bound));
  return {chosen.value, std::isnan(bound) ? infinity : bound};
}

/// The growth of an error over n roundings of one unit in the last place each.
static double gamma(const Format &format, int64_t roundings) {
  double total = static_cast<double>(roundings) * 2 * format.unit();
  return total < 0.5 ? total / (1 - total) : infinity;
}

/// The format that an addition keeps the digits of.
static Format adderOf(Format format, const Sum &sum) {
  format.precision -= sum.lostDigits;
  return format;
}

Real finishSum(const Format &format, const Sum &sum) {
  double value = roundTo(format, sum.value);
  Format adder = adderOf(format, sum);
  int lowest = adder.minExponent - adder.precision + 1;
  bool exact = sum.propagated == 0 && sum.quantum >= lowest &&
               sum.magnitude <= format.largest() &&
               sum.magnitude <= std::ldexp(1.0, sum.quantum + adder.precision);
  if (exact) {
    return {value, 0};
  }
  double n = static_cast<double>(sum.roundings + 1);
  double reach = sum.magnitude + sum.propagated;
  double growth = gamma(adder, sum.roundings + 1);
  double bound = sum.propagated + growth * reach + // the other implementation
                 (format.unit() + n * 0x1p-52) * reach + // this one
                 n * adder.tiny();
  // No partial sum may overflow either, whatever the order.
  bool holds = reach * (1 + growth) + bound <= format.largest();
  return {value, holds ? roundedUp(bound) : infinity};
}

void NonFinite::add(Real term) {
  nan |= std::isnan(term.value) && term.bound == 0;
  uncertain |= std::isinf(term.bound);
  positive |= term.value == infinity;
  negative |= term.value == -infinity;
}

Real finishNonFinite(const Format &format, const NonFinite &seen,
                     const Sum &finitePart) {
  constexpr double quietNan = std::numeric_limits<double>::quiet_NaN();
  if (seen.nan) {
    return {quietNan, 0};
  }
  if (seen.uncertain) {
    double value = seen.positive == seen.negative
                       ? finishSum(format, finitePart).value
                       : (seen.positive ? infinity : -infinity);
    return {value, infinity};
  }
  if (seen.positive && seen.negative) {
    return {quietNan, 0};
  }
  if (!seen.positive && !seen.negative) {
    return finishSum(format, finitePart); // the sum itself left double
  }
  bool stays =
      (finitePart.magnitude + finitePart.propagated) *
          (1 + gamma(adderOf(format, finitePart), finitePart.roundings + 1)) <=
      format.largest();
  return {seen.positive ? infinity : -infinity, stays ? 0 : infinity};
}

void multiply(Product &product, Real factor) {
  ++product.count;
  product.value *= factor.value;
  double size = std::fabs(factor.value);
  product.nan |= certainNan(factor);
  product.uncertain |= std::isinf(factor.bound);
  if (!std::isfinite(factor.value)) {
    product.infinite = true;
    return;
  }
  product.inexact |= factor.bound != 0;
  product.signUncertain |= factor.bound != 0 && size <= factor.bound;
  product.plain *= size;
  product.withBounds *= size + factor.bound;
  product.largest *= std::max(1.0, size + factor.bound);
  if (size != 0) {
    product.smallest *= std::min(1.0, size);
    int lowest = lowestBit(size);
    product.bits += exponentOf(size) - lowest + 1;
    product.quantum += std::min(0, lowest);
  }
}

Real finishProduct(const Format &format, const Product &product) {
  double value = roundTo(format, product.value);
  if (product.nan) {
    return {std::numeric_limits<double>::quiet_NaN(), 0};
  }
  double n = static_cast<double>(product.count);
  double growth = gamma(format, product.count);
  bool overflows = !(product.largest * (1 + growth) <= format.largest());
  bool underflows = product.smallest < std::ldexp(1.0, format.minExponent);
  if (product.uncertain || overflows) {
    return {value, infinity};
  }
  if (product.infinite) {
    bool certain = !product.signUncertain && !underflows;
    return {value, certain ? 0 : infinity};
  }
  int lowest = format.minExponent - format.precision + 1;
  if (!product.inexact && product.bits <= format.precision &&
      product.quantum >= lowest) {
    return {value, 0};
  }
  double bound = (product.withBounds - product.plain) +
                 (growth + format.unit() + n * 0x1p-51) * product.withBounds +
                 (n + 1) * format.tiny() * product.largest;
  return bounded(format, value, bound);
}

} // namespace girih::exec
