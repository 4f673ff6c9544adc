// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/schedule/MatchLibrary.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace girih::hopper {
namespace {

class LibraryMatcher {
public:
  LibraryMatcher(tile::KernelOp kernel, StringRef schedule, StringRef text,
                 size_t place)
      : kernel(kernel), schedule(schedule),
        module(parseSourceString<ModuleOp>(
            text, ParserConfig(kernel.getContext(),
                               /*verifyAfterParse=*/false))) {
    assert(module && "the library's kernel is text of the language");
    library = *std::next(module->getOps<tile::KernelOp>().begin(), place);
  }

  std::optional<Misfit> match() {
    bool isNear = matchArguments();
    if (isNear) {
      rename();
      matchKernels();
    }
    if (misfit) {
      misfit->isNear = isNear;
    }
    return misfit;
  }

private:
  bool fail(Operation *op, const Twine &why) {
    misfit = Misfit{op->getLoc(),
                    (op->getName().getStringRef() +
                     " does not fit the schedule " + schedule + ": " + why)
                        .str()};
    return false;
  }

  /// As many of them, of the same ranks, and as many symbols.
  bool matchArguments() {
    auto rankOf = [](BlockArgument a) {
      auto type = dyn_cast<tile::TileTensorType>(a.getType());
      return type ? type.getRank() : -1;
    };
    return (kernel.getLaunchSymbols().size() ==
                library.getLaunchSymbols().size() &&
            llvm::equal(llvm::map_range(kernel.getArguments(), rankOf),
                        llvm::map_range(library.getArguments(), rankOf))) ||
           fail(kernel, "its arguments are not those of the library's kernel");
  }

  /// Gives the library's kernel the names of this one.
  void rename() {
    llvm::DenseMap<Attribute, Attribute> names;
    for (auto [mine, theirs] :
         llvm::zip(kernel.getLaunchSymbols(), library.getLaunchSymbols())) {
      names[theirs.name] = mine.name;
    }
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](StringAttr name) -> std::optional<Attribute> {
      auto found = names.find(name);
      return found == names.end() ? std::nullopt : std::optional(found->second);
    });
    replacer.recursivelyReplaceElementsIn(*module, /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
  }

  bool matchKernels() {
    if (kernel.getSymbols() != library.getSymbols() ||
        kernel.getGrid() != library.getGrid() ||
        kernel.getConditions() != library.getConditions() ||
        kernel.getGivens() != library.getGivens() ||
        kernel.getCovers() != library.getCovers() ||
        kernel.getRepack() != library.getRepack()) {
      return fail(kernel, "its grid or its contract is not that of the "
                          "library's kernel");
    }
    return matchRegions(kernel.getBodyRegion(), library.getBodyRegion(),
                        kernel);
  }

  bool differs(Operation *op) {
    return fail(op, "it is not what stands there in the library's kernel");
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

  tile::KernelOp kernel, library;
  StringRef schedule;
  OwningOpRef<ModuleOp> module;
  std::optional<Misfit> misfit;
  llvm::DenseMap<Value, Value> same; ///< by value of the library's kernel
};

} // namespace

std::optional<Misfit> matchLibrary(tile::KernelOp kernel, StringRef schedule,
                                   StringRef text, size_t place) {
  return LibraryMatcher(kernel, schedule, text, place).match();
}

} // namespace girih::hopper
