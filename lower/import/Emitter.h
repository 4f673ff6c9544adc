// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the body of a kernel, op by op. A value whose lanes are all one number
// is kept as that scalar and broadcast where a vector is asked for; one lane is
// always such a value.
//
// Integers of the launch are computed as `index`, which does not wrap
// (Lift.cpp).

#ifndef GIRIH_LOWER_IMPORT_EMITTER_H
#define GIRIH_LOWER_IMPORT_EMITTER_H

#include "lower/import/Range.h"
#include "lower/import/Signature.h"

namespace girih::importer {

/// A value of the function in the dialect.
struct Lanes {
  /// Of a scalar where `splat`, else of a vector. Empty where only `index` is
  /// written.
  std::string name;
  std::string element;
  readback::Shape shape;
  bool splat = true;
  std::string constant; ///< of a splat that is one, as arith writes it
  /// Of an integer splat of N bits, an `index` that is congruent to it modulo
  /// 2^N: the same number if it fits.
  std::string index = {};
  /// All lanes of an integer lie there, read with sign; where `index` is
  /// written, that does.
  std::optional<Range> range = {};
};

/// What is known of names where they are visible.
struct Scope {
  std::map<std::string, std::string> indexOf; ///< by the name of an integer
  /// By the name of an `index` and a type: the integer of that type.
  std::map<std::string, std::string> narrowed;
  std::map<std::string, Range> proved; ///< by the name of an `index`
};

/// How a loop counts.
struct Bounds {
  std::string text, type; ///< of its head, before and behind what it carries
  Lanes counter;
  bool isWide = false; ///< in `index`; then all of these are lifted and fit
  Lanes lower, upper, step;
};

/// An integer that a loop carries and to which each trip adds the same.
struct Steady {
  unsigned argument = 0;
  Lanes first, by; ///< lifted
  bool down = false;
  Range all; ///< in which it lies in each trip
};

struct Emitter {
  Emitter(const Sources &sources, Signature &signature, const Options &options)
      : sources(sources), f(sources.f), signature(signature), options(options),
        values(f.types.size()) {}

  const Sources &sources;
  const readback::Function &f;
  Signature &signature;
  const Options &options;

  std::vector<std::optional<Lanes>> values;
  std::string body, prologue, types;
  std::vector<std::string> notes; ///< what is read as something else
  std::string indent = "  ";
  unsigned names = 0;
  Scope scope;
  std::set<std::string> promises; ///< names of ops that stay, used or not

  void run(const std::vector<readback::Op> &ops);

  // Text.cpp
  /// A new op with one result, which is named.
  std::string define(const std::string &text);
  void line(const std::string &text);
  void note(const std::string &text);
  static std::string type(const std::string &element,
                          const readback::Shape &shape);
  /// As the value itself is written.
  static std::string type(const Lanes &v);
  std::string elementOf(const readback::Op &op, const readback::Type &t);
  Lanes number(int64_t n, const std::string &element);
  Lanes constant(const readback::Op &op);
  void set(unsigned value, Lanes lanes);
  /// As it is kept.
  const Lanes &kept(const readback::Op &op, unsigned value) const;
  /// With its name, and without `index`.
  Lanes get(const readback::Op &op, unsigned value);
  /// The name of a vector of all lanes, or of the scalar that has no shape.
  std::string full(const Lanes &v);
  Lanes asIndex(const Lanes &v);

  // Lift.cpp
  /// With `index`: of constants and integers of the launch.
  std::optional<Lanes> lifted(const Lanes &v);
  /// Of a lifted integer, as an operand of ops on `index`.
  static Lanes indexLanes(const Lanes &v);
  /// Owes that a lifted integer is the number that it is congruent to.
  Lanes fit(Lanes v);
  /// As an index that an access owes to be below `extent`.
  Lanes coordinate(const Lanes &v, int64_t extent);
  /// Writes an op on integers of the launch as one on `index`, if it is one.
  bool lift(const readback::Op &op);
  /// Of the integer of N bits itself.
  Range wrappedRange(const Lanes &v) const;
  Range rangeOf(const Lanes &v) const;
  /// Divides what is no integer of the launch and may be negative.
  bool divideSigned(const readback::Op &op);
  /// Narrows where a value has only an `index`.
  std::string narrow(const Lanes &v);

  // Decide.cpp
  /// What the intervals of operands tell of a result.
  void estimate(const readback::Op &op, Lanes &result);
  /// Writes nothing where an operand already tells the truth of a result.
  bool decide(const readback::Op &op);
  Lanes truth(bool is, const readback::Shape &shape);

  // Values.cpp
  /// Whether the op computes with lanes.
  bool compute(const readback::Op &op);
  /// Lane by lane; operands of one shape.
  Lanes apply(const std::string &op, const std::vector<Lanes> &operands,
              const std::string &result = "");
  Lanes compare(const std::string &predicate, const Lanes &x, const Lanes &y);
  /// `how` stands behind the operand.
  Lanes moved(const std::string &op, const Lanes &v, const readback::Shape &to,
              const std::string &how = "");
  Lanes reshape(const Lanes &v, const readback::Shape &to);
  Lanes broadcast(const Lanes &v, const readback::Shape &to);

  // Folds.cpp
  void fold(const readback::Op &op);
  void product(const readback::Op &op);

  // Parts.cpp
  void extract(const readback::Op &op);
  void concatenate(const readback::Op &op);

  // Touch.cpp
  void access(const readback::Op &op);
  void viewShape(const readback::Op &op);
  std::string partition(const readback::Op &op, const Tensor &t,
                        const std::vector<int64_t> &tile,
                        const std::vector<unsigned> &axes, std::string &type,
                        std::string &piece);

  // Control.cpp
  void loop(const readback::Op &op);
  void branch(const readback::Op &op);
  void assume(const readback::Op &op);

  /// Leaves out of the body what nothing uses and what cannot go wrong.
  void prune();
  /// All of the kernel, when the body is written.
  std::string text(const std::string &name) const;

private:
  void lanewise(const readback::Op &op, const std::string &as);
  void shaped(const readback::Op &op);
  void byView(const readback::Op &op, Tensor &t);
  void byLanes(const readback::Op &op, Tensor &t);
  void oneLane(const readback::Op &op, Tensor &t);
  std::string indices(const std::vector<Lanes> &list);
  Bounds boundsOf(const readback::Op &op);
  /// Owes that a counter still fits when its loop ends.
  void fitCounter(const Bounds &b);
  std::optional<Steady> steadyOf(const readback::Op &op, size_t i,
                                 const Bounds &b);
  /// What a steady integer is in a trip.
  Lanes afterTrips(const Steady &s, const Bounds &b);
  std::vector<std::string> region(const readback::Region &r,
                                  const std::vector<unsigned> &results,
                                  std::vector<std::string> &typeList);
  std::string terminate(const readback::Op &op, const readback::Region &r,
                        const char *terminator,
                        const std::vector<unsigned> &results);

  std::map<std::string, std::string> partitions;
  std::map<std::string, std::pair<std::string, std::string>> partitionTypes;
  std::set<unsigned> uncarried; ///< results of loops that need not be handed on
};

/// How a comparison of integers orders; nothing where it is none.
std::optional<Order> orderOf(const readback::Op &op);
/// Of an extent or stride of this type, as every contract has it.
Range sizeRange(const readback::Type &t);
/// Of an integer type by its name; 0 of others.
unsigned bitsOf(const std::string &element);

} // namespace girih::importer

#endif // GIRIH_LOWER_IMPORT_EMITTER_H
