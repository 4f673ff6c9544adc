// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Programs.h"

#include "checker/search/SearchLibrary.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace girih::ptx::test {

std::string program(const std::string &name) {
  std::ifstream in(GIRIH_SOURCE_DIR "/tests/unit/ptx/programs/" + name);
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_FALSE(text.str().empty()) << name;
  return text.str();
}

Expected expectedOf(const std::string &name) {
  auto parsed = parseExpected(program(name + ".expected"));
  if (auto *error = std::get_if<Error>(&parsed)) {
    ADD_FAILURE() << name << ":" << error->line << ": " << error->message;
    return {};
  }
  return std::get<Expected>(std::move(parsed));
}

std::variant<Proof, Refusal> validated(const std::string &ptx,
                                       const Expected &expected) {
  const search::Api *api = checker::openSearch();
  EXPECT_TRUE(api);
  return validate(ptx, expected, [&](const proofs::Obligation &o) {
    search::Budget budget;
    budget.pivots = 20000;
    return api->findCertificate(o, budget, nullptr);
  });
}

std::string refusal(const std::variant<Proof, Refusal> &result) {
  auto *refused = std::get_if<Refusal>(&result);
  return refused ? "[" + refused->rule + "] " + refused->message : "";
}

} // namespace girih::ptx::test
