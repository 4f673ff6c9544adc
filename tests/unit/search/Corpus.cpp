// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Corpus.h"

#include "proofs/Judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace girih {

using namespace proofs;

const search::Api &api() {
  std::string error;
  const search::Api *found = checker::openSearch(&error);
  if (!found) {
    ADD_FAILURE() << error;
    std::exit(1);
  }
  return *found;
}

static std::vector<Obligation> parseAll(const std::string &text) {
  auto result = parseObligations(text);
  if (auto *e = std::get_if<ParseError>(&result)) {
    ADD_FAILURE() << "line " << e->line << ": " << e->message;
    return {};
  }
  return std::get<0>(result);
}

std::vector<Obligation> corpus(const std::string &name) {
  std::string file =
      GIRIH_SOURCE_DIR "/tests/unit/search/corpus/" + name + ".obl";
  std::ifstream in(file);
  EXPECT_TRUE(in.good()) << file;
  std::stringstream text;
  text << in.rdbuf();
  return parseAll(text.str());
}

Obligation parse(const std::string &text) {
  std::vector<Obligation> all = parseAll(text);
  EXPECT_EQ(all.size(), 1u);
  return all.empty() ? Obligation() : all[0];
}

std::vector<Fact> facts(const Obligation &o) {
  std::vector<Fact> out;
  for (const Hypothesis &h : o.hypotheses) {
    out.push_back(h.fact);
  }
  out.push_back(Fact::atLeastZero(negatedGoal(o)));
  return out;
}

bool certified(const Obligation &o, const search::Budget &budget) {
  auto c = api().findCertificate(o, budget, nullptr);
  return c && refutes(facts(o), *c).accepted;
}

search::Answer findModel(const Obligation &o, const std::vector<Var> &minimise,
                         search::Model &out) {
  search::Units units{100'000'000, 100'000'000};
  return api().findModel(o, minimise, units, out);
}

bool satisfies(const Obligation &o, const search::Model &m) {
  auto holds = [&](const Atom &a) {
    auto value = a.poly.evaluate([&](Var v) { return m.values.at(v); });
    return value && (a.equality ? *value == 0 : *value >= 0);
  };
  std::vector<Fact> all = facts(o);
  return std::all_of(all.begin(), all.end(), [&](const Fact &f) {
    return std::any_of(f.branches.begin(), f.branches.end(), [&](auto &b) {
      return std::all_of(b.begin(), b.end(), holds);
    });
  });
}

} // namespace girih
