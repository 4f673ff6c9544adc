// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ptx-gate EXPECTED PTX...: what the gate says of each text, a line each:
// `proved`, with the number of obligations and milliseconds, or
// `[rule] message`.

#include "lower/ptx/Validate.h"

#include "checker/search/SearchLibrary.h"

#include <chrono>
#include <fstream>
#include <iostream>
#include <sstream>

using namespace girih;

static std::string contents(const char *path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

int main(int argc, char **argv) {
  auto expected = ptx::parseExpected(argc > 1 ? contents(argv[1]) : "");
  if (auto *error = std::get_if<ptx::Error>(&expected)) {
    std::cerr << "line " << error->line << ": " << error->message << "\n";
    return 1;
  }
  const search::Api *api = checker::openSearch();
  if (!api) {
    std::cerr << "there is no search\n";
    return 1;
  }
  for (int i = 2; i < argc; ++i) {
    auto start = std::chrono::steady_clock::now();
    auto result =
        ptx::validate(contents(argv[i]), std::get<ptx::Expected>(expected),
                      [&](const proofs::Obligation &o) {
                        search::Budget budget;
                        budget.pivots = 20000;
                        return api->findCertificate(o, budget, nullptr);
                      });
    std::chrono::duration<double, std::milli> time =
        std::chrono::steady_clock::now() - start;
    if (auto *refusal = std::get_if<ptx::Refusal>(&result)) {
      std::cout << "[" << refusal->rule << "] " << refusal->message << "\n";
    } else {
      std::cout << "proved, " << std::get<ptx::Proof>(result).obligations.size()
                << " obligations, " << time.count() << " ms\n";
    }
  }
  return 0;
}
