// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/decide/Conditions.h"

#include <set>

namespace girih::checker {

using tile::ComparisonAttr;
using tile::ComparisonKind;
using tile::ExprAttr;
using tile::ExprKind;

namespace {
/// Symbols beyond this number take part in no condition on three of them.
constexpr size_t maxSearchedSymbols = 8;

class Conditions {
public:
  Conditions(tile::KernelOp kernel, const ContractValues &contract,
             llvm::ArrayRef<int64_t> large)
      : context(kernel.getContext()), large(large) {
    for (const tile::LaunchSymbol &s : kernel.getLaunchSymbols()) {
      isSigned.push_back(!s.type.isIndex());
      symbols.push_back(ExprAttr::symbol(s.name));
    }
    tiles.resize(symbols.size());
    kernel.walk([&](tile::PartitionOp p) {
      tile::PartitionType type = p.getType();
      for (auto [dim, size] :
           llvm::zip(type.getTensor().getDims(), type.getTile())) {
        auto name = mlir::dyn_cast<mlir::StringAttr>(dim);
        if (name && size > 1) {
          tiles[contract.symbol(name.getValue())].insert(size);
        }
      }
    });
  }

  std::vector<ComparisonAttr> run() {
    addLowerBounds();
    addWidths();
    addOrders();
    addCounts();
    addDivisibility();
    addEqualities();
    addSingles();
    return std::move(out);
  }

private:
  mlir::MLIRContext *context;
  llvm::ArrayRef<int64_t> large; ///< by symbol
  std::vector<ExprAttr> symbols;
  std::vector<char> isSigned;           ///< of type iN
  std::vector<std::set<int64_t>> tiles; ///< by the symbol that they cut
  std::vector<ComparisonAttr> out;

  ExprAttr number(int64_t n) const { return ExprAttr::constant(context, n); }

  static ExprAttr make(ExprKind kind, ExprAttr a, ExprAttr b) {
    return ExprAttr::binary(kind, a, b);
  }

  void add(ExprAttr a, ComparisonKind kind, ExprAttr b) {
    out.push_back(ComparisonAttr::get(context, kind, a, b));
  }

  bool isFew() const { return symbols.size() <= maxSearchedSymbols; }

  void addLowerBounds() {
    for (auto [s, can] : llvm::zip(symbols, isSigned)) {
      if (can) {
        add(s, ComparisonKind::Ge, number(0));
      }
    }
    for (ExprAttr s : symbols) {
      add(s, ComparisonKind::Ge, number(1));
    }
  }

  /// `e` stays below `at`, which is what it is at the large launch.
  void addWidth(ExprAttr e, __int128 at) {
    if (large.empty()) {
      at = __int128(1) << 31;
    }
    if (at >= leastLarge && at <= INT64_MAX) {
      add(e, ComparisonKind::Le, number(static_cast<int64_t>(at - 1)));
    }
  }

  void addWidths() {
    size_t n = symbols.size();
    auto value = [&](size_t i) { return large.empty() ? 0 : large[i]; };
    for (size_t i = 0; i < n; ++i) {
      addWidth(symbols[i], value(i));
    }
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = i + 1; j < n; ++j) {
        __int128 product = __int128(value(i)) * value(j);
        ExprAttr e = make(ExprKind::Mul, symbols[i], symbols[j]);
        addWidth(make(ExprKind::Add, symbols[i], symbols[j]),
                 __int128(value(i)) + value(j));
        addWidth(e, product);
        for (size_t k = j + 1; isFew() && k < n; ++k) {
          addWidth(make(ExprKind::Mul, e, symbols[k]),
                   product > INT64_MAX ? product : product * value(k));
        }
      }
    }
  }

