// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector clocks. Streams and nodes of executable graphs are actors, whose
// pieces of work are numbered. A clock says of each actor up to which number
// its work happens before. Clocks are joined as calls are made, not as work
// runs: what they say does not depend on chance, except for what the host
// learns by queries and host functions.

#ifndef GIRIH_TESTS_SIMULATED_CLOCKS_H
#define GIRIH_TESTS_SIMULATED_CLOCKS_H

#include <cstdint>
#include <vector>

namespace girih::simulated {

/// One piece of work: the epoch-th of an actor. No actor: always before.
struct Stamp {
  int actor = -1;
  uint64_t epoch = 0;
};

class Clock {
public:
  void join(const Clock &other);
  void join(Stamp stamp);
  /// Whether what is behind this clock is behind that work.
  bool knows(Stamp stamp) const;
  /// Gives its memory back, too: handles that were destroyed are kept.
  void clear() { epochs = std::vector<uint64_t>(); }

private:
  std::vector<uint64_t> epochs;
};

/// Numbers actors. The number of one that ended is given to another as soon as
/// the host knows that its last work is done: all that comes later is behind
/// it.
class Actors {
public:
  int add(const Clock &host);
  void end(int actor);
  Stamp next(int actor);

private:
  std::vector<uint64_t> last;
  std::vector<int> ended;
};

} // namespace girih::simulated

#endif // GIRIH_TESTS_SIMULATED_CLOCKS_H
