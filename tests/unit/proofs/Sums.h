// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polynomials a second time, for the reference judges of the tests: maps from
// powers to big integers, written without a look at proofs/Poly.

#ifndef GIRIH_TESTS_UNIT_PROOFS_SUMS_H
#define GIRIH_TESTS_UNIT_PROOFS_SUMS_H

#include "proofs/Obligation.h"

#include <boost/multiprecision/cpp_int.hpp>

#include <map>

namespace girih::proofs::test {

using Big = boost::multiprecision::cpp_int;
using Powers = std::map<Var, int>;
using Sum = std::map<Powers, Big>; ///< a polynomial; zeros may occur

/// An atom.
struct Claim {
  bool equality = false;
  Sum sum;
};
using Claims = std::vector<std::vector<Claim>>; ///< a fact

Big big(Int value);
Sum sumOf(const Poly &p);
Sum variable(Var v);
Sum number(const Big &value);
/// a + weight * b
Sum plus(Sum a, const Sum &b, const Big &weight);
Sum times(const Sum &a, const Sum &b);
Sum withValue(const Sum &s, Var v, const Sum &value);
bool same(const Sum &a, const Sum &b);

Claims claimsOf(const Fact &f);
bool same(const Claims &a, const Claims &b);

} // namespace girih::proofs::test

#endif // GIRIH_TESTS_UNIT_PROOFS_SUMS_H
