// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch contract on actual arguments. What the proof took for granted
// about a launch is decided here, before anything runs, in 128 bits and without
// wrapping: ranges of symbols, strides and spans, self-overlap, `requires`, the
// grid, alignment, that no written tensor shares memory with another argument,
// and how it is known that contents are what is given (spec/tile.md, Launches).

#ifndef GIRIH_RUNTIME_ARGUMENTS_CONTRACT_H
#define GIRIH_RUNTIME_ARGUMENTS_CONTRACT_H

#include "runtime/artefact/Manifest.h"

#include <map>
#include <span>

namespace girih::runtime {

using Wide = __int128;

/// How it is known that a tensor's contents keep what the contract gives.
enum class Evidence : uint8_t {
  None,
  Contents,  ///< a copy in host memory is looked through with the call
  Vouched,   ///< the caller says so
  Validated, ///< what lies on the device is looked through before each launch
};

/// An actual tensor: what the caller says of its memory, in elements.
struct TensorValue {
  uint64_t address = 0;
  Element element = Element::F32;
  std::vector<int64_t> extents, strides;
  Evidence evidence = Evidence::None;
  /// The elements in row-major order, for Evidence::Contents.
  const void *contents = nullptr;
};

/// The caller's side of a launch; tensors and scalars by argument number.
struct Call {
  std::vector<std::optional<TensorValue>> tensors;
  std::vector<std::optional<double>> scalars;
  std::map<std::string, int64_t> symbols;
};

/// A tensor as the kernel will see it.
struct Layout {
  Element element = Element::F32;
  std::vector<int64_t> extents, strides;

  bool empty() const;
  /// Elements from the first to behind the last one; 0 when empty.
  int64_t span() const;
};

/// The numbers of `within`, low <= value < high, or of `splits`, 0 and high.
struct Bounds {
  Wide low = 0, high = 0;
};

/// What a launch comes to.
struct LaunchPlan {
  size_t variant = 0;
  std::vector<int64_t> symbols; ///< by symbol number
  std::vector<Layout> layouts;  ///< by argument; none for scalars
  std::vector<int64_t> grid;
  int64_t blocks = 0;
  std::vector<int64_t> integers; ///< of the integer parameters, in order
  std::vector<Bounds> bounds;    ///< of what is given, in order
};

/// The values of all launch symbols: from the extents of the tensors that the
/// call has, and from its symbols, which must agree.
Expected<std::vector<int64_t>> bindSymbols(const Manifest &manifest,
                                           const Call &call);

/// The launch that these symbols give, without a look at addresses.
Expected<LaunchPlan> planLaunch(const Manifest &manifest,
                                std::vector<int64_t> symbols);

/// A variant that a launcher tries, and the first of its conditions that the
/// launch does not meet; empty for the one that it takes, which is the last.
struct VariantTrial {
  const Variant *variant = nullptr;
  std::string unmet;
};

/// The variants that are tried for these symbols, in order.
Expected<std::vector<VariantTrial>> tryVariants(const Manifest &manifest,
                                                std::vector<int64_t> symbols);

/// That a number rounds to one of the kernel's, and not to infinity.
std::optional<Error> checkScalar(const Argument &argument, double value);

/// Checks the actual tensors against a plan: presence, element, extents,
/// strides, alignment, aliasing; and that every scalar is there.
std::optional<Error> checkArguments(const Manifest &manifest,
                                    const LaunchPlan &plan, const Call &call);

/// What of checkArguments is left for a call that differs from one that has
/// passed in addresses and scalars alone; both by argument number.
std::optional<Error> checkAgain(const Manifest &manifest,
                                const LaunchPlan &plan,
                                const std::vector<uint64_t> &addresses,
                                const std::vector<double> &scalars);

/// Checks how it is known that contents are what is given: looks through those
/// that are in host memory, and refuses where nothing is known.
std::optional<Error> checkGivens(const Manifest &manifest,
                                 const LaunchPlan &plan, const Call &call);

/// All of the above in order: what a launch has to pass.
Expected<LaunchPlan> checkCall(const Manifest &manifest, const Call &call);

/// Evaluates an expression; a refusal when it leaves 128 bits or divides by
/// less than 1 or a negative number.
Expected<Wide> evaluate(const Manifest &manifest, const Expression &expression,
                        const std::vector<int64_t> &symbols);

/// Whether a condition has a value, and is true.
bool isTrue(const Condition &condition, const std::vector<int64_t> &symbols);

/// `ceildiv(M, 128)`, for messages.
std::string textOf(const Manifest &manifest, const Expression &expression);

/// Whether no two elements can share memory: in order of stride, each axis of
/// extent above 1 strides beyond the reach of all before it.
bool isInjective(const Layout &layout);

/// Whether two tensors surely share no memory: one is empty, their bytes are
/// apart, or their strides agree and they are disjoint boxes of one allocation,
/// such as interleaved slices.
bool areDisjoint(const Layout &a, uint64_t addressA, const Layout &b,
                 uint64_t addressB);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_ARGUMENTS_CONTRACT_H
