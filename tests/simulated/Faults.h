// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that are made to fail, counts of calls, and the mistakes that were
// found in the program.

#ifndef GIRIH_TESTS_SIMULATED_FAULTS_H
#define GIRIH_TESTS_SIMULATED_FAULTS_H

#include <deque>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace girih::simulated {

class Faults {
public:
  /// The error that a call is to fail with, or 0.
  int enter(const std::string &name);
  int leave(int error);
  /// Notes a mistake of the program.
  void report(std::string text) { errors.push_back(std::move(text)); }
  /// A handle that is none. The error.
  int unknownHandle(const std::string &call, const char *kind);
  void clear(uint64_t seed);

  struct Rule {
    std::string name; ///< "*" for any
    int left = 0;     ///< calls until it fails
    int error = 0;
  };
  uint64_t seed = 1;
  std::vector<Rule> rules;
  double probability = 0;
  int randomError = 0;
  std::set<std::string> spared;
  std::map<std::string, int> calls;
  int allCalls = 0, failed = 0;
  std::deque<std::string> errors; ///< whose texts stay where they are

private:
  std::mt19937_64 random;
};

} // namespace girih::simulated

#endif // GIRIH_TESTS_SIMULATED_FAULTS_H
