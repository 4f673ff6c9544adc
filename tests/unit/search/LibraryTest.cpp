// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tool that links the loader does not link the solver.

#include "Corpus.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <thread>

using namespace girih;

TEST(Library, loaderHasNoUndefinedSymbolOfZ3) {
  std::string command =
      "nm -D --undefined-only '" +
      std::filesystem::read_symlink("/proc/self/exe").string() + "'";
  FILE *out = popen(command.c_str(), "r");
  ASSERT_TRUE(out);
  std::string text;
  char line[4096];
  while (std::fgets(line, sizeof line, out)) {
    text += line;
  }
  ASSERT_EQ(pclose(out), 0);
  EXPECT_NE(text.find(" U "), std::string::npos);
  EXPECT_EQ(text.find("Z3_"), std::string::npos);
}

TEST(Library, opensOnceAndForAllThreads) {
  const search::Api *first = checker::openSearch();
  ASSERT_TRUE(first);
  std::vector<std::thread> threads;
  std::vector<int> certifiedBy(4, 0);
  std::vector<proofs::Obligation> all = corpus("schedules");
  for (size_t i = 0; i < certifiedBy.size(); ++i) {
    threads.emplace_back([&, i] {
      for (const proofs::Obligation &o : all) {
        search::Model m;
        certifiedBy[i] += certified(o);
      }
      search::Model m;
      certifiedBy[i] +=
          checker::openSearch() == first &&
          findModel(corpus("refuted")[i], {}, m) == search::Answer::Sat;
    });
  }
  for (std::thread &t : threads) {
    t.join();
  }
  for (int n : certifiedBy) {
    EXPECT_EQ(n, int(all.size()) + 1);
  }
}
