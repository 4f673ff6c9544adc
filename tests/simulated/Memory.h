// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory. Addresses come from a reserved range where nothing is mapped,
// so that the host faults on them, and none is given twice. What is stored
// lies elsewhere, in memory of its own for each allocation. Pinned memory of
// the host is mapped where it says, and nothing is where it was. Every access
// of a piece of work is checked as it is queued: against what is allocated, and
// against the accesses of other work to the same bytes.

#ifndef GIRIH_TESTS_SIMULATED_MEMORY_H
#define GIRIH_TESTS_SIMULATED_MEMORY_H

#include "tests/simulated/Clocks.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace girih::simulated {

struct Context;
using Address = uint64_t;

enum class Mode { Read, Write, Atomic };

struct Access {
  Address begin = 0;
  uint64_t bytes = 0;
  Mode mode = Mode::Read;
  bool host = false; ///< memory of the host, not of a device
  bool copy = false; ///< of a copy, which reaches every device
};

/// Where the bytes of an allocation are.
struct Backing {
  explicit Backing(size_t bytes);
  std::vector<char> bytes;
};

/// Who does something, for checks and messages.
struct Actor {
  Stamp stamp;
  const Clock *clock = nullptr;
  std::string name; ///< `add #7 on stream 2`
  Context *context = nullptr;
};

/// Uses of one piece of memory that later ones may conflict with.
class Uses {
public:
  /// The use that this one races with, if there is one. Adds it.
  std::optional<std::string> add(const Access &access, const Actor &actor,
                                 const Clock &host);
  /// A use that an actor is not behind.
  std::optional<std::string> unordered(const Clock &clock) const;
  void clear() { list.clear(); }

private:
  struct Use {
    Address begin, end;
    Mode mode;
    Stamp stamp;
    std::string name;
  };
  std::vector<Use> list;
};

struct Allocation {
  Address begin = 0;
  uint64_t bytes = 0;
  int device = 0;
  Context *context = nullptr; ///< none for memory of a pool
  bool pinned = false;        ///< of the host
  bool pooled = false;
  bool live = true;
  std::string made, freed; ///< by whom
  Stamp madeAt;
  std::shared_ptr<Backing> backing;
  Uses uses;

  /// Where a byte lies for the threads that run work.
  char *at(Address address) const;
};

class Memory {
public:
  /// Null when the range of addresses is used up.
  Allocation *allocate(uint64_t bytes, int device, Context *context);
  /// Null when the host has no more.
  Allocation *pin(uint64_t bytes, Context *context);
  /// The live or freed allocation around an address, or null.
  Allocation *find(Address address);
  void release(Allocation &allocation);
  void clear();

  /// What is wrong with an access; notes it where nothing is. `mayRun` says
  /// whether the memory is there nevertheless.
  std::optional<std::string> check(const Access &access, const Actor &actor,
                                   const Clock &host, bool &mayRun);
  /// What is wrong with freeing it at a point of time.
  std::optional<std::string> checkFree(Allocation &allocation,
                                       const Clock &clock,
                                       const std::string &name);

  std::map<Address, Allocation> all;
  uint64_t live[4] = {};
  int liveCount[4] = {};

private:
  Address next = 0, end = 0;
  Uses hostUses;
};

} // namespace girih::simulated

#endif // GIRIH_TESTS_SIMULATED_MEMORY_H
