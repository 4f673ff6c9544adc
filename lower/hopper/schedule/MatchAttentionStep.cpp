// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel of some two hundred ops, each of which the schedule has a place for:
// so it is compared with that of the library, op by op.

#include "lower/hopper/schedule/AttentionStep.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace girih::hopper {
namespace {

constexpr const char libraryText[] =
#include "lower/hopper/schedule/AttentionStepText.inc"
    ;

class StepMatcher {
public:
  explicit StepMatcher(tile::KernelOp kernel) : kernel(kernel) {}

  std::variant<AttentionStep, Misfit> match() {
    bool isNear = matchNames();
    if (isNear && matchKernels()) {
      return out;
    }
    misfit->isNear = isNear;
    return *misfit;
  }

private:
  bool fail(Location at, const Twine &why) {
    misfit = Misfit{at, why.str()};
    return false;
  }

  /// Of q: [G, R, 128], and of a cache: [G, T, 128].
  bool matchNames() {
    auto named = [&](unsigned argument, unsigned axis) -> StringAttr {
      if (argument >= kernel.getArguments().size()) {
        return nullptr;
      }
      auto type = dyn_cast<tile::TileTensorType>(
          kernel.getArguments()[argument].getType());
      return type && type.getRank() == 3
                 ? dyn_cast<StringAttr>(type.getDims()[axis])
                 : nullptr;
    };
    out.g = named(AttentionStep::Q, 0);
    out.r = named(AttentionStep::Q, 1);
    out.t = named(AttentionStep::KCache, 1);
    return (out.g && out.r && out.t && out.g != out.r && out.r != out.t &&
            out.g != out.t) ||
           fail(kernel.getLoc(),
                "tile.kernel does not fit the schedule attention_step: its "
                "arguments are not those of the library's kernel");
  }

  /// The library's kernel, with the names of this one.
  OwningOpRef<ModuleOp> library() {
    MLIRContext *context = kernel.getContext();
    auto module = parseSourceString<ModuleOp>(
        libraryText, ParserConfig(context, /*verifyAfterParse=*/false));
    assert(module && "the library's kernel is text of the language");
    llvm::DenseMap<Attribute, Attribute> names = {
        {StringAttr::get(context, "G"), out.g},
        {StringAttr::get(context, "R"), out.r},
        {StringAttr::get(context, "T"), out.t}};
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](StringAttr name) -> std::optional<Attribute> {
      auto found = names.find(name);
      return found == names.end() ? std::nullopt : std::optional(found->second);
    });
    replacer.recursivelyReplaceElementsIn(*module, /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
    return module;
  }

  bool matchKernels() {
    OwningOpRef<ModuleOp> module = library();
    auto wanted = cast<tile::KernelOp>(module->getBody()->front());
    if (kernel.getGrid() != wanted.getGrid() ||
        kernel.getConditions() != wanted.getConditions() ||
        kernel.getGivens() != wanted.getGivens() ||
        kernel.getCovers() != wanted.getCovers() ||
        kernel.getRepack() != wanted.getRepack()) {
      return fail(kernel.getLoc(),
                  "tile.kernel does not fit the schedule attention_step: its "
                  "grid or its contract is not that of the library's kernel");
    }
    return matchRegions(kernel.getBodyRegion(), wanted.getBodyRegion(), kernel);
  }

  bool differs(Operation *op) {
    return fail(op->getLoc(),
                op->getName().getStringRef() +
                    " does not fit the schedule attention_step: it is not "
                    "what stands there in the library's kernel");
  }

  bool matchRegions(Region &region, Region &wanted, Operation *parent) {
    if (region.empty() || wanted.empty()) {
      return region.empty() == wanted.empty() || differs(parent);
    }
    Block &mine = region.front(), &theirs = wanted.front();
    if (!llvm::hasSingleElement(region) || !llvm::hasSingleElement(wanted) ||
        mine.getArgumentTypes() != theirs.getArgumentTypes()) {
      return differs(parent);
    }
    for (auto [a, c] : llvm::zip(mine.getArguments(), theirs.getArguments())) {
      same[c] = a;
    }
    auto next = theirs.begin();
    for (Operation &op : mine) {
      if (next == theirs.end() || !matchOp(&op, &*next)) {
        return misfit ? false : differs(&op);
      }
      ++next;
    }
    return next == theirs.end() || differs(parent);
  }

  bool matchOp(Operation *op, Operation *wanted) {
    bool isSame = op->getName() == wanted->getName() &&
                  op->getAttrDictionary() == wanted->getAttrDictionary() &&
                  op->getResultTypes() == wanted->getResultTypes() &&
                  op->getNumOperands() == wanted->getNumOperands() &&
                  op->getNumRegions() == wanted->getNumRegions();
    for (unsigned i = 0; isSame && i < op->getNumOperands(); ++i) {
      isSame = same.lookup(wanted->getOperand(i)) == op->getOperand(i);
    }
    if (!isSame) {
      return differs(op);
    }
    for (auto [a, c] : llvm::zip(op->getRegions(), wanted->getRegions())) {
      if (!matchRegions(a, c, op)) {
        return false;
      }
    }
    for (auto [a, c] : llvm::zip(op->getResults(), wanted->getResults())) {
      same[c] = a;
    }
    return true;
  }

  tile::KernelOp kernel;
  AttentionStep out;
  std::optional<Misfit> misfit;
  llvm::DenseMap<Value, Value> same; ///< by value of the library's kernel
};

} // namespace

std::variant<AttentionStep, Misfit> matchAttentionStep(tile::KernelOp kernel) {
  return StepMatcher(kernel).match();
}

} // namespace girih::hopper
