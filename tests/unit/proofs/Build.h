// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short ways to write polynomials, facts, obligations and certificates down:
// tests state them in the text forms.

#ifndef GIRIH_TESTS_UNIT_PROOFS_BUILD_H
#define GIRIH_TESTS_UNIT_PROOFS_BUILD_H

#include "proofs/Judge.h"

#include <gtest/gtest.h>

#include <string>

namespace girih::proofs::test {

/// One obligation from the lines after `variables`; empty with a test failure
/// when they do not parse.
inline Obligation obligation(const std::string &lines,
                             const std::string &variables = "") {
  auto parsed = parseObligations(
      "obligation test\nlabel \"\"\nlocation \"\"\nvariables " + variables +
      "\n" + lines + "\nend\n");
  if (auto *e = std::get_if<ParseError>(&parsed)) {
    ADD_FAILURE() << "line " << e->line << ": " << e->message << "\n" << lines;
    return {};
  }
  return std::get<std::vector<Obligation>>(parsed)[0];
}

/// `v1 - 2*v3`
inline Poly poly(const std::string &text) {
  return obligation("goal " + text).goal;
}

/// `v1 >= 0`, `any of (v1 = 0) | (v2 - 1 >= 0)`
inline Fact fact(const std::string &text) {
  Obligation o = obligation("given contract: " + text + "\ngoal -1");
  return o.hypotheses.empty() ? Fact{} : o.hypotheses[0].fact;
}

inline Certificate certificate(const std::string &text) {
  auto parsed = parseCertificate(text);
  if (auto *e = std::get_if<ParseError>(&parsed)) {
    ADD_FAILURE() << e->message << "\n" << text;
    return {};
  }
  return std::get<Certificate>(parsed);
}

/// The ruling on facts and a certificate in their text forms.
inline CheckResult refutesText(const std::vector<std::string> &facts,
                               const std::string &tree) {
  std::vector<Fact> parsed;
  for (const std::string &f : facts) {
    parsed.push_back(fact(f));
  }
  return refutes(parsed, certificate(tree));
}

/// Hypotheses and negated goal: what a certificate refutes.
inline std::vector<Fact> factsOf(const Obligation &o) {
  std::vector<Fact> facts;
  for (const Hypothesis &h : o.hypotheses) {
    facts.push_back(h.fact);
  }
  facts.push_back(Fact::atLeastZero(negatedGoal(o)));
  return facts;
}

} // namespace girih::proofs::test

#endif // GIRIH_TESTS_UNIT_PROOFS_BUILD_H
