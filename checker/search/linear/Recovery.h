// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From multipliers in floating point to exact ones.

#ifndef GIRIH_CHECKER_SEARCH_LINEAR_RECOVERY_H
#define GIRIH_CHECKER_SEARCH_LINEAR_RECOVERY_H

#include "checker/search/linear/LinearProgram.h"

#include <boost/multiprecision/cpp_int.hpp>

namespace girih::search {

using Rational = boost::multiprecision::cpp_rational;
using Columns = std::vector<const LinearColumn *>;

Rational toRational(proofs::Int x);

/// The rationals, all positive, times what makes them integers without a common
/// factor; false when they do not fit.
bool toIntegers(const std::vector<std::pair<uint32_t, Rational>> &x,
                std::vector<Multiplier> &out);

/// Exact multipliers for the columns in `support`, near `near`; false when
/// there are none.
bool recover(const Columns &columns, const std::vector<uint32_t> &support,
             const std::vector<double> &near, std::vector<Multiplier> &out);

} // namespace girih::search

#endif // GIRIH_CHECKER_SEARCH_LINEAR_RECOVERY_H
