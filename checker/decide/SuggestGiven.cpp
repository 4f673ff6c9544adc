// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/decide/SuggestGiven.h"

#include "checker/decide/Conditions.h"
#include "checker/decide/SmallLaunches.h"
#include "ir/ops/Views.h"
#include "spec/executor/Executor.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using girih::tile::ExprAttr;
using girih::tile::GivenAttr;
using girih::tile::GivenKind;

namespace girih::checker {

namespace {
/// Tensors that something is said of, ranges that are tried of each, and
/// choices that are made of both. A kernel seldom looks up in more than two.
constexpr size_t maxTensors = 3, maxRanges = 6, maxChoices = 96;
/// Launches that a choice must stand, of this many numbers looked at; and of
/// the executor, a launch.
constexpr size_t launches = 60, numbers = 1 << 12;
constexpr uint64_t launchSteps = 1 << 12;
/// Choices that are verified, each with so many steps of the search.
constexpr size_t maxVerified = 4;
constexpr uint64_t kernelSteps = 30'000;
/// What facts and obligations of a choice may come to. The verdict is still
/// there, as large, while choices are verified.
constexpr size_t choiceUnits = maxFactUnits / 4;

using Choice = std::vector<GivenAttr>;

class Suggesting {
public:
  Suggesting(tile::KernelOp kernel, const Verdict &v,
             const VerifyOptions &given)
      : kernel(kernel), options(given) {
    options.certificates = nullptr;
    options.crossCheck = false;
    options.allFaults = false;
    options.models = false;
    options.steps = std::min(kernelSteps, given.steps);
    options.factUnits = std::min(choiceUnits, given.factUnits);
    for (size_t i = 0; i < v.vcs.size(); ++i) {
      if (v.findings[i].status == Status::Unknown ||
          v.findings[i].status == Status::Refuted) {
        llvm::for_each(v.vcs[i].variables,
                       [&](const Variable &x) { addTensor(x.value); });
      }
    }
  }

  std::optional<std::string> run() {
    if (tensors.empty() || tensors.size() > maxTensors) {
      return std::nullopt;
    }
    size_t tried = 0;
    for (const Choice &c : choices()) {
      auto module = kernelUnder(kernel, {}, c);
      tile::KernelOp candidate = kernelOf(*module);
      if (!standsLaunches(candidate)) {
        continue;
      }
      if (verify(candidate, options).kind == VerdictKind::Verified) {
        return clause(candidate);
      }
      if (++tried == maxVerified) {
        break;
      }
    }
    return std::nullopt;
  }

private:
  tile::KernelOp kernel;
  VerifyOptions options;
  llvm::SmallSetVector<unsigned, 4> tensors; ///< numbers of arguments

  /// That a number was loaded from.
  void addTensor(mlir::Value loaded) {
    mlir::Operation *op = loaded ? loaded.getDefiningOp() : nullptr;
    mlir::Value from;
    if (auto gather = mlir::dyn_cast_or_null<tile::GatherOp>(op)) {
      from = gather.getTensor();
    } else if (auto load = mlir::dyn_cast_or_null<tile::LoadOp>(op)) {
      from = tile::partitionOf(load.getSource()).getTensor();
    }
    if (!from) {
      return;
    }
    mlir::BlockArgument root = tile::rootOf(from);
    auto type = mlir::cast<tile::TileTensorType>(root.getType());
    if (type.getMode() == tile::Mode::Shared &&
        type.getElementType().isSignlessInteger()) {
      tensors.insert(root.getArgNumber());
    }
  }

  /// The extents of all tensors, as ends of ranges.
  std::vector<ExprAttr> ranges() {
    std::vector<ExprAttr> out;
    for (mlir::Type t : kernel.getBody()->getArgumentTypes()) {
      auto type = mlir::dyn_cast<tile::TileTensorType>(t);
      for (mlir::Attribute dim :
           type ? type.getDims() : llvm::ArrayRef<mlir::Attribute>()) {
        auto name = mlir::dyn_cast<mlir::StringAttr>(dim);
        ExprAttr e = name ? ExprAttr::symbol(name)
                          : ExprAttr::constant(
                                kernel->getContext(),
                                mlir::cast<mlir::IntegerAttr>(dim).getInt());
        if (!llvm::is_contained(out, e) && out.size() < maxRanges) {
          out.push_back(e);
        }
      }
    }
    return out;
  }

