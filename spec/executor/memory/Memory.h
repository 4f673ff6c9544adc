// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements of one tensor argument, in coordinates of that tensor. Storage
// grows with what is written: what a launch finds in memory is an array that
// the caller gave, or a function of an element's place.

#ifndef GIRIH_SPEC_EXECUTOR_MEMORY_MEMORY_H
#define GIRIH_SPEC_EXECUTOR_MEMORY_MEMORY_H

#include "spec/executor/memory/Box.h"
#include "spec/executor/memory/ClosedForm.h"
#include "spec/executor/numerics/Array.h"
#include "spec/executor/numerics/Value.h"

#include <memory>
#include <unordered_map>

namespace girih::exec {

/// A number that depends on all of its arguments: splitmix64.
uint64_t mix(uint64_t x);

/// The seed of one argument's contents.
uint64_t seedFor(uint64_t seed, const std::string &name);

/// The seeded element at an address (in elements): floats are multiples of
/// 1/64 from -2 to 127/64, exact in every format of 16 bits or more, and are
/// rounded down to halves for smaller ones, those of f8E8M0FNU 1/4 to 2;
/// integers go from 0 to 15, an i4 from -8 to 7, an i1 from 0 to 1.
double seededFloat(Kind kind, uint64_t seed, int64_t address);
int64_t seededInteger(Kind kind, uint64_t seed, int64_t address);

/// What a launch knows of a tensor argument.
struct Layout {
  Kind kind = Kind::F32;
  Coord extents;
  Coord strides;          ///< in elements
  bool written = false;   ///< modes own and out
  bool undefined = false; ///< mode out: nothing there before the launch
};

class Memory {
public:
  /// What the launch finds: `given`, which has the tensor's extents, `form`, or
  /// without either what the seed says. Without `values` float elements are
  /// only marked as written.
  Memory(Layout layout, const Array *given, uint64_t seed, bool values,
         const ClosedForm *form = nullptr);

  /// The launch finds what lies in these bytes, of which the first are those of
  /// the element at coordinate 0, unless `given` says.
  void bind(char *bytes) { place = bytes; }
  /// Stores what was written there, if they are bound.
  void storeWritten() const;

  const Layout &layout() const { return shape; }

  /// The number of a coordinate in row-major order; of a written tensor, whose
  /// elements do not overlap, it fits.
  int64_t linear(llvm::ArrayRef<int64_t> coord) const;
  /// Its number in memory: the sum of coordinate times stride.
  int64_t address(llvm::ArrayRef<int64_t> coord) const;
  Coord coordinate(int64_t linear) const;

  /// The first undefined element among `count` along the last axis.
  std::optional<int64_t> firstUndefined(llvm::ArrayRef<int64_t> start,
                                        int64_t count) const;
  /// Reads `count` elements along the last axis into lanes.
  void read(llvm::ArrayRef<int64_t> start, int64_t count, Value &into,
            size_t lane) const;
  /// Writes lanes, which may be absent when values are not computed.
  void write(llvm::ArrayRef<int64_t> start, int64_t count, const Value &from,
             size_t lane);

  /// The first element that nobody wrote, of a tensor that had to be.
  std::optional<Coord> firstMissing() const;
  /// Bytes of storage in use.
  int64_t bytes() const { return usedBytes; }

  /// All elements, when there are no more than `limit`: values (undefined ones
  /// NaN or 0), bounds (F64, floats only), and which are defined (I1).
  struct Dense {
    Array values;
    std::optional<Array> bounds;
    Array defined;
  };
  std::optional<Dense> dense(int64_t limit) const;

private:
  static constexpr int64_t chunkSize = 256;
  struct Chunk {
    uint64_t written[chunkSize / 64] = {};
    std::vector<int64_t> ints;
    std::vector<double> floats, bounds;
  };

  const Chunk *find(int64_t linear) const;
  Chunk &touch(int64_t linear);
  void initial(llvm::ArrayRef<int64_t> start, int64_t count, Value &into,
               size_t lane) const;
  template <typename Part>
  void forEachPart(int64_t linear, int64_t count, Part part) const;

  Layout shape;
  const Array *given;
  const ClosedForm *form;
  char *place = nullptr;
  uint64_t seed;
  bool values;
  std::unordered_map<int64_t, std::unique_ptr<Chunk>> chunks;
  int64_t writtenCount = 0;
  int64_t usedBytes = 0;
};

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_MEMORY_MEMORY_H
