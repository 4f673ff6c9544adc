// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the body of a kernel, op by op. A value whose lanes are all one number
// is kept as that scalar and broadcast where a vector is asked for; one lane is
// always such a value.

#ifndef GIRIH_LOWER_IMPORT_EMITTER_H
#define GIRIH_LOWER_IMPORT_EMITTER_H

#include "lower/import/Signature.h"

namespace girih::importer {

/// A value of the function in the dialect.
struct Lanes {
  std::string name; ///< of a scalar where `splat`, else of a vector
  std::string element;
  readback::Shape shape;
  bool splat = true;
  std::string constant; ///< of a splat that is one, as arith writes it
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
  const Lanes &get(const readback::Op &op, unsigned value);
  /// The name of a vector of all lanes, or of the scalar that has no shape.
  std::string full(const Lanes &v);
  Lanes asIndex(const Lanes &v);

  // Values.cpp
  /// Whether the op computes with lanes.
  bool compute(const readback::Op &op);
  /// Lane by lane; operands of one shape.
  Lanes apply(const std::string &op, const std::vector<Lanes> &operands,
              const std::string &result = "");
  Lanes compare(const std::string &predicate, const Lanes &x, const Lanes &y);
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
  std::vector<std::string> region(const readback::Region &r,
                                  const std::vector<unsigned> &results,
                                  std::vector<std::string> &typeList);
  std::string terminate(const readback::Op &op, const readback::Region &r,
                        const char *terminator,
                        const std::vector<unsigned> &results);

  std::map<std::string, std::string> partitions;
  std::map<std::string, std::pair<std::string, std::string>> partitionTypes;
  std::map<std::string, std::string> indexOf; ///< by the name of an integer
};

} // namespace girih::importer

#endif // GIRIH_LOWER_IMPORT_EMITTER_H