  bool isGiven(unsigned tensor, GivenKind kind) {
    return llvm::any_of(kernel.getGivenFacts(), [&](GivenAttr g) {
      return g.getTensor() == tensor && g.getKind() == kind;
    });
  }

  GivenAttr given(unsigned tensor, GivenKind kind, ExprAttr low = {},
                  ExprAttr high = {}) {
    return GivenAttr::get(kernel->getContext(), kind, tensor, low, high, false);
  }

  /// What may be said of one tensor, weakest first.
  std::vector<Choice> choicesOf(unsigned tensor) {
    auto type = mlir::cast<tile::TileTensorType>(
        kernel.getBody()->getArgument(tensor).getType());
    ExprAttr zero = ExprAttr::constant(kernel->getContext(), 0);
    bool isDistinct = isGiven(tensor, GivenKind::Distinct);
    std::vector<Choice> within, orders;
    if (isGiven(tensor, GivenKind::Within)) {
      within.push_back({});
    } else {
      for (ExprAttr e : ranges()) {
        within.push_back({given(tensor, GivenKind::Within, zero, e)});
      }
    }
    for (const Choice &w : within) {
      if (!isDistinct) {
        orders.push_back(w);
        orders.back().push_back(given(tensor, GivenKind::Distinct));
      }
    }
    if (type.getDims().size() == 1 && !isGiven(tensor, GivenKind::Splits)) {
      for (ExprAttr e : ranges()) {
        orders.push_back({given(tensor, GivenKind::Splits, {}, e)});
      }
    }
    llvm::append_range(within, orders);
    return within;
  }

  /// Of all tensors together, the fewest preconditions first.
  std::vector<Choice> choices() {
    std::vector<Choice> all = {{}};
    for (unsigned t : tensors) {
      std::vector<Choice> more;
      for (const Choice &one : choicesOf(t)) {
        for (const Choice &c : all) {
          more.push_back(c);
          llvm::append_range(more.back(), one);
        }
      }
      more.resize(std::min(more.size(), maxChoices));
      all = std::move(more);
    }
    std::vector<Choice> ordered;
    for (size_t count = 1; count <= 2 * tensors.size(); ++count) {
      llvm::copy_if(all, std::back_inserter(ordered),
                    [&](const Choice &c) { return c.size() == count; });
    }
    return ordered;
  }

  /// Whether no small launch faults, and some has work.
  bool standsLaunches(tile::KernelOp candidate) {
    exec::Runner runner(candidate);
    SmallLaunches all(candidate, numbers);
    bool works = false;
    for (size_t i = 0; i < launches; ++i) {
      std::optional<CandidateLaunch> launch = all.next();
      if (!launch) {
        break;
      }
      exec::Options o;
      o.symbols.insert(launch->symbols.begin(), launch->symbols.end());
      o.indexWidth = options.width.bits;
      o.values = false;
      o.maxSteps = launchSteps;
      o.seed = i + 1;
      exec::Result r = runner.run(o);
      if (!r.contractError.empty()) {
        continue;
      }
      if (!r.faults.empty()) {
        return false;
      }
      works |= r.blocks > 0;
    }
    return works;
  }

  static std::string clause(tile::KernelOp candidate) {
    std::string out = "given [";
    llvm::ListSeparator comma;
    for (GivenAttr g : candidate.getGivenFacts()) {
      out += llvm::StringRef(comma).str() +
             g.str(candidate.getArgText(g.getTensor()));
    }
    return out + "]";
  }
};
} // namespace

std::optional<std::string> suggestGiven(tile::KernelOp kernel, const Verdict &v,
                                        const VerifyOptions &options) {
  return Suggesting(kernel, v, options).run();
}

} // namespace girih::checker
