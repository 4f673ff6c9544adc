// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that come again. What the contract says of a call depends on elements,
// extents, strides, symbols and evidence, which are its shape; on addresses it
// depends for alignment, the last address and shared memory, and on scalars for
// their range. A launch is remembered by the shape of its call, and the rest is
// checked for each.

#ifndef GIRIH_RUNTIME_C_CALLS_H
#define GIRIH_RUNTIME_C_CALLS_H

#include "runtime/driver/Launch.h"
#include "runtime/girih.h"

#include <unordered_map>

namespace girih::runtime {

/// A call as numbers. Two calls of one kernel with the same shape differ in
/// addresses and scalars alone.
struct CallNumbers {
  std::vector<int64_t> shape;
  std::vector<uint64_t> addresses; ///< by argument number
  std::vector<double> scalars;     ///< by argument number

  /// Whether the call has a shape. It has none if something is missing or no
  /// argument of the kernel, or if contents must be looked at.
  bool read(const Manifest &manifest, const girih_argument *arguments,
            size_t argument_count, const girih_symbol *symbols,
            size_t symbol_count);
};

/// A call that passed the contract.
struct PassedCall {
  LaunchPlan plan;
  KernelLaunch launch; ///< with the parameters of the first call
};

/// The calls of one kernel by their shapes.
class PassedCalls {
public:
  /// Null where there is none.
  std::shared_ptr<const PassedCall>
  find(const std::vector<int64_t> &shape) const;
  void add(const std::vector<int64_t> &shape, PassedCall call);

private:
  struct Hash {
    size_t operator()(const std::vector<int64_t> &shape) const;
  };
  std::unordered_map<std::vector<int64_t>, std::shared_ptr<const PassedCall>,
                     Hash>
      calls;
};

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_C_CALLS_H
