// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the text of a kernel: what every block needs goes into a prologue,
// once; the rest is written in order, region in region.

#ifndef GIRIH_FUZZ_GENERATORS_WRITER_H
#define GIRIH_FUZZ_GENERATORS_WRITER_H

#include "fuzz/generators/Draw.h"
#include "fuzz/generators/Generator.h"

#include <map>

namespace girih::fuzz {

/// A dimension of a tensor and the tile along it.
struct Axis {
  std::string extent;    ///< a launch symbol or a number
  int64_t constant = -1; ///< the number, if it is one
  int64_t tile = 1;
  bool unit = false; ///< written `_`: indexed, absent from the vector

  /// The number of tiles, as a contract expression.
  std::string count() const;
};

struct Tensor {
  std::string name; ///< with its %
  std::string number;
  std::vector<Axis> axes;
  std::string element = "f32";
  std::string mode = "shared"; ///< as in the type: `out partial`
  std::string strides;         ///< `[ld, 1]`, or empty
  /// Not empty: the argument has these extents, and the tensor is this view.
  std::string root, view;

  std::string partition() const { return "%p" + number; }
  std::string tensorType() const { return "!T" + number; }
  std::string argumentType() const {
    return view.empty() ? tensorType() : "!R" + number;
  }
  std::string partitionType() const { return "!P" + number; }
  std::string pieceType() const { return "!Q" + number; }
  /// The type of a tile: a vector, or a scalar when all axes are unit.
  std::string valueType() const;
  bool isFloat() const { return element[0] != 'i'; }
  /// Whether tiles of it are claimed: modes own and out.
  bool isClaimed() const { return mode[0] == 'o'; }
};

class Writer {
public:
  explicit Writer(std::string name) : name(std::move(name)) {}

  /// The next tensor argument.
  Tensor &tensor(std::vector<Axis> axes, std::string mode,
                 std::string element = "f32", std::string strides = "");
  /// A launch symbol and what to try for it; extents too.
  void symbol(const std::string &symbol, std::vector<int64_t> values,
              const std::string &type = "index");
  /// One value more to try, for a symbol that is there.
  void tryToo(const std::string &symbol, int64_t value);
  /// What the box has for an extent: a symbol, or a number.
  std::vector<int64_t> valuesOf(const std::string &extent) const;
  bool hasSymbol(const std::string &symbol) const;
  /// A new axis of the grid; its number.
  size_t grid(std::string expression);
  size_t gridSize() const { return gridAxes.size(); }
  const std::string &gridAt(size_t axis) const { return gridAxes[axis]; }
  void require(std::string comparison);
  /// What is given of contents: `within(%t0, 0, N)`.
  void given(std::string fact);
  /// A map, of which `head` is what stands between its name and its body, and
  /// the body without the outer braces; its name.
  std::string map(const std::string &head, const std::string &body);
  /// A helper function, likewise.
  std::string function(const std::string &head, const std::string &body);

  /// One op with a result, here; returns its name.
  std::string op(const std::string &text);
  /// One op without a result.
  void line(const std::string &text);
  /// A name that nothing has yet.
  std::string fresh() { return "%r" + std::to_string(names++); }
  /// `scf.for ... {` and the like, up to `close`, which writes `last` first.
  void open(const std::string &head, const std::string &last = "");
  void otherwise();
  void close();
  size_t depth() const { return ends.size(); }
  void closeTo(size_t depth);

  // What every block needs, written once, before everything else.
  std::string constant(int64_t value, const std::string &type = "index");
  std::string filled(const Tensor &t);
  std::string blockId(size_t axis);
  std::string gridDim(size_t axis);
  std::string symbolValue(const std::string &symbol,
                          const std::string &type = "index");
  std::string tiles(const Tensor &t, size_t axis);
  std::string once(const std::string &text);

  /// Arithmetic, here.
  std::string binary(const std::string &name, const std::string &a,
                     const std::string &b, const std::string &type = "index");
  std::string compare(const std::string &predicate, const std::string &a,
                      const std::string &b, const std::string &type = "index");

  std::string text() const;
  /// The kernel and its box; only the box can tell whether it is safe.
  Sample openSample(uint64_t seed) const {
    return {seed, text(), Sample::Truth::Open, "", box};
  }
  Box box;

private:
  std::string name, prologue, body;
  size_t values = 0, names = 0;
  std::vector<std::string> ends; ///< of the open regions: their last lines
  std::vector<std::unique_ptr<Tensor>> tensors;
  std::vector<std::pair<std::string, std::string>> symbols; ///< name, type
  std::vector<std::string> gridAxes, requirements, givens;
  std::string outside; ///< maps and functions
  size_t outsiders = 0;
  std::map<std::string, std::string> written; ///< of the prologue, by text
};

/// What `Kernel` draws, safe, or with the mistake of this number in its list.
template <typename Kernel> Sample drawKernel(uint64_t seed, int mistake = -1) {
  Draw d(seed, mistake);
  Sample s = Kernel(d).write().openSample(seed);
  s.truth = mistake < 0 ? Sample::Truth::Safe : Sample::Truth::Unsafe;
  if (mistake >= 0) {
    s.mutation = d.mutations()[static_cast<size_t>(mistake)];
  }
  return s;
}

/// The mistakes that can be made in that kernel, by name.
template <typename Kernel> std::vector<std::string> mistakesOf(uint64_t seed) {
  Draw d(seed);
  Kernel(d).write();
  return d.mutations();
}

/// `[a, b]`
std::string listed(const std::vector<std::string> &items);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_GENERATORS_WRITER_H