  void addOrders() {
    auto forEachPair = [&](auto visit) {
      for (size_t i = 0; i < symbols.size(); ++i) {
        for (size_t j = 0; j < symbols.size(); ++j) {
          if (i != j) {
            visit(i, j);
          }
        }
      }
    };
    forEachPair([&](size_t i, size_t j) {
      add(symbols[i], ComparisonKind::Le, symbols[j]);
    });
    forEachPair([&](size_t i, size_t j) {
      add(symbols[i], ComparisonKind::Lt, symbols[j]);
    });
    forEachPair([&](size_t i, size_t j) {
      for (size_t k = 0; isFew() && i < j && k < symbols.size(); ++k) {
        if (k != i && k != j) {
          ExprAttr product = make(ExprKind::Mul, symbols[i], symbols[j]);
          add(make(ExprKind::Add, symbols[i], symbols[j]), ComparisonKind::Le,
              symbols[k]);
          add(product, ComparisonKind::Le, symbols[k]);
          add(symbols[k], ComparisonKind::Le, product);
        }
      }
    });
  }

  /// Calls `visit` with `ceildiv(N, t)` for each axis that is cut into tiles,
  /// and the place of its symbol.
  template <typename Visit> void forEachCount(Visit visit) {
    for (size_t i = 0; i < symbols.size(); ++i) {
      for (int64_t t : tiles[i]) {
        visit(make(ExprKind::CeilDiv, symbols[i], number(t)), i);
      }
    }
  }

  void addCounts() {
    forEachCount([&](ExprAttr count, size_t i) {
      for (size_t j = 0; j < symbols.size(); ++j) {
        if (i != j) {
          add(count, ComparisonKind::Le, symbols[j]);
          add(symbols[j], ComparisonKind::Le, count);
        }
      }
    });
  }

  void addDivisibility() {
    for (size_t i = 0; i < symbols.size(); ++i) {
      for (int64_t t : tiles[i]) {
        add(make(ExprKind::Mod, symbols[i], number(t)), ComparisonKind::Eq,
            number(0));
      }
    }
    for (size_t i = 0; i < symbols.size(); ++i) {
      for (size_t j = 0; j < symbols.size(); ++j) {
        if (i != j) {
          add(make(ExprKind::Mod, symbols[i], symbols[j]), ComparisonKind::Eq,
              number(0));
        }
      }
    }
  }

  void addEqualities() {
    size_t n = symbols.size();
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = i + 1; j < n; ++j) {
        add(symbols[i], ComparisonKind::Eq, symbols[j]);
        for (size_t k = 0; isFew() && k < n; ++k) {
          if (k != i && k != j) {
            add(symbols[k], ComparisonKind::Eq,
                make(ExprKind::Mul, symbols[i], symbols[j]));
          }
        }
      }
    }
    forEachCount([&](ExprAttr count, size_t i) {
      for (size_t j = 0; j < n; ++j) {
        if (i != j) {
          add(symbols[j], ComparisonKind::Eq, count);
        }
      }
    });
  }

  void addSingles() {
    for (size_t i = 0; i < symbols.size(); ++i) {
      for (int64_t t : llvm::reverse(tiles[i])) {
        add(symbols[i], ComparisonKind::Le, number(t));
      }
    }
    for (ExprAttr s : symbols) {
      add(s, ComparisonKind::Le, number(1));
    }
  }
};
} // namespace

std::vector<ComparisonAttr> missingConditions(tile::KernelOp kernel,
                                              const ContractValues &contract,
                                              llvm::ArrayRef<int64_t> large) {
  return Conditions(kernel, contract, large).run();
}

mlir::OwningOpRef<mlir::ModuleOp>
kernelUnder(tile::KernelOp kernel,
            llvm::ArrayRef<tile::ComparisonAttr> conditions,
            llvm::ArrayRef<tile::GivenAttr> givens) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(kernel->getLoc());
  auto copy = mlir::cast<tile::KernelOp>(kernel->clone());
  module->push_back(copy);
  auto extended = [&](mlir::ArrayAttr own, auto more) {
    llvm::SmallVector<mlir::Attribute> all(own.getValue());
    all.append(more.begin(), more.end());
    return mlir::ArrayAttr::get(kernel->getContext(), all);
  };
  copy.setConditionsAttr(extended(copy.getConditions(), conditions));
  copy.setGivensAttr(extended(copy.getGivens(), givens));
  return module;
}

tile::KernelOp kernelOf(mlir::ModuleOp module) {
  return mlir::cast<tile::KernelOp>(module.getBody()->front());
}

} // namespace girih::checker
