// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/sanitiser/BruteForce.h"

#include "fuzz/generators/Draw.h"
#include "spec/executor/launch/Launch.h"
#include "spec/executor/tool/Infer.h"

#include <numeric>
#include <set>

namespace girih::fuzz {

/// Launch number `index` of the box, the last symbol running fastest.
static std::map<std::string, int64_t> launchAt(const Box &box, size_t index) {
  std::map<std::string, int64_t> out;
  for (auto it = box.symbols.rbegin(); it != box.symbols.rend(); ++it) {
    out[it->first] = it->second[index % it->second.size()];
    index /= it->second.size();
  }
  return out;
}

/// Number of launches of the box, or more than any sample needs.
static size_t sizeOf(const Box &box) {
  size_t size = 1;
  for (auto &[name, values] : box.symbols) {
    size = std::min(size * values.size(), size_t(1) << 40);
  }
  return size;
}

/// The extents of a tensor at a launch; none when it names its strides, for
/// elements that share memory hold the same.
static std::optional<std::vector<int64_t>>
shapeOf(tile::TileTensorType type,
        const std::map<std::string, int64_t> &symbols) {
  std::vector<int64_t> shape;
  for (mlir::Attribute dim : type.getDims()) {
    if (auto c = mlir::dyn_cast<mlir::IntegerAttr>(dim)) {
      shape.push_back(c.getValue().getSExtValue());
    } else {
      shape.push_back(
          symbols.at(mlir::cast<mlir::StringAttr>(dim).getValue().str()));
    }
  }
  return type.getStrides().empty() ? std::optional(shape) : std::nullopt;
}

std::map<std::string, exec::Array>
variedInputs(tile::KernelOp kernel,
             const std::map<std::string, int64_t> &symbols, uint64_t seed) {
  std::map<std::string, exec::Array> out;
  Draw d(seed);
  for (mlir::BlockArgument arg : kernel.getArguments()) {
    auto type = mlir::dyn_cast<tile::TileTensorType>(arg.getType());
    // What is given of contents the executor's seeds keep, and these would not.
    bool given = llvm::any_of(kernel.getGivenFacts(), [&](tile::GivenAttr g) {
      return g.getTensor() == arg.getArgNumber();
    });
    bool isRead = type && (type.getMode() == tile::Mode::Shared ||
                           type.getMode() == tile::Mode::Own);
    if (!isRead || given || !type.getElementType().isInteger() ||
        type.getElementType().isInteger(1)) {
      continue;
    }
    auto shape = shapeOf(type, symbols);
    auto [low, high] = d.pick<std::pair<int64_t, int64_t>>(
        {{0, 1}, {0, 1}, {-1, 3}, {-9, 9}, {0, -1}});
    auto array = shape && low <= high
                     ? exec::makeArray(exec::kindOf(type.getElementType()),
                                       *shape, 1 << 8)
                     : std::nullopt;
    if (array) {
      for (int64_t &x : array->ints) {
        x = d.between(low, high);
      }
      out[kernel.getArgName(arg.getArgNumber()).str()] = std::move(*array);
    }
  }
  return out;
}

/// The value of an expression; nothing where it overflows or divides by less
/// than 1 or something negative.
static std::optional<int64_t>
valueOf(tile::ExprAttr e, const std::map<std::string, int64_t> &symbols) {
  using K = tile::ExprKind;
  if (e.getKind() == K::Constant) {
    return e.getValue();
  }
  if (e.getKind() == K::Symbol) {
    return symbols.at(e.getSymbol().getValue().str());
  }
  auto a = valueOf(e.getLhs(), symbols), b = valueOf(e.getRhs(), symbols);
  if (!a || !b) {
    return std::nullopt;
  }
  int64_t out = 0;
  auto unless = [&](bool fails) {
    return fails ? std::nullopt : std::optional(out);
  };
  bool divides = *a >= 0 && *b >= 1;
  switch (e.getKind()) {
  case K::Add:
    return unless(__builtin_add_overflow(*a, *b, &out));
  case K::Sub:
    return unless(__builtin_sub_overflow(*a, *b, &out));
  case K::Mul:
    return unless(__builtin_mul_overflow(*a, *b, &out));
  case K::Div:
    return divides ? std::optional(*a / *b) : std::nullopt;
  case K::Mod:
    return divides ? std::optional(*a % *b) : std::nullopt;
  case K::CeilDiv:
    return divides ? std::optional(*a / *b + (*a % *b != 0)) : std::nullopt;
  case K::Min:
    return std::min(*a, *b);
  case K::Max:
    return std::max(*a, *b);
  default:
    return std::nullopt;
  }
}

/// Gives symbols that the contract says are something else that value: a sample
/// of many symbols meets no such equality by chance.
static void determine(tile::KernelOp kernel,
                      std::map<std::string, int64_t> &symbols) {
  for (tile::ComparisonAttr c : kernel.getRequirements()) {
    if (c.getKind() == tile::ComparisonKind::Eq &&
        c.getLhs().getKind() == tile::ExprKind::Symbol) {
      if (auto value = valueOf(c.getRhs(), symbols)) {
        symbols[c.getLhs().getSymbol().getValue().str()] = *value;
      }
    }
  }
}

static bool isExtent(tile::KernelOp kernel, mlir::StringAttr symbol) {
  for (mlir::Type t : kernel.getBody()->getArgumentTypes()) {
    auto type = mlir::dyn_cast<tile::TileTensorType>(t);
    if (type && llvm::is_contained(type.getDims(), symbol)) {
      return true;
    }
  }
  return false;
}

/// Gives strides the values of packed tensors: elements of a written one do not
/// share memory then.
static void pack(tile::KernelOp kernel, exec::Options &options) {
  for (mlir::Type t : kernel.getBody()->getArgumentTypes()) {
    auto type = mlir::dyn_cast<tile::TileTensorType>(t);
    for (mlir::Attribute of :
         type ? type.getStrides() : llvm::ArrayRef<mlir::Attribute>()) {
      auto symbol = mlir::dyn_cast<mlir::StringAttr>(of);
      if (symbol && !isExtent(kernel, symbol)) {
        options.symbols.erase(symbol.str());
      }
    }
  }
  exec::inferSymbols(kernel, options);
}

BruteResult bruteForce(tile::KernelOp kernel, const Box &box,
                       const BruteOptions &options) {
  using exec::Order;
  BruteResult result;
  size_t size = sizeOf(box);
  // A stride without a common divisor visits each launch once; a step of 1
  // when there is room for all, smallest first.
  size_t stride = 1;
  if (size > options.maxLaunches) {
    stride = (options.seed * 0x9e3779b1u + size / 3) % size;
    while (std::gcd(stride, size) != 1) {
      ++stride;
    }
  }
  std::vector<Order> orders = {Order::Sequential};
  if (options.allOrders) {
    orders.insert(orders.end(),
                  {Order::Reverse, Order::Random, Order::Interleaved});
  }
  // Of many symbols a contract may refuse all but one launch of thousands.
  size_t tries = std::min(size, options.maxLaunches * 8);
  size_t most = std::min(size, options.maxLaunches * 512);
  for (size_t i = 0, at = 0; i < (result.admitted ? tries : most);
       ++i, at = (at + stride) % size) {
    exec::Options o;
    o.symbols = launchAt(box, at);
    if (stride > 1 && i % 2 == 1) {
      determine(kernel, o.symbols);
    }
    if (stride > 1 && i % 4 >= 2) {
      pack(kernel, o);
    }
    o.indexWidth = options.width;
    o.values = false;
    o.maxSteps = options.maxSteps;
    o.maxResultElements = 0;
    bool admitted = true;
    for (size_t k = 0; k < orders.size() && admitted; ++k) {
      o.order = orders[k];
      o.seed = options.seed + k;
      o.inputs = variedInputs(kernel, o.symbols, o.seed + at);
      exec::Result r = exec::run(kernel, o);
      admitted = r.contractError.empty();
      result.runs += admitted;
      result.exhausted += admitted && k == 0 && r.exhausted;
      if (admitted && !r.faults.empty()) {
        result.broken = Broken{o.symbols, o.order, o.seed, r.faults.front()};
        ++result.admitted;
        return result;
      }
    }
    result.admitted += admitted;
    if (result.admitted == options.maxLaunches) {
      break;
    }
  }
  return result;
}

/// Whether the type of an argument says that it is empty.
static bool hasEmptyExtent(tile::KernelOp kernel) {
  return llvm::any_of(kernel.getBody()->getArgumentTypes(), [](mlir::Type t) {
    auto type = mlir::dyn_cast<tile::TileTensorType>(t);
    return type && llvm::any_of(type.getDims(), [](mlir::Attribute dim) {
             auto c = mlir::dyn_cast<mlir::IntegerAttr>(dim);
             return c && c.getValue().isZero();
           });
  });
}

/// Without the launches of which a tensor is empty.
static Box withoutEmpty(tile::KernelOp kernel, Box box) {
  for (auto &[symbol, values] : box.symbols) {
    auto isExtent = [&](mlir::Type t) {
      auto type = mlir::dyn_cast<tile::TileTensorType>(t);
      return type && llvm::any_of(type.getDims(), [&](mlir::Attribute dim) {
               auto name = mlir::dyn_cast<mlir::StringAttr>(dim);
               return name && name.getValue() == symbol;
             });
    };
    if (llvm::any_of(kernel.getBody()->getArgumentTypes(), isExtent)) {
      llvm::erase(values, 0);
    }
  }
  return box;
}

bool admitsWork(tile::KernelOp kernel, const Box &all, unsigned width) {
  if (hasEmptyExtent(kernel)) {
    return false;
  }
  Box box = withoutEmpty(kernel, all);
  constexpr size_t most = 1 << 12;
  size_t size = sizeOf(box), stride = size > most ? size / most : 1;
  for (size_t at = 0; at < size; at += stride) {
    exec::Options o;
    o.symbols = launchAt(box, at);
    o.indexWidth = width;
    o.blocks.emplace(); // the launch alone
    exec::Result r = exec::run(kernel, o);
    if (r.contractError.empty() && r.faults.empty() &&
        !llvm::is_contained(r.grid, 0)) {
      return true;
    }
  }
  return false;
}

/// The bound that spec/rationale.md puts on extents and index symbols.
static int64_t largestExtent(unsigned width) {
  return int64_t(1) << ((40 * width + 63) / 64);
}

Box boxOf(tile::KernelOp kernel, unsigned width) {
  // What is enumerated stays small, whatever the kernel names.
  constexpr int64_t large = 1 << 12;
  std::set<int64_t> contract;
  for (tile::ComparisonAttr c : kernel.getRequirements()) {
    forEachConstant(c, [&](int64_t value) { contract.insert(value); });
  }
  Box box;
  for (const tile::LaunchSymbol &s : kernel.getLaunchSymbols()) {
    std::set<int64_t> edges = contract, values = {0, 1, 2, 3, 5};
    kernel.getBody()->walk([&](tile::PartitionOp p) {
      tile::PartitionType type = p.getType();
      for (auto [dim, tile] :
           llvm::zip(type.getTensor().getDims(), type.getTile())) {
        if (dim == s.name && tile > 1) {
          edges.insert({tile, 2 * tile});
        }
      }
    });
    for (int64_t e : edges) {
      if (e > 0 && e <= large) {
        values.insert({e - 1, e, e + 1});
      }
    }
    if (s.type.isIndex()) {
      values.erase(values.begin(), values.lower_bound(0));
    } else {
      values.insert({-2, -1});
    }
    if (isExtent(kernel, s.name)) {
      values.insert(7);
    } else if (s.type.isIndex()) {
      // No tensor grows with it, so that arithmetic can be taken to its ends.
      values.insert(largestExtent(width));
    }
    if (width < 16) {
      values.insert(largestExtent(width));
    }
    box.symbols.push_back(
        {s.name.getValue().str(), {values.begin(), values.end()}});
  }
  return box;
}

std::string text(const std::map<std::string, int64_t> &symbols) {
  std::string out;
  for (auto &[name, value] : symbols) {
    out += (out.empty() ? "" : ",") + name + "=" + std::to_string(value);
  }
  return out;
}

std::string text(const Broken &broken) {
  return std::string(ruleName(broken.fault.rule)) + ": " +
         broken.fault.message + " at " + text(broken.symbols);
}

} // namespace girih::fuzz
